"""Outlines of places: which is wanted, and what a source has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Detail = Literal["none", "simplified", "full"]
"""How much of an outline is wanted: nothing, about a thousandth of the place's size, or all that the source has."""

Parts = Literal["main", "own", "all"]
"""Which parts of a place are meant.

`main`: the largest, with what lies near it (`shapes.GAP_M`). `own`: all that bears the place's own code or id.
`all`: the territories that belong to a country and have a code of their own too.
"""


@dataclass(frozen=True, slots=True)
class Outline:
    """The geometry of a place, in degrees, cut at 180°; None where the source has none, and `note` says why.

    `tolerance_m` is how far it may be off, in metres, as the source simplified it. A `note` beside a geometry says
    what a reader must know of it.
    """

    shape: "BaseGeometry | None"
    tolerance_m: float = 0.0
    note: str | None = None
