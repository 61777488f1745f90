"""The rivers that Natural Earth cuts at borders, where their names change: which names are one river."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from making import tables

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class River:
    """The names of a river's pieces, and the box (west, south, east, north) that holds all of it."""

    pieces: frozenset[str]
    box: tuple[float, float, float, float]

    def holds(self, name: str, shape: "BaseGeometry") -> bool:
        """Whether a piece of that name belongs to the river."""
        west, south, east, north = shape.bounds
        return (
            name in self.pieces
            and self.box[0] <= west
            and self.box[1] <= south
            and east <= self.box[2]
            and north <= self.box[3]
        )


RIVERS = {
    name: River(frozenset(pieces.split("|")), (float(west), float(south), float(east), float(north)))
    for name, pieces, west, south, east, north in tables.rows("rivers")
}
"""By the river's English name. A piece may belong to two: the White Nile is a part of the Nile."""
