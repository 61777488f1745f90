"""The answers of one open map. Blocking; `source` calls it from worker threads."""

from collections.abc import Sequence
from dataclasses import replace

from bearings.places import address, geometry, shapes
from bearings.places.engine.areas import Areas
from bearings.places.engine.ranking import Filter
from bearings.places.models import AdminLevel, Match, NearbyPlace, Place, Point, SearchQuery, Structured
from bearings.places.osm import nearby
from bearings.places.osm.hits import Answer, Hit
from bearings.places.osm.map import Map, Row
from bearings.places.osm.outlines import outline
from bearings.places.osm.reverse import At, Reverse
from bearings.places.osm.search import search, search_in_parts
from bearings.places.osm.tags import COUNTRY_RANK, STREET_RANK, TOWN_RANKS
from bearings.places.osm.words import key_of
from bearings.places.outlines import Detail, Parts

_SURE_M, _DOUBTFUL_M = 50.0, 1_000.0
"""Within 50 m the confidence is 1, for receivers are no more precise; 1 km beyond, it is a half."""


class OsmMap:
    """The answers of one map."""

    def __init__(self, osm: Map) -> None:
        self.map = osm
        self._reverse = Reverse(osm, Areas(osm))

    def search(self, query: SearchQuery) -> Answer:
        """The hits of a query."""
        only = Filter(query.country_codes, query.near, query.viewbox, query.bounded, frozenset(query.layer))
        if query.structured is not None:
            return search_in_parts(self.map, _in_parts(query.structured), query.limit, only)
        return search(self.map, query.text or "", query.limit, only)

    def place_of(self, hit: Hit, query: SearchQuery) -> Place:
        """The model of a hit."""
        place = self._shaped(self.map.place(hit.row, query.language, whole=True), hit.row, query.geometry, query.parts)
        is_own = hit.right is not None and key_of(hit.row.name or "") == hit.right
        right = hit.row.name if is_own else hit.right
        return replace(place, match=hit.match, confidence=hit.confidence, corrected_from=hit.wrong, corrected_to=right)

    def _shaped(self, place: Place, row: Row, detail: Detail, parts: Parts | None) -> Place:
        if detail == "none" and parts in (None, "own", "all"):
            return place
        whole = outline(self.map, row)
        if parts == "main" and whole.shape is not None and place.bbox_kind == "exact":
            main = shapes.main_part(whole.shape)
            whole = replace(whole, shape=main)
            place = replace(place, bbox=geometry.with_area(shapes.box_of(main)))
        return place if detail == "none" else replace(place, outline=whole)

    def reverse(self, point: Point, zoom: int, language: str, layer: Sequence[str]) -> tuple[Place, float] | None:
        """The place at a point, and its distance in metres; None if nothing is near."""
        at = self._reverse.at(point, zoom, frozenset(layer))
        if at is None:
            return None
        place = self.map.place(at.row, language, chain=self._chain(point, at))
        holds = at.distance_m == 0 and geometry.contains(place.bbox, point)
        match = Match.COORDINATE if holds else Match.NEAREST
        return replace(place, match=match, confidence=_confidence(at.distance_m)), at.distance_m

    def _chain(self, point: Point, at: At) -> tuple[int, ...] | None:
        """The areas around the point itself, innermost first; None where those of the place found for it hold.

        A point outside all municipalities, as in the sea, belongs to the municipality of the street.
        """
        if at.row.rank < STREET_RANK or (at.distance_m == 0 and at.row.bbox is not None):
            return None
        own = self.map.around(at.row.around).areas
        areas = [row for row in self._reverse.polygons(point) if row.rank < at.row.rank]
        around = [row for each in own if (row := self.map.area(each)) is not None]
        # On a pier the point is in no municipality, and its street is in one. Nothing across a border is found.
        is_at_sea = not _towns(areas) and bool(_towns(around))
        if is_at_sea or {row.id for row in areas} == {row.id for row in around if _is_polygon(row)}:
            return None
        same_town = _towns(areas) == _towns(around)
        others = [row.id for row in around if not _is_polygon(row) and (same_town or _is_above(row))]
        return (*(row.id for row in areas), *others)

    def levels(self, point: Point, language: str, detail: Detail) -> tuple[tuple[AdminLevel, ...], dict[str, str]]:
        """The administrative areas at a point, outermost first, and the address that they and settlements make."""
        rows = self._reverse.areas(point)
        by_level: dict[str, AdminLevel] = {}
        for row in rows:
            if row.category != "boundary":
                continue
            level = "country" if row.rank == COUNTRY_RANK else row.level
            shape = None if detail == "none" else outline(self.map, row)
            by_level.setdefault(level, AdminLevel(
                level, self.map.name(row, language) or row.type, self.map.code(row), row.rank // 2,
                row.osm_type, row.osm_id, shape,
            ))  # fmt: skip
        if not by_level:
            return (), {}
        # Settlements are looked for within the innermost area: beyond its border lies the neighbour's village.
        town = next((row for row in rows if row.category == "boundary"), None)
        settled = [at.row for at in self._reverse.settled(point, town)]
        parts = {row.level: self.map.name(row, language) for row in settled if row.category == "place" and row.name}
        parts = {level: name for level, name in parts.items() if level != "locality"}
        parts |= {level: each.name for level, each in by_level.items()}
        parts |= {f"ISO3166-2-lvl{row.rank // 2}": code for row in rows if (code := self.map.code(row)) and "-" in code}
        country = next((code for row in rows if row.rank == COUNTRY_RANK and (code := self.map.code(row))), None)
        if country is None:
            country = next((code[:2] for row in rows if (code := self.map.code(row))), None)
        if country:
            parts["country_code"] = country.lower()
        order = {level: number for number, level in enumerate(address.LEVELS)}
        levels = sorted(by_level.values(), key=lambda each: order.get(each.level, len(order)))
        return tuple(each for each in levels if each.level in order), address.ordered(parts)

    def nearby(self, point: Point, radius_m: float, category: str, limit: int, language: str) -> list[NearbyPlace]:
        """Named objects of a category or kind around a point, at most `limit`, nearest first."""
        near = nearby.nearby(self.map, point, radius_m, category, limit)
        return [NearbyPlace(self.map.place(nearby.seen_as(row, category), language), metres) for metres, row in near]

    def lookup(self, numbers: Sequence[int], language: str, detail: Detail) -> dict[int, Place]:
        """Places by their objects' numbers."""
        return {
            number: self._shaped(self.map.place(row, language), row, detail, None)
            for number, row in self.map.of_osm(numbers).items()
        }


def _confidence(distance_m: float) -> float:
    """How likely the point is meant to be there: less, the farther away it is."""
    return round(1 / (1 + max(0.0, distance_m - _SURE_M) / _DOUBTFUL_M), 3)


def _is_polygon(row: Row) -> bool:
    """Whether an area is known by its polygon."""
    return row.osm is not None and row.bbox is not None


def _is_above(row: Row) -> bool:
    """Whether what surrounds a street holds on the other side of a town's border too: a region, a postcode."""
    return row.osm is None and row.type != "city"


def _towns(rows: Sequence[Row]) -> set[int]:
    """The municipalities among areas known by polygons."""
    return {row.id for row in rows if _is_polygon(row) and row.category == "boundary" and row.rank in TOWN_RANKS}


def _in_parts(searched: Structured) -> list[str]:
    """A structured query as parts, most specific first."""
    given: tuple[str | None, ...] = (
        searched.amenity, searched.street, searched.postalcode, searched.city, searched.county, searched.state,
        searched.country,
    )  # fmt: skip
    if searched.city and searched.postalcode and not (searched.street or searched.amenity):
        given = (searched.city, searched.postalcode, *given[4:])
    return [part for part in given if part]
