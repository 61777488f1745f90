"""The surroundings of each object of a map: areas by their polygons, settlements by nearness, the town of its address.

A settlement is given as a point, so that its extent is unknown: an object belongs to the one that is nearest in
proportion to the usual extent of its kind, inside the same municipality where there are polygons. Distances are those
of a plane with its scale at the middle of the map.
"""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places import shapes
from bearings.places.engine.world import World, WorldArea
from bearings.places.models import Point
from bearings.places.osm import cells, tags
from bearings.places.osm.addressed import Addressed, Area, keys_of
from bearings.places.osm.nearness import nearest_in_proportion, points_of
from bearings.places.osm.staging import Row, Staging
from bearings.places.osm.tags import COUNTRY_RANK, EXTENT_M, TOWN_RANKS
from bearings.places.osm.words import key_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions = NDArray[np.float64]
    Ids = NDArray[np.int64]

_TOWN_RANK = 16
_BATCH = 100_000
_CODES = ("ISO3166-1:alpha2", "ISO3166-1")

_WORLD_DEG = 0.02
"""The side of the tiles that are asked about once, if their corners agree."""

Above = tuple[tuple[int, ...], str | None]
"""Places that hold a position, innermost first, and the country's code."""


@dataclass(slots=True)
class Surroundings:
    """For each object, by id less 1: the number of its combination of areas, and its town (0: none).

    `combinations` are the areas innermost first, and the country; `linked` the kinds of settlements that areas are,
    `labels` the points that stand for areas, `middle` the positions (lat, lon, in steps) of these areas' points.
    """

    combination: "Ids"
    town: "Ids"
    combinations: list[tuple[tuple[int, ...], str | None]]
    linked: dict[int, str] = field(default_factory=dict)
    labels: set[int] = field(default_factory=set)
    middle: dict[int, tuple[int, int]] = field(default_factory=dict)
    context: set[int] = field(default_factory=set)
    """Places that others lie in: what a query may name beside the place that it wants."""
    beyond: set[int] = field(default_factory=set)
    """Towns outside the countries of the extract, which has no more of them than some addresses."""


def surroundings(staging: Staging, world: World, done: Callable[[float], None]) -> Surroundings:
    """Works out what everything lies in; stages the places that only addresses or the world know."""
    return _Making(staging, world).made(done)


class _WorldAbove:
    """The region and country around positions for which an extract has no country: the world's, staged once each."""

    def __init__(self, staging: Staging, world: World) -> None:
        self._staging = staging
        self._world = world
        self._by_position: dict[tuple[float, float], Above] = {}
        self._tiles: dict[tuple[int, int], Above | None] = {}
        self._staged: dict[str, int] = {}

    def at(self, position: "NDArray[np.float64]") -> Above:
        """The region and country around a position (lon, lat), by tiles."""
        lon, lat = float(position[0]), float(position[1])
        tile = (math.floor(lon / _WORLD_DEG), math.floor(lat / _WORLD_DEG))
        if tile not in self._tiles:
            # Where all corners of a tile are in one region, so is all of it; at borders each position is asked about.
            corners = [(tile[0] + dx, tile[1] + dy) for dx in (0.01, 0.99) for dy in (0.01, 0.99)]
            at_corners = {self._told(x * _WORLD_DEG, y * _WORLD_DEG) for x, y in corners}
            self._tiles[tile] = at_corners.pop() if len(at_corners) == 1 else None
        above = self._tiles[tile]
        return self._told(lon, lat) if above is None else above

    def _told(self, lon: float, lat: float) -> Above:
        """The world's areas at a position that is rounded to a hundred metres."""
        fine = round(lon, 3), round(lat, 3)
        if fine not in self._by_position:
            areas = self._world.areas_at(Point(fine[1], fine[0]))
            chain = tuple(self._place(area) for area in areas)
            self._by_position[fine] = chain, (areas[-1].country_code if areas else None)
        return self._by_position[fine]

    def _place(self, area: WorldArea) -> int:
        name = f"{area.country_code}/{area.rank}/{area.name}"
        if name not in self._staged:
            names = {f"name:{language}": each for language, each in area.names.items()}
            if area.code:
                names["ISO3166-2" if area.rank > COUNTRY_RANK else "ISO3166-1:alpha2"] = area.code
            box = b"".join(cells.steps(edge).to_bytes(4, "little", signed=True) for edge in area.bbox)
            identifier = len(self._staging) + 1
            self._staging.add_derived(
                Row(identifier, None, "boundary", "administrative", area.rank, area.name,
                    json.dumps(names, ensure_ascii=False), None, cells.steps(area.point.lat),
                    cells.steps(area.point.lon), box, "", "", "", "", 600)
            )  # fmt: skip
            self._staged[name] = identifier
        return self._staged[name]


class _Making:
    def __init__(self, staging: Staging, world: World) -> None:
        self._staging = staging
        self._above_all = _WorldAbove(staging, world)
        areas = []
        for row in self._staging.rows("category IN ('boundary', 'place') AND box IS NOT NULL"):
            if row.id in self._staging.polygons:
                names = json.loads(row.names) if row.names else {}
                code = next((names[key] for key in _CODES if key in names), None)
                is_town = row.rank in TOWN_RANKS and (row.category == "boundary" or row.type in EXTENT_M[0])
                is_island = row.type in ("island", "islet", "archipelago")
                shape = self._staging.polygons[row.id]
                areas.append(Area(row.id, row.rank, keys_of(row), code, is_town, is_island, shape))
        self._areas = sorted(areas, key=lambda area: (area.shape.area, -area.rank))
        self._linked: dict[int, str] = {}
        self._labels: dict[int, int] = {}
        self._keys: dict[int, frozenset[str]] = {area.id: area.keys for area in self._areas}

    def made(self, done: Callable[[float], None]) -> Surroundings:
        """See `surroundings`."""
        import numpy as np

        areas = self._areas
        positions = self._staging.positions()
        count = len(positions)
        scale = math.cos(math.radians(float(positions[:, 1].mean()))) if count else 1.0
        plane = positions * shapes.DEG_M * np.array([scale, 1.0])
        areas_of = self._held(positions)
        done(0.3)
        municipal = self._municipal(areas_of)
        settled = self._settled(plane, municipal, areas_of)
        done(0.6)
        addressed = Addressed(self._staging, areas, self._keys, plane, areas_of, settled)
        towns, postcodes = addressed.towns_and_postcodes()
        done(0.8)
        numbers: dict[tuple[tuple[int, ...], str | None], int] = {}
        combination, in_town = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for number in range(count):
            polygons = [areas[each] for each in areas_of.get(number, ())]
            own_rank = self._staging.numbers.rank[number]
            if own_rank < tags.STREET_RANK:  # a town lies in its county, not in the parish that holds its point
                polygons = self._larger(number + 1, own_rank, polygons)
            is_area = number + 1 in self._staging.polygons
            chain = [] if is_area else [each for each in settled.get(number, ()) if self._rank_of(each) < own_rank]
            chain += [area.id for area in polygons]
            town = towns.get(number)
            if town is not None and town not in chain and own_rank > _TOWN_RANK:
                chain.append(town)
            in_town[number] = municipal.get(number) or next(iter(settled.get(number, ())), town or 0)
            country = next((area.code.lower() for area in polygons if area.rank == COUNTRY_RANK and area.code), None)
            if country is None and own_rank == COUNTRY_RANK:
                country = next((area.code.lower() for area in areas if area.id == number + 1 and area.code), None)
            elif country is None:
                above, country = self._above_all.at(positions[number])
                chain += self._above(own_rank, above)
            if postcodes[number] and own_rank > _TOWN_RANK:  # a city has many postcodes, a street one
                chain.append(int(postcodes[number]))
            chain = [each for each in dict.fromkeys(chain) if each != number + 1]
            whole = (tuple(chain), country)
            combination[number] = numbers.setdefault(whole, len(numbers) + 1)
        done(1.0)
        combinations = list(numbers)
        context = {each for chain, _ in combinations for each in chain}
        numbers_of = self._staging.numbers
        middle = {area: (numbers_of.lat[node - 1], numbers_of.lon[node - 1]) for node, area in self._labels.items()}
        labels = set(self._labels)
        made = Surroundings(combination, in_town, combinations, self._linked, labels, middle, context, addressed.beyond)
        return self._with_derived(made)

    def _with_derived(self, made: Surroundings) -> Surroundings:
        """The same with the places that were staged meanwhile: they lie in areas, and in their country."""
        import numpy as np

        numbers = {whole: number for number, whole in enumerate(made.combinations, 1)}
        of_more: list[int] = []
        known = len(made.combination)
        areas_of = self._held(self._staging.positions()[known:])
        while known + len(of_more) < len(self._staging):  # what lies around them may be staged meanwhile
            number = known + len(of_more)
            around = [self._areas[each] for each in areas_of.get(len(of_more), ())]
            country = next((area.code.lower() for area in around if area.rank == COUNTRY_RANK and area.code), None)
            above: tuple[int, ...] = ()
            if country is None:
                lon, lat = self._staging.numbers.lon[number], self._staging.numbers.lat[number]
                above, country = self._above_all.at(np.array((lon, lat)) / cells.STEPS)
            rank = self._rank_of(number + 1)
            chain = (*(area.id for area in around if area.rank < rank), *self._above(rank, above))
            whole = (tuple(each for each in chain if each != number + 1), country)
            made.context.update(whole[0])
            of_more.append(numbers.setdefault(whole, len(numbers) + 1))
        made.combination = np.concatenate((made.combination, np.array(of_more, dtype=np.int64)))
        made.combinations = list(numbers)
        return made

    def _held(self, positions: "Positions") -> dict[int, list[int]]:
        """For each object, the areas that hold it, as places in `_areas`: innermost first."""
        import numpy as np
        import shapely

        areas_of: dict[int, list[int]] = defaultdict(list)
        outlines = np.array([area.shape for area in self._areas], dtype=object)
        for start in range(0, len(positions) if len(outlines) else 0, _BATCH):
            tree = shapely.STRtree(points_of(positions[start : start + _BATCH]))
            areas, points = tree.query(outlines, predicate="intersects")
            order = np.lexsort((areas, points))
            for area, point in zip(areas[order].tolist(), (points[order] + start).tolist(), strict=True):
                areas_of[point].append(area)
        return areas_of

    def _larger(self, identifier: int, rank: int, polygons: "Sequence[Area]") -> "list[Area]":
        """The areas that an area or settlement lies in: larger ones, and none of a lower level but islands."""
        own = self._staging.polygons.get(identifier)
        least = own.area if own is not None else 0.0
        return [
            area for area in polygons
            if area.id != identifier and area.shape.area > least and (area.rank < rank or area.is_island)
        ]  # fmt: skip

    def _above(self, rank: int, areas: Iterable[int]) -> list[int]:
        """The areas of the world that are larger than what has a rank: a country lies in none of its regions."""
        return [area for area in areas if self._rank_of(area) < rank]

    def _rank_of(self, identifier: int) -> int:
        return self._staging.numbers.rank[identifier - 1]

    def _municipal(self, held: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """For each object in one, its innermost area that is a municipality."""
        areas = self._areas
        municipality_of = {}
        for point, around in held.items():
            for each in around:
                if areas[each].is_town:
                    municipality_of[point] = areas[each].id
                    break
        return municipality_of

    def _settled(
        self, plane: "Positions", municipal: Mapping[int, int], held: Mapping[int, Sequence[int]]
    ) -> dict[int, list[int]]:
        """For each object, the settlements known as points that it belongs to, innermost first."""
        import numpy as np

        nodes = list(self._staging.rows("category = 'place' AND box IS NULL AND osm IS NOT NULL AND rank < 26"))
        for row in nodes:
            self._keys[row.id] = keys_of(row)
        itself = {row.id: self._same_area(row, held) for row in nodes}
        groups: dict[int, list[int]] = defaultdict(list)
        for number in range(len(plane)):
            groups[self._home(number, municipal, held)].append(number)
        home_of = {row.id: self._home(row.id - 1, municipal, held) for row in nodes}
        settlements_of: dict[int, list[int]] = defaultdict(list)
        for home, members in groups.items():
            at = np.array(members)
            for kinds in EXTENT_M:
                inside = [row for row in nodes if row.type in kinds and home_of[row.id] == home]
                if inside:
                    chosen = nearest_in_proportion(plane, at, inside, kinds)
                    for number, node in zip(members, chosen, strict=True):
                        if node is not None and node.id != number + 1 and itself[node.id] is None:
                            settlements_of[number].insert(0, node.id)
        return settlements_of

    def _home(self, number: int, municipal: Mapping[int, int], held: Mapping[int, Sequence[int]]) -> int:
        """The area that an object shares with the settlements it may belong to: its municipality, else its country."""
        country = (self._areas[each].id for each in held.get(number, ()) if self._areas[each].rank == COUNTRY_RANK)
        return municipal.get(number) or next(country, 0)

    def _same_area(self, row: Row, held: Mapping[int, Sequence[int]]) -> int | None:
        """The area that a settlement's point stands for, if it bears its name; the area learns what it is."""
        for each in held.get(row.id - 1, ()):
            area = self._areas[each]
            if key_of(row.name) in area.keys and (area.rank > COUNTRY_RANK or row.rank == COUNTRY_RANK):
                if row.type in tags.SETTLED:
                    self._linked.setdefault(area.id, row.type)
                self._labels[row.id] = area.id
                return area.id
        return None
