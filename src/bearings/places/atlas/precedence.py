"""Precedence between two places of one name, whatever their importance. Pure functions.

Some languages call a country by its part or its capital ("England", "Brasilia"), or by a word that is also the name of
a large city elsewhere ("Salvador", "Granada"). Some people call a city by its airport's code ("LAX"). A plain may have
the name of the region around it.
"""

from collections.abc import Collection, Mapping

from bearings.places.atlas.matching import Hit
from bearings.places.models import Layer, Match

STEP = 0.02
"""The lead of the meant place's score: it is ten times as likely (ranking.shares)."""

_LEAST_PEOPLE = 1_000_000
"""A city with so many people comes, by its own name, before another language's name of any country."""

_MOST_OF_COUNTRY = 0.5
"""A city with a larger share of its country's people stands for the country: Macao."""

_IATA_LETTERS = 3
_YIELDING = (Layer.COUNTRY, Layer.SETTLEMENT)


def lifted(hits: Collection[Hit]) -> Mapping[int, float]:
    """The raised scores of places that come before another one by their nature, by their ids; they keep their order."""
    yielding = [hit for hit in hits if may_yield(hit.fit.match, hit.row.layer)]
    behind: dict[int, float] = {}
    for hit in hits if yielding else ():
        if hit.fit.match is Match.ALTERNATE:
            continue
        scores = [other.score for other in yielding if any(comes_first(hit, other) for comes_first in _RULES)]
        if scores and max(scores) + STEP > hit.score:
            behind[hit.row.id] = max(scores) + STEP
    first = max((hit.score for hit in hits if hit.row.id in behind), default=0.0)
    return {hit.row.id: behind[hit.row.id] + hit.score - first for hit in hits if hit.row.id in behind}


def may_yield(match: Match, layer: Layer) -> bool:
    """Whether a place of a layer, matched so, may come after another."""
    return layer is Layer.PHYSICAL or (match is Match.ALTERNATE and layer in _YIELDING)


def _is_name_of_its_own(one: Hit, country: Hit) -> bool:
    """Whether a name is a region's or city's own, and only another language's or a former name of a country.

    The region or city is in the country, or the city has a million people, or more than the country.
    """
    row, other = one.row, country.row
    if other.layer is not Layer.COUNTRY or one.fit.match is not Match.EXACT:
        return False
    if row.layer is Layer.REGION:
        return row.country_code == other.country_code
    if row.layer is not Layer.SETTLEMENT:
        return False
    if row.country_code == other.country_code:
        return row.population <= _MOST_OF_COUNTRY * other.population
    return row.population >= min(_LEAST_PEOPLE, other.population)


def _is_its_airport(one: Hit, city: Hit) -> bool:
    """Whether a name is an airport's three-letter code, and the city's only because of it."""
    is_coded = one.row.layer is Layer.AIRPORT and one.fit.match is Match.CODE and len(one.fit.key) == _IATA_LETTERS
    return is_coded and city.row.layer is Layer.SETTLEMENT and city.fit.key == one.fit.key


def _is_governed(one: Hit, land: Hit) -> bool:
    """Whether a name is a region's and, beside it, that of a plain or wetland ("Entre Ríos")."""
    is_region = one.row.layer is Layer.REGION and one.fit.match is Match.EXACT
    return is_region and land.row.layer is Layer.PHYSICAL and land.fit.key == one.fit.key


_RULES = (_is_name_of_its_own, _is_its_airport, _is_governed)
