"""What is meant among places of like names: directions of streets, numbers that are not there, halts of a castle."""

import pytest

from bearings.places.models import Match, Point, SearchQuery
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.words import directed, words
from tests.places.osm.conftest import MakeMap, node, way


@pytest.fixture
def grid(make_map: MakeMap) -> OsmMap:
    """A town with Oak Street and East Oak Street, each with a house 100, 4th Avenue NW and South Mill Road."""
    return make_map(
        node(1, 45.0, -95.0, place="town", name="Plainview"),
        node(2, 45.001, -95.01), node(3, 45.001, -95.004), node(4, 45.001, -95.003), node(5, 45.001, -94.99),
        node(6, 45.01, -95.01), node(7, 45.02, -95.01), node(8, 44.99, -95.0), node(9, 44.98, -95.0),
        way(1, 2, 3, highway="residential", name="Oak Street"),
        way(2, 4, 5, highway="residential", name="East Oak Street"),
        way(3, 6, 7, highway="residential", name="4th Avenue NW"),
        way(4, 8, 9, highway="residential", name="South Mill Road"),
        node(10, 45.0012, -95.006, addr__housenumber="100", addr__street="Oak Street"),
        node(11, 45.0012, -94.995, addr__housenumber="100", addr__street="East Oak Street"),
        node(12, 45.0012, -94.994, addr__housenumber="12a", addr__street="East Oak Street"),
    )  # fmt: skip


DIRECTED = [
    ("100 E. Oak St., Plainview", "East Oak Street 100", 0.97, ()),
    ("100 oak street east, plainview", "East Oak Street 100", 0.97, ()),
    ("100 Oak St, Plainview", "Oak Street 100", 0.97, ()),
    ("E Oak St, Plainview", "East Oak Street", 0.97, ()),
    ("S Mill Rd, Plainview", "South Mill Road", 0.97, ()),
    ("Mill Road South, Plainview", "South Mill Road", 0.97, ()),
    ("4th Avenue Northwest, Plainview", "4th Avenue NW", 0.97, ()),
    ("NW 4th Ave, Plainview", "4th Avenue NW", 0.97, ()),
    ("100 W Oak St, Plainview", "Oak Street 100", 0.68, ("w",)),
    ("E 4th Avenue NW, Plainview", "4th Avenue NW", 0.68, ("e",)),
    ("East Oak Street 12 a, Plainview", "East Oak Street 12a", 0.97, ()),
    ("12 a East Oak Street, Plainview", "East Oak Street 12a", 0.97, ()),
    ("Oak Street 12 a, Plainview", "Oak Street", 0.68, ("12 a",)),
    ("Oak Street 9999, Plainview", "Oak Street", 0.68, ("9999",)),
    ("100 bis Oak Street, Plainview", "Oak Street 100", 0.68, ("bis",)),
    ("John Doe, Oak Street 100, Plainview", "Oak Street 100", 0.68, ("john doe",)),
    ("100 Oak Streat, Plainview", "Oak Street 100", 0.85, ()),
]


@pytest.mark.parametrize(("query", "name", "most", "unused"), DIRECTED, ids=[query for query, *_ in DIRECTED])
def test_a_street_s_direction_and_number_count(
    grid: OsmMap, query: str, name: str, most: float, unused: tuple[str, ...]
) -> None:
    first, *_ = grid.search(SearchQuery(text=query)).hits
    place = grid.place_of(first, SearchQuery(language="local"))
    assert place.display_name == f"{name}, Plainview"
    assert (first.unused, first.wrong) == (unused, "oak streat" if "Streat" in query else None)
    assert first.confidence <= most
    assert (first.confidence >= 0.9) == (most >= 0.9)


def test_a_number_that_is_not_there_leaves_a_street(grid: OsmMap) -> None:
    (hit,) = grid.search(SearchQuery(text="Oak Street 9999, Plainview")).hits
    assert grid.place_of(hit, SearchQuery()).place_rank == 26


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("E Main St", {"eastmainst", "mainsteast", "andmainst", "mainstand"}),
        ("Main St North", {"northmainst", "mainstnorth", "nmainst", "mainstn"}),
        ("Main St", set()),
        ("North", set()),
    ],
)
def test_a_direction_stands_on_either_side_in_full_or_as_a_letter(name: str, others: set[str]) -> None:
    assert set(directed(words(name))) == others


def test_and_between_two_names_is_no_direction(make_map: MakeMap) -> None:
    osm = make_map(
        node(1, 45.0, 8.0, place="town", name="Alba"),
        node(2, 45.001, 8.0, amenity="restaurant", name="Pane e Vino"),
        node(3, 45.002, 8.0, amenity="restaurant", name="Vino"),
    )
    assert osm.search(SearchQuery(text="pane e vino, Alba")).hits[0].row.name == "Pane e Vino"
    assert osm.search(SearchQuery(text="pane and vino, Alba")).hits[0].row.name == "Pane e Vino"
    (hit,) = osm.search(SearchQuery(text="Vino e Alba")).hits
    assert (hit.row.name, hit.unused) == ("Vino", ())


@pytest.fixture
def castle(make_map: MakeMap) -> OsmMap:
    """A town with a castle, a library and a zoo, and what is named after them."""
    return make_map(
        node(1, 50.0, 8.0, place="town", name="Neustadt"),
        node(2, 50.01, 8.01, historic="castle", name="Neustädter Schloss", wikidata="Q1"),
        node(3, 50.009, 8.01, railway="halt", name="Schloss"),
        node(4, 50.0095, 8.01, railway="halt", name="Schloss"),
        node(5, 50.0105, 8.011, amenity="cafe", name="Schloss Café"),
        node(6, 50.02, 8.0, amenity="parking", name="Stadtbücherei"),
        node(7, 50.0203, 8.0, amenity="library", name="Stadtbücherei"),
        node(8, 50.03, 8.0, amenity="parking", name="Tiergarten"),
        node(9, 50.1, 8.0, tourism="zoo", name="Großer Tiergarten", wikidata="Q2"),
    )


@pytest.mark.parametrize(
    ("query", "kinds", "match"),
    [
        ("Schloss, Neustadt", ["castle", "halt", "halt"], Match.PREFIX),
        ("Schloss", ["castle", "halt", "halt"], Match.PREFIX),
        ("Neustädter Schloss", ["castle"], Match.EXACT),
        ("Stadtbücherei Neustadt", ["library", "parking"], Match.EXACT),
        ("Tiergarten", ["parking"], Match.EXACT),  # the zoo is 8 km away
    ],
)
def test_what_is_meant_comes_before_what_is_named_after_it(
    castle: OsmMap, query: str, kinds: list[str], match: Match
) -> None:
    hits = castle.search(SearchQuery(text=query)).hits
    assert [hit.row.type for hit in hits] == kinds
    assert hits[0].match is match


def test_objects_of_a_kind_are_near_and_others_of_its_category_are_not(make_map: MakeMap) -> None:
    osm = make_map(
        node(1, 50.0, 8.0, amenity="restaurant", name="Ochsen"),
        node(2, 50.001, 8.0, amenity="cafe", name="Central"),
        node(3, 50.002, 8.0, shop="bakery", amenity="cafe", name="Korn"),
        node(4, 50.003, 8.0, shop="bakery", name="Müller"),
    )
    found = {
        name: [(near.place.name, near.place.category) for near in osm.nearby(Point(50, 8), 1_000, name, 5, "local")]
        for name in ("amenity=cafe", "shop=bakery", "shop", "amenity=pub")
    }
    assert found == {
        "amenity=cafe": [("Central", "amenity"), ("Korn", "amenity")],
        "shop=bakery": [("Korn", "shop"), ("Müller", "shop")],
        "shop": [("Korn", "shop"), ("Müller", "shop")],
        "amenity=pub": [],
    }
