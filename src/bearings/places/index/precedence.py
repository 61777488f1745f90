"""Which of two places is meant where one name is both's, whatever their importance says. Pure.

A country is called by its part or its capital in some languages ("England", "Brasilia"), or by a word that is the name
of a large city elsewhere ("Salvador", "Granada"); a city is called by its airport's code ("LAX"); a plain has the
name of the region around it.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from bearings.places.index.database import Row
from bearings.places.models import Layer, Match

STEP = 0.02
"""By how much the one that is meant has the higher score: it is ten times as likely (ranking.shares)."""

_LEAST_PEOPLE = 1_000_000
"""People of a city whose own name comes before another language's name of any country."""

_MOST_OF_COUNTRY = 0.5
"""A city that holds more of its country's people stands for the country: Macao."""

_IATA_LETTERS = 3
_YIELDING = (Layer.COUNTRY, Layer.SETTLEMENT)


class Candidate(NamedTuple):
    """A place, how it matches, the key that does, and its score."""

    row: Row
    match: Match
    key: str
    score: float


def lifted(candidates: Collection[Candidate]) -> Mapping[int, float]:
    """The scores of the places that come before another for what they are, by their ids; they keep their order."""
    yielding = [one for one in candidates if may_yield(one.match, one.row.layer)]
    behind: dict[int, float] = {}
    for one in candidates if yielding else ():
        if one.match is Match.ALTERNATE:
            continue
        scores = [other.score for other in yielding if any(comes_first(one, other) for comes_first in _RULES)]
        if scores and max(scores) + STEP > one.score:
            behind[one.row.id] = max(scores) + STEP
    first = max((one.score for one in candidates if one.row.id in behind), default=0.0)
    return {one.row.id: behind[one.row.id] + one.score - first for one in candidates if one.row.id in behind}


def may_yield(match: Match, layer: Layer) -> bool:
    """Whether a place of a layer, matched so, may come after another."""
    return layer is Layer.PHYSICAL or (match is Match.ALTERNATE and layer in _YIELDING)


def _is_name_of_its_own(one: Candidate, country: Candidate) -> bool:
    """Whether a name is a region's or city's own, and only another language's or a former one of a country.

    The region or city is in the country, or the city has a million people, or more than the country.
    """
    row, other = one.row, country.row
    if other.layer is not Layer.COUNTRY or one.match is not Match.EXACT:
        return False
    if row.layer is Layer.REGION:
        return row.country_code == other.country_code
    if row.layer is not Layer.SETTLEMENT:
        return False
    if row.country_code == other.country_code:
        return row.population <= _MOST_OF_COUNTRY * other.population
    return row.population >= min(_LEAST_PEOPLE, other.population)


def _is_its_airport(one: Candidate, city: Candidate) -> bool:
    """Whether a name is the three letters of an airport's code, and a city's only for them."""
    is_coded = one.row.layer is Layer.AIRPORT and one.match is Match.CODE and len(one.key) == _IATA_LETTERS
    return is_coded and city.row.layer is Layer.SETTLEMENT and city.key == one.key


def _is_governed(one: Candidate, land: Candidate) -> bool:
    """Whether a name is a region's and, beside it, that of a plain or wetland ("Entre Ríos")."""
    is_region = one.row.layer is Layer.REGION and one.match is Match.EXACT
    return is_region and land.row.layer is Layer.PHYSICAL and land.key == one.key


_RULES = (_is_name_of_its_own, _is_its_airport, _is_governed)
