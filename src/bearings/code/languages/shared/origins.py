"""Traces a name to the module that it comes from, within one file: `express()`, `flask.Blueprint()`, `zod.z`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bearings.code.expressions import Expression, Result, Step, Typed, Unknown, chained, split
from bearings.code.file_facts import Binding
from bearings.code.grouping import grouped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.type_expressions import (
    ArrayType,
    IndexedType,
    IntersectionType,
    ObjectType,
    TypeExpression,
    TypeReference,
    UnionType,
)

_STEPS = 12
_INTEROP = re.compile(r"(?:^|\.)(?:__importDefault|__importStar|_interopRequireDefault|_interopRequireWildcard)$")
_WHOLE = frozenset({"default", "*", "=", ""})
"""Imported names that stand for the module as a whole."""


class Origin(NamedTuple):
    """The origin of an expression: `name` is a dotted name that starts with a module, with `()` after each call.

    `rows` are the bindings on the way; the first is the binding of the expression's own root. Both are empty if the
    origin is unknown.
    """

    name: str
    rows: tuple[Binding, ...] = ()


NOWHERE = Origin("")


class Origins:
    """Traces the names of one file. Create it only after all facts of the file are collected."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self.imports = builder.imports
        self._rows: dict[tuple[int, str], list[Binding]] = {}
        """Scope and name → bindings; filled when the first one is asked for."""

    def row(self, scope: int, name: str) -> Binding | None:
        """Return the binding of a name in a scope; of several, the first one with a value, type or target."""
        builder = self._builder
        if not self._rows:
            self._rows = grouped(((row.scope, row.name), row) for row in builder.bindings)
        found = (self._rows.get((each, name)) for each in builder.outward(scope))
        rows = next(filter(None, found), None)
        typed_or_bound = (row for row in rows or () if _has_value(row.value) or row.type is not None or row.target >= 0)
        return next(typed_or_bound, rows[0] if rows else None)

    def value(self, row: Binding | None) -> Expression | None:
        """Return the value of a binding, or of the symbol that it binds; None without one."""
        if row is None:
            return None
        return self._builder.drafts[row.target].value if row.kind is Bindings.SYMBOL else row.value

    def of(self, scope: int, expression: Expression | None, steps: int = _STEPS) -> Origin:
        """Return the origin of an expression; NOWHERE after following `steps` bindings and calls."""
        if steps <= 0 or expression is None:
            return NOWHERE
        root, rest = split(expression)
        tail = "".join(f".{step}" if type(step) is str else "[]" for step in rest)
        if type(root) is Result:
            return self._of_call(root, rest, tail, steps)
        if type(root) is Typed:
            return _followed(self._of_type(scope, root.type, steps), tail)
        if type(root) is not str:
            return NOWHERE
        if root in ("this", "self", "cls") and rest:
            return self._of_member(scope, rest, tail, steps)
        row = self.row(scope, root)
        return NOWHERE if row is None else self._of_row(row, tail, steps)

    def _of_call(self, call: Result, rest: Sequence[Step], tail: str, steps: int) -> Origin:
        """Return the origin of a call's result, followed by further steps."""
        builder, number = self._builder, call.site
        inline = next((entry.module for entry in builder.imports if entry.site == number), "")
        if inline:
            return Origin(inline + tail)
        site = builder.calls[number] if number < len(builder.calls) else None
        if site is not None and type(site.callee) is str and _INTEROP.search(site.callee):  # `x(require("y"))`
            return self.of(site.scope, chained(Result(number + 1), rest), steps - 1)
        callee = self.of(site.scope, site.callee, steps - 1) if site is not None else NOWHERE
        return Origin(f"{callee.name}(){tail}", callee.rows) if callee.name else NOWHERE

    def _of_type(self, scope: int, type_: TypeExpression, steps: int) -> Origin:
        """Return the origin of an object of a type."""
        named = self.of(scope, _head_name(type_), steps - 1)
        return Origin(f"{named.name}()", named.rows) if named.name else NOWHERE

    def _of_row(self, row: Binding, tail: str, steps: int) -> Origin:
        builder = self._builder
        if row.kind is Bindings.IMPORT:
            entry = builder.imports[row.target]
            name = entry.module if entry.name in _WHOLE else f"{entry.module}.{entry.name}"
            return Origin(name + tail, (row,))
        value, type_, scope = row.value, row.type, row.scope
        if row.kind is Bindings.SYMBOL:
            draft = builder.drafts[row.target]
            value, type_, scope = draft.value, draft.type, draft.scope
            if draft.kind is Symbols.CLASS and draft.bases:  # callers look for a framework's class, which is a base
                made = self.of(scope, draft.bases[0].value, steps - 1)
                return Origin(made.name + tail if made.name else "", (row, *made.rows))
        made = NOWHERE
        if _has_value(value) and value != row.name:
            made = self.of(scope, value, steps - 1)
        if not made.name and type_ is not None:
            made = self._of_type(scope, type_, steps)
        return Origin(made.name + tail if made.name else "", (row, *made.rows))

    def _of_member(self, scope: int, rest: Sequence[Step], tail: str, steps: int) -> Origin:
        """Return the origin of `this.x`: that of the value or type of the enclosing class's property."""
        builder = self._builder
        name = rest[0]
        scope = next((each for each in builder.outward(scope) if builder.scopes[each][0] is Scopes.CLASS), 0)
        owner = builder.scopes[scope][2] if scope > 0 else 0
        index = builder.members.get((owner, name), -1) if owner and type(name) is str else -1
        if index < 0:
            return NOWHERE
        draft = builder.drafts[index]
        row = Binding(scope, f"this.{name}", Bindings.LOCAL, draft.line, -1, draft.type, draft.value)
        made = self._of_row(row, tail[len(f".{name}") :], steps - 1)
        return made._replace(rows=(row, *made.rows[1:]))


def _has_value(value: Expression | None) -> bool:
    return value is not None and type(value) is not Unknown


def _followed(origin: Origin, tail: str) -> Origin:
    return origin._replace(name=origin.name + tail) if origin.name else origin


def _head_name(type_: TypeExpression) -> str | None:
    """Return the name that a type starts with: `FastifyInstance<A>` → `FastifyInstance`; None for others.

    Of a member that is taken from an object type, `{ app }: { app: Application }`, it is the member's.
    """
    if isinstance(type_, IndexedType) and isinstance(type_.base, ObjectType):
        type_ = next((member.type for member in type_.base.members if member.name == type_.key), None) or type_
    if isinstance(type_, (UnionType, IntersectionType)):
        type_ = type_.parts[0]
    if isinstance(type_, ArrayType):
        type_ = type_.element
    return type_ if isinstance(type_, str) else type_.name if isinstance(type_, TypeReference) else None
