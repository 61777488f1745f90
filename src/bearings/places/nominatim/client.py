"""The client: a question in, an answer out; from memory, from disk, or from the server."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import anyio.to_thread
import httpx2

import bearings
from bearings.clock import Clock, SystemClock
from bearings.errors import BadResponse
from bearings.places.categories import Tag
from bearings.places.models import BBox, Place, Point, SearchQuery
from bearings.places.nominatim import faults, wire
from bearings.places.nominatim.cache import CacheStats, ReplyCache
from bearings.places.nominatim.disk import Disk, Entry
from bearings.places.nominatim.inflight import InFlight
from bearings.places.nominatim.limiter import Limiter, LimiterStatus
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.upstream import Upstream

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Other = TypeVar("Other")
Parse = Callable[[object], wire.Rows]

_LARGE = 100_000
"""Bytes of a body from which on it is read in a thread: a millisecond."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value_co]):
    """What the server said, whether we knew it already, and how many seconds ago it was said."""

    value: Value_co
    cached: bool
    age_s: float

    def with_value(self, value: Other) -> "Answer[Other]":
        """The same circumstances, another value."""
        return Answer(value, self.cached, self.age_s)


class NominatimClient:
    """Asks one Nominatim server (version 4 or later), courteously, and remembers its answers.

    `cache_dir` is where answers are kept, for `settings.disk_bytes` bytes; None: in memory alone. `pace_dir` is where
    the processes of this machine agree on the pace; it must be the same for all, whatever their cache (default: the
    user's state directory). `transport` replaces the network. Every method but `limiter_status` and `cache_stats`
    may raise an error of `bearings.errors`; errors are never cached, "nothing there" is, briefly. For one event loop.
    """

    def __init__(
        self,
        settings: NominatimSettings,
        *,
        cache_dir: Path | None,
        pace_dir: Path | None = None,
        clock: Clock | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.host = settings.host
        self._settings = settings
        self._where = str(httpx2.URL(settings.base_url).copy_with(userinfo=b""))
        self._clock = clock or SystemClock()
        self._limiter = Limiter(settings.host, settings.interval_s, pace_dir or _users_pace_dir(), self._clock)
        self._upstream = Upstream(
            settings.base_url,
            host=settings.host,
            user_agent=settings.user_agent or f"bearings/{bearings.__version__}",
            timeout_s=settings.timeout,
            limiter=self._limiter,
            paced=settings.interval_s > 0,
            clock=self._clock,
            transport=transport,
        )
        limit = 0 if cache_dir is None else settings.disk_bytes
        self._cache = ReplyCache(
            ttl_s=settings.cache_ttl,
            entries=settings.cache_size,
            disk=Disk(cache_dir, limit) if cache_dir is not None and limit else None,
            disk_limit=limit,
            clock=self._clock,
        )
        self._inflight: InFlight[tuple[Entry, bool]] = InFlight()
        self._skipped = 0

    @property
    def requests(self) -> int:
        """Requests that were sent to the server, second tries included."""
        return self._upstream.requests

    @property
    def skipped_rows(self) -> int:
        """Rows of answers that were left out because they are no places."""
        return self._skipped

    async def search(self, query: SearchQuery, *, viewbox: BBox | None = None) -> Answer[wire.Rows]:
        """Places by text or parts. `viewbox` is the query's own, or a piece of it that does not cross 180°."""
        return await self._ask(wire.SEARCH, wire.search(query, viewbox), wire.rows)

    async def tagged(
        self, tag: Tag, point: Point, box: BBox, *, language: str, seen: Sequence[int] = ()
    ) -> Answer[wire.Rows]:
        """At most 40 objects with an OSM tag in a box that does not cross 180°, nearest to the point first.

        The server looks no further than 0.1° from the point. `seen` are the `Rows.numbers` that are known already.
        """
        return await self._ask(wire.SEARCH, wire.tagged(tag, point, box, language, seen), wire.rows)

    async def reverse(
        self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()
    ) -> Answer[Place | None]:
        """The place at a point; None where there is none."""
        found = await self._ask(wire.REVERSE, wire.reverse(point, zoom, language, layer), wire.located)
        return found.with_value(next(iter(found.value.places), None))

    async def governing(self, point: Point, *, zoom: int, language: str) -> Answer[Place | None]:
        """As `reverse`, the place with its tags."""
        found = await self._ask(wire.REVERSE, wire.governing(point, zoom, language), wire.located)
        return found.with_value(next(iter(found.value.places), None))

    async def lookup(self, osm_ids: Sequence[str], *, language: str) -> Answer[wire.Rows]:
        """The places of OSM objects ("N123", "W45", "R6"), at most 50; those not found are left out."""
        return await self._ask(wire.LOOKUP, wire.lookup(osm_ids, language), wire.rows)

    async def outlined(
        self, osm_ids: Sequence[str], *, language: str, tolerance_deg: float = wire.POLYGON_TOLERANCE_DEG
    ) -> Answer[wire.Rows]:
        """As `lookup`, with the objects' geometries, simplified by the tolerance.

        At the default tolerance the boxes of polygons are there too, across 180° where that is smaller.
        """
        params = wire.lookup(osm_ids, language, tolerance_deg=tolerance_deg)
        return await self._ask(wire.LOOKUP, params, wire.outlined)

    async def status(self) -> wire.ServerStatus:
        """What the server says of itself; asked each time. Raises Unavailable where its database is down."""
        body = await self._upstream.get(wire.STATUS, wire.with_contact(wire.status(), self._settings.email))
        return await self._read(body, wire.server)

    def limiter_status(self) -> LimiterStatus:
        """The pace and any cool-down, without network."""
        return self._limiter.status()

    async def cache_stats(self) -> CacheStats:
        """What is remembered, without network."""
        return await self._cache.stats()

    async def clear_cache(self) -> None:
        """Forget every answer, on disk and in the other processes that share it."""
        await self._cache.clear()

    async def close(self) -> None:
        """Stop what is under way and let go of connections and files. Idempotent."""
        await self._inflight.cancel()
        await self._upstream.close()
        await self._cache.close()

    async def _ask(self, endpoint: str, params: wire.Params, parse: Parse) -> Answer[wire.Rows]:
        """The parsed answer: remembered, on disk, under way for another caller, or asked for now."""
        key = self._key(endpoint, params)
        entry = self._cache.remembered(key)
        known = (
            (entry, True)
            if entry
            else await self._inflight.join(key, lambda: self._learn(key, endpoint, params, parse))
        )
        entry, cached = known
        age = max(0.0, self._clock.now() - entry.stored) if cached else 0.0
        rows = entry.meaning if isinstance(entry.meaning, wire.Rows) else await self._read(entry.body, parse)
        entry.meaning = rows
        return Answer(rows, cached, age)

    async def _learn(self, key: str, endpoint: str, params: wire.Params, parse: Parse) -> tuple[Entry, bool]:
        """From disk (then True) or from the server; kept if every row of it can be read."""
        stored = await self._cache.stored(key)
        if stored is not None:
            return stored, True
        body = await self._upstream.get(endpoint, wire.with_contact(params, self._settings.email))
        try:
            rows = await self._read(body, parse)
        except BadResponse:
            del body
            raise
        if rows.skipped:
            self._skipped += rows.skipped
            return Entry(body, self._clock.now(), empty=False, meaning=rows), False
        return await self._cache.keep(key, body, empty=not rows.places), False

    async def _read(self, body: bytes, parse: Callable[[object], Value]) -> Value:
        """What a body says; in a thread where it is large, so that other calls go on.

        An error's traceback keeps the frames that it passed, and all that they hold, until the garbage collector
        comes. So the error is returned to this one, which lets go of the body first.
        """
        if len(body) <= _LARGE:
            value = self._parsed(body, parse)
        else:
            value = await anyio.to_thread.run_sync(self._parsed, body, parse)
        del body
        if isinstance(value, BadResponse):
            raise value
        return value

    def _parsed(self, body: bytes, parse: Callable[[object], Value]) -> Value | BadResponse:
        """What a body says, or the error to raise. It has no cause: that would hold all of the text."""
        try:
            return parse(wire.decode(body))
        except ValueError:
            return faults.not_json(self.host)
        except wire.TooManyRows:
            return faults.too_many(self.host, wire.MOST_ROWS)
        except wire.NotWhatNominatimSends:
            return faults.not_places(self.host)
        except wire.SaysError:
            return faults.refused(self.host)

    def _key(self, endpoint: str, params: wire.Params) -> str:
        """A digest of server and question; never of the contact address or of credentials in the URL."""
        text = f"{self._where}\n{wire.canonical(endpoint, params)}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _users_pace_dir() -> Path:
    """Where all processes of this user meet."""
    import platformdirs

    return platformdirs.user_state_path("bearings", appauthor=False) / "pace"
