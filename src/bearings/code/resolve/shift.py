"""Where the rows of a table are in another state of it: what both begin with, what both end with, what lies between."""

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

_Row = TypeVar("_Row")

GONE: Final = -2
"""The number of a row that is not there any more."""


class Shift:
    """Where the rows of a table are in another state of it: those before `first` where they were, from `last` on moved.

    `end` is where the latter begin now. `stays`: all rows of before are in both, and each has the number that it had.
    """

    def __init__(
        self,
        before: Sequence[Hashable],
        now: Sequence[Hashable],
        ends: Sequence[Hashable] | None = None,
        *,
        known: int = 0,
    ) -> None:
        """`ends` is what the last rows of `now` are compared by, before the first ones, if it is something else.

        So many rows at the beginning of both are `known` to be alike, and not given.
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
        """Of the rows as they were before, those that are in both."""
        return rows[: self.first] + rows[self.last :]

    def of(self, row: int) -> int:
        """The number of a row now, GONE if it is not in both; what is no row stays so."""
        if row < self.first:
            return row
        return row + self.end - self.last if row >= self.last else GONE

    def is_new(self, row: int) -> bool:
        """Whether a row of now is not in both."""
        return self.first <= row < self.end


def _alike(one: Sequence[Hashable], other: Sequence[Hashable], most: int) -> int:
    """How many rows two tables begin with that are alike in both."""
    for place in range(most):
        if one[place] != other[place]:
            return place
    return most
