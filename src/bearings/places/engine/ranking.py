"""Which places may answer, and in which order: by the name's fit, the place's importance and its nearness. Pure.

score = 0.45 · name + 0.45 · importance + 0.10 · nearness, each 0–1. The weights were chosen so that a city of a
million under an alternate name beats a village under its main name ("Cologne" is Köln), and so that nearness decides
between places of the same size but moves nothing else, unless a viewbox asks for it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bearings.places import geometry
from bearings.places.models import BBox, Point

NAME_WEIGHT, IMPORTANCE_WEIGHT, NEARNESS_WEIGHT = 0.45, 0.45, 0.10

VIEWBOX_BONUS = 0.3
"""Added for what lies in a viewbox that is not a bound: outweighs importance between a city and a town."""


_HALF_M, _ANTIPODES_M = 50_000.0, math.pi * geometry.EARTH_RADIUS_M


@dataclass(frozen=True, slots=True)
class Filter:
    """The places to consider: those of the countries, in the box if `bounded`, of some layers or all."""

    country_codes: tuple[str, ...] = ()
    near: Point | None = None
    viewbox: BBox | None = None
    bounded: bool = False
    layers: frozenset[str] = frozenset()

    @property
    def narrows(self) -> bool:
        """Whether it tells where the place is."""
        return bool(self.country_codes or self.near or self.viewbox)

    def admits(self, point: Point, layer: str, country_code: str | None) -> bool:
        """Whether a place may be an answer."""
        if self.layers and layer not in self.layers:
            return False
        if self.country_codes and country_code not in self.country_codes:
            return False
        return not (self.bounded and self.viewbox is not None and not geometry.contains(self.viewbox, point))


def nearness(point: Point, focus: Point | None) -> float:
    """1 at the focus, 0.69 at 50 km, 0.35 at 500 km, 0 at the antipodes; 0.5 for all where there is no focus.

    The mean of 1 / (1 + d/50 km), which tells streets apart, and of one that falls as log(1 + d/50 km), which still
    tells Madrid's Valencia from Venezuela's.
    """
    if focus is None:
        return 0.5
    share = 1 + geometry.distance_m(point, focus) / _HALF_M
    return (1 / share + 1 - math.log(share) / math.log(1 + _ANTIPODES_M / _HALF_M)) / 2


def score_of(fit: float, importance: float, point: Point, focus: Point | None, viewbox: BBox | None) -> float:
    """The number that results are sorted by, greater first."""
    bonus = VIEWBOX_BONUS if viewbox is not None and geometry.contains(viewbox, point) else 0.0
    return NAME_WEIGHT * fit + IMPORTANCE_WEIGHT * importance + NEARNESS_WEIGHT * nearness(point, focus) + bonus


def shares_of(scores: Sequence[float], steepness: float) -> list[float]:
    """How likely each of the candidates is the one that is meant, if one of them is: exponential in the score."""
    most = max(scores, default=0.0)
    weights = [math.exp(steepness * (score - most)) for score in scores]
    whole = sum(weights)
    return [weight / whole for weight in weights]


class Located(Protocol):
    """A row of a source's table of places."""

    @property
    def id(self) -> int: ...  # noqa: D102 - the row's
    @property
    def point(self) -> Point: ...  # noqa: D102 - the row's


LocatedT = TypeVar("LocatedT", bound=Located)


def nearest_first(point: Point, rows: Iterable[LocatedT], radius_m: float) -> list[tuple[float, LocatedT]]:
    """The rows within a radius with their distances in metres, nearest first."""
    measured = ((geometry.distance_m(point, row.point), row) for row in rows)
    return sorted((each for each in measured if each[0] <= radius_m), key=lambda each: (each[0], each[1].id))
