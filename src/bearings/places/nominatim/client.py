"""The client of one Nominatim server: a method a kind of question."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import httpx2

import bearings
from bearings.clock import Clock, SystemClock
from bearings.errors import BadResponse
from bearings.places.categories import Tag
from bearings.places.models import BBox, Place, Point, SearchQuery
from bearings.places.nominatim import wire
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.remote.answer_store import AnswerStore, DiskAnswers
from bearings.places.remote.cache import ReplyCache
from bearings.places.remote.client import Answer, Question, Reading, RemoteClient
from bearings.places.remote.disk import Disk
from bearings.places.remote.faults import not_json
from bearings.places.remote.server import Remedies, Server

if TYPE_CHECKING:  # imported with BEARINGS_SHARED alone
    from bearings.places.remote.shared.replicas import Replicas

Value = TypeVar("Value")

POLICY_URL = "https://operations.osmfoundation.org/policies/nominatim/"

REMEDIES = Remedies(
    url_setting="NOMINATIM_BASE_URL",
    timeout_setting="GEOCODER_TIMEOUT",
    endpoints="/search, /reverse and /status",
    banned=f"Stop, and read {POLICY_URL}: set NOMINATIM_EMAIL, or use a server of your own (NOMINATIM_BASE_URL).",
    refused=f"Stop, and read {POLICY_URL}; for more than it allows use a server of your own (NOMINATIM_BASE_URL).",
)


class NominatimClient(RemoteClient):
    """Asks one Nominatim server (version 4 or later) at its pace, and remembers its answers.

    `cache_dir` holds answers on disk, at most `settings.disk_bytes` bytes; None: answers stay in memory. `pace_dir` and
    `transport` are `RemoteClient`'s. With `settings.shared`, replicas share pace and answers in a Redis server, and the
    files stand in while that is gone. Every method but `cache_stats` and `shared_status` may raise an error of
    `bearings.errors`; errors are never cached, "nothing there" is, for a short time. For one event loop.
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
        self._email = settings.email
        server = Server(
            base_url=settings.base_url,
            host=settings.host,
            user_agent=settings.user_agent or f"bearings/{bearings.__version__}",
            interval_s=settings.interval_s,
            timeout_s=settings.timeout,
            remedies=REMEDIES,
            is_strict=settings.is_public,
        )
        clock = clock or SystemClock()
        replicas = _replicas(settings, clock)
        limit = 0 if cache_dir is None else settings.disk_bytes
        disk = DiskAnswers(Disk(cache_dir, "nominatim", limit)) if cache_dir is not None and limit else None
        store: AnswerStore | None = disk if replicas is None else replicas.answers(disk)
        cache = ReplyCache(ttl_s=settings.cache_ttl, entries=settings.cache_size, store=store, clock=clock)
        super().__init__(server, cache, clock=clock, pace_dir=pace_dir, replicas=replicas, transport=transport)
        self._server = server

    async def search(self, query: SearchQuery, *, viewbox: BBox | None = None) -> Answer[wire.Rows]:
        """Places by text or parts. `viewbox` is the query's own, or a piece of it that does not cross 180°."""
        return await self._ask(wire.SEARCH, wire.search(query, viewbox), wire.rows)

    async def tagged(
        self, tag: Tag, point: Point, box: BBox, *, language: str, seen: Sequence[int] = ()
    ) -> Answer[wire.Rows]:
        """At most 40 objects with an OSM tag in a box that does not cross 180°, nearest to the point first.

        The server looks at most 0.1° from the point. `seen` are the `Rows.numbers` of earlier pages.
        """
        return await self._ask(wire.SEARCH, wire.tagged(tag, point, box, language, seen), wire.rows)

    async def reverse(
        self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()
    ) -> Answer[Place | None]:
        """The place at a point; None if there is none."""
        answer = await self._ask(wire.REVERSE, wire.reverse(point, zoom, language, layer), wire.located)
        return answer.with_value(next(iter(answer.value.places), None))

    async def governing(self, point: Point, *, zoom: int, language: str) -> Answer[Place | None]:
        """As `reverse`, the place with its tags."""
        answer = await self._ask(wire.REVERSE, wire.governing(point, zoom, language), wire.located)
        return answer.with_value(next(iter(answer.value.places), None))

    async def lookup(self, osm_ids: Sequence[str], *, language: str) -> Answer[wire.Rows]:
        """The places of OSM objects ("N123", "W45", "R6"), at most 50; unknown ids are left out."""
        return await self._ask(wire.LOOKUP, wire.lookup(osm_ids, language), wire.rows)

    async def outlined(
        self, osm_ids: Sequence[str], *, language: str, tolerance_deg: float = wire.POLYGON_TOLERANCE_DEG
    ) -> Answer[wire.Rows]:
        """As `lookup`, with the objects' geometries, simplified by the tolerance.

        At the default tolerance the answer also has the boxes of polygons, across 180° if that arc is smaller.
        """
        params = wire.lookup(osm_ids, language, tolerance_deg=tolerance_deg)
        return await self._ask(wire.LOOKUP, params, wire.outlined)

    async def status(self) -> wire.ServerStatus:
        """The server's own report, requested each time. Raises Unavailable if its database is down."""
        return await self.fresh(self._question(wire.STATUS, wire.status(), partial(self._read, wire.server)))

    async def _ask(self, endpoint: str, params: wire.Params, parse: Callable[[object], wire.Rows]) -> Answer[wire.Rows]:
        return await self.ask(self._question(endpoint, params, partial(self._read, parse)))

    def _question(
        self, endpoint: str, params: wire.Params, parse: Callable[[bytes], Reading[Value] | BadResponse]
    ) -> Question[Value]:
        """The question with the contact address, which is not a part of its key."""
        return Question(endpoint, wire.with_contact(params, self._email), wire.canonical(endpoint, params), parse)

    def _read(self, parse: Callable[[object], Value], body: bytes) -> Reading[Value] | BadResponse:
        """The parsed body, or the error to raise. The error has no cause, which would keep all of the text."""
        host, check = self._server.host, self._server.remedies.check_url
        try:
            value = parse(wire.decode(body))
            rows = value if isinstance(value, wire.Rows) else None
            return Reading(value, rows is not None and not rows.places, 0 if rows is None else rows.skipped)
        except ValueError:
            return not_json(self._server)
        except wire.TooManyRows:
            return BadResponse(f"{host} sent more than {wire.MOST_ROWS} places, more than any question asks for", check)
        except wire.NotWhatNominatimSends:
            return BadResponse(f"{host} sent JSON that is not what Nominatim sends", check)
        except wire.SaysError:
            remedy = "Try another query; if it stays, report it."  # it says "error" with HTTP 200
            return BadResponse(f"{host} answered with an error instead of places", remedy)


def _replicas(settings: NominatimSettings, clock: Clock) -> "Replicas | None":
    """The parts that are shared with other replicas; None if nothing is: then none of it is imported."""
    if settings.shared is None:
        return None
    from bearings.places.remote.shared.replicas import Replicas

    return Replicas(settings.shared.get_secret_value(), clock)
