"""The gazetteer's answers, as blocking functions of an open index; `source` runs them in threads."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from bearings.errors import Unsupported
from bearings.places import address, geometry
from bearings.places.atlas import reverse, settlement
from bearings.places.atlas.disputes import Disputes
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.matching import Hit, Reading
from bearings.places.atlas.reverse import Within
from bearings.places.atlas.search import find, search
from bearings.places.atlas.shaping import Shaping
from bearings.places.atlas.zones import TERRITORIAL_M, Zones
from bearings.places.engine import text
from bearings.places.engine.areas import Areas
from bearings.places.engine.ranking import Filter
from bearings.places.models import (
    AdminLevel,
    Disputed,
    Kind,
    Layer,
    Match,
    NearbyPlace,
    Place,
    Point,
    SearchQuery,
    Structured,
    TimeZone,
)
from bearings.places.outlines import Detail

COAST_TOLERANCE_M = 5_000.0
"""The largest distance of a point from a country's polygon: 1:10m coasts are off by 1-2 km, harbours jut out."""

SETTLEMENT_LIMIT_M = 50_000.0
"""The largest distance of a point from its settlement, chosen so that a desert has a first-level region and no city. A
region without a polygon is that of the nearest settlement within the last of `reverse.RINGS_M`, 250 km."""

GOVERNED_LIMIT_M = 15_000.0
"""The largest distance of a point from the settlement that governs it (chosen: few municipalities reach farther)."""

_COUNTY_RINGS_M = (5_000.0, 25_000.0, SETTLEMENT_LIMIT_M)
"""The rings to try around a point for a settlement of its county, before those of the region."""

COUNTRY_ZOOM, REGION_ZOOM = 4, 7
_COUNTY_ZOOM, _CITY_ZOOM, _TOWN_ZOOM = 9, 11, 12
_STREETS_HINT = (
    "For streets, postcodes and objects import a map of the area (bearings places import FILE.osm.pbf), or choose a "
    "Nominatim: NOMINATIM_BASE_URL (your own) or NOMINATIM_EMAIL (the public one)."
)


class Named(NamedTuple):
    """The result of a search: places, or suggestions. `credit` names other data than the atlas's."""

    places: tuple[Place, ...] = ()
    suggestions: tuple[Place, ...] = ()
    unused: tuple[str, ...] = ()
    about: bool = False
    credit: str = ""
    note: str | None = None


class Around(NamedTuple):
    """An area around a point: whether it contains the point, or what else it was chosen by."""

    row: Row
    match: Match = Match.COORDINATE


_OF_NOMINATIM = {
    "address": (
        Layer.CONTINENT, Layer.MACRO_REGION, Layer.COUNTRY, Layer.REGION, Layer.COUNTY, Layer.SETTLEMENT,
        Layer.DISPUTED,
    ),
    "natural": (Layer.ISLAND, Layer.PHYSICAL, Layer.SEA, Layer.LAKE, Layer.RIVER, Layer.PARK),
    "poi": (Layer.AIRPORT, Layer.PORT, Layer.PARK),
    "manmade": (Layer.AIRPORT, Layer.PORT),
}  # fmt: skip
"""Nominatim's layers in terms of this index
(https://nominatim.org/release-docs/latest/api/Search/#result-restriction)."""

_KIND_OF_LEVEL = {"city": Kind.SETTLEMENT, "county": Kind.COUNTY, "state": Kind.STATE, "country": Kind.COUNTRY}
"""The kind of place that each field of a structured query names, the most specific first."""

_CODED = {Kind.STATE, Kind.COUNTRY}

_GOVERNING = {Layer.COUNTRY, Layer.REGION, Layer.COUNTY, Layer.SETTLEMENT}


_NATURE = frozenset({Layer.ISLAND, Layer.LAKE, Layer.PHYSICAL, Layer.PARK, Layer.AIRPORT})
_ONE_ZONE_DEG = 1.5
"""The largest box of a place that has the time zone of its point. Chosen: Ireland's lakes, not Lake Michigan."""


class Atlas:
    """An index with its polygons. Blocking; may be called from any thread."""

    _kept_points = 64
    """Points whose country, region and county are cached."""

    def __init__(self, index: Index, areas: Areas | None = None) -> None:
        self.index = index
        self._areas = areas or Areas(index)
        self._zones = Zones(index, self._areas)
        self._disputes = Disputes(index, self._areas)
        self._shaping = Shaping(index)
        self._country = lru_cache(maxsize=self._kept_points)(self._read_country)
        self._region = lru_cache(maxsize=self._kept_points)(self._read_region)
        self._county = lru_cache(maxsize=self._kept_points)(self._read_county)

    def search(self, query: SearchQuery) -> Named:
        """Places for a query, best first, and suggestions. Nominatim's layer "railway" is empty here."""
        layers = frozenset(layer for name in query.layer for layer in _OF_NOMINATIM.get(name, ()))
        if query.layer and not layers:
            return Named()
        only = Filter(query.country_codes, query.near, query.viewbox, query.bounded, layers)
        if query.structured is not None:
            answer = find(self.index, _stages(query.structured), query.limit, only)
        else:
            answer = search(self.index, query.parsed or query.text or "", query.limit, only)
        places, suggestions = (self._places(hits, query.language) for hits in (answer.hits, answer.suggestions))
        rows = [hit.row for hit in answer.hits]
        # The places without those named like an earlier one at the same spot, such as a county with a city's name.
        distinct: list[Place] = []
        for place in suggestions:
            alike = (other for other in distinct if other.display_name == place.display_name)
            if not any(geometry.contains(place.bbox, other.point) for other in alike):
                distinct.append(place)
        return Named(
            self._shaping.shaped(places, rows, query.geometry, query.parts),
            tuple(distinct),
            answer.unused,
            answer.about,
        )

    def _places(self, hits: Sequence[Hit], language: str) -> tuple[Place, ...]:
        return tuple(self._judged(hit, language) for hit in hits)

    def _judged(self, hit: Hit, language: str) -> Place:
        """A place with its match."""
        is_respelt = hit.fit.match is Match.CORRECTED
        return self.described(
            hit.row,
            language,
            match=hit.fit.match,
            confidence=hit.confidence,
            corrected_from=hit.searched if is_respelt else None,
            corrected_to=hit.fit.key if is_respelt else None,
        )

    def described(self, row: Row, language: str, **more: Any) -> Place:
        """A place with its time zone, if all of it has one, the disputed areas around it, and `more` of its fields."""
        disputed = self._disputes.of(row, language)
        return replace(self.index.place(row, language), time_zone=self._zone(row), disputed=disputed, **more)

    def _zone(self, row: Row) -> TimeZone | None:
        """The zone of a place. A small island, lake, peak or park has the zone of its point."""
        if row.zone is not None or row.layer not in _NATURE or row.country_code is None:
            return self._zones.of(row)
        box = row.bbox
        if max(box.north - box.south, (box.east - box.west) % 360) > _ONE_ZONE_DEG:
            return None
        country = self.index.area(self.index.country(row.country_code.lower()) or 0)
        return None if country is None else self._zones.at(row.point, country)

    def reverse(self, point: Point, zoom: int, language: str) -> Place | None:
        """The place at a point: country, region, county or settlement by `zoom`; the next larger if there is none.

        Zoom 3-4 country, 5-7 region, 8-9 county, 10-11 city, 12 town or larger, 13 and more any settlement. From zoom
        10 on a lake takes precedence over the land around it; at sea the answer is the sea at any zoom.
        """
        rows, place = self._found(point, zoom, language)
        if place is None:
            return None
        return replace(place, time_zone=self._time(point, rows), disputed=self.disputed(point, language))

    def _found(self, point: Point, zoom: int, language: str) -> tuple[list[Row], Place | None]:
        """The areas around a point, innermost first, and the place that the first of them is."""
        chain = self._chain(point, zoom)
        rows = [each.row for each in chain]
        if not rows:
            return rows, None
        return rows, self.index.place(rows[0], language, rows[1:], chain[0].match)

    def disputed(self, point: Point, language: str) -> tuple[Disputed, ...]:
        """The disputed areas that contain a point, smallest first."""
        return self._disputes.at(point, language)

    def _time(self, point: Point, rows: Sequence[Row]) -> TimeZone | None:
        """The time zone of a point with its areas; near a coast, the country's."""
        country = next((row for row in rows if row.layer is Layer.COUNTRY), None)
        if country is None and (shore := self._areas.nearest(point, TERRITORIAL_M, Layer.COUNTRY)) is not None:
            country = self.index.area(shore)
        return self._zones.at(point, country, next((row for row in rows if row.layer is Layer.REGION), None))

    def levels(
        self, point: Point, language: str, geometry: Detail = "none"
    ) -> tuple[tuple[AdminLevel, ...], dict[str, str]]:
        """The areas around a point, outermost first, and their address."""
        rows = [each.row for each in self._chain(point, 18, GOVERNED_LIMIT_M) if each.row.layer in _GOVERNING]
        if not rows:
            return (), {}
        outlines = self._shaping.outlines(rows, geometry)
        levels = [
            AdminLevel(row.level, self.index.name(row, language), row.code, outline=outlines.get(row.id))
            for row in sorted(rows, key=lambda row: (address.LEVELS.index(row.level), -rows.index(row)))
        ]
        return tuple(levels), self.index.place(rows[0], language, rows[1:]).address

    def nearby(self, point: Point, radius_m: float, limit: int, language: str) -> tuple[NearbyPlace, ...]:
        """Settlements within a radius, nearest first."""
        settlements = reverse.within(self.index, point, radius_m)[:limit]
        return tuple(NearbyPlace(self.index.place(row, language), distance) for distance, row in settlements)

    def _chain(self, point: Point, zoom: int, settled_m: float = SETTLEMENT_LIMIT_M) -> list[Around]:
        """The areas around or near a point, innermost first, from the level of `zoom` up; empty if none is known.

        A settlement counts within `settled_m` of its middle, or within its radius, which its population gives.
        """
        point = geometry.one_meridian(point)
        country = self._country(point)
        if country is None:
            sea = next(self._holding(point, Layer.SEA), None)
            return [] if sea is None else [Around(sea)]
        if zoom <= COUNTRY_ZOOM:
            return [Around(country)]
        region = self._region(point, country)
        areas = [Around(row) for row in ((region, *self.index.ancestors(region)) if region else (country,))]
        if zoom <= REGION_ZOOM and region is not None:
            return areas
        county = None if zoom <= REGION_ZOOM else self._county(point, country, region)
        if county is not None:
            areas = [Around(row) for row in (county, *self.index.ancestors(county))]
            if zoom <= _COUNTY_ZOOM:
                return areas
        # A point in Lake Geneva is in the lake and not in Lausanne.
        if zoom > _COUNTY_ZOOM and (lake := next(self._holding(point, Layer.LAKE), None)):
            return [Around(lake), *areas]
        return self._settled(point, zoom, settled_m, areas) or areas

    def _settled(self, point: Point, zoom: int, settled_m: float, areas: list[Around]) -> list[Around]:
        """The chain of the settlement that a point in some areas belongs to; empty if none is near enough.

        The settlement is one of the same county, if its outline is known. In a municipality that decides. A county that
        lies in a city is one of its districts: to the zoom of towns, the city is the answer.
        """
        innermost, country = areas[0].row, areas[-1].row
        city = next((number for number, each in enumerate(areas) if each.row.layer is Layer.SETTLEMENT), None)
        if city is not None and zoom <= _TOWN_ZOOM:
            return [Around(areas[city].row, Match.WITHIN), *areas[city + 1 :]]
        in_county = innermost.layer is Layer.COUNTY
        decided = country.country_code in settlement.MUNICIPAL.get(innermost.layer, ())
        within = Within(country.country_code, None if innermost is country else innermost.id)
        rings_m = _COUNTY_RINGS_M if in_county else reverse.RINGS_M
        nearest = self._nearest(point, zoom, within, rings_m)
        if nearest is None and in_county and not decided and city is None:
            region = next((each.row for each in areas if each.row.layer is Layer.REGION), None)
            nearest = self._nearest(point, zoom, within._replace(area=region and region.id), reverse.RINGS_M)
        if nearest is None:
            return []
        distance, row = nearest
        limit = SETTLEMENT_LIMIT_M if decided else settled_m
        rows = [row, *self.index.ancestors(row)]
        settled = list(takewhile(lambda each: each.layer is Layer.SETTLEMENT, rows))
        beyond = areas if in_county else [Around(each) for each in rows[len(settled) :]]
        match = Match.WITHIN if decided else Match.COORDINATE
        near = [
            Around(each, match if decided or distance <= settlement.radius_m(each.population) else Match.NEAREST)
            for each in settled
            if _is_shown(each, distance, zoom, limit)
        ]
        return near + [each for each in beyond if in_county or _is_shown(each.row, distance, zoom, limit)]

    def _nearest(self, point: Point, zoom: int, within: Within, rings_m: Sequence[float]) -> tuple[float, Row] | None:
        """The settlement of an area, and its distance in metres; at the zoom of towns, a suburb is its city."""
        nearest = reverse.nearest(self.index, point, within, settlement.radius_m, rings_m)
        if nearest is None or not _COUNTY_ZOOM < zoom <= _TOWN_ZOOM:
            return nearest
        rank = settlement.PLACE_RANKS["city" if zoom <= _CITY_ZOOM else "town"]
        if around := reverse.around(self.index, point, within, settlement.radius_m, rank):
            return around
        above = self.index.area(nearest[1].parent or 0)
        is_suburb = above is not None and above.layer is Layer.SETTLEMENT
        return (geometry.distance_m(point, above.point), above) if above is not None and is_suburb else nearest

    def _read_county(self, point: Point, country: Row, region: Row | None) -> Row | None:
        """The second-level area by polygon, of the region around the point if there is one.

        A region without an outline is younger than the outlines: its counties lie in that of an older region.
        """
        for row in self._holding(point, Layer.COUNTY):
            above = next((each for each in self.index.ancestors(row) if each.layer is Layer.REGION), None)
            is_inside = region is None or above is None or above == region or above.bbox_kind == "estimated"
            if row.country_code == country.country_code and is_inside:
                return row
        return None

    def _read_country(self, point: Point) -> Row | None:
        """The country by polygon, else by the nearest coast, or the nearest settlement of an islet without polygon."""
        country = next(self._holding(point, Layer.COUNTRY), None)
        if country is not None:
            return country
        identifier = self._areas.nearest(point, COAST_TOLERANCE_M, Layer.COUNTRY)
        if identifier is not None:
            return self.index.area(identifier)
        near = reverse.within(self.index, point, COAST_TOLERANCE_M)
        return self.index.ancestors(near[0][1])[-1] if near and near[0][1].parent is not None else None

    def _read_region(self, point: Point, country: Row) -> Row | None:
        """The first-level region by polygon; None if no polygon of the country contains the point."""
        rows = self._holding(point, Layer.REGION)
        return next((row for row in rows if row.country_code == country.country_code), None)

    def _holding(self, point: Point, layer: Layer) -> Iterator[Row]:
        """The places of a layer whose polygons contain a point, smallest parts first."""
        for identifier in self._areas.containing(point, layer):
            if (row := self.index.area(identifier)) is not None:
                yield row


def _is_shown(row: Row, distance_m: float, zoom: int, settled_m: float) -> bool:
    """Whether `zoom` asks for a level and the area is near enough."""
    if row.place_rank <= 4:
        return True
    if row.place_rank <= 8:
        return zoom > COUNTRY_ZOOM
    if row.place_rank <= 12:
        return zoom > REGION_ZOOM and distance_m <= SETTLEMENT_LIMIT_M
    return zoom > _COUNTY_ZOOM and distance_m <= max(settled_m, settlement.radius_m(row.population))


def _stages(searched: Structured) -> list[list[Reading]]:
    """A structured query as a name and its context: the most specific of city, county, state, country is the name.

    A code is read before a name: "ru" is Russia. If nothing of the level has the name, any place may have it, and the
    level is unused.
    """
    for field in ("amenity", "street"):
        if getattr(searched, field):
            raise Unsupported(f"the gazetteer has no {field}", _STREETS_HINT)
    levels = {level: key for level in _KIND_OF_LEVEL if (key := text.normalise(getattr(searched, level) or ""))}
    if not levels:
        if searched.postalcode:
            raise Unsupported("the gazetteer has no postalcode", _STREETS_HINT)
        return []
    (level, name), *around = levels.items()
    context, aside = tuple(key for _, key in around), (searched.postalcode,) if searched.postalcode else ()
    kind = _KIND_OF_LEVEL[level]
    exact = Reading(name, context, kind, exactly=True, unused=aside)
    return [
        [replace(exact, is_code=True)] if kind in _CODED else [],
        [exact],
        [replace(exact, exactly=False)],
        [replace(exact, kind=None, exactly=False, unused=(*aside, level))],
    ]
