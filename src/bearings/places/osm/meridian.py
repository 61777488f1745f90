"""Shapes that cross 180 degrees, as OpenStreetMap has them: the next position of 179.9 is -179.9.

Read as they stand they go round the world. Two positions more than 180 degrees apart are joined across 180 instead, and
the shape is cut there, so that no part of it crosses.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bearings.places import shapes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Positions = NDArray[np.float64]

HALF_ROUND = 180.0
"""Degrees of longitude: what is wider may lie on both sides of 180 degrees."""


def cut(shape: "BaseGeometry") -> "BaseGeometry":
    """The shape cut at 180 degrees; itself if it doesn't cross, or goes round a pole."""
    import shapely

    whole = [_unrolled(part) for part in shapes.parts_of(shape)]
    if all(part is None for part in whole):
        return shape
    pieces: list[BaseGeometry] = []
    for part, given in zip(whole, shapes.parts_of(shape), strict=True):
        pieces += _in_pieces(given if part is None else shapely.make_valid(part), given.geom_type)
    return shapes.joined(pieces) if pieces else shape


def _in_pieces(part: "BaseGeometry", kind: str) -> "Iterator[BaseGeometry]":
    """The pieces of a part on each side of 180 degrees, each with longitudes that exist."""
    import shapely
    from shapely.affinity import translate

    for turn in (-360.0, 0.0, 360.0):
        piece = shapely.intersection(part, shapely.box(turn - 180, -90, turn + 180, 90))
        for each in shapely.get_parts(translate(piece, -turn)):
            if each.geom_type == kind and not each.is_empty:
                yield each


def unrolled(positions: "Positions") -> "Positions":
    """Positions with longitudes that go on beyond 180 degrees instead of jumping to the other side."""
    import numpy as np

    steps = np.diff(positions[:, 0])
    turns = np.cumsum(np.where(steps > 180, -360.0, 0.0) + np.where(steps < -180, 360.0, 0.0))
    continued = positions.copy()
    continued[1:, 0] += turns
    return continued


def _unrolled(part: "BaseGeometry") -> "BaseGeometry | None":
    """A line or polygon that crosses, with longitudes beyond 180 degrees; None for one that doesn't."""
    import shapely

    lines: list[Any] = [shapely.get_coordinates(line) for line in _lines(part)]
    whole = [unrolled(line) for line in lines]
    if all((line == given).all() for line, given in zip(whole, lines, strict=True)):
        return None
    if part.geom_type == "LineString":
        return shapely.LineString(whole[0])
    if any((ring[0] != ring[-1]).any() for ring in whole):
        return None  # it goes round a pole
    outer = shapely.Polygon(whole[0])
    return shapely.Polygon(whole[0], [_beside(ring, outer) for ring in whole[1:]])


def _lines(part: "BaseGeometry") -> "list[BaseGeometry]":
    import shapely

    if part.geom_type == "LineString":
        return [part]
    return list(shapely.get_rings(part)) if part.geom_type == "Polygon" else []


def _beside(ring: "Positions", outer: "BaseGeometry") -> "Positions":
    """A hole's ring on the side of 180 degrees where the outer ring is."""
    import numpy as np
    import shapely

    sides = [np.add(ring, (turn, 0.0)) for turn in (0.0, 360.0, -360.0)]
    return next((each for each in sides if shapely.intersects_xy(outer, *each.mean(axis=0))), ring)
