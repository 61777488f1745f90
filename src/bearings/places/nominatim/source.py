"""Nominatim as a source of places."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from bearings.errors import BearingsError, InvalidInput, Unavailable
from bearings.places import geometry
from bearings.places.categories import Category, split
from bearings.places.coverage import Coverage
from bearings.places.models import (
    Backend,
    Bounded,
    Found,
    Located,
    Place,
    Point,
    Provenance,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.places.nominatim import judging, nearby, poi, wire
from bearings.places.nominatim.admin import who_governs
from bearings.places.nominatim.boxes import is_world_wide
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.shaping import areas_with_outlines, with_outlines
from bearings.places.outlines import Detail
from bearings.places.remote.client import Answer
from bearings.places.remote.limiter import LimiterStatus
from bearings.progress import Progress

ATTRIBUTION = "Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright"

USAGE_POLICY = (
    "nominatim.openstreetmap.org is run on donations: at most one request a second, for all programs and users of an "
    "application together, which this server keeps; no bulk geocoding, no autocomplete, no grids of queries; keep "
    "results, and show the attribution. https://operations.osmfoundation.org/policies/nominatim/"
)

HERE_ZOOM = 17
"""Streets: their addresses name suburb and city too."""

_HERE_PATIENCE_S = 10.0

_MANY_NAMES = 500
"""The number of names from which on comparing them takes milliseconds; ten countries have some 4,000."""

_HERE = {
    "street": ("road", "pedestrian", "footway"),
    "suburb": ("suburb", "neighbourhood", "quarter", "city_district", "borough", "hamlet"),
    "city": ("city", "town", "village", "municipality"),
}

_CACHE_COUNTERS = (
    "size", "max", "hits", "misses", "hit_rate", "disk_size", "disk_bytes", "disk_bytes_max", "disk_faults",
)  # fmt: skip
"""The fields of CacheStats that the status counts, in its order."""

Named = tuple[Place, Mapping[str, str]]
"""A place, and its names by their tags."""


class NominatimSource:
    """A `PlaceSource` over one Nominatim server. Owns the client."""

    backend = Backend.NOMINATIM
    is_there = True

    def __init__(self, client: NominatimClient, settings: NominatimSettings) -> None:
        self._client = client
        self._settings = settings
        self.coverage: Coverage | None = settings.extent()

    async def prepare(self, progress: Progress) -> None:
        """Do nothing: the server is asked with the first question."""

    async def search(self, query: SearchQuery) -> Found:
        """Places by name or address, best first, at most `query.limit`; empty if nothing fits well.

        A viewbox across 180° takes two requests; world-wide boxes are made from polygons. Requests at least
        `judging.AT_LEAST` places: the first one's confidence depends on its namesakes.
        """
        pieces = [None] if query.viewbox is None else geometry.split(query.viewbox)
        more = replace(query, limit=max(query.limit, judging.AT_LEAST))
        answers = [await self._client.search(more, viewbox=piece) for piece in pieces]
        rows = _merged([tuple(zip(answer.value.places, answer.value.names, strict=True)) for answer in answers])
        places, unused = await _judged(query, rows)
        tightened = await self._tightened(places[: query.limit], query.language, _circumstances(answers))
        shaped = await with_outlines(self._client, tightened, query.geometry, query.parts, query.language)
        return replace(shaped, unused=unused)

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        """The place at a point, as detailed as `zoom` (3 country … 18 building) asks and the data allow."""
        answer = await self._client.reverse(point, zoom=zoom, language=language, layer=layer)
        if answer.value is None:
            return Located(None, self._provenance(answer))
        tightened = await self._tightened([answer.value], language, answer)
        return Located(judging.located(tightened.places[0], point), tightened.provenance)

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        """Named objects within `radius_m`, at most `limit` a category, by distance.

        Never complete, because only the commonest kinds of each category are asked for. Raises the first error if no
        request was answered; otherwise the categories with a failure are listed, and the provenance has the reasons.
        """
        wanted = [_category(name) for name in categories]
        budget = poi.PACED_BUDGET if self._settings.interval_s else poi.FREE_BUDGET
        around = nearby.Search(self._client, point, radius_m=radius_m, limit=limit, language=language)
        here, problems = await self._here(point, language)
        harvest = await around.run(wanted, budget - 1)
        problems += [f"{category}: {error.error}" for category, error in harvest.failures.items()]
        whole = self._provenance(Answer(None, harvest.from_memory == harvest.answers, harvest.age_s))
        problems += [whole.reason] if whole.reason else []
        provenance = replace(whole, reason="; ".join(problems) or None)
        return Surroundings(
            places=harvest.nearest(limit),
            answered=harvest.answered,
            failed=harvest.failed,
            unsupported=(),
            complete=False,
            here=here,
            provenance=provenance,
        )

    async def admin(self, point: Point, *, language: str, geometry: Detail = "none") -> Bounded:
        """The administrative areas that contain a point; from addresses at several zooms.

        An area has an OSM id only if one of the answers was that area itself.
        """
        thorough = not self._settings.interval_s
        (levels, parts), answers = await who_governs(self._client, point, language=language, thorough=thorough)
        boxes = {wire.id_of(answer.value): answer.value.bbox for answer in answers if answer.value}
        areas = await areas_with_outlines(self._client, levels, boxes, geometry, language)
        return Bounded(areas, parts, self._provenance(_circumstances(answers)))

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:
        """The places of OSM objects ("N123", "W45", "R6"); unknown ids are left out."""
        answer = await self._client.lookup([osm_id.upper() for osm_id in osm_ids], language=language)
        tightened = await self._tightened(answer.value.places, language, answer)
        return await with_outlines(self._client, tightened, geometry, None, language)

    async def status(self) -> SourceStatus:
        """The source's state: the pace, any cool-down, and the cache.

        Asks no server but the Redis that replicas share, if any.
        """
        limiter, cache = await self._limiter_status(), await self._client.cache_stats()
        shared = self._client.shared_status()
        is_idle = shared is not None and shared.trouble is not None and self._settings.is_public
        counters = {
            "requests": float(self._client.requests),
            "skipped_rows": float(self._client.skipped_rows),
            "interval_s": limiter.interval_s,
            "next_slot_s": limiter.next_slot_s,
            "cooldown_s": limiter.cooldown_s,
            **{f"cache_{name}": float(getattr(cache, name)) for name in _CACHE_COUNTERS},
            **({} if shared is None else {"cache_shared_hits": float(cache.shared_hits)}),
        }
        return SourceStatus(
            backend=Backend.NOMINATIM,
            ready=not limiter.cooldown_s and not is_idle,
            detail=self._detail(limiter.reason),
            attribution=ATTRIBUTION,
            counters=counters,
            cache_path=cache.path or cache.shared,
            cooldown_reason=limiter.reason,
            usage_policy=USAGE_POLICY if self._settings.is_public else None,
        )

    async def aclose(self) -> None:
        """Close files, connections and processes. Idempotent."""
        await self._client.close()

    async def _here(self, point: Point, language: str) -> tuple[dict[str, str], list[str]]:
        """Street, suburb and city around the point, and the problems in finding them."""
        answer = None
        try:
            with anyio.move_on_after(_HERE_PATIENCE_S):
                answer = await self._client.reverse(point, zoom=HERE_ZOOM, language=language)
        except BearingsError as error:
            return {}, [f"here: {error.error}"]
        if answer is None:
            return {}, [f"here: {self._client.host} was too slow"]
        parts = {} if answer.value is None else answer.value.address
        named = {part: next((parts[key] for key in keys if key in parts), None) for part, keys in _HERE.items()}
        return {part: name for part, name in named.items() if name}, []

    async def _tightened(self, places: Sequence[Place], language: str, answer: Answer[object]) -> Found:
        """The places with world-wide boxes replaced by those of polygons, or with a note if these are unavailable."""
        ids = [wire.id_of(place) for place in places if place.osm_id is not None and is_world_wide(place.bbox)]
        provenance = self._provenance(answer)
        if not ids:
            return Found(tuple(places), provenance)
        try:
            boxes = (await self._client.outlined(ids, language=language)).value.boxes
        except BearingsError as error:
            return Found(tuple(places), replace(provenance, reason=f"a box may be too wide: {error.error}"))
        tight = [replace(place, bbox=boxes.get(wire.id_of(place), place.bbox)) for place in places]
        return Found(tuple(tight), provenance)

    def _provenance(self, answer: Answer[object]) -> Provenance:
        """The origin of an answer; degraded if it was requested while the pace of all replicas could not be kept."""
        trouble = None if answer.cached else self._trouble()
        return Provenance(
            Backend.NOMINATIM,
            ATTRIBUTION,
            host=self._client.host,
            cached=answer.cached,
            age_s=answer.age_s,
            degraded=trouble is not None,
            reason=trouble,
        )

    def _trouble(self) -> str | None:
        """A sentence if the server that replicas share can't be reached."""
        shared = self._client.shared_status()
        if shared is None or shared.trouble is None:
            return None
        use = "nothing is asked" if self._settings.is_public else "pace and cache are this machine's"
        return f"{shared.name} {shared.trouble}: {use}"

    async def _limiter_status(self) -> LimiterStatus:
        """The limiter's state; without waits if it is not known."""
        try:
            return await self._client.limiter_status()
        except Unavailable:
            return LimiterStatus(self._settings.interval_s, 0.0, 0.0, None)

    def _detail(self, reason: str | None) -> str:
        """One line: the server, its pace, and the reason of a cool-down."""
        pace = f"one request every {self._settings.interval_s:g} s" if self._settings.interval_s else "no pace"
        notes = [f"{self._client.host}, {pace}"]
        if self._settings.pace_was_raised:
            notes.append(f"GEOCODER_RATE_LIMIT = {self._settings.rate_limit:g} was raised to what its policy allows")
        shared = self._client.shared_status()
        if shared is not None:
            notes.append(self._trouble() or f"pace and cache are shared through {shared.name}")
        if reason:
            notes.append(f"in a cool-down: {reason}")
        return "; ".join(notes)


async def _judged(query: SearchQuery, rows: Sequence[Named]) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """As `judging.judged`; in a thread if there are many names, so that other calls go on."""
    judge = partial(judging.judged, query, [place for place, _ in rows], [names for _, names in rows])
    if sum(len(names) for _, names in rows) < _MANY_NAMES:
        return judge()
    return await anyio.to_thread.run_sync(judge)


def _category(name: str) -> str:
    try:
        split(name)
    except ValueError:
        raise InvalidInput("categories", name, "is no category", f"Pass any of: {', '.join(Category)}.") from None
    return name


def _circumstances(answers: Sequence[Answer[Any]]) -> Answer[object]:
    """The joint circumstances of several answers."""
    return Answer(None, all(answer.cached for answer in answers), max(answer.age_s for answer in answers))


def _merged(lists: Sequence[Sequence[Named]]) -> list[Named]:
    """Several lists as one, each object once; sorted by importance if there are several."""
    if len(lists) == 1:
        return list(lists[0])
    unique = {(wire.id_of(row[0]) or row[0].display_name): row for rows in lists for row in rows}
    return sorted(unique.values(), key=lambda row: -(row[0].importance or 0.0))
