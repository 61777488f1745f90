"""The work queue of the pool: chunks of files, taken from both ends, so that a process gets neighbouring files."""

from collections import deque
from collections.abc import Iterable, Iterator
from queue import Empty
from threading import Condition
from typing import Generic, TypeVar

_Item = TypeVar("_Item")

_MIN_DIVIDED = 2
"""The smallest chunk that is divided."""


class TwoEndedQueue(Generic[_Item]):
    """Items that are taken from the front and from the back; each is taken once. `len` counts those that are left."""

    def __init__(self, items: Iterable[_Item]) -> None:
        self._items = deque(items)

    def __len__(self) -> int:
        return len(self._items)

    def front(self) -> Iterator[_Item]:
        """The items that are left, in order."""
        while self._items:
            yield self._items.popleft()

    def back(self) -> Iterator[_Item]:
        """The items that are left, the last one first."""
        while self._items:
            yield self._items.pop()


class SharedQueue(Generic[_Item]):
    """Chunks of items in order. A `shared` queue divides its last chunk, so that all takers end together.

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
        """Puts a chunk at the front."""
        with self._change:
            self._chunks.appendleft(chunk)
            self._change.notify()

    def end(self) -> None:
        """Stops takers from waiting. Chunks that were taken may still be added again."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def first(self) -> list[_Item] | None:
        """Takes a chunk from the front; None if the queue is empty."""
        with self._change:
            return self._divided(self._chunks.popleft(), front=True) if self._chunks else None

    def last(self, *, wait: bool) -> list[_Item] | None:
        """Takes a chunk from the back; None once the queue has ended. Raises Empty instead of waiting if not `wait`."""
        with self._change:
            while not self._chunks:
                if self._ended:
                    return None
                if not wait:
                    raise Empty
                self._change.wait()
            return self._divided(self._chunks.pop(), front=False)

    def _divided(self, chunk: list[_Item], *, front: bool) -> list[_Item]:
        if self._chunks or not self._shared or len(chunk) < _MIN_DIVIDED:
            return chunk
        middle = (len(chunk) + 1) // 2
        taken, rest = (chunk[:middle], chunk[middle:]) if front else (chunk[-middle:], chunk[:-middle])
        self._chunks.append(rest)
        self._change.notify()
        return taken
