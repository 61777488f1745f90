"""Writes the signatures of frameworks, from the stubs beside it, in the form of the standard library's.

    python packaging/signatures/frameworks.py

writes `frameworks.json` beside the rules of Python. A class has each of the names by which it is imported.
"""

import json
from pathlib import Path

from python import KEPT, MEMBERS, OUTPUT, Module, Table

STUBS = Path(__file__).parent / "frameworks"
ALIASES = {
    "django.db.models": ["django.db.models.query", "django.db.models.manager", "django.contrib.gis.db.models"],
    "django.db.models.QuerySet": ["django.db.models.Manager", "django.db.models.manager.Manager"],
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
