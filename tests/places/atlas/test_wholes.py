"""The districts that lie in a city: small ones of its own region, around it."""

from collections.abc import Mapping, Sequence

import shapely

from builder import wholes
from builder.districts import District, Settled
from builder.landscape import Holder

SHIRE = Holder(1, "gb", shapely.box(-2, 50, 2, 52), is_country=False)
OTHER = Holder(2, "gb", shapely.box(2, 50, 4, 52), is_country=False)


def district(
    name: str, west: float, members: Sequence[int] = (), region: Holder = SHIRE, country: str = "GB", side: float = 0.1
) -> District:
    return District(name, country, [shapely.box(west, 51, west + side, 51 + side)], region, list(members))


def found(
    districts: Sequence[District], cities: Mapping[str, tuple[float, int]], country: str = "GB"
) -> dict[str, str]:
    """Districts by name, and the city that each lies in; cities have the longitude and people."""
    settled = [Settled(name, country, lon, 51.05, ()) for name, (lon, _) in cities.items()]
    people = [people for _, people in cities.values()]
    lies_in = wholes.find(districts, [[each.name] for each in districts], settled, people)
    return {districts[number].name: settled[city].name for number, city in lies_in.items()}


def test_small_districts_within_the_city_s_reach_lie_in_it():
    districts = [
        district("Middle", 0, [0]),
        district("East", 0.1, [1]),
        district("Far", 1),  # 70 km away
        district("Abroad", 0.15, region=OTHER),
        district("Large", -0.5, side=0.5),
    ]
    assert found(districts, {"London": (0.05, 9_000_000), "Eastham": (0.15, 300_000)}) == {
        "Middle": "London",
        "East": "London",
    }


def test_a_city_of_a_district_that_holds_it_is_in_that():
    assert found([district("Middle", 0, [0]), district("East", 0.1)], {"Oxford": (0.05, 150_000)}) == {}


def test_of_two_cities_the_larger_one_has_the_districts():
    districts = [district("East", 0.1, [0]), district("Middle", 0, [1])]
    cities = {"Dense": (0.15, 5_000_000), "London": (0.05, 9_000_000)}
    assert found(districts, cities) == {"Middle": "London", "East": "London"}


def test_a_municipality_that_bears_the_city_s_name_is_the_city():
    districts = [district("Dense District", 0, [0], country="JP"), district("Fukui", 0.1, country="JP")]
    assert found(districts, {"Dense": (0.05, 9_000_000)}, "JP") == {}
    assert found(districts, {"Tokyo": (0.05, 9_000_000)}, "JP") == {"Dense District": "Tokyo", "Fukui": "Tokyo"}
