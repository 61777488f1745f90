"""Compares two states of a table: common rows at the start, common rows at the end, and the middle that differs.

TableDiff("abcd", "abxyd") has `first` 2, `last` 3 and `end` 4: "c", row 2, was removed, and row 3 became row 4.
"""

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

_Row = TypeVar("_Row")

GONE: Final = -2
"""The number of a row that was removed."""


class TableDiff:
    """Maps row numbers of the old state of a table to the new one.

    Rows before `first` keep their numbers, rows from `first` up to `last` were removed, and row `last` became row
    `end`. `stays`: no row was removed, and each kept its number. `pairs` are the old and new numbers of common rows.
    """

    def __init__(
        self,
        before: Sequence[Hashable],
        now: Sequence[Hashable],
        ends: Sequence[Hashable] | None = None,
        *,
        skipped: int = 0,
    ) -> None:
        """`ends`, if given, replaces `now` where the last rows are compared, before the first rows are compared.

        `skipped` is the number of equal rows at the beginning that `before` and `now` leave out.
        """
        limit = min(len(before), len(now))
        tail = 0 if ends is None else _equal_rows(before[::-1], ends[::-1], limit)
        first = _equal_rows(before, now, limit - tail)
        if ends is None:
            tail = _equal_rows(before[::-1], now[::-1], limit - first)
        self.first = skipped + first
        self.last = skipped + len(before) - tail
        self.end = skipped + len(now) - tail
        self.stays = self.first == self.last and (not tail or self.end == self.last)
        self.pairs = [*zip(range(self.first), range(self.first), strict=True)]
        self.pairs += zip(range(self.last, self.last + tail), range(self.end, self.end + tail), strict=True)

    def both(self, rows: tuple[_Row, ...]) -> tuple[_Row, ...]:
        """The rows that are in both states; `rows` are those of the old state, or of a table parallel to it."""
        return rows[: self.first] + rows[self.last :]

    def moved(self, row: int) -> int:
        """The new number of a row, GONE if it was removed; a negative number, which is no row, stays."""
        if row < self.first:
            return row
        return row + self.end - self.last if row >= self.last else GONE

    def is_new(self, row: int) -> bool:
        """Whether a row was added."""
        return self.first <= row < self.end


def _equal_rows(rows: Sequence[Hashable], other_rows: Sequence[Hashable], limit: int) -> int:
    """The number of equal rows that two tables begin with, at most `limit`."""
    for index in range(limit):
        if rows[index] != other_rows[index]:
            return index
    return limit
