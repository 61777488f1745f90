"""Ask a server a question: answered from memory, a store, a request under way here or elsewhere, or a new request."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio.to_thread
import httpx2

from bearings.clock import Clock
from bearings.errors import BadResponse
from bearings.places.remote.cache import CacheStats, ReplyCache
from bearings.places.remote.disk import Entry
from bearings.places.remote.inflight import InFlight
from bearings.places.remote.ledger import LedgerFile
from bearings.places.remote.limiter import Limiter, LimiterStatus
from bearings.places.remote.pace import FileLedger, LedgerStore
from bearings.places.remote.server import Server
from bearings.places.remote.upstream import Upstream

if TYPE_CHECKING:  # imported with BEARINGS_SHARED alone
    from bearings.places.remote.shared.replicas import Replicas, SharedStatus

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Other = TypeVar("Other")

_LARGE = 100_000
"""Bytes from which on a body is parsed in a thread: it takes a millisecond."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value_co]):
    """The parsed content of one answer.

    `empty`: the server found nothing, which is remembered for a shorter time. `skipped` counts rows that could not be
    read; an answer with such rows is used once and not remembered.
    """

    value: Value_co
    empty: bool = False
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Question(Generic[Value]):
    """One GET request and how to read its answer.

    `key` is the same text for the same question, however it was typed; it leaves out contact addresses and
    credentials. `parse` returns an error instead of raising it: a traceback would keep the body in memory.
    """

    endpoint: str
    params: Mapping[str, str]
    key: str
    parse: Callable[[bytes], Reading[Value] | BadResponse]


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value_co]):
    """The server's answer, whether it came from a cache, and its age in seconds."""

    value: Value_co
    cached: bool
    age_s: float

    def with_value(self, value: Other) -> "Answer[Other]":
        """The same circumstances, another value."""
        return Answer(value, self.cached, self.age_s)


class RemoteClient:
    """Asks one server at its pace and remembers its answers. For one event loop.

    `pace_dir` is where the processes of this machine agree on the pace; it must be the same for all of them, whatever
    their cache (default: the user's state directory). `replicas` holds what clients on other machines share with this
    one, which closes it; the cache then uses its answers. `transport` replaces the network. Errors are never cached.
    """

    def __init__(
        self,
        server: Server,
        cache: ReplyCache,
        *,
        clock: Clock,
        pace_dir: Path | None = None,
        replicas: "Replicas | None" = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._where = str(httpx2.URL(server.base_url).copy_with(userinfo=b""))
        self._clock = clock
        file = LedgerFile(pace_dir or _default_pace_dir(), server.host)
        ledger: LedgerStore = FileLedger(file, server.interval_s, clock)
        self._limiter = Limiter(server, ledger if replicas is None else replicas.ledger(server, ledger), clock)
        self._upstream = Upstream(server, limiter=self._limiter, clock=clock, transport=transport)
        self._cache = cache
        self._replicas = replicas
        self._inflight: InFlight[tuple[Entry, bool]] = InFlight()
        self.skipped_rows = 0
        """Rows of answers that could not be read, and are left out."""

    @property
    def requests(self) -> int:
        """Requests sent to the server, retries included."""
        return self._upstream.requests

    async def ask(self, question: Question[Value]) -> Answer[Value]:
        """The answer: remembered, stored, under way for another caller or replica, or requested now."""
        key = self._digest(question.key)
        entry, cached = await self._readable(key, await self._cache.remembered(key), question), True
        if entry is None:
            entry, cached = await self._inflight.join(key, lambda: self._learn(key, question))
        age = max(0.0, self._clock.now() - entry.stored) if cached else 0.0
        reading = entry.meaning if isinstance(entry.meaning, Reading) else await _read(entry.body, question)
        entry.meaning = reading
        return Answer(reading.value, cached, age)

    async def fresh(self, question: Question[Value]) -> Value:
        """The answer to a new request, which is not remembered."""
        body = await self._upstream.get(question.endpoint, question.params)
        return (await _read(body, question)).value

    async def limiter_status(self) -> LimiterStatus:
        """The pace and any cool-down, without a request to the server. Raises Unavailable if nothing is known."""
        return await self._limiter.status()

    def shared_status(self) -> "SharedStatus | None":
        """The server that replicas share, and whether it can be reached; None if nothing is shared."""
        return None if self._replicas is None else self._replicas.status()

    async def cache_stats(self) -> CacheStats:
        """The cache's contents and hits, without network."""
        return await self._cache.stats()

    async def clear_cache(self) -> None:
        """Forget every answer, in the store and in the other processes that share it."""
        await self._cache.clear()

    async def close(self) -> None:
        """Stop requests under way; close connections and files. Idempotent."""
        await self._inflight.cancel()
        await self._upstream.close()
        await self._cache.close()
        if self._replicas is not None:
            await self._replicas.close()

    async def _learn(self, key: str, question: Question[Value]) -> tuple[Entry, bool]:
        """The entry from the store (then True) or from the server."""
        stored = await self._readable(key, await self._cache.stored(key), question)
        if stored is not None:
            return stored, True
        if self._replicas is None:
            return await self._requested(key, question), False
        # Another replica may be asking the same: then its answer is awaited instead of a second request.
        entry = await self._replicas.flights.join(key, lambda: self._unless_found(key, question))
        return await self._readable(key, entry, question) or await self._requested(key, question), False

    async def _unless_found(self, key: str, question: Question[Value]) -> Entry:
        """The entry from the server, unless another replica has stored it in the meantime."""
        entry = await self._readable(key, await self._cache.found(key), question)
        return entry or await self._requested(key, question)

    async def _readable(self, key: str, entry: Entry | None, question: Question[Value]) -> Entry | None:
        """The entry with its meaning; None if it is damaged, so that the question is asked anew."""
        if entry is None or isinstance(entry.meaning, Reading):
            return entry
        try:
            entry.meaning = reading = await _read(entry.body, question)
        except BadResponse:
            reading = None
        if reading is None or reading.skipped:  # no answer with such rows is stored
            self._cache.drop(key)
            return None
        return entry

    async def _requested(self, key: str, question: Question[Value]) -> Entry:
        """The entry from the server; remembered if every row of it can be read."""
        body = await self._upstream.get(question.endpoint, question.params)
        try:
            reading = await _read(body, question)
        except BadResponse:
            del body
            raise
        if reading.skipped:
            self.skipped_rows += reading.skipped
            return Entry(body, self._clock.now(), empty=False, meaning=reading)
        return await self._cache.keep(key, body, empty=reading.empty)

    def _digest(self, key: str) -> str:
        """A digest of server and question; never of credentials in the URL."""
        return hashlib.sha256(f"{self._where}\n{key}".encode("utf-8", "surrogatepass")).hexdigest()


async def _read(body: bytes, question: Question[Value]) -> Reading[Value]:
    """Parse a body; in a thread if it is large, so that other calls go on. Raises BadResponse.

    An error's traceback keeps the frames that it passed, and all that they hold, until the garbage collector runs.
    So `parse` returns the error, and this frame drops the body before it raises.
    """
    if len(body) <= _LARGE:
        reading = question.parse(body)
    else:
        reading = await anyio.to_thread.run_sync(question.parse, body)
    del body
    if isinstance(reading, BadResponse):
        raise reading
    return reading


def _default_pace_dir() -> Path:
    """The directory that all processes of this user share."""
    import platformdirs

    return platformdirs.user_state_path("bearings", appauthor=False) / "pace"
