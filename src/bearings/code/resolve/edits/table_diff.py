"""Compares two states of a table: common rows at the start, common rows at the end, and the middle that differs."""

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

_Row = TypeVar("_Row")

GONE: Final = -2
"""The number of a row that was removed."""


class TableDiff:
    """Maps row numbers of one state of a table to the other: rows before `first` stay, rows from `last` on moved.

    `end` is the new start of the moved rows. `stays`: no row was removed, and each kept its number.
    """

    def __init__(
        self,
        before: Sequence[Hashable],
        now: Sequence[Hashable],
        ends: Sequence[Hashable] | None = None,
        *,
        known: int = 0,
    ) -> None:
        """`ends` replaces `now` where the last rows are compared, which happens before the first rows are compared.

        `known` is a number of equal rows at the beginning of both states that are not passed.
        """
        most = min(len(before), len(now))
        tail = 0 if ends is None else _alike(before[::-1], ends[::-1], most)
        first = _alike(before, now, most - tail)
        if ends is None:
            tail = _alike(before[::-1], now[::-1], most - first)
        self.first = known + first
        self.last = known + len(before) - tail
        self.end = known + len(now) - tail
        self.stays = self.first == self.last and (not tail or self.end == self.last)
        self.pairs = [*zip(range(self.first), range(self.first), strict=True)]
        self.pairs += zip(range(self.last, self.last + tail), range(self.end, self.end + tail), strict=True)

    def both(self, rows: tuple[_Row, ...]) -> tuple[_Row, ...]:
        """The rows of the old state that are in both."""
        return rows[: self.first] + rows[self.last :]

    def moved(self, row: int) -> int:
        """The new number of a row, GONE if it was removed; a negative number, which is no row, stays."""
        if row < self.first:
            return row
        return row + self.end - self.last if row >= self.last else GONE

    def is_new(self, row: int) -> bool:
        """Whether a row was added."""
        return self.first <= row < self.end


def _alike(one: Sequence[Hashable], other: Sequence[Hashable], most: int) -> int:
    """The number of equal rows that two tables begin with."""
    for place in range(most):
        if one[place] != other[place]:
            return place
    return most
