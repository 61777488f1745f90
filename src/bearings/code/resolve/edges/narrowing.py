"""Where a file tests values, so that a value of one of several types may no longer be of any of them.

shape.area                                        of `shape: Circle | Square`, that of both
if (shape.kind === "circle") return shape.area    after a test it may be that of one
"""

from typing import Final

from bearings.code.expressions import Expression, Result, Tested, extended, root_of, split
from bearings.code.file_facts import BindingKind, CallSite
from bearings.code.resolve.edges.root_names import UNKNOWN, Roots
from bearings.code.resolve.names.file_view import FileView

_Value = tuple[int, str]
"""The number of a value's root, and its dotted name."""


class Narrowing:
    """The tests of one file. A value counts as tested from its first member on: `shape.kind === "round"` may be one."""

    def __init__(self, view: FileView, roots: Roots) -> None:
        self._view: Final = view
        self._roots: Final = roots
        self._first: dict[_Value, CallSite] = {}
        self._tested: dict[_Value, int] = {}
        self._read: set[str] = set()
        self._by_root: dict[str, list[CallSite]] = {}

    def is_untested(self, use: CallSite, of: Expression) -> bool:
        """Whether nothing before a use of a member of `of` tells which of its types that has."""
        if type(of) is Result:
            return True
        of = _plain(of)
        root = root_of(of)
        if type(of) is not str or type(root) is not str:
            return False
        if root not in self._read:
            self._read_root(root)
        number = self._number(use.scope, root, use.line)
        first = self._first.get((number, of))
        if number == UNKNOWN or first is None or (first.line, _plain(first.callee)) != (use.line, _plain(use.callee)):
            return False
        row = self._view.lookup(use.scope, root, use.line) if root != "this" else None
        is_narrowed = row is not None and row.kind is BindingKind.LOCAL and row.type is not None
        return not is_narrowed and self._tested.get((number, of), use.line + 1) > use.line

    def _number(self, scope: int, root: str, line: int) -> int:
        return self._roots.number(scope, root, line, dotted=True)

    def _read_root(self, root: str) -> None:
        """Reads the first use of a member of each value with this root, and the first line on which it is tested."""
        self._read.add(root)
        for use in self._uses(root):
            number, name = self._number(use.scope, root, use.line), root
            for step in split(_plain(use.callee))[1]:
                known = self._first.get((number, name))
                if known is None or use.line < known.line:
                    self._first[number, name] = use
                if type(step) is not str:
                    break
                name = f"{name}.{step}"
        for row in self._view.rows_named("?"):
            if type(row.value) is str and row.value.partition(".")[0] == root:
                key = self._number(row.scope, root, row.line), row.value
                self._tested[key] = min(self._tested.get(key, row.line), row.line)

    def _uses(self, root: str) -> list[CallSite]:
        """The uses of members of values with this root."""
        if not self._by_root:
            for use in self._view.facts.mentions:
                callee = _plain(use.callee)
                name = root_of(callee)
                if type(name) is str and name != callee:
                    self._by_root.setdefault(name, []).append(use)
        return self._by_root.get(root, [])


def _plain(expression: Expression) -> Expression:
    """An expression without the tests of its root."""
    root, steps = split(expression)
    return extended(root.name, *steps) if type(root) is Tested else expression
