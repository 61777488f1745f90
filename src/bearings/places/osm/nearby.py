"""Named objects around a point, by category: all of them within a radius, nearest first."""

import json
from collections.abc import Sequence

from bearings.places import geometry
from bearings.places.categories import Category, belongs
from bearings.places.models import Point
from bearings.places.osm.map import Map, Row
from bearings.places.osm.writer import BITS

_FIRST_M = 250.0
_WIDER = 3.0


def nearby(osm: Map, point: Point, radius_m: float, category: Category, limit: int) -> list[tuple[float, Row]]:
    """(distance in metres, row) of the nearest named objects of a category within a radius, at most `limit`."""
    within = min(_FIRST_M, radius_m)
    while True:
        found = _within(osm, point, within, category)
        if len(found) >= limit or within >= radius_m:
            return found[:limit]
        within = min(radius_m, within * _WIDER)


def _within(osm: Map, point: Point, radius_m: float, category: Category) -> list[tuple[float, Row]]:
    identifiers: list[int] = []
    for piece in geometry.split(geometry.around(point, radius_m)):
        identifiers += (
            identifier
            for (identifier,) in osm.query(
                "SELECT id FROM object_rtree WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? "
                "AND categories & ?",
                (piece.east, piece.west, piece.north, piece.south, BITS[category]),
            )
        )
    rows = osm.rows(identifiers).values()
    measured = ((geometry.distance_m(point, row.point), row) for row in rows)
    return sorted((each for each in measured if each[0] <= radius_m), key=lambda each: (each[0], each[1].id))


def seen_as(row: Row, categories: Sequence[Category]) -> Row:
    """The row with the tag that puts it into one of the categories as its kind."""
    if any(belongs(category, row.category, row.type) for category in categories) or not row.mains:
        return row
    for key, value in json.loads(row.mains).items():
        if any(belongs(category, key, value) for category in categories):
            return row._replace(category=key, type=value)
    return row
