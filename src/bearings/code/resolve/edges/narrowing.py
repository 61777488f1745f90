"""Finds where a file tests a value of several types: after the test only one of the types may be left.

For `shape: Circle | Square`:

shape.area                                        the property of both: nothing was tested before
if (shape.kind === "circle") return shape.area    perhaps the property of one: there was a test
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
        self._first_uses: dict[_Value, CallSite] = {}
        self._first_test_lines: dict[_Value, int] = {}
        self._roots_read: set[str] = set()
        self._by_root: dict[str, list[CallSite]] = {}

    def is_untested(self, use: CallSite, value: Expression) -> bool:
        """Whether `use`, a use of a member of `value`, comes before all tests of which type `value` has."""
        if type(value) is Result:
            return True
        value = _without_tests(value)
        root = root_of(value)
        if type(value) is not str or type(root) is not str:
            return False
        if root not in self._roots_read:
            self._read_uses_of(root)
        number = self._root_number(use.scope, root, use.line)
        first = self._first_uses.get((number, value))
        if number == UNKNOWN or first is None or first.line != use.line:
            return False
        if _without_tests(first.callee) != _without_tests(use.callee):
            return False
        row = self._view.lookup(use.scope, root, use.line) if root != "this" else None
        is_narrowed = row is not None and row.kind is BindingKind.LOCAL and row.type is not None
        return not is_narrowed and self._first_test_lines.get((number, value), use.line + 1) > use.line

    def _root_number(self, scope: int, root: str, line: int) -> int:
        return self._roots.number(scope, root, line, dotted=True)

    def _read_uses_of(self, root: str) -> None:
        """Reads the first use of a member of each value with this root, and the first line on which it is tested."""
        self._roots_read.add(root)
        for use in self._uses_of(root):
            number, name = self._root_number(use.scope, root, use.line), root
            for step in split(_without_tests(use.callee))[1]:
                known = self._first_uses.get((number, name))
                if known is None or use.line < known.line:
                    self._first_uses[number, name] = use
                if type(step) is not str:
                    break
                name = f"{name}.{step}"
        for row in self._view.rows_named("?"):
            if type(row.value) is str and row.value.partition(".")[0] == root:
                key = self._root_number(row.scope, root, row.line), row.value
                self._first_test_lines[key] = min(self._first_test_lines.get(key, row.line), row.line)

    def _uses_of(self, root: str) -> list[CallSite]:
        """The uses of members of values with this root."""
        if not self._by_root:
            for use in self._view.facts.mentions:
                callee = _without_tests(use.callee)
                name = root_of(callee)
                if type(name) is str and name != callee:
                    self._by_root.setdefault(name, []).append(use)
        return self._by_root.get(root, [])


def _without_tests(expression: Expression) -> Expression:
    """An expression whose root, if it is a Tested one, is only a name."""
    root, steps = split(expression)
    return extended(root.name, *steps) if type(root) is Tested else expression
