"""The hits of a search of a map, and the answer that they make."""

from dataclasses import dataclass

from bearings.places.engine.ranking import Filter
from bearings.places.models import Match
from bearings.places.osm.map import Map, Row


def admits(only: Filter, osm: Map, row: Row) -> bool:
    """Whether a row may be an answer."""
    return only.admits(row.point, row.layer, osm.around(row.around).country_code if only.country_codes else None)


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
    be read otherwise; `within`: the place that they should be in.
    """

    hits: tuple[Hit, ...] = ()
    suggestions: tuple[Hit, ...] = ()
    kind: str | None = None
    plainly: bool = False
    within: Hit | None = None
