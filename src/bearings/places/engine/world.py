"""The seam by which maps learn the country and region around them, which an extract may lack, from another source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bearings.places.models import BBox, Point


@dataclass(frozen=True, slots=True)
class WorldArea:
    """A country (rank 4) or a first-level region (rank 8), with its ISO 3166 code, and its names by language."""

    name: str
    names: Mapping[str, str]
    rank: int
    code: str | None
    country_code: str
    point: Point
    bbox: BBox


class World(Protocol):
    """Knows the countries of the world."""

    def areas_at(self, point: Point) -> Sequence[WorldArea]:
        """The region and the country that hold a point, in this order; empty at sea."""
        ...
