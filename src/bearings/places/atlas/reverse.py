"""Settlements around a point: the one that it belongs to, where larger ones reach farther, and all within a radius."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from sys import maxsize
from typing import NamedTuple

from bearings.places import geometry
from bearings.places.atlas.index import Index, Row
from bearings.places.engine.ranking import nearest_first
from bearings.places.models import BBox, Point

RINGS_M = (5_000.0, 25_000.0, 100_000.0, 250_000.0)
"""The radii to try around a point outside every settlement; the first with a result answers."""

Reach = Callable[[int], float]
"""Population → metres."""

Found = tuple[float, Row]
"""A settlement with the point's distance in metres."""

_ANY_RANK = 30


class Within(NamedTuple):
    """The settlements to consider: those of a country, by its code, and of an area in it, by its id, if any."""

    country_code: str | None
    area: int | None = None


class _Settlement(NamedTuple):
    """The fields that decide between settlements; only the winner's whole row is read. `holds` concerns its extent."""

    id: int
    lat: float
    lon: float
    population: int
    place_rank: int
    parent: int | None
    holds: int


def around(index: Index, point: Point, within: Within, reach_m: Reach, rank: int = _ANY_RANK) -> Found | None:
    """The settlement in whose reach a point lies, with place_rank up to `rank`; among several, by distance / reach."""
    return _holding(index, point, _reaching(index, point, within, 0.0), reach_m, rank)


def nearest(
    index: Index, point: Point, within: Within, reach_m: Reach, rings_m: Sequence[float] = RINGS_M
) -> Found | None:
    """As `around`; for a point outside every reach, the settlement of the first ring by the same measure."""
    first, *others = rings_m
    near = list(_reaching(index, point, within, first))
    settlement = _holding(index, point, near, reach_m, _ANY_RANK) or _best(index, point, near, reach_m, first)
    for ring in others:
        if settlement is not None:
            break
        settlement = _best(index, point, _reaching(index, point, within, ring), reach_m, ring)
    return settlement


def within(index: Index, point: Point, radius_m: float) -> list[tuple[float, Row]]:
    """(distance in metres, row) of every settlement within a radius, nearest first; wraps at 180° and the poles."""
    met = index.select_meeting("SELECT id FROM extent_rtree", geometry.around(point, radius_m))
    rows = index.rows(dict.fromkeys(identifier for (identifier,) in met))
    return nearest_first(point, rows.values(), radius_m)


@lru_cache(maxsize=16_384)
def pieces_around(point: Point, radius_m: float) -> tuple[BBox, ...]:
    """The box around a circle, in pieces that don't cross 180 degrees. Blocks of points are asked for theirs twice."""
    return geometry.split(geometry.around(point, radius_m))


def _holding(index: Index, point: Point, near: Iterable[_Settlement], reach_m: Reach, rank: int) -> Found | None:
    candidates = (each for each in near if each.holds and each.place_rank <= rank)
    return _best(index, point, candidates, reach_m, float("inf"), most=1.0)


def _reaching(index: Index, point: Point, within: Within, radius_m: float) -> Iterator[_Settlement]:
    """The settlements whose extents overlap a circle's box, each once; with radius 0, those that contain the point."""
    seen: set[int] = set()
    for piece in pieces_around(point, radius_m):
        for row in index.settlements(point, piece, within.country_code, within.area):
            each = _Settlement._make(row)
            if each.id not in seen and (within.area is None or index.lies_in(each.parent, within.area)):
                seen.add(each.id)
                yield each


def _best(
    index: Index, point: Point, near: Iterable[_Settlement], reach_m: Reach, ring_m: float, most: float = float("inf")
) -> Found | None:
    """The least distance / reach up to `most`, among settlements with a point inside the ring."""
    best = (most, maxsize, 0.0)
    for each in near:
        distance = geometry.distance_m(point, Point(each.lat, each.lon))
        if distance <= ring_m:
            best = min(best, (distance / reach_m(each.population), each.id, distance))
    _, identifier, distance = best
    if identifier == maxsize:
        return None
    row = index.area(identifier)
    assert row is not None  # the settlement of an extent
    return distance, row
