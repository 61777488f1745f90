"""A settlement's kind, rank and extent, estimated from its population. Chosen numbers; sources beside them."""

import math

from bearings.places import geometry
from bearings.places.models import BBox, Layer, Point

CITY_PEOPLE, TOWN_PEOPLE = 50_000, 5_000
"""Least populations of a city and a town: the Degree of Urbanisation (UN Statistical Commission, 2020)."""

PLACE_RANKS = {"city": 16, "town": 18, "village": 19}
"""Nominatim's (https://nominatim.org/release-docs/latest/customize/Ranking/)."""

MUNICIPAL = {
    Layer.REGION: frozenset("li me mk mt si".split()),
    Layer.COUNTY: frozenset(
        "bg br co cr cu cy dk do ec ee gt hn hr is jp lt lu lv mx ni nl no pa pr pt py ro rs se sv tr uy ve xk".split()
    ),
}
"""The layer of outlines that are municipalities, and the countries where they are: a point in one is in its town, or in
one of its villages. Elsewhere they are districts, counties or departments, which hold many municipalities."""

_RADIUS_M_PER_PERSON_POWER, _POWER = 22.7, 0.44
_LEAST_RADIUS_M = 1000.0


def kind(population: int) -> str:
    """The kind of a settlement, an OSM value of `place`: city, town or village."""
    if population >= CITY_PEOPLE:
        return "city"
    return "town" if population >= TOWN_PEOPLE else "village"


def radius_m(population: int) -> float:
    """Metres: 22.7 · population^0.44, at least 1,000.

    The form is Nordbeck's law (1971), by which a town's area grows as its population to the power 0.88; the constant
    was chosen so that 100,000 people take 3.6 km and London 26 km.
    """
    return max(_LEAST_RADIUS_M, _RADIUS_M_PER_PERSON_POWER * math.pow(max(0, population), _POWER))


def area_km2(population: int) -> float:
    """The area of the circle of `radius_m`."""
    return math.pi * (radius_m(population) / 1000) ** 2


def extent(point: Point, population: int) -> BBox:
    """The box around a settlement, estimated from its population; always of positive area."""
    return geometry.around(point, radius_m(population))
