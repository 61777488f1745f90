"""Towns that addresses alone name, and areas that the atlas tells."""

import pytest

from bearings.places.models import Match, SearchQuery
from bearings.places.osm.answers import OsmMap
from tests.places.osm.conftest import MakeMap, node, way

ROAD = (node(1, 50.0, 8.0), node(2, 50.0, 8.01), way(1, 1, 2, highway="residential", name="Lindenweg"))


def houses(count: int, city: str, lat: float = 50.0002, first: int = 100) -> list[str]:
    """Numbered houses of one street, all of one town."""
    return [
        node(first + number, lat, 8.0 + 0.0001 * number, addr__housenumber=str(number + 1), addr__street="Lindenweg",
             addr__city=city)
        for number in range(count)
    ]  # fmt: skip


def square(first: int, number: int, west: float, side: float, **tags: str) -> list[str]:
    """An area from 49.9 north."""
    corners = [(49.9, west), (49.9, west + side), (50.1, west + side), (50.1, west)]
    nodes = [node(first + at, *corner) for at, corner in enumerate(corners)]
    return [*nodes, way(number, *range(first, first + 4), first, boundary="administrative", **tags)]


def kinds(osm: OsmMap, name: str) -> list[tuple[str, int]]:
    return [(hit.row.type, hit.row.rank) for hit in osm.search(SearchQuery(text=name)).hits]


@pytest.mark.parametrize(
    ("count", "expected"), [(1, []), (2, []), (3, [("locality", 25)]), (49, [("locality", 25)]), (50, [("city", 16)])]
)
def test_a_town_is_as_large_as_its_addresses_are_many(make_map: MakeMap, count: int, expected: list[tuple[str, int]]):
    osm = make_map(*ROAD, *houses(count, "Neustadt"), node(90, 50.001, 8.0, place="town", name="Altdorf"))
    assert kinds(osm, "Neustadt") == expected
    if expected:
        assert len(osm.search(SearchQuery(text="Lindenweg 2, Neustadt")).hits) == 1


def test_one_address_names_a_town_where_nothing_else_does_and_a_misspelt_one_none(make_map: MakeMap):
    osm = make_map(*ROAD, *houses(1, "Neustaddt"), *houses(2, "Neustadt", first=200), *houses(1, "Altdorf", first=300))
    assert kinds(osm, "Altdorf") == kinds(osm, "Neustadt") == [("locality", 25)]
    assert [hit.row.name for hit in osm.search(SearchQuery(text="Neustaddt")).hits] == ["Neustadt"]


def test_a_town_inside_a_municipality_is_not_believed(make_map: MakeMap):
    osm = make_map(*ROAD, *houses(9, "Balzers (FL)"), *square(10, 2, 7.9, 0.2, admin_level="8", name="Balzers"))
    assert kinds(osm, "Balzers") == [("administrative", 16)]
    assert all(hit.row.name != "Balzers (FL)" for hit in osm.search(SearchQuery(text="Balzers (FL)")).hits)


def test_a_street_is_no_town(make_map: MakeMap):
    osm = make_map(*ROAD, *houses(9, "Lindenweg"))
    assert [row for row, _ in kinds(osm, "Lindenweg")] == ["residential"]


def test_a_misspelt_settlement_is_no_town(make_map: MakeMap):
    osm = make_map(*ROAD, *houses(9, "Neustaddt"), node(90, 50.0, 8.0, place="town", name="Neustadt"))
    (hit,) = osm.search(SearchQuery(text="Neustaddt")).hits
    assert (hit.row.type, hit.match) == ("town", Match.CORRECTED)


def test_a_town_beyond_the_country_is_no_answer_but_is_known(make_map: MakeMap):
    country = square(10, 2, 9.0, 0.2, admin_level="2", name="Fernland")
    osm = make_map(*ROAD, *houses(9, "Feldkirch"), *country)
    assert kinds(osm, "Feldkirch") == []
    assert osm.search(SearchQuery(text="Lindenweg 2, Feldkirch")).hits[0].row.house == "2"
