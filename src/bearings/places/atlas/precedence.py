"""Precedence between two places of one name, whatever their importance. Pure functions.

A region's seat of the same name comes before it ("Zürich", "Lisboa"), and a city before a small region elsewhere
("Savannah").

Some languages call a country by its part or its capital ("England", "Brasilia"), or by a word that is also the name of
a large city elsewhere ("Salvador", "Granada"). Some people call a city by its airport's code ("LAX"). A plain may have
the name of the region around it.
"""

from collections.abc import Collection, Mapping
from heapq import nlargest

from bearings.places.atlas.matching import Hit
from bearings.places.atlas.ranking import UNTOLD_FIT
from bearings.places.engine.misspelling import within_edits
from bearings.places.engine.text import key_of
from bearings.places.geometry import area_km2, contains, distance_m
from bearings.places.models import Layer, Match

STEP = 0.02
"""The lead of the meant place's score: it is ten times as likely (ranking.shares)."""

_LEAST_PEOPLE = 100_000
"""A city with so many people comes, by its own name, before another language's name of any country."""

_MOST_OF_COUNTRY = 0.5
"""A city with a larger share of its country's people stands for the country: Macao."""

_LEAST_OF_CITY = 100_000
_SHARE_OF_SEAT, _SHARE_OF_NICKNAME = 0.1, 0.25
"""A town that bears its region's name is meant if it has such a share of its people, by its main or another name."""

_MOST_OF_SMALL_REGION = 5
"""A region of fewer times a city's people is no better known."""

_MOST_COMPARED = 20
"""The best hits: San Juan has 400 namesakes, of which few are known at all."""

_FAR_BETTER_KNOWN, _ABOUT_AS_LARGE = 0.1, 15.0
_LEAST_LIKE = 6
"""Letters of a name from which on another spelling of it is one edit away: "Hanover", but not "Oio" of Oyo."""
_IATA_LETTERS, _SERVED_M = 3, 150_000.0
_SEATED = (Layer.REGION, Layer.COUNTY)
_YIELDING = (Layer.COUNTRY, Layer.SETTLEMENT)


def lifted(hits: Collection[Hit]) -> Mapping[int, float]:
    """The changed scores of places that come before another one by their nature, and of seats' regions, by their ids.

    The raised ones keep their order. A seat takes its region's score, and the region comes after it.
    """
    hits = nlargest(_MOST_COMPARED, hits, key=lambda hit: hit.score)
    yielding = [hit for hit in hits if may_yield(hit.fit.match, hit.row.layer)]
    behind: dict[int, float] = {}
    for hit in hits if yielding else ():
        scores = [other.score for other in yielding if any(comes_first(hit, other) for comes_first in _RULES)]
        if scores and max(scores) + STEP > hit.score:
            behind[hit.row.id] = max(scores) + STEP
    first = max((hit.score for hit in hits if hit.row.id in behind), default=0.0)
    changed = {hit.row.id: behind[hit.row.id] + hit.score - first for hit in hits if hit.row.id in behind}
    for region in yielding:
        seat = max((hit for hit in hits if _is_its_seat(hit, region)), key=lambda hit: hit.score, default=None)
        if seat is not None and region.row.id not in changed and seat.score < region.score + STEP:
            changed[seat.row.id] = max(changed.get(seat.row.id, 0.0), seat.score, region.score)
            changed[region.row.id] = min(seat.score, region.score - STEP)
    return changed


def may_yield(match: Match, layer: Layer) -> bool:
    """Whether a place of a layer, matched so, may come after another."""
    return layer in (Layer.PHYSICAL, *_SEATED) or (match is Match.ALTERNATE and layer in _YIELDING)


def _is_name_of_its_own(one: Hit, country: Hit) -> bool:
    """Whether a name is a region's or city's own, and only another language's or a former name of a country.

    The region or city is in the country, or the city has 100,000 people, or more than the country.
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
    """Whether a name is an airport's three-letter code, and the city's only because of it: not Åbo's in Africa."""
    is_coded = one.row.layer is Layer.AIRPORT and one.fit.match is Match.CODE and len(one.fit.key) == _IATA_LETTERS
    is_coded = is_coded and city.fit.match is Match.ALTERNATE and city.fit.key == one.fit.key
    return is_coded and city.row.layer is Layer.SETTLEMENT and distance_m(one.row.point, city.row.point) <= _SERVED_M


def _is_governed(one: Hit, land: Hit) -> bool:
    """Whether a region and a plain or wetland have one name ("Entre Ríos").

    A land of quite another size that is far better known comes first: the mountain Kilimanjaro, the Sahel.
    """
    is_region = one.row.layer is Layer.REGION and one.fit.match is Match.EXACT
    is_land = land.row.layer is Layer.PHYSICAL and land.fit.key == one.fit.key
    if not is_region or not is_land or land.row.importance < one.row.importance + _FAR_BETTER_KNOWN:
        return is_region and is_land
    least, most = sorted(area_km2(hit.row.bbox) for hit in (one, land))
    return most <= _ABOUT_AS_LARGE * least


def _is_its_seat(one: Hit, region: Hit) -> bool:
    """Whether a settlement in a region has its name, and 100,000 people or a tenth of the region's.

    A quarter, if the name is only a part of the settlement's: Oaxaca de Juárez, but not Oklahoma City, nor Fortaleza,
    which some call by its state Ceará.
    """
    town, area = one.row, region.row
    if town.layer is not Layer.SETTLEMENT or area.layer not in _SEATED or one.fit.key != region.fit.key:
        return False
    if town.country_code != area.country_code or not contains(area.bbox, town.point):
        return False
    is_told = one.fit.match is Match.ALTERNATE and one.fit.value > UNTOLD_FIT  # "Lisboa" of Lisbon
    if not is_told and key_of(town.name) != one.fit.key:
        is_part = f" {one.fit.key} " in f" {key_of(town.name)} "
        return is_part and town.population >= _SHARE_OF_NICKNAME * area.population
    return town.population >= min(_LEAST_OF_CITY, _SHARE_OF_SEAT * area.population)


def _is_city_elsewhere(one: Hit, region: Hit) -> bool:
    """Whether a city of 100,000 people has the name of a region elsewhere that has few more: Savannah in Georgia.

    By a name much like its own, if the region has far fewer people: Hannover is "Hanover", before Jamaica's parish.
    """
    city, area = one.row, region.row
    is_city = city.layer is Layer.SETTLEMENT and city.population >= _LEAST_OF_CITY
    is_elsewhere = city.country_code != area.country_code and area.layer is Layer.REGION
    most = _MOST_OF_SMALL_REGION * city.population
    if one.fit.match is not Match.EXACT and region.fit.match is not Match.ALTERNATE:
        most = city.population // _MOST_OF_SMALL_REGION if _is_like_its_own(one) else -1
    return is_city and is_elsewhere and area.population <= most


def _is_like_its_own(city: Hit) -> bool:
    """Whether a city's name in another language has a letter more or less than its own, or is a part of it."""
    key, own = city.fit.key, key_of(city.row.name)
    is_like = len(key) >= _LEAST_LIKE and any(within_edits(key, (own,), 1))
    return city.fit.value > UNTOLD_FIT and (is_like or f" {key} " in f" {own} ")


_RULES = (_is_name_of_its_own, _is_its_airport, _is_governed, _is_city_elsewhere)
