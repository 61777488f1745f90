"""The text of a query as sources are asked for it, and what a reply says about the text that was written."""

from dataclasses import replace
from math import cos, degrees, radians

from bearings.places import geometry
from bearings.places.models import Found, Offset, ParsedQuery, Place, Point, SearchQuery

MARK = "The text only says that there is no place."
"""The hint for an empty mark, such as "N/A"."""

_AROUND = "The surroundings of this place are meant; the box is that of the place itself."


def is_empty_mark(query: SearchQuery) -> bool:
    """Whether a query says that there is no place."""
    return query.parsed is not None and bool(query.parsed.aside) and not query.parsed.parts


def asked(query: SearchQuery) -> SearchQuery:
    """The search with its text mended, and without remarks and an offset."""
    read = query.parsed
    if read is None or not (read.mended or read.aside or read.offset):
        return query
    return replace(query, text=", ".join(read.parts))


def explained(found: Found, read: ParsedQuery | None) -> Found:
    """The answer, moved by the query's offset, with its remarks as unused, and a note on how the text was read."""
    if read is None or not found.places:
        return found
    notes = [found.note, f"Read as {', '.join(read.parts)!r}." if read.mended else None]
    places = found.places
    if read.offset is not None:
        notes.append(f"The point is {read.offset.words} of {places[0].name}.")
        places = tuple(_moved(place, read.offset) for place in places)
    if found.about:
        notes.append(_AROUND)
    unused = tuple(dict.fromkeys((*found.unused, *read.aside)))
    return replace(found, places=places, unused=unused, note=" ".join(filter(None, notes)) or None)


def _moved(place: Place, offset: Offset) -> Place:
    """The place at an offset from its point, on a sphere; its box is moved with it and estimated."""
    north = degrees(offset.north_m / geometry.EARTH_RADIUS_M)
    lat = max(-90.0, min(90.0, place.point.lat + north))
    east = degrees(offset.east_m / geometry.EARTH_RADIUS_M / max(cos(radians(lat)), 1e-6))
    point = Point(lat, geometry.normalise_lon(place.point.lon + east))
    radius_m = max(1_000.0, geometry.distance_m(place.point, point) / 10)
    return replace(place, point=point, bbox=geometry.around(point, radius_m), bbox_kind="estimated", main_bbox=None)
