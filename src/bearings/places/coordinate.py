"""A place for a query that is a pair of coordinates."""

from dataclasses import replace

from bearings.places import geometry, shapes
from bearings.places.models import Match, Place, Point, SearchQuery
from bearings.places.outlines import Outline
from bearings.places.replies import degrees

ZOOM = 18
"""The finest zoom: a caller that gives a position means exactly it."""

RADIUS_M = 100.0
"""Half the side of the box for a position that no place's box holds; chosen for a building and its yard."""

_HOUSE_RANK = 30


def place_at(point: Point, found: Place | None, query: SearchQuery) -> tuple[Place, ...]:
    """The place at the point, moved exactly there; the bare point if there is none, as at sea.

    Empty if the query's countries or bounded viewbox exclude the point. The place's box stays if it holds the point;
    otherwise the box is estimated around the point.
    """
    if query.bounded and query.viewbox is not None and not geometry.contains(query.viewbox, point):
        return ()
    if query.country_codes and (found is None or found.address.get("country_code") not in query.country_codes):
        return ()
    around = geometry.around(point, RADIUS_M)
    outline = None if query.geometry == "none" else Outline(shapes.of_point(point), note="The position asked for.")
    if found is None:
        label = f"{degrees(point.lat)}, {degrees(point.lon)}"
        bare = Place(label, label, point, around, "estimated", "place", "coordinate", _HOUSE_RANK)
        return (replace(bare, match=Match.COORDINATE, confidence=1.0, outline=outline),)
    there = replace(found, point=point, match=Match.COORDINATE, confidence=1.0, outline=outline)
    return (there if geometry.contains(found.bbox, point) else replace(there, bbox=around, bbox_kind="estimated"),)


def note(point: Point, found: Place | None) -> str:
    """How the query was read, and the relation of the place to the point."""
    read = f"Read as coordinates: latitude {degrees(point.lat)}, longitude {degrees(point.lon)}."
    if found is None:
        return f"{read} The backend knows no place there."
    away = geometry.distance_m(point, found.point)
    return f"{read} The place is what reverse_geocode finds there; its own point is {away:,.0f} m away."
