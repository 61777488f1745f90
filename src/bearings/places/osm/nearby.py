"""Named objects around a point, by category: all of them within a radius, nearest first."""

import json
import math
from collections.abc import Iterator

from bearings.places import geometry
from bearings.places.categories import belongs, split
from bearings.places.engine.ranking import nearest_first
from bearings.places.models import BBox, Point
from bearings.places.osm.map import Map, Row
from bearings.places.osm.schema import BITS

_FIRST_M, _WIDER, _LAST_M = 250.0, 3.0, 20_000.0
"""The first radius around a point, the factor from one to the next, and the last: a city has many cafés."""

_LARGE_RANK = 12
"""The rank of counties: in them and in larger areas importance comes before nearness to the middle."""

_MOST_IN_AREA = 5_000
"""Objects of a kind in an area that are looked at."""


def nearby(osm: Map, point: Point, radius_m: float, name: str, limit: int) -> list[tuple[float, Row]]:
    """(distance in metres, row) of the nearest named objects of a category or kind within a radius, at most `limit`."""
    category, tag = split(name)
    nearest: list[tuple[float, Row]] = []
    for within_m in _widening(radius_m):
        box = geometry.around(point, within_m)
        met = osm.select_meeting("SELECT id FROM object_rtree", box, "AND categories & ?", (BITS[category],))
        rows = osm.rows(identifier for (identifier,) in met).values()
        nearest = nearest_first(point, (row for row in rows if tag is None or tag in _tags(row)), within_m)
        if len(nearest) >= limit:
            break
    return nearest[:limit]


def of_kinds(osm: Map, point: Point, kinds: frozenset[int], inside: Row | None, limit: int) -> list[tuple[float, Row]]:
    """The named objects of some kinds nearest to a point, at most `limit`; those that lie in an area, if any do.

    In a county or a larger area, the most important come first: an airport before a heliport.
    """
    if inside is not None and inside.bbox is not None:
        nearest = nearest_first(point, osm.rows(_of_kinds(osm, kinds, inside.bbox)).values(), math.inf)
        inside_area = [pair for pair in nearest if inside.id in osm.around(pair[1].around).areas]
        if inside.rank <= _LARGE_RANK:
            inside_area.sort(key=lambda pair: -pair[1].importance)
        if inside_area:
            return inside_area[:limit]
    nearest, inside_area = [], []
    for within_m in _widening(_LAST_M):
        rows = osm.rows(_of_kinds(osm, kinds, geometry.around(point, within_m))).values()
        nearest = nearest_first(point, rows, within_m)
        inside_area = [pair for pair in nearest if inside is None or inside.id in osm.around(pair[1].around).areas]
        if len(inside_area) >= limit:
            break
    return (inside_area or nearest)[:limit]


def _widening(last_m: float) -> Iterator[float]:
    """Radii to look within, one after another: a town has a café within 250 m, a desert within 20 km."""
    radius_m = min(_FIRST_M, last_m)
    while radius_m < last_m:
        yield radius_m
        radius_m = min(last_m, radius_m * _WIDER)
    yield last_m


def _of_kinds(osm: Map, kinds: frozenset[int], box: BBox) -> list[int]:
    """The named objects of some kinds in a box."""
    met = osm.select_meeting(
        "SELECT object_rtree.id FROM object_rtree JOIN place USING (id)", box,
        f"AND kind IN ({','.join('?' * len(kinds))}) LIMIT ?", (*sorted(kinds), _MOST_IN_AREA),
    )  # fmt: skip
    return [identifier for (identifier,) in met]


def seen_as(row: Row, name: str) -> Row:
    """The row with the tag that puts it into a category, or makes it one of a kind, as its kind."""
    category, tag = split(name)
    fitting = (each for each in _tags(row) if each == (tag or each) and belongs(category, each[0], each[1]))
    key, value = next(fitting, (row.category, row.type))
    return row._replace(category=key, type=value)


def _tags(row: Row) -> list[tuple[str, str]]:
    """The tag of a row that is its kind, then all of its categories."""
    return [(row.category, row.type), *json.loads(row.mains or "{}").items()]
