"""Streets: which ways are one street, and which street each object belongs to."""

import json
import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bearings.places import geometry, shapes
from bearings.places.osm import cells, tags
from bearings.places.osm.meridian import HALF_ROUND
from bearings.places.osm.nearness import connected, nearest, points_of
from bearings.places.osm.staging import Staging
from bearings.places.osm.words import key_of, keys_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

_SAME_STREET_M = 150.0
"""Ways of one name that come so near each other are one street: a square or a bridge may lie between them."""

_OWN_STREET_M = 2_000.0
"""An address belongs to the street that it names, if one of that name is so near."""

_ANY_STREET_M = 3_000.0
"""Otherwise an object belongs to the nearest street, if one is so near."""

_FEW = 10
"""Ways that are compared with each other faster than by a tree."""

_BATCH, _BATCH_OF_GROUPS = 100_000, 5_000
_NAMES = "SELECT id, name, names FROM staged WHERE rank IN (26, 27)"


@dataclass(slots=True)
class Streets:
    """For each object, by id less 1, its street (0: none): the first of its ways. A way's street is its own.

    `boxes` are the whole boxes, in steps, of streets of several ways. `names` are the names of all ways of a street, by
    their keys.
    """

    of: "array[int]"
    boxes: Mapping[int, bytes]
    names: Mapping[int, Mapping[str, str]]


def streets(staging: Staging, town: "NDArray[np.int64]") -> Streets:
    """Works out the streets. Ways are one street only where they lie in the same town (by id less 1)."""
    import numpy as np
    import shapely

    named = {way: (name, others) for way, name, others in staging.query(_NAMES) if way in staging.lines}
    spelt_of = {each: _spelt(*each) for each in named.values()}
    spelt = {way: spelt_of[named[way]] for way in staging.lines}
    count = len(staging)
    of = array("i", [0]) * count
    scale = math.cos(math.radians(float(np.mean(staging.numbers.lat)) / cells.STEPS)) if count else 1.0
    to_plane = np.array([scale * shapes.DEG_M, shapes.DEG_M])
    # Lines in metres of the plane instead of degrees.
    in_degrees = np.array(list(staging.lines.values()), dtype=object)
    lines = dict(zip(staging.lines, shapely.transform(in_degrees, lambda degrees: degrees * to_plane), strict=True))
    by_key: dict[str, list[int]] = defaultdict(list)
    in_town: dict[tuple[str, int], list[int]] = defaultdict(list)
    for way in lines:
        for key in spelt[way]:  # "Rue de la Gare" and "Bahnhofstraße" are one way in Luxembourg
            by_key[key].append(way)
        in_town[key_of(named[way][0]), int(town[way - 1])].append(way)
    groups = [group for members in in_town.values() for group in _groups(members, lines)]
    several = [group for group in groups if len(group) > 1]
    names: dict[int, dict[str, str]] = {}
    heads = _heads(several, lines)
    for group in groups:
        head = next(heads) if len(group) > 1 else group[0]
        names[head] = {key: name for way in group for key, name in spelt[way].items()}
        for way in group:
            of[way - 1] = head
    boxes = {of[group[0] - 1]: box for group, box in zip(several, _boxes(several, staging.lines), strict=True)}
    plane = staging.positions() * to_plane
    _named(staging, plane, lines, by_key, of)
    _nearest(staging, plane, lines, of, to_plane)
    return Streets(of, boxes, names)


def _boxes(groups: "Sequence[Sequence[int]]", lines: "Mapping[int, BaseGeometry]") -> Iterator[bytes]:
    """The box of each group of lines in steps; a group may lie on both sides of 180 degrees."""
    import numpy as np
    import shapely

    bounds = shapely.bounds([lines[way] for group in groups for way in group]).reshape(-1, 4)
    starts = np.cumsum([0, *map(len, groups)])[:-1]
    boxes = np.hstack((np.minimum.reduceat(bounds[:, :2], starts), np.maximum.reduceat(bounds[:, 2:], starts)))
    for number in np.flatnonzero(boxes[:, 2] - boxes[:, 0] >= HALF_ROUND).tolist():
        boxes[number] = geometry.union(shapes.box_of(lines[way]) for way in groups[number])
    return (box.tobytes() for box in np.rint(boxes * cells.STEPS).astype("<i4"))


def _spelt(name: str, others: str | None) -> dict[str, str]:
    """All names of a way by their keys."""
    spellings = tags.spellings(name, json.loads(others) if others else {})
    return {key: spelling for spelling, _ in spellings for key in keys_of(spelling)}


def _groups(ways: Sequence[int], lines: "Mapping[int, BaseGeometry]") -> Iterator[list[int]]:
    """The ways in groups that are near each other."""
    import numpy as np
    import shapely

    if len(ways) == 1:
        yield [ways[0]]
        return
    own = np.array([lines[way] for way in ways], dtype=object)
    if len(ways) <= _FEW:
        pairs = np.argwhere(shapely.dwithin(own[:, np.newaxis], own, _SAME_STREET_M)).T
    else:
        pairs = shapely.STRtree(own).query(own, predicate="dwithin", distance=_SAME_STREET_M)
    near: dict[int, list[int]] = defaultdict(list)
    for one, other in zip(*pairs.tolist(), strict=True):
        near[one].append(other)
    for group in connected(range(len(ways)), near.__getitem__):
        yield sorted(ways[number] for number in group)


def _heads(groups: Sequence[Sequence[int]], lines: "Mapping[int, BaseGeometry]") -> Iterator[int]:
    """The way that stands for each group, a street: the one nearest to the middle of all."""
    import numpy as np
    import shapely

    for start in range(0, len(groups), _BATCH_OF_GROUPS):
        some = groups[start : start + _BATCH_OF_GROUPS]
        of_way = np.repeat(np.arange(len(some)), [len(group) for group in some])
        ways = np.concatenate(some)
        own = np.array([lines[way] for way in ways.tolist()], dtype=object)
        middles: Any = shapely.centroid(shapely.geometrycollections(own, indices=of_way))
        order = np.lexsort((ways, shapely.distance(own, middles[of_way]), of_way))
        yield from ways[order[np.searchsorted(of_way, np.arange(len(some)))]].tolist()


def _named(
    staging: Staging, plane: "NDArray[np.float64]", lines: "Mapping[int, BaseGeometry]",
    by_key: Mapping[str, Sequence[int]], of: "array[int]",
) -> None:  # fmt: skip
    """The streets of the objects that name one."""
    import shapely

    members: dict[str, list[int]] = defaultdict(list)
    cache: dict[str, str] = {}
    for identifier, street in staging.query("SELECT id, street FROM staged WHERE street != ''"):
        key = cache.get(street)
        if key is None:
            key = cache[street] = key_of(street)
        if key in by_key:
            members[key].append(identifier)
    for key, objects in members.items():
        ways = by_key[key]
        points = points_of(plane[[each - 1 for each in objects]])
        tree = shapely.STRtree([lines[way] for way in ways])
        for point, way, _ in nearest(tree, points, _OWN_STREET_M):
            of[objects[point] - 1] = of[ways[way] - 1]


def _nearest(
    staging: Staging, plane: "NDArray[np.float64]", lines: "Mapping[int, BaseGeometry]", of: "array[int]",
    to_plane: "NDArray[np.float64]",
) -> None:  # fmt: skip
    """The streets nearest to the rest: to points, and to the boxes of areas."""
    import numpy as np
    import shapely

    ways = list(lines)
    if not ways:
        return
    tree = shapely.STRtree([lines[way] for way in ways])
    ranks = np.frombuffer(staging.numbers.rank, dtype=np.int8)
    without = np.flatnonzero((np.frombuffer(of, dtype=np.int32) == 0) & (ranks == tags.OBJECT_RANK))
    boxes = dict(staging.query("SELECT id, box FROM staged WHERE box IS NOT NULL AND rank = 30"))
    for start in range(0, len(without), _BATCH):
        some = without[start : start + _BATCH]
        shapes_of: Any = shapely.points(plane[some])
        wide = [at for at, number in enumerate(some.tolist()) if number + 1 in boxes]
        edges = np.array([np.frombuffer(boxes[int(some[at]) + 1], "<i4") for at in wide]).reshape(-1, 4)
        is_whole = (edges[:, 0] <= edges[:, 2]) & (edges[:, 2] - edges[:, 0] < 15000)
        shapes_of[np.array(wide, dtype=np.int64)[is_whole]] = shapely.box(
            *(edges[is_whole] / cells.STEPS * np.concatenate((to_plane, to_plane))).T
        )
        for point, way, _ in nearest(tree, shapes_of, _ANY_STREET_M):
            of[int(some[point])] = of[ways[way] - 1]
