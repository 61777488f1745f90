"""Where a file tests values, so that a value of one of several types may no longer be of any of them."""

from typing import Final

from bearings.code.expressions import Expression, Result, root_of, split
from bearings.code.models import BindingKind, CallSite
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.root_names import UNKNOWN, Roots

_Value = tuple[int, str]
"""The number of a value's root, and its dotted name."""


class Narrowing:
    """The tests of one file. A value counts as tested from its first member on: `shape.kind === "round"` may be one."""

    def __init__(self, view: FileView, roots: Roots) -> None:
        self._view: Final = view
        self._roots: Final = roots
        self._first: dict[_Value, CallSite] = {}
        self._tested: dict[_Value, int] = {}
        self._is_read = False

    def is_untested(self, use: CallSite, of: Expression) -> bool:
        """Whether nothing before a use of a member of `of` tells which of its types that has."""
        if type(of) is Result:
            return True
        root = root_of(of)
        if type(of) is not str or type(root) is not str:
            return False
        if not self._is_read:
            self._read()
        number = self._number(use.scope, root, use.line)
        first = self._first.get((number, of))
        if number == UNKNOWN or first is None or (first.line, first.callee) != (use.line, use.callee):
            return False
        row = self._view.lookup(use.scope, root, use.line) if root != "this" else None
        is_narrowed = row is not None and row.kind is BindingKind.LOCAL and row.type is not None
        return not is_narrowed and self._tested.get((number, of), use.line + 1) > use.line

    def _number(self, scope: int, root: str, line: int) -> int:
        return self._roots.number(scope, root, line, dotted=True)

    def _read(self) -> None:
        """Reads the first use of a member of each value, and the first line on which it is tested."""
        self._is_read = True
        for use in self._view.facts.mentions:
            root, steps = split(use.callee)
            if type(root) is str and steps:
                number, name = self._number(use.scope, root, use.line), root
                for step in steps:
                    known = self._first.get((number, name))
                    if known is None or use.line < known.line:
                        self._first[number, name] = use
                    if type(step) is not str:
                        break
                    name = f"{name}.{step}"
        for row in self._view.rows_named("?"):
            if type(row.value) is str:
                number = self._number(row.scope, row.value.partition(".")[0], row.line)
                at = self._tested.get((number, row.value), row.line)
                self._tested[number, row.value] = min(at, row.line)
