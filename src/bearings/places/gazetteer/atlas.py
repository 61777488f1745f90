"""What the gazetteer answers, as blocking functions of an open index; `source` runs them in threads."""

from bearings.errors import Unsupported
from bearings.places.gazetteer import settlement
from bearings.places.index import nearby, reverse, text
from bearings.places.index.areas import Areas
from bearings.places.index.database import Index, Row
from bearings.places.index.search import Filter, Reading, find, search
from bearings.places.models import AdminLevel, NearbyPlace, Place, Point, SearchQuery, Structured

COAST_TOLERANCE_M = 5_000.0
"""How far off a country's polygon a point may lie: 1:10m coasts are off by a kilometre or two, harbours jut out."""

SETTLEMENT_LIMIT_M = 50_000.0
"""No point belongs to a settlement farther away; chosen, so that a desert has a region and no city. The region is that
of the nearest settlement within the last of `reverse.RINGS_M`, 250 km."""

GOVERNED_LIMIT_M = 15_000.0
"""No point is governed by a settlement farther away (chosen: few municipalities reach farther than that)."""

_COUNTRY_ZOOM, _REGION_ZOOM, _COUNTY_ZOOM, _CITY_ZOOM, _TOWN_ZOOM = 4, 7, 9, 11, 12
_STREETS_HINT = (
    "For streets, postcodes and objects choose a Nominatim: NOMINATIM_BASE_URL (your own) or NOMINATIM_EMAIL (the "
    "public one)."
)


class Atlas:
    """An index with its polygons. Blocking; may be called from any thread."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._areas = Areas(index)

    def search(self, query: SearchQuery) -> tuple[Place, ...]:
        """Places for a query, best first. Layers other than "address" hold nothing here."""
        if query.layer and "address" not in query.layer:
            return ()
        only = Filter(query.country_codes, query.near, query.viewbox, query.bounded)
        if query.structured is not None:
            rows = find(self.index, [_reading(query.structured)], query.limit, only)
        else:
            rows = search(self.index, query.text or "", query.limit, only)
        return tuple(self.index.place(row, query.language) for row in rows)

    def reverse(self, point: Point, zoom: int, language: str) -> Place | None:
        """The place at a point: country, region, county or settlement as `zoom` asks; the next larger if there is none.

        Zoom 3–4 country, 5–7 region, 8–9 county, 10–11 city, 12 town or larger, 13 and more any settlement.
        """
        chain = self._chain(point, zoom)
        return self.index.place(chain[0], language) if chain else None

    def levels(self, point: Point, language: str) -> tuple[tuple[AdminLevel, ...], dict[str, str]]:
        """The areas around a point, outermost first, and their address."""
        chain = self._chain(point, 18, GOVERNED_LIMIT_M)
        if not chain:
            return (), {}
        found = [AdminLevel(row.level, self.index.name(row, language), row.code) for row in reversed(chain)]
        return tuple(found), self.index.address(chain[0], language)

    def nearby(self, point: Point, radius_m: float, limit: int, language: str) -> tuple[NearbyPlace, ...]:
        """Settlements within a radius, nearest first."""
        found = nearby.within(self.index, point, radius_m)[:limit]
        return tuple(NearbyPlace(self.index.place(row, language), distance) for distance, row in found)

    def _chain(self, point: Point, zoom: int, settled_m: float = SETTLEMENT_LIMIT_M) -> list[Row]:
        """What contains a point, innermost first, from the level of `zoom` up; empty at sea.

        A settlement is named within `settled_m` of its middle, or within its own reach.
        """
        country = self._country(point)
        if country is None:
            return []
        if zoom <= _COUNTRY_ZOOM:
            return [country]
        code = country.country_code
        nearest = reverse.nearest(self.index, point, code, settlement.radius_m)
        if nearest is None:
            return [country]
        if _COUNTY_ZOOM < zoom <= _TOWN_ZOOM:
            rank = settlement.PLACE_RANKS["city" if zoom <= _CITY_ZOOM else "town"]
            nearest = reverse.around(self.index, point, code, settlement.radius_m, rank) or nearest
        distance, row = nearest
        rows = [row, *self.index.ancestors(row)]
        return [each for each in rows if _is_shown(each, distance, zoom, settled_m)] or [country]

    def _country(self, point: Point) -> Row | None:
        """By polygon; else that of the nearest coast, or of the nearest settlement of an islet without polygon."""
        held = self._areas.containing(point)
        identifier = held[0] if held else self._areas.nearest(point, COAST_TOLERANCE_M)
        if identifier is not None:
            return self.index.rows([identifier])[identifier]
        near = nearby.within(self.index, point, COAST_TOLERANCE_M)
        return self.index.ancestors(near[0][1])[-1] if near and near[0][1].parent is not None else None


def _is_shown(row: Row, distance_m: float, zoom: int, settled_m: float) -> bool:
    """Whether a level is asked for by `zoom` and near enough to be true."""
    if row.place_rank <= 4:
        return True
    if row.place_rank <= 8:
        return zoom > _COUNTRY_ZOOM
    if row.place_rank <= 12:
        return zoom > _REGION_ZOOM and distance_m <= SETTLEMENT_LIMIT_M
    return zoom > _COUNTY_ZOOM and distance_m <= max(settled_m, settlement.radius_m(row.population))


def _reading(asked: Structured) -> list[Reading]:
    """A structured query as a name and its context: the most specific of city, county, state, country is the name."""
    for field in ("amenity", "street", "postalcode"):
        if getattr(asked, field):
            raise Unsupported(f"the gazetteer knows no {field}", _STREETS_HINT)
    given = (asked.city, asked.county, asked.state, asked.country)
    keys = [key for each in given if each and (key := text.normalise(each))]
    return [Reading(keys[0], tuple(keys[1:]))] if keys else []
