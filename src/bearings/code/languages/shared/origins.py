"""Where a name in a file comes from, as far as that file says: `express()`, `flask.Blueprint()`, `zod.z`."""

import re
from typing import NamedTuple

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import Binding

_STEPS = 12
_INTEROP = re.compile(r"(?:^|\.)(?:__importDefault|__importStar|_interopRequireDefault|_interopRequireWildcard)$")
_WHOLE = frozenset({"default", "*", "=", ""})
"""Imports that take a module and not a name of it."""


class Origin(NamedTuple):
    """A dotted name that begins with a module's, `()` after what is called; and the rows of the names on the way.

    Both are empty where the file does not say. The first row is that of the name that was asked for.
    """

    name: str
    rows: tuple[Binding, ...] = ()


UNKNOWN = Origin("")


class Origins:
    """Names of one file, whose facts are all collected."""

    def __init__(self, into: Builder) -> None:
        self._into = into
        self._rows: dict[tuple[int, str], list[Binding]] = {}
        for row in into.bindings:
            self._rows.setdefault((row.scope, row.name), []).append(row)

    def row(self, scope: int, name: str) -> Binding | None:
        """The row that a name means in a scope; the last of several that give it a value."""
        into = self._into
        while scope >= 0:
            rows = self._rows.get((scope, name))
            if rows:
                return next((row for row in rows if row.value not in ("", "?") or row.type or row.target >= 0), rows[0])
            scope = into.scopes[scope][1]
        return None

    def of(self, scope: int, expression: str, steps: int = _STEPS) -> Origin:
        """What an expression (see CallSite) comes from."""
        into = self._into
        root, _, rest = expression.partition(".")
        if steps <= 0 or not root or root == "?":
            return UNKNOWN
        tail = f".{rest}" if rest else ""
        if root[0] in "#~":
            inline = next((entry.module for entry in into.imports if entry.local == f"#{root[1:]}"), "")
            if inline:
                return Origin(inline + tail)
            number = int(root[1:])
            site = into.calls[number] if number < len(into.calls) else None
            if site is not None and _INTEROP.search(site.callee):  # a compiler's `x(require("y"))`
                return self.of(scope, f"#{number + 1}{tail}", steps - 1)
            made = self.of(site.scope, site.callee, steps - 1) if site is not None else UNKNOWN
            return Origin(f"{made.name}(){tail}", made.rows) if made.name else UNKNOWN
        if root in ("this", "self", "cls") and rest:
            return self._of_member(scope, rest, steps)
        row = self.row(scope, root)
        return UNKNOWN if row is None else self._of_row(row, tail, steps)

    def _of_row(self, row: Binding, tail: str, steps: int) -> Origin:
        into = self._into
        if row.kind is Bindings.IMPORT:
            entry = into.imports[row.target]
            name = entry.module if entry.name in _WHOLE else f"{entry.module}.{entry.name}"
            return Origin(name + tail, (row,))
        value, type_, scope = row.value, row.type, row.scope
        if row.kind is Bindings.SYMBOL:
            draft = into.drafts[row.target]
            value, type_, scope = draft.value, draft.type, draft.scope
            if draft.kind is Symbols.CLASS and draft.bases:  # a class stands for its base, which is what is asked for
                made = self.of(scope, draft.bases[0].partition("<")[0], steps - 1)
                return Origin(made.name + tail if made.name else "", (row, *made.rows))
        made = UNKNOWN
        if value not in ("", "?", row.name):
            made = self.of(scope, value, steps - 1)
        if not made.name and type_:
            named = self.of(scope, _plain(type_), steps - 1)
            made = Origin(f"{named.name}()", named.rows) if named.name else UNKNOWN
        return Origin(made.name + tail if made.name else "", (row, *made.rows))

    def _of_member(self, scope: int, rest: str, steps: int) -> Origin:
        """`this.x`: a property of the class around, by its value or type."""
        into = self._into
        name, _, more = rest.partition(".")
        while scope > 0 and into.scopes[scope][0] is not Scopes.CLASS:
            scope = into.scopes[scope][1]
        owner = into.scopes[scope][2] if scope > 0 else 0
        index = into.members.get((owner, name), -1) if owner else -1
        if index < 0:
            return UNKNOWN
        draft = into.drafts[index]
        row = Binding(scope, f"this.{name}", Bindings.LOCAL, draft.line, -1, draft.type, draft.value)
        made = self._of_row(row, f".{more}" if more else "", steps - 1)
        return made._replace(rows=(row, *made.rows[1:]))


def _plain(type_: str) -> str:
    """The name that a type begins with: `Router` of `Router | null`, `FastifyInstance` of `FastifyInstance<A>`."""
    for mark in ("<", "[", "|", " "):
        type_ = type_.partition(mark)[0]
    return type_.strip("'\"")
