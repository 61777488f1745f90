"""A source of hand-made places: the contract suite's first implementation, and the world of the service's tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import anyio
import anyio.lowlevel

from bearings.errors import BearingsError, Unsupported
from bearings.places import address, geometry, shapes
from bearings.places.categories import Category, belongs
from bearings.places.coverage import Coverage
from bearings.places.models import (
    Backend,
    BBox,
    Bounded,
    Found,
    Located,
    Match,
    NearbyPlace,
    Place,
    Point,
    Provenance,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.places.outlines import Detail, Outline
from bearings.progress import Progress

ATTRIBUTION = "Hand-made for tests."


def country(name: str, code: str, point: Point, box: BBox, importance: float, **names: str) -> Place:
    return _place(name, point, box, 4, importance, {"country": name, "country_code": code}, "administrative", names)


def region(name: str, iso: str, of: str, point: Point, box: BBox, importance: float, **names: str) -> Place:
    parts = {"state": name, "ISO3166-2-lvl4": iso, "country": of, "country_code": iso[:2].lower()}
    return _place(name, point, box, 8, importance, parts, "administrative", names)


def city(name: str, within: Place, point: Point, half_deg: float, importance: float, **names: str) -> Place:
    box = BBox(point.lon - half_deg, point.lat - half_deg, point.lon + half_deg, point.lat + half_deg)
    made = _place(name, point, box, 16, importance, {"city": name, **within.address}, "city", names)
    return replace(made, bbox_kind="estimated", osm_type=None, osm_id=None)


_NAMES: dict[str, tuple[str, ...]] = {}


def _place(
    name: str,
    point: Point,
    box: BBox,
    rank: int,
    importance: float,
    parts: dict[str, str],
    kind: str,
    names: Mapping[str, str],
) -> Place:
    values = [parts[key] for key in ("city", "state", "country") if key in parts]
    display = ", ".join(dict.fromkeys(values))
    _NAMES[display] = (name.casefold(), *(other.casefold() for other in names.values()))
    return Place(
        name=name,
        display_name=display,
        point=point,
        bbox=box,
        bbox_kind="exact",
        category="place" if kind == "city" else "boundary",
        type=kind,
        place_rank=rank,
        importance=importance,
        osm_type="relation",
        osm_id=1000 + len(_NAMES),
        address=parts,
    )


FRANCE = country("France", "fr", Point(46.6, 1.9), BBox(-5.2, 41.3, 9.6, 51.1), 0.9)
GERMANY = country("Germany", "de", Point(51.1, 10.4), BBox(5.9, 47.3, 15.0, 55.1), 0.9, local="Deutschland")
USA = country("United States", "us", Point(39.8, -98.6), BBox(-125.0, 24.5, -66.9, 49.4), 0.95)
JAPAN = country("Japan", "jp", Point(36.6, 139.2), BBox(128.0, 30.9, 146.0, 45.6), 0.9, local="日本")
FIJI = country("Fiji", "fj", Point(-17.8, 178.0), BBox(176.9, -20.7, -178.2, -12.4), 0.7, local="Viti")
NEW_ZEALAND = country("New Zealand", "nz", Point(-41.5, 172.8), BBox(166.3, -47.4, -175.8, -34.0), 0.8, mi="Aotearoa")
RUSSIA = country("Russia", "ru", Point(64.7, 97.7), BBox(19.6, 41.2, -169.0, 81.9), 0.95, local="Россия")
EGYPT = country("Egypt", "eg", Point(26.3, 29.3), BBox(24.7, 22.0, 36.9, 31.7), 0.8, local="مصر")
ANTARCTICA = country("Antarctica", "aq", Point(-79.4, 0.3), BBox(-180.0, -90.0, 180.0, -60.0), 0.7)
COLORADO = region("Colorado", "US-CO", "United States", Point(39.0, -105.5), BBox(-109.1, 37.0, -102.0, 41.0), 0.8)
IDF = region("Île-de-France", "FR-IDF", "France", Point(48.6, 2.5), BBox(1.4, 48.1, 3.6, 49.3), 0.7)
BAVARIA = region("Bavaria", "DE-BY", "Germany", Point(48.9, 11.4), BBox(8.9, 47.3, 13.9, 50.6), 0.7, local="Bayern")
TEXAS = region("Texas", "US-TX", "United States", Point(31.3, -99.3), BBox(-106.7, 25.8, -93.5, 36.5), 0.8)

PLACES = (
    FRANCE,
    GERMANY,
    USA,
    JAPAN,
    FIJI,
    NEW_ZEALAND,
    RUSSIA,
    EGYPT,
    ANTARCTICA,
    COLORADO,
    IDF,
    BAVARIA,
    TEXAS,
    city("Paris", IDF, Point(48.8566, 2.3522), 0.1, 0.88),
    city("Paris", TEXAS, Point(33.6609, -95.5555), 0.05, 0.5),
    city("Boulder", COLORADO, Point(40.015, -105.2705), 0.08, 0.6),
    city("Munich", BAVARIA, Point(48.137, 11.575), 0.15, 0.8, local="München"),
    city("Tokyo", JAPAN, Point(35.68, 139.77), 0.3, 0.9, local="東京", fr="東京都"),
    city("Moscow", RUSSIA, Point(55.75, 37.62), 0.3, 0.85, local="Москва"),
    city("Cairo", EGYPT, Point(30.04, 31.24), 0.2, 0.85, local="القاهرة"),
    city("Suva", FIJI, Point(-18.14, 178.44), 0.05, 0.6),
)


class MemorySource:
    """Knows `places` by exact names, and points by the boxes around them; counts how often it was prepared.

    `failure` answers every question; `refusals` answer searches for a text.
    """

    def __init__(
        self,
        places: Sequence[Place] = PLACES,
        *,
        failure: BearingsError | None = None,
        refusals: Mapping[str, BearingsError] | None = None,
    ) -> None:
        self.places = tuple(places)
        self.failure = failure
        self.refusals = dict(refusals or {})
        self.prepared = 0
        self.closed = 0
        self.asked: list[SearchQuery] = []

    @property
    def backend(self) -> Backend:
        return Backend.GAZETTEER

    coverage: Coverage | None = None
    is_there: bool = True

    async def prepare(self, progress: Progress) -> None:
        self.prepared += 1
        progress.update(1, 1, "ready")

    async def search(self, query: SearchQuery) -> Found:
        self.asked.append(query)
        self._may_fail(query.text)
        matches = [place for place in self.places if _answers(place, query)]
        matches.sort(key=lambda place: _order(place, query))
        named = [replace(place, match=Match.EXACT, confidence=1 / len(matches)) for place in matches[: query.limit]]
        return Found(tuple(_outlined(place, query.geometry) for place in named), self._provenance())

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        self._may_fail()
        finest = 4 if zoom < 5 else 8 if zoom < 8 else 30
        held = [place for place in self._holding(point) if place.place_rank <= finest]
        return Located(replace(held[-1], match=Match.NEAREST) if held else None, self._provenance())

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        self._may_fail()
        near = [NearbyPlace(place, geometry.distance_m(point, place.point)) for place in self.places]
        near = sorted((one for one in near if one.distance_m <= radius_m), key=lambda one: one.distance_m)
        held = self._holding(point)
        here = held[-1].address if held else {}
        return Surroundings(tuple(near[:limit]), ("place",), (), tuple(categories), False, here, self._provenance())

    async def admin(self, point: Point, *, language: str, geometry: Detail = "none") -> Bounded:
        self._may_fail()
        held = self._holding(point)
        parts = held[-1].address if held else {}
        known = {place.name: _outlined(place, geometry).outline for place in held}
        levels = [replace(level, outline=known.get(level.name)) for level in address.hierarchy(parts)]
        return Bounded(tuple(levels), parts, self._provenance())

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:
        self._may_fail()
        raise Unsupported("lookup: hand-made places have no OSM objects", "Choose a backend that has them.")

    async def status(self) -> SourceStatus:
        counters = {"places": float(len(self.places))}
        return SourceStatus(self.backend, self.prepared > 0, "in memory", ATTRIBUTION, {"hand-made": "1"}, counters)

    async def aclose(self) -> None:
        self.closed += 1

    def _may_fail(self, text: str | None = None) -> None:
        error = self.failure or self.refusals.get(text or "")
        if error:
            raise error

    def _holding(self, point: Point) -> list[Place]:
        """The places whose box contains the point: by rank, and the larger first."""
        held = [place for place in self.places if geometry.contains(place.bbox, point)]
        return sorted(held, key=lambda place: (place.place_rank, -geometry.area_km2(place.bbox)))

    def _provenance(self) -> Provenance:
        return Provenance(self.backend, ATTRIBUTION, data_version="1")


class Partly(MemorySource):
    """Knows Fiji, leaves words of each search unused, and has the given confidence."""

    def __init__(self, confidence: float, *unused: str) -> None:
        super().__init__([FIJI])
        self._confidence = confidence
        self._unused = unused

    async def search(self, query: SearchQuery) -> Found:
        found = await super().search(query)
        sure = tuple(replace(place, confidence=self._confidence) for place in found.places)
        return replace(found, places=sure, unused=self._unused)


def poi(name: str, key: str, value: str, point: Point, osm_id: int, **parts: str) -> Place:
    """A node with one tag, in Paris."""
    box = geometry.with_area(BBox(point.lon, point.lat, point.lon, point.lat))
    around = {"city": "Paris", "country": "France", "country_code": "fr"}
    return Place(
        name, f"{name}, Paris", point, box, "estimated", key, value, 30, None, "node", osm_id, {**parts, **around}
    )


POIS = (
    poi("Café de la Paix", "amenity", "cafe", Point(48.8708, 2.3313), 11, road="Boulevard des Capucines"),
    poi("Le Procope", "amenity", "restaurant", Point(48.8529, 2.3389), 12, road="Rue de l'Ancienne Comédie"),
    poi("Hôtel de Ville", "railway", "station", Point(48.8573, 2.3516), 13),
    poi("Shakespeare and Company", "shop", "books", Point(48.8526, 2.3471), 14, road="Rue de la Bûcherie"),
)


class ObjectSource(MemorySource):
    """A Nominatim of hand-made places and objects, with nearby places and lookups. `failing` lists its faults."""

    def __init__(
        self,
        places: Sequence[Place] = PLACES,
        *,
        objects: Sequence[Place] = POIS,
        failing: Sequence[str] = (),
        failure: BearingsError | None = None,
        refusals: Mapping[str, BearingsError] | None = None,
    ) -> None:
        super().__init__(places, failure=failure, refusals=refusals)
        self.objects = tuple(objects)
        self.failing = tuple(failing)

    @property
    def backend(self) -> Backend:
        return Backend.NOMINATIM

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        self._may_fail()
        answered = tuple(str(category) for category in categories if category not in self.failing)
        failed = tuple(str(category) for category in categories if category in self.failing)
        near: dict[str, NearbyPlace] = {}
        for category in answered:
            ofs = [place for place in self.objects if belongs(Category(category), place.category, place.type)]
            away = sorted((geometry.distance_m(point, place.point), place.name, place) for place in ofs)
            near |= {name: NearbyPlace(place, far) for far, name, place in away[:limit] if far <= radius_m}
        found = tuple(sorted(near.values(), key=lambda one: one.distance_m))
        here = {"road": "Rue de Rivoli", "city": "Paris"}
        return Surroundings(found, answered, failed, (), True, here, self._provenance())

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:
        self._may_fail()
        known = {f"{(one.osm_type or ' ')[0].upper()}{one.osm_id}": one for one in (*self.places, *self.objects)}
        places = [_outlined(known[osm_id], geometry) for osm_id in osm_ids if osm_id in known]
        return Found(tuple(places), self._provenance())


def _outlined(place: Place, wanted: Detail) -> Place:
    """The place with its box as outline, or its point if the box is estimated."""
    if wanted == "none":
        return place
    is_known = place.bbox_kind == "exact"
    return replace(place, outline=Outline(shapes.of_box(place.bbox) if is_known else shapes.of_point(place.point)))


def _answers(place: Place, query: SearchQuery) -> bool:
    """Whether the first part of the query is one of the place's names and each other part is one of its areas'."""
    parts = query.structured
    if parts is not None:
        if parts.street or parts.amenity:
            return False
        words = [part for part in (parts.city, parts.state, parts.country) if part]
    else:
        words = (query.text or "").split(",")
    first, *rest = [word.strip().casefold() for word in words] or [""]
    around = {value.casefold() for value in place.address.values()}
    if first not in _NAMES[place.display_name] or not set(rest) <= around:
        return False
    if query.country_codes and place.address["country_code"] not in query.country_codes:
        return False
    return not (query.bounded and query.viewbox) or geometry.contains(query.viewbox, place.point)


def _order(place: Place, query: SearchQuery) -> tuple[float, float]:
    near = geometry.distance_m(query.near, place.point) if query.near else 0.0
    return (near, -(place.importance or 0))


class Standstill:
    """A clock that tests move by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


class Timepiece:
    """A clock that `advance` moves, with sleepers that wake at their time."""

    def __init__(self) -> None:
        self.time = 1000.0
        self._sleepers: list[tuple[float, anyio.Event]] = []

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        event = anyio.Event()
        self._sleepers.append((self.time + seconds, event))
        await event.wait()

    async def advance(self, seconds: float) -> None:
        """Move on, and let the woken sleepers run."""
        await self._let_others_run()
        self.time += seconds
        for due, event in self._sleepers:
            if due <= self.time:
                event.set()
        await self._let_others_run()

    async def _let_others_run(self) -> None:
        for _ in range(5):
            await anyio.lowlevel.checkpoint()


class SlowSource(MemorySource):
    """Advances a clock by `seconds` for each search."""

    def __init__(self, clock: Timepiece, seconds: float) -> None:
        super().__init__()
        self.clock = clock
        self.seconds = seconds

    async def search(self, query: SearchQuery) -> Found:
        await self.clock.advance(self.seconds)
        return await super().search(query)
