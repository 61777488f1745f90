"""Whether a source of one part of the world, or one of the whole world, knows the place that a query means. Pure.

A map of a town has a café of almost any name. What it finds answers if it is a settlement or an area, or if nothing
famous outside bears the name; "Paris" asked of a map of Andorra is Paris, "Vaduz" asked of one of Liechtenstein is its.
"""

from dataclasses import replace

from bearings.places import geometry
from bearings.places.models import Found, Match, Place, SearchQuery

FAMOUS = 0.5
"""The importance from which on a place of the world comes before an object of its name: a city of 40,000."""

_LEAST_CONFIDENCE = 0.2
"""Below it a place is one of many of its name, and the source does not know which is meant."""

_LAST_AREA_RANK = 20
"""Nominatim's rank of hamlets: up to here a place is a settlement or an area, beyond it a street or an object."""

_SAME_M = 20_000.0
"""Two sources put the middle of one city so far apart at most."""

_NAMED = (Match.EXACT, Match.ALTERNATE, Match.CODE)
_SECOND = 0.5
"""The factor on the confidence of places that are less likely meant."""


def is_known(found: Found) -> bool:
    """Whether the first place is named by the whole query."""
    if not found.places or found.unused:
        return False
    best = found.places[0]
    return best.match in _NAMED and (best.confidence or 0.0) >= _LEAST_CONFIDENCE


def is_meant_elsewhere(local: Found, world: Found, query: SearchQuery) -> bool:
    """Whether a famous place of the world is meant, or the same one with its area, rather than what is local."""
    if query.near is not None or query.viewbox is not None or not is_known(world):
        return False
    ours, theirs = local.places[0], world.places[0]
    if geometry.distance_m(ours.point, theirs.point) <= _SAME_M and ours.bbox_kind == "estimated":
        return theirs.bbox_kind == "exact" and theirs.place_rank <= ours.place_rank  # an area rather than its point
    # A town or village of the map answers, "Vaduz"; a café "Paris" does not when the city is as famous as that.
    if ours.place_rank <= _LAST_AREA_RANK or geometry.distance_m(ours.point, theirs.point) <= _SAME_M:
        return False
    return (theirs.importance or 0.0) >= FAMOUS


def joined(first: Found, second: Found, limit: int) -> Found:
    """The places of both, each with its source; those of the second are less likely meant."""
    places = [_said(place, first) for place in first.places]
    places += [replace(_said(place, second), confidence=_less(place)) for place in second.places]
    return replace(first, places=tuple(places[:limit]))


def _said(place: Place, found: Found) -> Place:
    return replace(place, source=found.provenance)


def _less(place: Place) -> float | None:
    return None if place.confidence is None else round(place.confidence * _SECOND, 3)
