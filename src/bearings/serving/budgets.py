"""Limits on the use of a resource, by each peer and by all together."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

SPARED = 4
"""A peer that uses less is served even if the total is used up, so that a few greedy peers don't exclude others."""

Full = Literal["peer", "all"]


class Budget:
    """At most `each` for a peer and `total` for all; peers with fewer than SPARED share another quarter."""

    def __init__(self, each: int, total: int) -> None:
        self.each = each
        self._total = total
        self._used: Counter[str] = Counter()
        self._sum = 0

    def problem(self, key: str) -> Full | None:
        """The reason why the peer may not use one more; None: it may."""
        mine = self._used[key]
        if mine >= self.each:
            return "peer"
        room = self._total + (self._total // 4 if mine < SPARED else 0)
        return "all" if self._sum >= room else None

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Count one use by the peer while the block runs."""
        self._used[key] += 1
        self._sum += 1
        try:
            yield
        finally:
            self._sum -= 1
            self._used[key] -= 1
            if not self._used[key]:
                del self._used[key]
