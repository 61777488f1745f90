"""Nearest neighbours of many positions in a plane at once, in metres: settlements, known values, clusters."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from bearings.places import shapes
from bearings.places.osm.staging import Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely import STRtree

    Positions = NDArray[np.float64]
    Ids = NDArray[np.int64]

Node = TypeVar("Node", bound=Hashable)

_TOWN_DEG = 0.1


def nearest_in_proportion(
    plane: "Positions", at: "Ids", rows: Sequence[Row], extents: Mapping[str, float]
) -> list[Row | None]:
    """For each position, the settlement that is nearest in proportion to its extent, and within it."""
    import numpy as np
    import shapely

    best = np.full(len(at), 1.0)
    chosen: list[Row | None] = [None] * len(at)
    points = points_of(plane[at])
    for kind, extent in extents.items():
        of_kind = [row for row in rows if row.type == kind]
        if not of_kind:
            continue
        tree = shapely.STRtree(points_of(plane[[row.id - 1 for row in of_kind]]))
        for point, node, distance in nearest(tree, points, extent):
            if distance / extent < best[point]:
                best[point] = distance / extent
                chosen[point] = of_kind[node]
    return chosen


def points_of(positions: "Positions") -> "NDArray[np.object_]":
    """Points for a tree."""
    import numpy as np
    import shapely

    return np.asarray(shapely.points(positions), dtype=object)


def of_nearest(plane: "Positions", known: Mapping[int, str], wanted: Sequence[int], within_m: float) -> dict[int, str]:
    """The value of the nearest object that has one, within a distance, for each object without."""
    import shapely

    if not known or not wanted:
        return {}
    holders = list(known)
    tree = shapely.STRtree(points_of(plane[holders]))
    pairs = nearest(tree, points_of(plane[list(wanted)]), within_m)
    return {wanted[point]: known[holders[each]] for point, each, _ in pairs}


def nearest(tree: "STRtree", wanted: "NDArray[np.object_]", within_m: float) -> "Iterator[tuple[int, int, float]]":
    """For each shape with one of a tree so near: its number, the nearest's number in the tree, their distance.

    shapely's `max_distance` is not used: it lists all that is so near before it looks for the nearest.
    """
    pairs, distances = tree.query_nearest(wanted, return_distance=True, all_matches=False)
    is_near = distances <= within_m
    return zip(*pairs[:, is_near].tolist(), distances[is_near].tolist(), strict=True)


def clusters(plane: "Positions", members: Sequence[int]) -> list[list[int]]:
    """The members in groups of neighbouring tiles."""
    side = _TOWN_DEG * shapes.DEG_M
    # Two towns of one name are apart by more than a tile; the addresses of one reach from tile to tile.
    tiles: dict[tuple[int, int], list[int]] = defaultdict(list)
    for each, (x, y) in zip(members, plane[list(members)].tolist(), strict=True):
        tiles[int(x // side), int(y // side)].append(each)

    def beside(tile: tuple[int, int]) -> list[tuple[int, int]]:
        return [(tile[0] + dx, tile[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]

    return [[each for tile in group for each in tiles[tile]] for group in connected(reversed(tiles), beside)]


def connected(nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The nodes in groups that neighbours join, each from the first of its nodes on."""
    left = dict.fromkeys(nodes)
    for first in list(left):
        if first not in left:
            continue
        del left[first]
        group, reached = [first], [first]
        while reached:
            for node in neighbours(reached.pop()):
                if node in left:
                    del left[node]
                    group.append(node)
                    reached.append(node)
        yield group


def tiles_of(plane: "Positions", tiles_across: int) -> "Ids":
    """The coarse tile of each position, so that equal postcodes of far countries stay apart."""
    import numpy as np

    column, row = (plane // (tiles_across * _TOWN_DEG * shapes.DEG_M)).astype(np.int64).T
    tiles: Ids = (column << 32) + row
    return tiles
