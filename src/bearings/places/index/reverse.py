"""The settlement that a point belongs to: near, and the larger the farther it reaches."""

from collections.abc import Callable, Iterator

from bearings.places.index import nearby
from bearings.places.index.database import Index, Row
from bearings.places.models import Point

RINGS_M = (5_000.0, 25_000.0, 100_000.0, 250_000.0)
"""The radii tried in turn; a search ends with the first in which it finds something."""


def settlement(
    index: Index, point: Point, country_codes: frozenset[str] | None, reach_m: Callable[[int], float], limit_m: float
) -> tuple[float, Row] | None:
    """The settlement, in one of the countries (None: in any), with the least distance / reach(population).

    None if there is none within `limit_m`. A large city just outside the first ring may reach farther than the
    villages in it, so the ring after the first with a find is read too.
    """
    found: list[tuple[float, Row]] = []
    for ring in _rings(limit_m):
        had_some = bool(found)
        found = [
            each
            for each in nearby.within(index, point, ring)
            if country_codes is None or each[1].country_code in country_codes
        ]
        if had_some:
            break
    return min(found, key=lambda each: each[0] / reach_m(each[1].population), default=None)


def _rings(limit_m: float) -> Iterator[float]:
    yield from (ring for ring in RINGS_M if ring < limit_m)
    yield limit_m
