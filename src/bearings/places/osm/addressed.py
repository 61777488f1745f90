"""Facts that addresses alone tell: towns that an extract has no place for, and postcodes.

One address may be misspelt: a town that nothing else names needs several.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bearings.places.engine.misspelling import within_edits
from bearings.places.osm import tags
from bearings.places.osm.nearness import clusters, of_nearest, tiles_of
from bearings.places.osm.staging import Row, Staging
from bearings.places.osm.tags import COUNTRY_RANK
from bearings.places.osm.words import key_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Positions = NDArray[np.float64]
    Ids = NDArray[np.int64]

_SAME_TOWN_M = 20_000.0
_POSTED_M, _TOWNED_M = 5_000.0, 800.0
_LEAST_OF_TOWN, _LEAST_OF_CITY = 3, 50
"""Addresses that a town needs that nothing else names, where a settlement is near: fewer are misspelt. Less than
fifty are a hamlet's, or a town's that the extract cuts."""

_LEAST_MISSPELT = 5
"""Letters of a name in which one edit is a mistake rather than another name."""

_OWN_STREET_M = 2_000.0


@dataclass(slots=True)
class Area:
    """A place with a polygon that others lie in; `keys` are those of all its names."""

    id: int
    rank: int
    keys: frozenset[str]
    code: str | None
    is_town: bool
    is_island: bool
    shape: "BaseGeometry"


class Addressed:
    """Reads towns and postcodes from the addresses of all objects.

    By object: `held` are the areas around it, as places in `areas`, `settled` its settlements. `keys` are those of all
    areas and settlements, and gain those of the towns that are made.
    """

    def __init__(
        self, staging: Staging, areas: Sequence[Area], keys: dict[int, frozenset[str]], plane: "Positions",
        held: Mapping[int, Sequence[int]], settled: Mapping[int, Sequence[int]],
    ) -> None:  # fmt: skip
        self._staging = staging
        self._areas = areas
        self._keys = keys
        self._plane = plane
        self._held = held
        self._settled = settled
        self.beyond: set[int] = set()
        """Towns that lie outside all countries of an extract that has one."""

    def towns_and_postcodes(self) -> tuple[dict[int, int], "Ids"]:
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
        addressed = frozenset(towns)
        without = [
            number
            for number in range(len(self._plane))
            if number not in towns
            and number not in self._settled
            and not self._is_in_a_town(self._held.get(number, ()))
        ]
        towns |= of_nearest(self._plane, towns, without, _TOWNED_M)
        codes |= self._posted(codes)
        strange = {number: town for number, town in towns.items() if not self._is_named(number, town)}
        postcodes = np.zeros(len(self._plane), dtype=np.int64)
        by_code: dict[tuple[int, str], list[int]] = defaultdict(list)
        tiles = tiles_of(self._plane, 20)
        for number, code in codes.items():
            by_code[int(tiles[number]), code].append(number)
        for (_, code), members in by_code.items():
            postcodes[members] = self._stage_derived(code, "postcode", 21, members)
        return self._towns(strange, addressed), postcodes

    def _posted(self, codes: Mapping[int, str]) -> dict[int, str]:
        """The postcodes of objects without one: the nearest address in the same country, or outside all, tells it."""
        known: dict[int, dict[int, str]] = defaultdict(dict)
        rest: dict[int, list[int]] = defaultdict(list)
        for number in range(len(self._plane)):
            areas = self._held.get(number, ())
            country = next((each for each in areas if self._areas[each].rank == COUNTRY_RANK), -1)
            if number in codes:
                known[country][number] = codes[number]
            else:
                rest[country].append(number)
        postcodes: dict[int, str] = {}
        for country, members in rest.items():
            postcodes |= of_nearest(self._plane, known[country], members, _POSTED_M)
        return postcodes

    def _is_in_a_town(self, around: Iterable[int]) -> bool:
        return any(self._areas[each].is_town for each in around)

    def _is_named(self, number: int, town: str) -> bool:
        key = key_of(town)
        return any(key in self._keys[each] for each in self._around(number))

    def _around(self, number: int) -> tuple[int, ...]:
        """The settlements and areas around an object."""
        return (*self._settled.get(number, ()), *(self._areas[each].id for each in self._held.get(number, ())))

    def _towns(self, strange: Mapping[int, str], said: frozenset[int]) -> dict[int, int]:
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
        town_of: dict[int, int] = {}
        made: dict[int, Positions] = {}
        for key, members in sorted(by_name.items(), key=lambda each: -len(each[1])):
            for cluster in clusters(self._plane, members):
                middle = self._plane[cluster].mean(axis=0)
                near = [each for each in known[key] if math.dist(self._plane[each - 1], middle) < _SAME_TOWN_M]
                if near:
                    town_of.update(
                        dict.fromkeys(cluster, min(near, key=lambda each: math.dist(self._plane[each - 1], middle)))
                    )
                    continue
                outside = [each for each in cluster if not self._is_in_a_town(self._held.get(each, ()))]
                naming = [each for each in outside if each in said]
                least = _LEAST_OF_TOWN if any(each in self._settled for each in naming) else 1
                around = {area for each in naming for area in self._around(each)}
                around |= {town for town, at in made.items() if math.dist(at, middle) < _SAME_TOWN_M}
                if len(naming) >= least and not self._is_mistaken(key, around, middle):
                    # Stages a town that addresses alone name: as a locality if they are few.
                    ((name, _),) = Counter(strange[each] for each in naming).most_common(1)
                    kind = "city" if len(naming) >= _LEAST_OF_CITY else "locality"
                    place = self._stage_derived(name, kind, tags.PLACE_RANKS[kind], outside)
                    town_of.update(dict.fromkeys(outside, place))
                    made[place], self._keys[place] = middle, frozenset((key,))
                    if self._is_beyond(naming):
                        self.beyond.add(place)
        return town_of

    def _is_mistaken(self, key: str, around: Iterable[int], middle: "Positions") -> bool:
        """Whether a town's name is a street's, or a misspelling of a place around its addresses."""
        if len(key) >= _LEAST_MISSPELT:
            known = {other for each in around for other in self._keys[each]}
            if any(within_edits(key, known, 1)):
                return True
        return any(math.dist(self._plane[each - 1], middle) < _OWN_STREET_M for each in self._streets.get(key, ()))

    @cached_property
    def _streets(self) -> Mapping[str, Sequence[int]]:
        """The streets and paths by the keys of their names."""
        streets: dict[str, list[int]] = defaultdict(list)
        for identifier, name in self._staging.query("SELECT id, name FROM staged WHERE rank IN (26, 27)"):
            streets[key_of(name)].append(identifier)
        return streets

    def _is_beyond(self, members: Iterable[int]) -> bool:
        """Whether objects lie outside all countries of an extract that has one."""
        countries = {number for number, area in enumerate(self._areas) if area.rank == COUNTRY_RANK}
        return bool(countries) and all(countries.isdisjoint(self._held.get(each, ())) for each in members)

    def _stage_derived(self, name: str, kind: str, rank: int, members: Sequence[int]) -> int:
        """Stage a place that is known by its members alone; its box holds nine in ten of them in each direction."""
        import numpy as np

        numbers = self._staging.numbers
        at = np.column_stack([np.frombuffer(each, dtype=np.int32)[members] for each in (numbers.lon, numbers.lat)])
        box = np.percentile(at, (5, 95), axis=0).astype(np.int32).tobytes()
        lon, lat = map(int, np.median(at, axis=0))
        identifier = len(self._staging) + 1
        self._staging.add_derived(
            Row(identifier, None, "place", kind, rank, name, None, None, lat, lon, box,
                "", "", "", "", 700 + rank)
        )  # fmt: skip
        return identifier


def keys_of(row: Row) -> frozenset[str]:
    """The keys of all names of an area or settlement."""
    others = json.loads(row.names) if row.names else {}
    return frozenset(key_of(name) for name, _ in tags.spellings(row.name, others))
