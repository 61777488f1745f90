"""Outlines of places: requested detail and parts, and a source's geometry."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Detail = Literal["none", "simplified", "full"]
"""The detail of an outline: none, accurate to a thousandth of the place's size, or all that the source has."""

Parts = Literal["main", "own", "all"]
"""The parts of a place to include.

`main`: the largest, with the parts near it (`shapes.GAP_M`). `own`: all parts with the place's own code or id.
`all`: also the territories of a country that have a code of their own.
"""


@dataclass(frozen=True, slots=True)
class Outline:
    """The geometry of a place, in degrees, cut at 180°; None if the source has none, and `note` gives the reason.

    `tolerance_m` is the largest error in metres of a geometry that the source simplified. A `note` beside a geometry is
    for the reader.
    """

    shape: "BaseGeometry | None"
    tolerance_m: float = 0.0
    note: str | None = None
