"""The settlement that a point belongs to: near, and the larger the farther it reaches."""

from collections.abc import Callable, Iterable

from bearings.places import geometry
from bearings.places.index import nearby
from bearings.places.index.database import Index, Row
from bearings.places.models import Point

RINGS_M = (5_000.0, 25_000.0, 100_000.0, 250_000.0)
"""The radii tried in turn around a point that lies in no settlement: the first with a find answers."""

Reach = Callable[[int], float]
"""Population → metres."""

Admits = Callable[[Row], bool]
"""Whether a settlement may be an answer: those of the country and region that hold the point."""

Found = tuple[float, Row]
"""A settlement with the distance of its point in metres."""


def around(index: Index, point: Point, admits: Admits, reach_m: Reach, rank: int = 30) -> Found | None:
    """The settlement in whose reach a point lies, of a place_rank up to `rank`; of several, by distance / reach."""
    rows = nearby.reaching(index, point, 0.0)
    return _best((row for row in rows if row.place_rank <= rank), point, admits, reach_m, 1.0)


def nearest(index: Index, point: Point, admits: Admits, reach_m: Reach) -> Found | None:
    """As `around`; where a point lies in no settlement's reach, the one of the first ring by the same measure."""
    found = around(index, point, admits, reach_m)
    for ring in RINGS_M:
        if found is not None:
            break
        rows = (row for _, row in nearby.within(index, point, ring))
        found = _best(rows, point, admits, reach_m, float("inf"))
    return found


def _best(rows: Iterable[Row], point: Point, admits: Admits, reach_m: Reach, limit: float) -> Found | None:
    """The least distance / reach up to `limit`, among the rows that are admitted."""
    measured = [(geometry.distance_m(point, row.point), row) for row in rows if admits(row)]
    shares = [(distance / reach_m(row.population), distance, row) for distance, row in measured]
    share, distance, row = min(shares, key=lambda each: (each[0], each[2].id), default=(float("inf"), 0.0, None))
    return (distance, row) if row is not None and share <= limit else None
