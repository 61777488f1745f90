"""The confidence of each place of an answer: by its fit with the question, and among its namesakes.

The numbers were set by one half of the questions of `benchmarks/nominatim.py`; the other half measures them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bearings.places import geometry
from bearings.places.engine import text
from bearings.places.models import Match, Place, Point, SearchQuery
from bearings.places.nominatim.spelling import Reading, read, words_of

AT_LEAST = 10
"""The least number of places to request, so that the first one's confidence does not depend on `limit`."""

_TRUST = {Match.EXACT: 0.99, Match.ALTERNATE: 0.96, Match.CODE: 0.95, Match.PREFIX: 0.82, None: 0.5}
"""The share of right answers among places without a namesake, by match."""

_WEIGHT = {Match.EXACT: 1.0, Match.ALTERNATE: 0.8, Match.CODE: 0.5, Match.PREFIX: 0.1, None: 0.1}
"""A place's weight among the others, by match: Triq Ponsonby is hardly meant beside a Ponsonby."""

_OF_UNUSED, _OF_POSTCODE = 0.3, 0.95
"""Factors for an unused house number (the answer is another house or a street), and for an unused postcode."""

_OF_FOREIGN = 0.98
_STEEPNESS = 30.0
"""The slope of the likelihood over the importance, which is 0–1."""

_ONE_STREET_M, _ONE_HOUSE_M = 500.0, 200.0
"""Pieces of one street, or a museum and its building, are nearer to each other than namesakes are."""

_ONE_TEXT_M = 5_000.0
"""Rows with the same full name, town and postcode included, may be farther apart."""

_STREET_RANKS = range(26, 28)

_LINES = frozenset({"highway", "railway", "waterway", "barrier", "route", "power"})
_COUNTRY_RANK = 4


def judged(
    query: SearchQuery, places: Sequence[Place], names: Sequence[Mapping[str, str]]
) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """The places in their order, each with its match and confidence, and the words that the first did not use."""
    if not places:
        return (), ()
    words = words_of(query)
    readings = [read(words, place, called, query.language) for place, called in zip(places, names, strict=True)]
    shares = _shares(places, [_WEIGHT[reading.match] * _completeness(reading) for reading in readings])
    matches = tuple(
        replace(place, match=reading.match, confidence=round(share * _TRUST[reading.match] * _completeness(reading), 3))
        for place, reading, share in zip(places, readings, shares, strict=True)
    )
    return matches, readings[0].unused


def located(place: Place, point: Point) -> Place:
    """The place found at a point, marked as containing the point or only near it.

    An area contains it, because the server searches by outline, and so does a country, which may have no object. For a
    building or park the box decides, because there is no outline. A street or a node is near.
    """
    is_area = place.osm_type in ("way", "relation") and place.category not in _LINES
    holds = (is_area or place.place_rank <= _COUNTRY_RANK) and geometry.contains(place.bbox, point)
    return replace(place, match=Match.COORDINATE if holds else Match.NEAREST)


def _completeness(reading: Reading) -> float:
    """The share of the question that the place fits."""
    unused = (_OF_POSTCODE if reading.is_whole else _OF_UNUSED) if reading.unused else 1.0
    return unused * _OF_FOREIGN ** min(reading.foreign, 4)


def _shares(places: Sequence[Place], fits: Sequence[float]) -> list[float]:
    """The likelihood of each place among the others, by fit and importance. It never rises along the order.

    Rows that are one object share their likelihood.
    """
    weights: list[float] = []
    highest = lowest = places[0].importance or 0.0
    for place, fit in zip(places, fits, strict=True):
        lowest = min(lowest, place.importance or 0.0)
        weights.append(fit * math.exp(_STEEPNESS * (lowest - highest)))
    return [
        sum(weight for other, weight in zip(places, weights, strict=True) if other is place or _are_one(place, other))
        / sum(weights)
        for place in places
    ]


def _are_one(place: Place, other: Place) -> bool:
    """Whether two rows are one object: pieces of a street, a town and its area, the contents of one house."""
    reach = _ONE_STREET_M if {place.place_rank, other.place_rank} <= set(_STREET_RANKS) else _ONE_HOUSE_M
    is_named = text.key_of(place.name) == text.key_of(other.name)
    if not is_named and (_house(place) is None or _house(place) != _house(other)):
        return False
    is_same_text = place.display_name == other.display_name
    reach = max(reach, _ONE_TEXT_M) if is_same_text else reach
    return _reaches(place, other, reach) or _reaches(other, place, reach)


def _house(place: Place) -> tuple[str, str] | None:
    """Street and number of a place that has them."""
    road, number = place.address.get("road"), place.address.get("house_number")
    return (road, number) if road and number else None


def _reaches(place: Place, other: Place, metres: float) -> bool:
    return geometry.intersects(place.bbox, geometry.around(other.point, metres))
