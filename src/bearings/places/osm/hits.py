"""What a search of a map finds: hits, the answer that they make, and the filter that admits them."""

from dataclasses import dataclass

from bearings.places import geometry
from bearings.places.models import BBox, Match, Point
from bearings.places.osm.map import Map, Row


@dataclass(frozen=True, slots=True)
class Filter:
    """The places to consider: those of the countries, in the box if `bounded`, of some of Nominatim's layers or all."""

    country_codes: tuple[str, ...] = ()
    near: Point | None = None
    viewbox: BBox | None = None
    bounded: bool = False
    layers: frozenset[str] = frozenset()

    def admits(self, osm: Map, row: Row) -> bool:
        """Whether a row may be an answer."""
        if self.layers and row.layer not in self.layers:
            return False
        if self.country_codes and osm.around(row.around).country_code not in self.country_codes:
            return False
        if not (self.bounded and self.viewbox is not None):
            return True
        return geometry.contains(self.viewbox, row.point)


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that fits. `unused` are words of the query that it does not spell; `wrong`, `right` a corrected key."""

    row: Row
    score: float
    match: Match
    confidence: float = 0.0
    unused: tuple[str, ...] = ()
    wrong: str | None = None
    right: str | None = None
    edits: int = 0
    is_area: bool = False
    """Whether other places lie in it: a settlement, a region."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first; `suggestions` may be meant if nothing fits well enough.

    `kind` is the kind of objects asked for, if the query names one instead of a place: "cafe"; `plainly`: it can hardly
    be read otherwise.
    """

    hits: tuple[Hit, ...] = ()
    suggestions: tuple[Hit, ...] = ()
    kind: str | None = None
    plainly: bool = False
