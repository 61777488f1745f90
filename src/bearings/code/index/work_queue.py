"""The work queue of the pool: chunks of files, taken from both ends, so that one process gets neighbouring files."""

from collections import deque
from collections.abc import Iterable, Iterator
from queue import Empty
from threading import Condition
from typing import Generic, TypeVar

_Item = TypeVar("_Item")

_LEAST = 2
"""So many items are worth sharing."""


class TwoEndedQueue(Generic[_Item]):
    """Items that are taken from the front and from behind; each comes once. Its length is how many are left."""

    def __init__(self, items: Iterable[_Item]) -> None:
        self._left = deque(items)

    def __len__(self) -> int:
        return len(self._left)

    def front(self) -> Iterator[_Item]:
        """Those that nobody took before, in order."""
        while self._left:
            yield self._left.popleft()

    def back(self) -> Iterator[_Item]:
        """The same, the last one first."""
        while self._left:
            yield self._left.pop()


class SharedQueue(Generic[_Item]):
    """Chunks of items in order. Where they are `shared`, half is taken of the only one that waits: all end together.

    Any thread may call any method.
    """

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._chunks: deque[list[_Item]] = deque()
        self._change = Condition()
        self._ended = False

    def __len__(self) -> int:
        return len(self._chunks)

    def add(self, chunk: list[_Item]) -> None:
        """One more, before the others."""
        with self._change:
            self._chunks.appendleft(chunk)
            self._change.notify()

    def end(self) -> None:
        """Nothing more is to be waited for, though what was taken may come back."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def first(self) -> list[_Item] | None:
        """Takes a chunk from the front; None where there is none now."""
        with self._change:
            return self._half(self._chunks.popleft(), front=True) if self._chunks else None

    def last(self, *, wait: bool) -> list[_Item] | None:
        """Takes a chunk from behind. None: all is done. Raises Empty where there is none, and it is not to `wait`."""
        with self._change:
            while not self._chunks:
                if self._ended:
                    return None
                if not wait:
                    raise Empty
                self._change.wait()
            return self._half(self._chunks.pop(), front=False)

    def _half(self, chunk: list[_Item], *, front: bool) -> list[_Item]:
        if self._chunks or not self._shared or len(chunk) < _LEAST:
            return chunk
        middle = (len(chunk) + 1) // 2
        mine, left = (chunk[:middle], chunk[middle:]) if front else (chunk[-middle:], chunk[:-middle])
        self._chunks.append(left)
        self._change.notify()
        return mine
