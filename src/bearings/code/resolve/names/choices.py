"""Chooses among several rows of a name in one scope by the line of the use: sorts them once, then searches.

cart = Cart()        line 1
cart.total()         the row of line 1
cart = load()        line 3
cart.total()         the row of line 3
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from bearings.code.file_facts import Binding, BindingKind

DECLARED: Final = frozenset({BindingKind.SYMBOL, BindingKind.IMPORT})


class Choice:
    """A choice among the rows of a name, which are in the order of the file.

    With `declarations_win`, the last declaration or import counts on every line. `without_line` is the row that counts
    for a use whose line does not matter; None if there is no row.
    """

    __slots__ = ("_latest", "_lines", "without_line")

    def __init__(self, rows: Sequence[Binding], *, declarations_win: bool) -> None:
        self._lines: list[int] = []
        self._latest: list[Binding] = []
        declared = [row for row in rows if row.kind in DECLARED]
        self.without_line = declared[-1] if declared else _common_row(rows)
        if len(rows) < 2 or (declared and declarations_win):  # no line matters
            return
        last = -1
        for line, index in sorted((row.line, index) for index, row in enumerate(rows)):
            last = max(last, index)
            self._lines.append(line)
            self._latest.append(rows[last])
        self._latest.append(rows[0])  # for uses before the first line: `at` reads `_latest[-1]`

    def at(self, line: int) -> Binding | None:
        """The last row up to a line, else the first one; None if there is no row."""
        return self._latest[bisect_right(self._lines, line) - 1] if self._lines else self.without_line


class Narrowings:
    """The NARROWED rows of a name in one scope: each counts on the lines between its `line` and its `target`."""

    __slots__ = ("_lines", "_outer_rows", "_rows")

    def __init__(self, rows: Sequence[Binding]) -> None:
        self._rows = sorted(rows, key=lambda row: row.line)
        self._lines = [row.line for row in self._rows]
        self._outer_rows: list[int] = []
        """For each row, the index of the last one before it that reaches further; -1 for none."""
        for row in self._rows:
            outer = len(self._outer_rows) - 1
            while outer >= 0 and self._rows[outer].target <= row.target:
                outer = self._outer_rows[outer]
            self._outer_rows.append(outer)

    def innermost_at(self, line: int) -> Binding | None:
        """The innermost row that counts on a line; None for none."""
        index = bisect_left(self._lines, line) - 1
        while index >= 0 and self._rows[index].target <= line:
            index = self._outer_rows[index]
        return self._rows[index] if index >= 0 else None


def _common_row(rows: Sequence[Binding]) -> Binding | None:
    """A row that stands for all: the last one if their types and values are equal, else a new one without either."""
    if not rows:
        return None
    values = {(row.type, row.value) for row in rows}
    last = rows[-1]
    return last if len(values) == 1 else Binding(last.scope, last.name, BindingKind.LOCAL, last.line)
