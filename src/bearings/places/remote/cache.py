"""A cache of answers: recent ones in memory, more in a store that processes share (docs/decisions/0007-cache.md)."""

from collections import OrderedDict
from dataclasses import asdict, dataclass

from bearings.clock import Clock
from bearings.places.remote.answer_store import AnswerStore, StoreSize
from bearings.places.remote.disk import Entry

EMPTY_TTL_S = 300.0
"""How long "nothing there" stays fresh: long enough for an agent that asks again, short enough for a mapper."""

MEMORY_BYTES = 32_000_000
"""The limit of the answers in memory, whatever their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheStats(StoreSize):
    """The size and hits of the memory, beside those of the store behind it."""

    size: int
    max: int
    hits: int
    misses: int
    hit_rate: float
    ttl_s: float


class ReplyCache:
    """Maps keys to bytes for `ttl_s` seconds, to "nothing there" for a shorter time. Evicts the least recently used.

    Other processes share `store`; when one of them clears it, the memory of all is cleared too.
    """

    def __init__(self, *, ttl_s: float, entries: int, store: AnswerStore | None, clock: Clock) -> None:
        self._ttl_s = ttl_s
        self._entries = entries
        self._store = store
        self._clock = clock
        self._memory: OrderedDict[str, Entry] = OrderedDict()
        self._bytes = 0
        self._hits = 0
        self._misses = 0
        self._cleared: str | None = None

    async def remembered(self, key: str) -> Entry | None:
        """The entry, if it is in memory and fresh. Counts a hit, but no miss: the store may have it."""
        await self._follow()
        entry = self._memory.get(key)
        if entry is None or not self._is_fresh(entry):
            return None
        self._memory.move_to_end(key)
        self._hits += 1
        return entry

    async def stored(self, key: str) -> Entry | None:
        """The entry, if it is in the store and fresh; also puts it into memory. Counts a hit or a miss."""
        entry = await self.found(key)
        if entry is None:
            self._misses += 1
            return None
        self._hits += 1
        return entry

    async def found(self, key: str) -> Entry | None:
        """As `stored`, uncounted: for a question that was counted already."""
        await self._follow()
        entry = None if self._store is None else await self._store.get(key)
        if entry is None or not self._is_fresh(entry):
            return None
        self._remember(key, entry)
        return entry

    async def keep(self, key: str, body: bytes, *, empty: bool) -> Entry:
        """Put an answer into memory and into the store."""
        entry = Entry(body, self._clock.now(), empty)
        if self._ttl_s > 0:
            await self._follow()
            self._remember(key, entry)
            if self._store is not None:
                await self._store.put(key, entry, self._ttl_of(entry))
        return entry

    def drop(self, key: str) -> None:
        """Drop the entry from memory. The next entry of this key replaces it in the store."""
        old = self._memory.pop(key, None)
        self._bytes -= 0 if old is None else len(old.body)

    async def clear(self) -> None:
        """Delete all entries, in the store and in every process."""
        self._forget()
        if self._store is not None:
            await self._store.clear()

    async def stats(self) -> CacheStats:
        """Sizes and hits; the hits and misses are those of this process."""
        stored = StoreSize() if self._store is None else await self._store.size()
        lookups = self._hits + self._misses
        return CacheStats(
            **asdict(stored),
            size=len(self._memory),
            max=self._entries,
            hits=self._hits,
            misses=self._misses,
            hit_rate=round(self._hits / lookups, 4) if lookups else 0.0,
            ttl_s=self._ttl_s,
        )

    async def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            await self._store.close()

    async def _follow(self) -> None:
        """Clear the memory if another process has cleared the store."""
        if self._store is None:
            return
        cleared = await self._store.cleared()
        if cleared != self._cleared:
            self._forget()
            self._cleared = cleared

    def _ttl_of(self, entry: Entry) -> float:
        return min(self._ttl_s, EMPTY_TTL_S) if entry.empty else self._ttl_s

    def _is_fresh(self, entry: Entry) -> bool:
        """Whether the entry may be used. A time in the future means that the clock was set back: its age is unknown."""
        return 0 <= self._clock.now() - entry.stored < self._ttl_of(entry)

    def _remember(self, key: str, entry: Entry) -> None:
        self.drop(key)
        self._bytes += len(entry.body)
        self._memory[key] = entry
        while self._memory and (len(self._memory) > self._entries or self._bytes > MEMORY_BYTES):
            _, dropped = self._memory.popitem(last=False)
            self._bytes -= len(dropped.body)

    def _forget(self) -> None:
        self._memory.clear()
        self._bytes = 0
