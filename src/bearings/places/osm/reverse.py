"""The place at a point: the nearest street, address or object, or the area that `zoom` asks for.

A building or an object with an area answers for the points inside it. Beside a street, the nearest address of that
street answers, if there is one: Nominatim decides likewise, so that both name the same object.
"""

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import NamedTuple

from bearings.places import geometry
from bearings.places.engine.areas import Areas
from bearings.places.models import Point
from bearings.places.osm import cells
from bearings.places.osm.cells import Near
from bearings.places.osm.map import Map, Row
from bearings.places.osm.schema import ADMIN, PLACE
from bearings.places.osm.tags import COUNTRY_RANK, EXTENT_M, TOWN_RANKS

LIMIT_M = 670.0
"""Nothing farther is said to be at a point: Nominatim's limit, .006 degrees from south to north."""

_HOUSE_M = 70.0
"""An address so near the nearest position of its street answers for the street."""

_REACHES_M = (250.0,)
"""Distances in which more cells are read before all of them."""

_MOST_HOUSES = 16
_BATCH = 64
_TOO_LARGE_M = 780.0

_BUILDING_ZOOM, _MAJOR_ZOOM = 18, 16

RANK_OF_ZOOM = {3: 4, 4: 4, 5: 8, 6: 10, 7: 10, 8: 12, 9: 12, 10: 17, 11: 17, 12: 18, 13: 19, 14: 22, 15: 25}
"""The last rank of an answer to each zoom, as Nominatim's (https://nominatim.org/release-docs/latest/api/Reverse/)."""

_EXTENT_M = (*EXTENT_M, {"locality": 700.0})
_OUTSIDE = 0.5
"""The share of its extent within which a settlement is named for a point outside all municipalities: at sea."""

_ISLANDS = frozenset({"island", "islet", "archipelago"})
REGION_RANK = 8


class At(NamedTuple):
    """The place at a point: a row, and the distance in metres from it; 0 inside."""

    row: Row
    distance_m: float


class Reverse:
    """Questions about points of one map. Blocking; may be called from any thread."""

    def __init__(self, osm: Map, areas: Areas) -> None:
        self._map = osm
        self._areas = areas
        self._last: tuple[Point, list[Row]] | None = None

    def at(self, point: Point, zoom: int, layers: frozenset[str]) -> At | None:
        """The place at a point; None if nothing is near."""
        if zoom >= _MAJOR_ZOOM and (detailed := self._detailed(point, zoom, layers)):
            return detailed
        return None if layers and "address" not in layers else self._area(point, RANK_OF_ZOOM.get(zoom, 25))

    def near(self, point: Point, wanted: int, within_m: float, street: int | None = None) -> Iterator[Near]:
        """Each shape within a distance that has one of the flags, and belongs to a street if one is given."""
        lon, lat = cells.steps(point.lon), cells.steps(point.lat)
        own = cells.cell_of(lon, lat)
        seen_m = min(cells.edge_m(own, point), within_m)
        cell = self._map.cell(own)
        if cell is not None:
            yield from takewhile(lambda near: near.distance_m <= seen_m, cell.near(lon, lat, wanted, street))
        for reach_m in (
            *(each for each in _REACHES_M if seen_m < each < within_m),
            *((within_m,) * (seen_m < within_m)),
        ):
            yield from self._around(point, wanted, seen_m, reach_m, street)
            seen_m = reach_m

    def _around(self, point: Point, wanted: int, least_m: float, most_m: float, street: int | None) -> list[Near]:
        """The shapes at a distance between two, nearest first; one that several cells hold stands once."""
        lon, lat = cells.steps(point.lon), cells.steps(point.lat)
        shapes: dict[tuple[int, float], Near] = {}
        for box in geometry.split(geometry.around(point, most_m)):
            for number in self._map.cells_in([*map(cells.steps, box)]):
                cell = self._map.cell(number)
                for near in cell.near(lon, lat, wanted, street) if cell is not None else ():
                    if near.distance_m > most_m:
                        break
                    if near.distance_m > least_m:
                        shapes.setdefault((near.feature, round(near.distance_m, 2)), near)
        return sorted(shapes.values(), key=lambda near: near.distance_m)

    def _detailed(self, point: Point, zoom: int, layers: frozenset[str]) -> At | None:
        """The street, address or object at a point."""
        wanted = 0
        if not layers or "address" in layers:
            wanted |= (
                cells.STREET
                | (cells.PATH if zoom > _MAJOR_ZOOM else 0)
                | (cells.HOUSE if zoom >= _BUILDING_ZOOM else 0)
            )
        if zoom >= _BUILDING_ZOOM and (not layers or layers - {"address"}):
            wanted |= cells.OBJECT | (cells.FEATURE if layers else 0)
        shapes = self.near(point, wanted, LIMIT_M)
        shapes = self._of_layers(shapes, layers) if layers else shapes
        if abroad := self._abroad(point):  # beside a border the nearest street may be the neighbour's
            shapes = self._outside(shapes, abroad)
        best = next((near for near in shapes if not self._is_too_large(point, near)), None)
        if best is None:
            return None
        # A point on a street is named by the house there, "Hauptstraße 5", as Nominatim does; in a building or a park,
        # by an object in it.
        if wanted & cells.HOUSE and best.flags & (cells.STREET | cells.PATH):
            return self._house_of(point, best)
        if best.distance_m == 0 and zoom >= _BUILDING_ZOOM:
            best = next(self._in_it(point, best, wanted), best)
        return At(self._map.rows([best.feature])[best.feature], best.distance_m)

    def _of_layers(self, found: Iterator[Near], layers: frozenset[str]) -> Iterator[Near]:
        """The shapes of places of some layers."""
        while some := list(islice(found, _BATCH)):
            rows = self._map.rows(near.feature for near in some)
            yield from (near for near in some if rows[near.feature].layer in layers)

    def _abroad(self, point: Point) -> frozenset[int]:
        """The countries beside the point: those whose polygons the map has, and that do not hold it."""
        near = frozenset(country for country, box in self._map.countries.items() if geometry.contains(box, point))
        return near - {row.id for row in self.polygons(point)} if near else near

    def _outside(self, found: Iterator[Near], countries: frozenset[int]) -> Iterator[Near]:
        """The shapes of places outside the given countries: an answer never lies across a border."""
        for near in found:
            if not self._lies_in(self._map.rows([near.feature])[near.feature], countries):
                yield near

    def _lies_in(self, row: Row, countries: frozenset[int]) -> bool:
        return not countries.isdisjoint(self._map.around(row.around).areas)

    def _house_of(self, point: Point, street: Near) -> At:
        """The house of a street that is nearest to its position nearest to the point, or the street."""
        # The point may be on the far side of a wide street, so the house may be that much farther than the street.
        within = street.distance_m + _HOUSE_M
        known = self.near(point, cells.HOUSE, within, street.street) if street.street else iter(())
        houses = list(islice(known, _MOST_HOUSES))
        rows = self._map.rows([street.feature, *(near.feature for near in houses)])
        foot = street.foot(cells.steps(point.lon), cells.steps(point.lat))
        apart = {near: geometry.distance_m(foot, rows[near.feature].point) for near in houses}
        house = min(apart, key=apart.__getitem__, default=None)
        best = street if house is None or apart[house] > _HOUSE_M else house
        return At(rows[best.feature], best.distance_m)

    def _in_it(self, point: Point, area: Near, wanted: int) -> Iterator[Near]:
        """The objects known as points that lie in the area around a point, nearest first."""
        for near in self.near(point, wanted & ~(cells.STREET | cells.PATH), _HOUSE_M):
            if not near.flags & cells.AREA and self._is_in(near, area):
                yield near

    def _is_too_large(self, point: Point, area: Near) -> bool:
        """Whether it is an area around the point whose middle is so far away that what is near the point says more."""
        # In a zoo or an airport, the next gate or café tells more than the name of the whole.
        if area.distance_m > 0 or not area.flags & cells.AREA:
            return False
        row = self._map.rows([area.feature])[area.feature]
        return geometry.distance_m(point, row.point) > _TOO_LARGE_M

    def _is_in(self, near: Near, area: Near) -> bool:
        """Whether an object of a point lies in the area around the point asked about, and is no other house."""
        # An object answers for the building "Hauptstraße 5" if its own address has that number too.
        rows = self._map.rows([near.feature, area.feature])
        item, around = rows[near.feature], rows[area.feature]
        if around.house is not None and around.house != item.house:
            return False
        cell = self._map.cell(cells.cell_of(cells.steps(item.point.lon), cells.steps(item.point.lat)))
        if cell is None:
            return False
        at = cell.near(cells.steps(item.point.lon), cells.steps(item.point.lat), cells.AREA)
        return any(each.feature == area.feature for each in at if each.distance_m == 0)

    def _area(self, point: Point, last_rank: int) -> At | None:
        """The innermost area of a rank or a higher one that holds the point, or the settlement in it that is near."""
        rows = self.polygons(point)
        areas = [row for row in rows if row.rank <= last_rank and row.type not in _ISLANDS]
        areas.sort(key=lambda row: -row.rank)
        town = next((row for row in areas if row.rank in TOWN_RANKS), None)
        abroad = self._abroad(point)
        settled = [at for at in self.settled(point, town) if at.row.rank <= last_rank]
        settled = [at for at in settled if not self._lies_in(at.row, abroad)]
        # A hamlet that is a point comes before the municipality around it, whose rank is less: 20 and 16.
        node = max(settled, key=lambda at: at.row.rank, default=None)
        if node is not None and (not areas or node.row.rank > areas[0].rank):
            return node
        if areas:
            return At(areas[0], 0.0)
        return next((At(row, 0.0) for row in self._of_the_world(point) if row.rank <= last_rank), None)

    def settled(self, point: Point, town: Row | None) -> list[At]:
        """The settlements known as points that a point belongs to: the nearest of each kind.

        Nearness is in proportion to the usual extent of a kind. `town` is the area of a municipality that holds the
        point: one with an area is no settlement beside it.
        """
        reach = geometry.around(point, max(extent for kinds in EXTENT_M for extent in kinds.values()))
        met = self._map.select_meeting("SELECT id FROM settlement_rtree", reach)
        rows = self._map.rows(identifier for (identifier,) in met).values()
        best: dict[int, tuple[float, At]] = {}
        for row in rows:
            extents = next(
                ((number, kinds[row.type]) for number, kinds in enumerate(_EXTENT_M) if row.type in kinds), None
            )
            if extents is None or (town is not None and town.id not in self._map.around(row.around).areas):
                continue
            number, extent = extents
            extent *= 1.0 if town is not None else _OUTSIDE
            distance = geometry.distance_m(point, row.point)
            if distance <= extent and (number not in best or distance / extent < best[number][0]):
                best[number] = distance / extent, At(row, distance)
        return [at for _, at in best.values()]

    def _of_the_world(self, point: Point) -> list[Row]:
        """The region and country around the nearest thing, where the extract itself has no country."""
        nearest = next(self.near(point, 0xFF, LIMIT_M), None)
        if nearest is None:
            return []
        row = self._map.rows([nearest.feature])[nearest.feature]
        areas = (self._map.area(each) for each in self._map.around(row.around).areas)
        return [each for each in areas if each is not None and each.osm is None and each.rank <= REGION_RANK]

    def polygons(self, point: Point) -> list[Row]:
        """The areas whose polygons hold the point, innermost first. The answer for the last point is cached."""
        last = self._last
        if last is None or last[0] != point:
            cell = self._map.cell(cells.cell_of(cells.steps(point.lon), cells.steps(point.lat)))
            if cell is None:
                places = list(self._areas.containing(point, ADMIN, PLACE))
            else:
                places = [place for area, place, is_whole in cell.areas if is_whole or self._areas.covers(area, point)]
            rows = (self._map.area(place) for place in dict.fromkeys(places))
            last = self._last = (point, [row for row in rows if row is not None])
        return last[1]

    def areas(self, point: Point) -> list[Row]:
        """All areas that hold the point, innermost first; the world's where the extract has no country."""
        rows = self.polygons(point)
        return rows if any(row.rank == COUNTRY_RANK for row in rows) else [*rows, *self._of_the_world(point)]
