"""A place for a query that is a pair of coordinates."""

from dataclasses import replace

from bearings.places import geometry, shapes
from bearings.places.models import BoxKind, Cell, Match, Place, Point, SearchQuery
from bearings.places.outlines import Outline
from bearings.places.replies import degrees

ZOOM = 18
"""The finest zoom: a caller that gives a position means exactly it."""

RADIUS_M = 100.0
"""Half the side of the box for a position that no place's box holds; chosen for a building and its yard."""

PERHAPS = 0.5
"""The confidence of a text that may be a geohash, because it is no name."""

_HOUSE_RANK = 30
_ZOOMS = ((250.0, ZOOM), (1_500.0, 16), (6_000.0, 14), (25_000.0, 10), (150_000.0, 8), (700_000.0, 5))
"""The zoom for a cell of up to so many metres: of its middle no more is said than of the cell."""
_COARSEST_ZOOM = 3


def zoom(cell: Cell | None) -> int:
    """The zoom at which the place of a position is looked for."""
    if cell is None:
        return ZOOM
    return next((level for side_m, level in _ZOOMS if cell.side_m <= side_m), _COARSEST_ZOOM)


def place_at(
    point: Point, found: Place | None, query: SearchQuery, cell: Cell | None = None, confidence: float = 1.0
) -> tuple[Place, ...]:
    """The place at the point, moved exactly there; the bare point if there is none, as at sea.

    Empty if the query's countries or bounded viewbox exclude the point. A cell has its own box; else the place's box
    stays if it holds the point; otherwise the box is estimated around the point.
    """
    if query.bounded and query.viewbox is not None and not geometry.contains(query.viewbox, point):
        return ()
    if query.country_codes and (found is None or found.address.get("country_code") not in query.country_codes):
        return ()
    around = geometry.around(point, RADIUS_M if cell is None else cell.side_m / 2)
    if cell is not None and cell.box is not None:
        around = geometry.canonical(cell.box)
    kind: BoxKind = "estimated" if cell is None or cell.box is None else "exact"
    outline = None if query.geometry == "none" else Outline(shapes.of_point(point), note="The position asked for.")
    if found is None:
        label = f"{degrees(point.lat)}, {degrees(point.lon)}"
        bare = Place(label, label, point, around, kind, "place", "coordinate", _HOUSE_RANK)
        return (replace(bare, match=Match.COORDINATE, confidence=confidence, outline=outline),)
    there = replace(found, point=point, match=Match.COORDINATE, confidence=confidence, outline=outline)
    if cell is None and geometry.contains(found.bbox, point):
        return (there,)
    return (replace(there, bbox=around, bbox_kind=kind),)


def note(point: Point, found: Place | None, cell: Cell | None = None) -> str:
    """How the query was read, and the relation of the place to the point."""
    how = "coordinates" if cell is None else f"{cell.grid} {cell.code}"
    read = f"Read as {how}: latitude {degrees(point.lat)}, longitude {degrees(point.lon)}."
    if found is None:
        return f"{read} The backend knows no place there."
    away = geometry.distance_m(point, found.point)
    return f"{read} The place is the one there; its own point is {away:,.0f} m away."
