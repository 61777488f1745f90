"""Cities larger than the district around their middle: Westminster lies in London, as do the districts beside it."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from bearings.places import geometry
from bearings.places.atlas import settlement
from bearings.places.models import Layer, Point
from builder.alike import folded
from builder.districts import District, Settled, km2

_SHARE = 0.2
"""A district of at most so much of a city's area, whose middle is in the city's reach, may lie in it."""


def find(
    districts: Sequence[District],
    names: Sequence[Collection[str]],
    cities: Sequence[Settled],
    people: Sequence[int],
) -> dict[int, int]:
    """The city that a district lies in, by their numbers; `names` are those of each district.

    The city's middle is in one of its districts, and all are of one region. Of two cities the larger one counts. A
    municipality that bears its city's name is the city.
    """
    home = {member: number for number, district in enumerate(districts) for member in district.members}
    areas = [km2(district.parts) for district in districts]
    of_region: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, district in enumerate(districts):
        of_region[_region(district)].append(number)
    found: dict[int, int] = {}
    for city, around in sorted(home.items(), key=lambda each: -people[each[0]]):
        reach_m = settlement.radius_m(people[city])
        most = _SHARE * settlement.area_km2(people[city])
        if around in found or areas[around] > most or _is_city(districts[around], names[around], cities[city].name):
            continue
        middle = Point(cities[city].lat, cities[city].lon)
        for number in of_region[_region(districts[around])]:
            is_near = geometry.distance_m(middle, _middle(districts[number])) <= reach_m
            if number not in found and areas[number] <= most and (is_near or number == around):
                found[number] = city
    return found


def _region(district: District) -> tuple[str, int]:
    return district.country, 0 if district.region is None else district.region.place


def _is_city(district: District, names: Collection[str], city: str) -> bool:
    municipal = district.country.lower() in settlement.MUNICIPAL[Layer.COUNTY]
    return municipal and folded(city) in map(folded, names)


def _middle(district: District) -> Point:
    middle = max(district.parts, key=lambda part: part.area).centroid
    return Point(middle.y, middle.x)
