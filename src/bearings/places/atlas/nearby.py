"""Places around a point, by distance."""

from collections.abc import Iterable

from bearings.places import geometry
from bearings.places.atlas.index import Index, Row
from bearings.places.models import Point


def within(index: Index, point: Point, radius_m: float) -> list[tuple[float, Row]]:
    """(distance in metres, row) of every settlement within a radius, nearest first; wraps at 180° and the poles."""
    return nearest_first(point, reaching(index, point, radius_m), radius_m)


def reaching(index: Index, point: Point, radius_m: float) -> list[Row]:
    """The settlements whose extents overlap a circle's box, unordered; with radius 0, those that contain the point."""
    identifiers: list[int] = []
    for piece in geometry.split(geometry.around(point, radius_m)):
        rows = index.query(
            "SELECT id FROM extent_rtree WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?",
            (piece.east, piece.west, piece.north, piece.south),
        )
        identifiers += (identifier for (identifier,) in rows)
    return list(index.rows(dict.fromkeys(identifiers)).values())


def nearest_first(point: Point, rows: Iterable[Row], radius_m: float) -> list[tuple[float, Row]]:
    """The rows within a radius with their distances, nearest first."""
    measured = ((geometry.distance_m(point, row.point), row) for row in rows)
    return sorted((each for each in measured if each[0] <= radius_m), key=lambda each: (each[0], each[1].id))
