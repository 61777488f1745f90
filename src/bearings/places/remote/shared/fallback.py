"""Stores for the time while the shared server is gone: the files of this machine, or nothing for a strict server.

A strict server, as the public Nominatim, allows one pace for all replicas together. No single one can keep that, so the
server is not asked. A cool-down that begins meanwhile is noted on this machine, and counts also afterwards.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bearings.errors import Unavailable
from bearings.places.remote.answer_store import AnswerStore, StoreSize
from bearings.places.remote.disk import Entry
from bearings.places.remote.pace import LedgerStore, Standing
from bearings.places.remote.server import Server
from bearings.places.remote.shared.connection import RETRY_S, Gone
from bearings.places.remote.shared.location import SETTING

Answer = TypeVar("Answer")


class LedgerOrFile:
    """A `LedgerStore`: the shared one, or while it is gone `local`, unless the server is strict."""

    def __init__(self, shared: LedgerStore, local: LedgerStore, server: Server, name: str) -> None:
        self._shared = shared
        self._local = local
        self._server = server
        self._name = name

    async def read(self) -> Standing:
        """The current ledger; of two cool-downs the longer one."""
        standing = await self._either(lambda store: store.read())
        noted = await self._local.read()
        return noted if noted.cooldown_s > standing.cooldown_s else standing

    async def reserve(self) -> tuple[Standing, float]:
        """Take the next free slot; its time. Takes none in a cool-down.

        Raises Unavailable, as `confirm` and `read` do.
        """
        return await self._either(lambda store: store.reserve())

    async def confirm(self) -> tuple[Standing, float | None]:
        """None if a request may leave now, which is noted; otherwise when to ask again. Notes none in a cool-down."""
        return await self._either(lambda store: store.confirm())

    async def depart(self) -> None:
        """Note that the confirmed request has left now.

        A grant whose request was not noted holds back the others for longer, so nothing is lost.
        """
        await self._one(lambda store: store.depart())

    async def give_back(self, start: float) -> None:
        """Free the slot, unless another one is reserved behind it."""
        await self._one(lambda store: store.give_back(start))

    async def strike(self, status: int, retry_after_s: float | None) -> Standing:
        """Begin or prolong a cool-down. Refusals of concurrent requests count once; also for a strict server."""
        return await self._one(lambda store: store.strike(status, retry_after_s))

    async def answered(self) -> None:
        """Forget earlier refusals: the server answered."""
        await self._one(lambda store: store.answered())

    async def _either(self, step: Callable[[LedgerStore], Awaitable[Answer]]) -> Answer:
        """A step before a request."""
        try:
            return await step(self._shared)
        except Gone as gone:
            if self._server.is_strict:
                raise self._unavailable(gone) from None
        return await step(self._local)

    async def _one(self, step: Callable[[LedgerStore], Awaitable[Answer]]) -> Answer:
        """A step after a request."""
        try:
            return await step(self._shared)
        except Gone:
            return await step(self._local)

    def _unavailable(self, gone: Gone) -> Unavailable:
        return Unavailable(
            f"{self._server.host} is not asked: {self._name}, where all replicas keep its pace, {gone}",
            f"Start that server or correct {SETTING}. Without {SETTING}, each machine keeps a pace of its own.",
            retry_after_s=RETRY_S,
        )


class AnswersOrDisk:
    """An `AnswerStore`: the shared one, or while it is gone the disk of this machine, if answers may be on it."""

    def __init__(self, shared: AnswerStore, local: AnswerStore | None, name: str) -> None:
        self._shared = shared
        self._local = local
        self._name = name
        self._cleared = ""

    async def get(self, key: str) -> Entry | None:
        """The entry, however old."""
        try:
            return await self._shared.get(key)
        except Gone:
            return None if self._local is None else await self._local.get(key)

    async def put(self, key: str, entry: Entry, ttl_s: float) -> None:
        """Store the entry, which is of no use after `ttl_s` seconds. Ignores one that is too large."""
        try:
            await self._shared.put(key, entry, ttl_s)
        except Gone:
            if self._local is not None:
                await self._local.put(key, entry, ttl_s)

    async def cleared(self) -> str:
        """A word that changes when any process clears the store. It is asked for before every answer from memory.

        While the shared server is gone, the last word. A new one clears the disk too.
        """
        try:
            word = await self._shared.cleared()
        except Gone:
            return self._cleared
        if self._cleared and word != self._cleared and self._local is not None:
            await self._local.clear()
        self._cleared = word
        return word

    async def clear(self) -> None:
        """Delete all entries, for every process. Raises Unavailable if only this machine's answers could be deleted."""
        if self._local is not None:
            await self._local.clear()
        try:
            await self._shared.clear()
        except Gone as gone:
            raise Unavailable(
                f"the answers that replicas share stay: {self._name} {gone}",
                "Those on this machine were deleted. Try again later.",
            ) from None

    async def size(self) -> StoreSize:
        """The shared store's; its address is the path."""
        return await self._shared.size()

    async def close(self) -> None:
        """Close the file or connection that is the store's own."""
        await self._shared.close()
        if self._local is not None:
            await self._local.close()
