"""A cache of answers: recent ones in memory, more on disk (docs/decisions/0007-cache.md)."""

from collections import OrderedDict
from dataclasses import dataclass

import anyio.to_thread

from bearings.clock import Clock
from bearings.places.remote.disk import Disk, Entry

EMPTY_TTL_S = 300.0
"""How long "nothing there" stays fresh: long enough for an agent that asks again, short enough for a mapper."""

MEMORY_BYTES = 32_000_000
"""The limit of the answers in memory, whatever their number."""


@dataclass(frozen=True, slots=True)
class CacheStats:
    """The cache's size, place and hits. `path` None and `disk_bytes_max` 0: there is no cache on disk."""

    size: int
    max: int
    hits: int
    misses: int
    hit_rate: float
    ttl_s: float
    disk_size: int
    disk_bytes: int
    disk_bytes_max: int
    disk_faults: int
    path: str | None


class ReplyCache:
    """Maps keys to bytes for `ttl_s` seconds, to "nothing there" for a shorter time. Evicts the least recently used.

    Other processes share `disk`; when one of them clears it, the memory of all is cleared too.
    """

    def __init__(self, *, ttl_s: float, entries: int, disk: Disk | None, disk_limit: int, clock: Clock) -> None:
        self._ttl_s = ttl_s
        self._entries = entries
        self._disk = disk
        self._disk_limit = disk_limit
        self._clock = clock
        self._memory: OrderedDict[str, Entry] = OrderedDict()
        self._bytes = 0
        self._hits = 0
        self._misses = 0
        self._cleared = 0 if disk is None else disk.cleared_at()

    def remembered(self, key: str) -> Entry | None:
        """The entry, if it is in memory and fresh. Counts a hit, but no miss: the disk may have it."""
        if self._disk is not None and (cleared := self._disk.cleared_at()) != self._cleared:
            self._cleared = cleared
            self._forget()
        entry = self._memory.get(key)
        if entry is None or not self._is_fresh(entry):
            return None
        self._memory.move_to_end(key)
        self._hits += 1
        return entry

    async def stored(self, key: str) -> Entry | None:
        """The entry, if it is on disk and fresh; also puts it into memory. Counts a hit or a miss."""
        entry = None if self._disk is None else await anyio.to_thread.run_sync(self._disk.get, key)
        if entry is None or not self._is_fresh(entry):
            self._misses += 1
            return None
        self._hits += 1
        self._remember(key, entry)
        return entry

    async def keep(self, key: str, body: bytes, *, empty: bool) -> Entry:
        """Put an answer into memory and on disk."""
        entry = Entry(body, self._clock.now(), empty)
        if self._ttl_s > 0:
            self._remember(key, entry)
            if self._disk is not None:
                await anyio.to_thread.run_sync(self._disk.put, key, entry)
        return entry

    async def clear(self) -> None:
        """Delete all entries, on disk and in every process."""
        self._forget()
        if self._disk is not None:
            await anyio.to_thread.run_sync(self._disk.clear)

    async def stats(self) -> CacheStats:
        """Sizes and hits; the hits and misses are those of this process."""
        disk_entries, used = (0, 0) if self._disk is None else await anyio.to_thread.run_sync(self._disk.size)
        lookups = self._hits + self._misses
        return CacheStats(
            size=len(self._memory),
            max=self._entries,
            hits=self._hits,
            misses=self._misses,
            hit_rate=round(self._hits / lookups, 4) if lookups else 0.0,
            ttl_s=self._ttl_s,
            disk_size=disk_entries,
            disk_bytes=used,
            disk_bytes_max=self._disk_limit,
            disk_faults=0 if self._disk is None else self._disk.faults,
            path=None if self._disk is None else str(self._disk.path),
        )

    async def close(self) -> None:
        """Close the file."""
        if self._disk is not None:
            await anyio.to_thread.run_sync(self._disk.close)

    def _is_fresh(self, entry: Entry) -> bool:
        """Whether the entry may be used. A time in the future means that the clock was set back: its age is unknown."""
        ttl = min(self._ttl_s, EMPTY_TTL_S) if entry.empty else self._ttl_s
        return 0 <= self._clock.now() - entry.stored < ttl

    def _remember(self, key: str, entry: Entry) -> None:
        old = self._memory.pop(key, None)
        self._bytes += len(entry.body) - (0 if old is None else len(old.body))
        self._memory[key] = entry
        while self._memory and (len(self._memory) > self._entries or self._bytes > MEMORY_BYTES):
            _, dropped = self._memory.popitem(last=False)
            self._bytes -= len(dropped.body)

    def _forget(self) -> None:
        self._memory.clear()
        self._bytes = 0
