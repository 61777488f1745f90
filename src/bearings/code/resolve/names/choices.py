"""Chooses among several rows of a name in one scope, by the line where the name is used: sorted once, then a search."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from bearings.code.file_facts import Binding, BindingKind

_DECLARED: Final = frozenset({BindingKind.SYMBOL, BindingKind.IMPORT})


class Choice:
    """Rows of a name in the order of the file; with `declarations_win`, the last declaration counts on every line."""

    __slots__ = ("_latest", "_lines", "anywhere")

    def __init__(self, rows: Sequence[Binding], *, declarations_win: bool) -> None:
        self._lines: list[int] = []
        self._latest: list[Binding] = []
        declared = [row for row in rows if row.kind in _DECLARED]
        self.anywhere = declared[-1] if declared else _agreed(rows)
        if len(rows) < 2 or (declared and declarations_win):  # no line matters
            return
        last = -1
        for line, index in sorted((row.line, index) for index, row in enumerate(rows)):
            last = max(last, index)
            self._lines.append(line)
            self._latest.append(rows[last])
        self._latest.append(rows[0])  # of no line before: `_latest[-1]`

    def at(self, line: int) -> Binding | None:
        """The last row up to a line, else the first one."""
        return self._latest[bisect_right(self._lines, line) - 1] if self._lines else self.anywhere


class Narrowings:
    """The narrowed rows of a name in one scope; see BindingKind.NARROWED."""

    __slots__ = ("_around", "_lines", "_rows")

    def __init__(self, rows: Sequence[Binding]) -> None:
        self._rows = sorted(rows, key=lambda row: row.line)
        self._lines = [row.line for row in self._rows]
        self._around: list[int] = []  # of each row, the last one before that reaches further
        for row in self._rows:
            outer = len(self._around) - 1
            while outer >= 0 and self._rows[outer].target <= row.target:
                outer = self._around[outer]
            self._around.append(outer)

    def at(self, line: int) -> Binding | None:
        """The innermost row that holds on a line."""
        place = bisect_left(self._lines, line) - 1
        while place >= 0 and self._rows[place].target <= line:
            place = self._around[place]
        return self._rows[place] if place >= 0 else None


def _agreed(rows: Sequence[Binding]) -> Binding | None:
    """The row that stands for all: the last of equal values, else one without a value."""
    if not rows:
        return None
    alike = {(row.type, row.value) for row in rows}
    last = rows[-1]
    return last if len(alike) == 1 else Binding(last.scope, last.name, BindingKind.LOCAL, last.line)
