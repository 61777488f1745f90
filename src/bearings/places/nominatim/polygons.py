"""GeoJSON geometries from a Nominatim, checked before any computation.

They are untrusted: types, depth, ranges and numbers of positions are checked. An invalid shape is dropped, because
repair may take time in the square of its size.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bearings.places import shapes

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

MOST_POSITIONS = 50_000
"""Positions of one geometry. A country simplified by 100 m has fewer; computing with more takes seconds."""

_MENDED = 500
"""Positions of an invalid shape that is still repaired."""

_SAMPLE, _MOST_PAIRS = 500, 2_000_000
"""Sampled segments, and the limit of pairs of segments in each other's boxes: these take 0.3 s."""

_DEPTHS = {"Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}


def read(raw: object) -> "BaseGeometry | None":
    """The shape of a GeoJSON geometry; None if it is malformed, too large, or crosses itself."""
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str) or raw["type"] not in _DEPTHS:
        return None
    kind = raw["type"]
    count = _count(raw.get("coordinates"), _DEPTHS[kind])
    if count is None or not 0 < count <= MOST_POSITIONS:
        return None
    try:
        return _valid(_made(kind, raw["coordinates"]))
    except ValueError:  # shapely's, for a ring that is too short or not closed
        return None


def _count(coordinates: object, depth: int) -> int | None:
    """The number of positions; None if one is malformed. Stops as soon as there are too many."""
    if depth == 0:
        return 1 if _is_position(coordinates) else None
    if not isinstance(coordinates, list):
        return None
    total = 0
    for item in coordinates:
        count = _count(item, depth - 1)
        if count is None:
            return None
        total += count
        if total > MOST_POSITIONS:
            return total
    return total


def _is_position(value: object) -> bool:
    """Longitude and latitude in range, perhaps a height."""
    if not isinstance(value, list) or not 2 <= len(value) <= 3:
        return False
    return all(type(number) in (int, float) for number in value) and abs(value[0]) <= 180 and abs(value[1]) <= 90


def _made(kind: str, coordinates: Any) -> "BaseGeometry":
    """The shape. A part without positions is left out. Raises ValueError."""
    import shapely

    match kind:
        case "Point":
            return shapely.Point(coordinates[:2])
        case "LineString":
            return shapely.LineString(_flat(coordinates))
        case "Polygon":
            return shapely.Polygon(_flat(coordinates[0]), [_flat(hole) for hole in coordinates[1:] if hole])
    parts = [_made(kind.removeprefix("Multi"), part) for part in coordinates if part]
    return shapes.joined(parts)


def _flat(line: Sequence[Any]) -> list[Any]:
    """The positions without heights."""
    return [position[:2] for position in line]


def _is_entangled(shape: "BaseGeometry") -> bool:
    """Whether the search for crossings would take too long, estimated from a sample of the segments.

    The teeth of a long slanting comb lie in each other's boxes: 8,000 of them take 4 s, a country takes 50 ms.
    """
    import numpy as np
    import shapely

    degrees = shapely.get_coordinates(shape)
    ends = np.stack((degrees[:-1], degrees[1:]))
    least, most = ends.min(axis=0), ends.max(axis=0)
    chosen = np.random.default_rng().choice(len(least), min(len(least), _SAMPLE), replace=False)
    meets = sum(int(((least <= most[segment]) & (most >= least[segment])).all(axis=1).sum()) for segment in chosen)
    return meets / len(chosen) * len(least) / 2 > _MOST_PAIRS


def _valid(shape: "BaseGeometry") -> "BaseGeometry | None":
    """The shape, repaired if it is small and invalid; None if it is empty or beyond repair."""
    import shapely

    if shape.is_empty or (shapes.positions(shape) > _SAMPLE and _is_entangled(shape)):
        return None
    if shape.is_valid:
        return shape
    if shapes.positions(shape) > _MENDED:
        return None
    wanted = shape.geom_type.removeprefix("Multi")
    valid = [part for part in shapely.get_parts(shapely.make_valid(shape)) for part in shapes.parts_of(part)]
    parts = [part for part in valid if part.geom_type == wanted and not part.is_empty]
    return shapes.joined(parts) if parts else None
