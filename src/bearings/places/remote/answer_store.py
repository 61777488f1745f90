"""The store of answers behind the memory, which other processes share: its Protocol, and the disk as one.

A store is a cache: a failure means "not known" and is counted.
"""

from dataclasses import dataclass
from typing import Protocol

import anyio.to_thread

from bearings.places.remote.disk import Disk, Entry


@dataclass(frozen=True, slots=True)
class StoreSize:
    """The store's place and contents. `disk_bytes_max` 0 and `path` None: nothing is on this machine's disk.

    `shared` names the Redis server that replicas share; `shared_hits` counts this process's answers from it.
    """

    disk_size: int = 0
    disk_bytes: int = 0
    disk_bytes_max: int = 0
    disk_faults: int = 0
    path: str | None = None
    shared: str | None = None
    shared_hits: int = 0


class AnswerStore(Protocol):
    """Maps keys to entries, for all processes that share it."""

    async def get(self, key: str) -> Entry | None:
        """The entry, however old."""
        ...

    async def put(self, key: str, entry: Entry, ttl_s: float) -> None:
        """Store the entry, which is of no use after `ttl_s` seconds. Ignores one that is too large."""
        ...

    async def cleared(self) -> str:
        """A word that changes when any process clears the store. It is asked for before every answer from memory."""
        ...

    async def clear(self) -> None:
        """Delete all entries, for every process."""
        ...

    async def size(self) -> StoreSize:
        """The place, contents and failures."""
        ...

    async def close(self) -> None:
        """Close the file or connection that is the store's own."""
        ...


class DiskAnswers:
    """The store of all processes of a user on this machine: a file, used in threads."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def get(self, key: str) -> Entry | None:
        """The entry, however old."""
        return await anyio.to_thread.run_sync(self._disk.get, key)

    async def put(self, key: str, entry: Entry, ttl_s: float) -> None:  # noqa: ARG002 - the oldest make room
        """Store the entry, which is of no use after `ttl_s` seconds. Ignores one that is too large.

        The entry stays until its room is needed.
        """
        await anyio.to_thread.run_sync(self._disk.put, key, entry)

    async def cleared(self) -> str:
        """A word that changes when any process clears the store. It is asked for before every answer from memory."""
        return str(self._disk.cleared_at())

    async def clear(self) -> None:
        """Delete all entries, for every process."""
        await anyio.to_thread.run_sync(self._disk.clear)

    async def size(self) -> StoreSize:
        """The place, contents and failures."""
        entries, used = await anyio.to_thread.run_sync(self._disk.size)
        return StoreSize(entries, used, self._disk.limit, self._disk.faults, str(self._disk.path))

    async def close(self) -> None:
        """Close the file or connection that is the store's own."""
        await anyio.to_thread.run_sync(self._disk.close)
