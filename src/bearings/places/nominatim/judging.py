"""How likely each place of an answer is what was meant: by how it fits the question, and among its namesakes.

The numbers were set by one half of the questions of `benchmarks/nominatim.py`, and are measured by the other half.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bearings.places import geometry
from bearings.places.index import text
from bearings.places.models import Match, Place, Point, SearchQuery
from bearings.places.nominatim.spelling import Reading, read, words_of

AT_LEAST = 10
"""Places to ask for, so that what is said of the first does not hang on how many are wanted; Nominatim's default."""

_TRUST = {Match.EXACT: 0.99, Match.ALTERNATE: 0.96, Match.CODE: 0.95, Match.PREFIX: 0.82, None: 0.5}
"""How often a place that fits so is what was meant, if it has no namesake."""

_WEIGHT = {Match.EXACT: 1.0, Match.ALTERNATE: 0.8, Match.CODE: 0.5, Match.PREFIX: 0.1, None: 0.1}
"""How a place that fits so counts among the others: Triq Ponsonby is hardly meant where there is a Ponsonby."""

_OF_UNUSED, _OF_POSTCODE = 0.3, 0.95
"""The factors where a house number was not used, so that another house or none is the answer, and a postcode."""

_OF_FOREIGN = 0.98
_STEEPNESS = 30.0
"""How fast the likelihood falls with the importance, which is 0–1."""

_ONE_STREET_M, _ONE_HOUSE_M = 500.0, 200.0
"""Pieces of one street, and a museum and its building, are nearer to each other than namesakes are."""

_ONE_TEXT_M = 5_000.0
"""What also has the same full name, town and postcode included, may be farther."""

_STREET_RANKS = range(26, 28)

_LINES = frozenset({"highway", "railway", "waterway", "barrier", "route", "power"})
_COUNTRY_RANK = 4


def judged(
    asked: SearchQuery, places: Sequence[Place], names: Sequence[Mapping[str, str]]
) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """The places in their order, each with its match and confidence; the words that the first did not use."""
    if not places:
        return (), ()
    words = words_of(asked)
    readings = [read(words, place, called, asked.language) for place, called in zip(places, names, strict=True)]
    shares = _shares(places, [_WEIGHT[reading.match] * _completeness(reading) for reading in readings])
    said = tuple(
        replace(place, match=reading.match, confidence=round(share * _TRUST[reading.match] * _completeness(reading), 3))
        for place, reading, share in zip(places, readings, shares, strict=True)
    )
    return said, readings[0].unused


def located(place: Place, point: Point) -> Place:
    """A place that was found at a point: whether it holds it, or is only near.

    An area does, since the server looks for it by its outline, and a country, of which it may know no object. Of a
    building or park the box is asked, since outlines do not come along; a street, or what is a point itself, is near.
    """
    is_area = place.osm_type in ("way", "relation") and place.category not in _LINES
    holds = (is_area or place.place_rank <= _COUNTRY_RANK) and geometry.contains(place.bbox, point)
    return replace(place, match=Match.COORDINATE if holds else Match.NEAREST)


def _completeness(reading: Reading) -> float:
    """How much of the question the place fits."""
    unused = (_OF_POSTCODE if reading.is_whole else _OF_UNUSED) if reading.unused else 1.0
    return unused * _OF_FOREIGN ** min(reading.foreign, 4)


def _shares(places: Sequence[Place], fits: Sequence[float]) -> list[float]:
    """How likely each is the one among them: by fit and importance, which none has more of than one before it.

    What is one thing in several rows shares what either is likely to be.
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
    """Whether two rows are the same thing: pieces of a street, a town and its area, what is in one house."""
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
