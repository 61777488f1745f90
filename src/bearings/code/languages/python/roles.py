"""Detects the role of Python's classes and functions: schemas, enums, protocols, decorators."""

import re
from collections.abc import Iterator, Mapping

from bearings.code.expressions import site_of, written
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.models import Detail, SymbolKind

_BASES: tuple[tuple[re.Pattern[str], SymbolKind, str], ...] = tuple(
    (re.compile(pattern), role, by)
    for pattern, role, by in (
        (r"pydantic(?:\.\w+)*\.(?:BaseModel|RootModel|BaseSettings|GenericModel)", Symbols.SCHEMA, "pydantic"),
        (r"pydantic_settings\.BaseSettings", Symbols.SCHEMA, "pydantic"),
        (r"sqlmodel(?:\.\w+)*\.SQLModel", Symbols.SCHEMA, "sqlmodel"),
        (r"msgspec\.Struct", Symbols.SCHEMA, "msgspec"),
        (r"django\.(?:contrib\.gis\.)?db\.models(?:\.base)?\.Model", Symbols.SCHEMA, "django"),
        (r"django\.contrib\.auth\.(?:base_user|models)\.Abstract\w*User", Symbols.SCHEMA, "django"),
        (r"(?:flask_sqlalchemy\.SQLAlchemy\(\)|(?:.*\.)?db)\.Model", Symbols.SCHEMA, "sqlalchemy"),
        (r"typing(?:_extensions)?\.TypedDict", Symbols.SCHEMA, "TypedDict"),
        (r"typing(?:_extensions)?\.NamedTuple", Symbols.SCHEMA, "NamedTuple"),
        (r"enum\.\w*(?:Enum|Flag)|django\.db\.models(?:\.enums)?\.\w*Choices", Symbols.ENUM, "enum"),
        (r"typing(?:_extensions)?\.Protocol", Symbols.INTERFACE, "Protocol"),
    )
)
_INHERITED = frozenset({"pydantic", "sqlmodel", "msgspec", "django", "TypedDict", "enum"})
"""Roles that derived classes inherit."""

_DATACLASS = re.compile(
    r"(?:pydantic\.)?dataclasses\.dataclass|pydantic\.dataclasses|attrs?\.(?:s|attrs|dataclass|define|frozen|mutable)"
)
_COLUMNS = re.compile(
    r"(?:sqlalchemy(?:\.\w+)*|flask_sqlalchemy\.SQLAlchemy\(\)|(?:.*\.)?db)\.(?:Column|mapped_column)"
)
_FIELDS = re.compile(r"django\.(?:contrib\.gis\.)?db\.models(?:\.\w+)*\.\w*(?:Field|Key)")
_CALLED = re.compile(r"typing(?:_extensions)?\.(TypedDict|NamedTuple)|collections\.(namedtuple)")
_VALUES = (Symbols.VARIABLE, Symbols.CONSTANT)
_PACKAGES = frozenset({
    "attr", "attrs", "collections", "dataclasses", "django", "enum", "flask_sqlalchemy", "msgspec", "pydantic",
    "pydantic_settings", "sqlalchemy", "sqlmodel", "typing", "typing_extensions",
})  # fmt: skip
"""A file that imports none of these packages, nor a name `db`, has no class with a role."""


def roles(builder: Builder, decorators: Mapping[int, list[str]], decorating: set[str], wrapping: set[int]) -> None:
    """Set the role of each class and function.

    `decorators` are the decorators of classes by index, `decorating` the names that are used as decorators in this
    file, `wrapping` the functions that return a function decorated with `@wraps`.
    """
    for index in wrapping | {builder.members.get((0, name), 0) for name in decorating}:
        if builder.drafts[index].kind is Symbols.FUNCTION:
            builder.drafts[index].detail = Detail(Symbols.DECORATOR, "wraps" if index in wrapping else "use")
    roots = {entry.module.partition(".")[0] for entry in builder.imports}
    if not _PACKAGES.isdisjoint(roots) or any(entry.local == "db" for entry in builder.imports):
        _Classes(builder, decorators).read()


class _Classes:
    """Finds the roles of one file's classes, and of variables that hold a class made by a call (`namedtuple`)."""

    def __init__(self, builder: Builder, decorators: Mapping[int, list[str]]) -> None:
        self._builder = builder
        self._decorators = decorators
        self._imported = {
            entry.local: entry.module if entry.name in ("", "*") else f"{entry.module}.{entry.name}"
            for entry in builder.imports
            if entry.local
        }

    def read(self) -> None:
        fields: dict[int, set[str]] = {}
        for draft in self._builder.drafts:
            if draft.kind is Symbols.PROPERTY and (callee := self._callee_of(draft)):
                fields.setdefault(draft.parent, set()).add(callee)
        for index, draft in enumerate(self._builder.drafts):
            if draft.kind is Symbols.CLASS:
                draft.detail = next(self._class(index, draft, fields.get(index, set())), None)
            elif draft.kind in _VALUES and (found := _CALLED.fullmatch(self._callee_of(draft))):
                draft.detail = Detail(Symbols.SCHEMA, found[1] or found[2])

    def _class(self, index: int, draft: Draft, fields: set[str]) -> Iterator[Detail]:
        """Yield the roles of a class, the most certain first; `fields` are the callees of its fields' values."""
        bases = [self._full_name(written(base.value)) for base in draft.bases]
        for name in bases:
            yield from (Detail(role, by) for pattern, role, by in _BASES if pattern.fullmatch(name))
        for decorator in self._decorators.get(index, ()):
            if _DATACLASS.fullmatch(self._full_name(decorator.partition("(")[0].strip())):
                yield Detail(Symbols.SCHEMA, "dataclass")
        if any(_COLUMNS.fullmatch(callee) for callee in fields):
            yield Detail(Symbols.SCHEMA, "sqlalchemy")
        if any(_FIELDS.fullmatch(callee) for callee in fields):
            yield Detail(Symbols.SCHEMA, "django")
        for base in draft.bases:
            above = self._builder.members.get((0, written(base.value)), 0)
            detail = self._builder.drafts[above].detail
            if detail is not None and detail.by in _INHERITED:
                yield detail

    def _callee_of(self, draft: Draft) -> str:
        """Return the callee of the call that is the value of a variable or field; empty for another value."""
        number = site_of(draft.value)
        site = self._builder.calls[number] if number >= 0 else None
        return self._full_name(written(site.callee)) if site is not None else ""

    def _full_name(self, name: str) -> str:
        """Return a dotted name with its root replaced by the import, or by `x()` for a variable with that value."""
        root, dot, rest = name.partition(".")
        known = self._imported.get(root)
        if known is None:
            index = self._builder.members.get((0, root), 0)
            number = site_of(self._builder.drafts[index].value) if index else -1
            site = self._builder.calls[number] if number >= 0 else None
            callee, dotted, more = written(site.callee).partition(".") if site is not None else ("", "", "")
            maker = self._imported.get(callee)
            known = f"{maker}{dotted}{more}()" if maker else root
        return known + dot + rest
