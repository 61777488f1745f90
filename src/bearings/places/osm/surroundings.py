"""What each object of a map lies in: areas by their polygons, settlements by nearness, the town of its address.

A settlement is given as a point, so that its extent is unknown: an object belongs to the one that is nearest in
proportion to the usual extent of its kind, inside the same municipality where there are polygons. Distances are those
of a plane with its scale at the middle of the map.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places import shapes
from bearings.places.index.world import World
from bearings.places.osm import cells, tags
from bearings.places.osm.extents import EXTENT_M, TOWN_RANKS
from bearings.places.osm.nearness import clusters, nearest_in_proportion, of_nearest, points_of, tile
from bearings.places.osm.staging import Row, Staging
from bearings.places.osm.words import key_of
from bearings.places.osm.world_above import WorldAbove

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Positions = NDArray[np.float64]
    Ids = NDArray[np.int64]

_COUNTRY_RANK, _TOWN_RANK = 4, 16
_BATCH = 100_000
_POSTED_M, _TOWNED_M = 5_000.0, 800.0
_SAME_TOWN_M = 20_000.0
_LEAST_OF_TOWN, _LEAST_OF_CITY = 3, 50
"""Addresses that a town needs that nothing else names, where a settlement is near: fewer are misspelt. Less than
fifty are a hamlet's, or a town's that the extract cuts."""

_LEAST_MISSPELT = 5
"""Letters of a name in which one edit is a mistake rather than another name."""

_OWN_STREET_M = 2_000.0

_CODES = ("ISO3166-1:alpha2", "ISO3166-1")


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


@dataclass(slots=True)
class _Area:
    id: int
    rank: int
    keys: frozenset[str]
    code: str | None
    is_town: bool
    is_island: bool
    shape: "BaseGeometry"


class _Making:
    def __init__(self, staging: Staging, world: World) -> None:
        self._staging = staging
        self._above_all = WorldAbove(staging, world)
        self._areas = self._read_areas()
        self._linked: dict[int, str] = {}
        self._labels: dict[int, int] = {}
        self._beyond: set[int] = set()
        self._streets: dict[str, list[int]] | None = None
        self._keys: dict[int, frozenset[str]] = {area.id: area.keys for area in self._areas}

    def _read_areas(self) -> list[_Area]:
        found = []
        for row in self._staging.rows("category IN ('boundary', 'place') AND box IS NOT NULL"):
            if row.id in self._staging.polygons:
                names = json.loads(row.names) if row.names else {}
                code = next((names[key] for key in _CODES if key in names), None)
                is_town = row.rank in TOWN_RANKS and (row.category == "boundary" or row.type in EXTENT_M[0])
                is_island = row.type in ("island", "islet", "archipelago")
                shape = self._staging.polygons[row.id]
                found.append(_Area(row.id, row.rank, _keys_of(row), code, is_town, is_island, shape))
        return sorted(found, key=lambda area: (area.shape.area, -area.rank))

    def made(self, done: Callable[[float], None]) -> Surroundings:
        """See `surroundings`."""
        import numpy as np

        positions = self._staging.positions()
        count = len(positions)
        scale = math.cos(math.radians(float(positions[:, 1].mean()))) if count else 1.0
        plane = positions * shapes.DEG_M * np.array([scale, 1.0])
        held = self._held(positions)
        done(0.3)
        municipal = self._municipal(held)
        settled = self._settled(plane, municipal, held)
        done(0.6)
        towns, postcodes = self._addressed(plane, held, settled)
        done(0.8)
        numbers: dict[tuple[tuple[int, ...], str | None], int] = {}
        combination, in_town = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        areas = self._areas
        for number in range(count):
            polygons = [areas[each] for each in held.get(number, ())]
            own_rank = self._staging.numbers.rank[number]
            if own_rank < tags.STREET_RANK:
                polygons = self._larger(number + 1, own_rank, polygons)
            is_area = number + 1 in self._staging.polygons
            chain = [] if is_area else [each for each in settled.get(number, ()) if self._rank_of(each) < own_rank]
            chain += [area.id for area in polygons]
            town = towns.get(number)
            if town is not None and town not in chain and own_rank > _TOWN_RANK:
                chain.append(town)
            in_town[number] = municipal.get(number) or next(iter(settled.get(number, ())), town or 0)
            country = next((area.code.lower() for area in polygons if area.rank == _COUNTRY_RANK and area.code), None)
            if country is None and own_rank == _COUNTRY_RANK:
                country = next((area.code.lower() for area in areas if area.id == number + 1 and area.code), None)
            elif country is None:
                above, country = self._above_all.at(positions[number])
                chain += self._above(own_rank, above)
            if postcodes[number] and own_rank > _TOWN_RANK:
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
        made = Surroundings(combination, in_town, combinations, self._linked, labels, middle, context, self._beyond)
        return self._with_those_of_mind(made)

    def _with_those_of_mind(self, made: Surroundings) -> Surroundings:
        """The same with the places that were staged meanwhile: they lie in areas, and in their country."""
        import numpy as np

        numbers = {whole: number for number, whole in enumerate(made.combinations, 1)}
        of_more: list[int] = []
        known = len(made.combination)
        held = self._held(self._staging.positions()[known:])
        while known + len(of_more) < len(self._staging):  # what lies around them may be staged meanwhile
            number = known + len(of_more)
            around = [self._areas[each] for each in held.get(len(of_more), ())]
            country = next((area.code.lower() for area in around if area.rank == _COUNTRY_RANK and area.code), None)
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

        held: dict[int, list[int]] = defaultdict(list)
        outlines = np.array([area.shape for area in self._areas], dtype=object)
        for start in range(0, len(positions) if len(outlines) else 0, _BATCH):
            tree = shapely.STRtree(points_of(positions[start : start + _BATCH]))
            areas, points = tree.query(outlines, predicate="intersects")
            order = np.lexsort((areas, points))
            for area, point in zip(areas[order].tolist(), (points[order] + start).tolist(), strict=True):
                held[point].append(area)
        return held

    def _larger(self, identifier: int, rank: int, polygons: "Sequence[_Area]") -> "list[_Area]":
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
        found = {}
        for point, around in held.items():
            for each in around:
                if areas[each].is_town:
                    found[point] = areas[each].id
                    break
        return found

    def _settled(
        self, plane: "Positions", municipal: Mapping[int, int], held: Mapping[int, Sequence[int]]
    ) -> dict[int, list[int]]:
        """For each object, the settlements known as points that it belongs to, innermost first."""
        import numpy as np

        nodes = list(self._staging.rows("category = 'place' AND box IS NULL AND osm IS NOT NULL AND rank < 26"))
        for row in nodes:
            self._keys[row.id] = _keys_of(row)
        itself = {row.id: self._same_area(row, held) for row in nodes}
        groups: dict[int, list[int]] = defaultdict(list)
        for number in range(len(plane)):
            groups[self._home(number, municipal, held)].append(number)
        home_of = {row.id: self._home(row.id - 1, municipal, held) for row in nodes}
        found: dict[int, list[int]] = defaultdict(list)
        for home, members in groups.items():
            at = np.array(members)
            for kinds in EXTENT_M:
                inside = [row for row in nodes if row.type in kinds and home_of[row.id] == home]
                if inside:
                    chosen = nearest_in_proportion(plane, at, inside, kinds)
                    for number, node in zip(members, chosen, strict=True):
                        if node is not None and node.id != number + 1 and itself[node.id] is None:
                            found[number].insert(0, node.id)
        return found

    def _home(self, number: int, municipal: Mapping[int, int], held: Mapping[int, Sequence[int]]) -> int:
        """The area that an object shares with the settlements it may belong to: its municipality, else its country."""
        country = (self._areas[each].id for each in held.get(number, ()) if self._areas[each].rank == _COUNTRY_RANK)
        return municipal.get(number) or next(country, 0)

    def _same_area(self, row: Row, held: Mapping[int, Sequence[int]]) -> int | None:
        """The area that a settlement's point stands for, if it bears its name; the area learns what it is."""
        for each in held.get(row.id - 1, ()):
            area = self._areas[each]
            if key_of(row.name) in area.keys and (area.rank > _COUNTRY_RANK or row.rank == _COUNTRY_RANK):
                if row.type in tags.SETTLED:
                    self._linked.setdefault(area.id, row.type)
                self._labels[row.id] = area.id
                return area.id
        return None

    def _addressed(
        self, plane: "Positions", held: Mapping[int, Sequence[int]], settled: Mapping[int, Sequence[int]]
    ) -> tuple[dict[int, int], "Ids"]:
        """For each object, the town that addresses name where no area or settlement does, and its postcode's place."""
        import numpy as np

        towns: dict[int, str] = {}
        codes: dict[int, str] = {}
        for identifier, town, code in self._staging.query(
            "SELECT id, city, postcode FROM staged WHERE city != '' OR postcode != ''"
        ):
            if town:
                towns[identifier - 1] = town
            if code:
                codes[identifier - 1] = code
        said = frozenset(towns)
        without = [
            number
            for number in range(len(plane))
            if number not in towns and number not in settled and not self._is_in_a_town(held.get(number, ()))
        ]
        towns |= of_nearest(plane, towns, without, _TOWNED_M)
        codes |= self._posted(plane, codes, held)
        strange = {number: town for number, town in towns.items() if not self._is_named(number, town, held, settled)}
        postcodes = np.zeros(len(plane), dtype=np.int64)
        by_code: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, code in codes.items():
            by_code[tile(plane[number], 20), code].append(number)
        for (_, code), members in by_code.items():
            postcodes[members] = self._of_mind(code, "postcode", 21, members)
        return self._towns(plane, strange, said, held, settled), postcodes

    def _posted(
        self, plane: "Positions", codes: Mapping[int, str], held: Mapping[int, Sequence[int]]
    ) -> dict[int, str]:
        """The postcodes of the other objects: each that of the nearest address in the same country, or outside all."""
        known: dict[int, dict[int, str]] = defaultdict(dict)
        rest: dict[int, list[int]] = defaultdict(list)
        for number in range(len(plane)):
            country = next((each for each in held.get(number, ()) if self._areas[each].rank == _COUNTRY_RANK), -1)
            if number in codes:
                known[country][number] = codes[number]
            else:
                rest[country].append(number)
        found: dict[int, str] = {}
        for country, members in rest.items():
            found |= of_nearest(plane, known[country], members, _POSTED_M)
        return found

    def _is_in_a_town(self, around: Iterable[int]) -> bool:
        return any(self._areas[each].is_town for each in around)

    def _is_named(
        self, number: int, town: str, held: Mapping[int, Sequence[int]], settled: Mapping[int, Sequence[int]]
    ) -> bool:
        key = key_of(town)
        return any(key in self._keys[each] for each in self._around(number, held, settled))

    def _around(
        self, number: int, held: Mapping[int, Sequence[int]], settled: Mapping[int, Sequence[int]]
    ) -> tuple[int, ...]:
        """The settlements and areas around an object."""
        return (*settled.get(number, ()), *(self._areas[each].id for each in held.get(number, ())))

    def _towns(
        self, plane: "Positions", strange: Mapping[int, str], said: frozenset[int],
        held: Mapping[int, Sequence[int]], settled: Mapping[int, Sequence[int]],
    ) -> dict[int, int]:  # fmt: skip
        """The places of towns that addresses name: settlements of that name near, else places of their own.

        `said` are the objects whose own address names the town; the others are near one.
        """
        by_name: dict[str, list[int]] = defaultdict(list)
        for number, town in strange.items():
            by_name[key_of(town)].append(number)
        known: dict[str, list[int]] = defaultdict(list)
        for identifier, keys in self._keys.items():
            for key in keys:
                known[key].append(identifier)
        found: dict[int, int] = {}
        made: dict[int, Positions] = {}
        for key, members in sorted(by_name.items(), key=lambda each: -len(each[1])):
            for cluster in clusters(plane, members):
                middle = plane[cluster].mean(axis=0)
                near = [each for each in known[key] if math.dist(plane[each - 1], middle) < _SAME_TOWN_M]
                if near:
                    found.update(dict.fromkeys(cluster, min(near, key=lambda each: math.dist(plane[each - 1], middle))))
                    continue
                outside = [each for each in cluster if not self._is_in_a_town(held.get(each, ()))]
                naming = [each for each in outside if each in said]
                least = _LEAST_OF_TOWN if any(each in settled for each in naming) else 1
                around = {area for each in naming for area in self._around(each, held, settled)}
                around |= {town for town, at in made.items() if math.dist(at, middle) < _SAME_TOWN_M}
                if len(naming) >= least and not self._is_mistaken(key, around, plane, middle):
                    place = self._unknown_town(naming, strange, outside)
                    found.update(dict.fromkeys(outside, place))
                    made[place], self._keys[place] = middle, frozenset((key,))
                    if self._is_beyond(naming, held):
                        self._beyond.add(place)
        return found

    def _unknown_town(self, naming: Sequence[int], strange: Mapping[int, str], members: Sequence[int]) -> int:
        """Stages a town that addresses alone name: as a locality if they are few."""
        ((name, _),) = Counter(strange[each] for each in naming).most_common(1)
        kind = "city" if len(naming) >= _LEAST_OF_CITY else "locality"
        return self._of_mind(name, kind, tags.PLACE_RANKS[kind], members)

    def _is_mistaken(self, key: str, around: Iterable[int], plane: "Positions", middle: "Positions") -> bool:
        """Whether the name of a town is that of a street, or a misspelt one of what lies around its addresses."""
        from rapidfuzz.distance import OSA

        if len(key) >= _LEAST_MISSPELT:
            known = {other for each in around for other in self._keys[each]}
            if any(OSA.distance(key, other, score_cutoff=1) <= 1 for other in known):
                return True
        if self._streets is None:
            self._streets = defaultdict(list)
            for identifier, name in self._staging.query("SELECT id, name FROM staged WHERE rank IN (26, 27)"):
                self._streets[key_of(name)].append(identifier)
        return any(math.dist(plane[each - 1], middle) < _OWN_STREET_M for each in self._streets.get(key, ()))

    def _is_beyond(self, members: Iterable[int], held: Mapping[int, Sequence[int]]) -> bool:
        """Whether objects lie outside all countries of an extract that has one."""
        countries = {number for number, area in enumerate(self._areas) if area.rank == _COUNTRY_RANK}
        return bool(countries) and all(countries.isdisjoint(held.get(each, ())) for each in members)

    def _of_mind(self, name: str, kind: str, rank: int, members: Sequence[int]) -> int:
        """Stages a place known by its members alone; its box holds nine in ten of them in each direction."""
        import numpy as np

        numbers = self._staging.numbers
        lon = np.array([numbers.lon[each] for each in members])
        lat = np.array([numbers.lat[each] for each in members])
        west, east = np.percentile(lon, (5, 95)).astype(np.int32)
        south, north = np.percentile(lat, (5, 95)).astype(np.int32)
        box = np.array((west, south, east, north), dtype=np.int32).tobytes()
        identifier = len(self._staging) + 1
        self._staging.place_of_mind(
            Row(identifier, None, "place", kind, rank, name, None, None, int(np.median(lat)), int(np.median(lon)), box,
                "", "", "", "", 700 + rank)
        )  # fmt: skip
        return identifier


def _keys_of(row: Row) -> frozenset[str]:
    """The keys of all names of an area or settlement."""
    others = json.loads(row.names) if row.names else {}
    return frozenset(key_of(name) for name, _ in tags.spellings(row.name, others))
