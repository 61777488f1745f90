"""Writes the signatures of frameworks, from the stubs beside it, in the form of the standard library's.

    python packaging/signatures/frameworks.py

writes `frameworks.json` beside the rules of Python. A class has each of the names by which it is imported.
"""

import json
from pathlib import Path

from python import KEPT, MEMBERS, OUTPUT, Module, Table

STUBS = Path(__file__).parent / "frameworks"
VIEWS = (
    "GenericAPI CreateAPI ListAPI RetrieveAPI DestroyAPI UpdateAPI ListCreateAPI RetrieveUpdateAPI RetrieveDestroyAPI "
    "RetrieveUpdateDestroyAPI"
).split()
"""The views of Django REST framework that have a queryset."""
ALIASES = {
    "django.db.models": ["django.db.models.query", "django.db.models.manager", "django.contrib.gis.db.models"],
    "django.db.models.QuerySet": ["django.db.models.Manager", "django.db.models.manager.Manager"],
    "django.db.models.Model": [
        "django.contrib.auth.models.AbstractUser",
        "django.contrib.auth.models.AbstractBaseUser",
        "django.contrib.auth.base_user.AbstractBaseUser",
        "mptt.models.MPTTModel",
    ],
    "django.views.generic.ListView": [
        *(f"django.views.generic.{name}View" for name in ("Detail", "Update", "Delete", "Create")),
        *("django.views.generic.list.ListView", "django.views.generic.detail.DetailView"),
        *(f"django.views.generic.edit.{name}View" for name in ("Update", "Delete", "Create")),
        *(f"rest_framework.generics.{name}View" for name in VIEWS),
        *(f"rest_framework.viewsets.{name}ViewSet" for name in ("Model", "ReadOnlyModel", "Generic")),
        *(f"rest_framework.mixins.{name}ModelMixin" for name in ("List", "Create", "Retrieve", "Update", "Destroy")),
    ],
    "rest_framework.serializers.ModelSerializer": ["rest_framework.serializers.HyperlinkedModelSerializer"],
    "flask_sqlalchemy": ["flask_sqlalchemy.extension"],
    "sqlalchemy": ["sqlalchemy.future", "sqlmodel"],
    "sqlalchemy.orm": ["sqlalchemy.orm.session", "sqlmodel"],
    "sqlalchemy.orm.Session": ["sqlalchemy.orm.scoped_session"],
    "sqlalchemy.ext.asyncio": ["sqlalchemy.ext.asyncio.session", "sqlmodel.ext.asyncio.session"],
    "sqlalchemy.ext.asyncio.AsyncSession": ["sqlalchemy.ext.asyncio.async_scoped_session"],
}
"""A module or a class → its other names."""


def main() -> None:
    """Write the table."""
    KEPT.update(("Model", "Session", "AsyncSession", "sessionmaker", "async_sessionmaker"))
    KEPT.update(("ListView", "ModelSerializer"))
    KEPT.update(("SQLAlchemy", "DeclarativeModel"))
    MEMBERS.add("__get__")
    modules = [Module(path, path.name.removesuffix(".pyi")) for path in sorted(STUBS.glob("*.pyi"))]
    table = Table(modules)
    for module in modules:
        table.add(module)
    names = table.functions | table.classes
    aliases = {
        other + known.removeprefix(name): known
        for name, others in ALIASES.items()
        for known in names
        if known in (name, f"{name}.{known.rpartition('.')[2]}")
        for other in others
    }
    tables = {"functions": table.functions, "classes": table.classes, "aliases": aliases}
    text = json.dumps(tables, separators=(",", ":"), sort_keys=True)
    OUTPUT.with_name("frameworks.json").write_text(text.replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
