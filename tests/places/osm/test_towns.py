"""Towns that addresses alone name, and areas that the atlas tells."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bearings.places.engine.world import WorldArea
from bearings.places.models import BBox, Match, Point, SearchQuery
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.progress import NoProgress
from tests.places.osm.conftest import MakeMap, node, osm, way

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


def kinds(osm_map: OsmMap, name: str) -> list[tuple[str, int]]:
    return [(hit.row.type, hit.row.rank) for hit in osm_map.search(SearchQuery(text=name)).hits]


@pytest.mark.parametrize(
    ("count", "expected"), [(1, []), (2, []), (3, [("locality", 25)]), (49, [("locality", 25)]), (50, [("city", 16)])]
)
def test_a_town_is_as_large_as_its_addresses_are_many(make_map: MakeMap, count: int, expected: list[tuple[str, int]]):
    made = make_map(*ROAD, *houses(count, "Neustadt"), node(90, 50.001, 8.0, place="town", name="Altdorf"))
    assert kinds(made, "Neustadt") == expected
    if expected:
        assert len(made.search(SearchQuery(text="Lindenweg 2, Neustadt")).hits) == 1


def test_one_address_names_a_town_where_nothing_else_does_and_a_misspelt_one_none(make_map: MakeMap):
    made = make_map(*ROAD, *houses(1, "Neustaddt"), *houses(2, "Neustadt", first=200), *houses(1, "Altdorf", first=300))
    assert kinds(made, "Altdorf") == kinds(made, "Neustadt") == [("locality", 25)]
    assert [hit.row.name for hit in made.search(SearchQuery(text="Neustaddt")).hits] == ["Neustadt"]


def test_a_town_inside_a_municipality_is_not_believed(make_map: MakeMap):
    made = make_map(*ROAD, *houses(9, "Balzers (FL)"), *square(10, 2, 7.9, 0.2, admin_level="8", name="Balzers"))
    assert kinds(made, "Balzers") == [("administrative", 16)]
    assert all(hit.row.name != "Balzers (FL)" for hit in made.search(SearchQuery(text="Balzers (FL)")).hits)


def test_a_street_is_no_town(make_map: MakeMap):
    made = make_map(*ROAD, *houses(9, "Lindenweg"))
    assert [row for row, _ in kinds(made, "Lindenweg")] == ["residential"]


def test_a_misspelt_settlement_is_no_town(make_map: MakeMap):
    made = make_map(*ROAD, *houses(9, "Neustaddt"), node(90, 50.0, 8.0, place="town", name="Neustadt"))
    (hit,) = made.search(SearchQuery(text="Neustaddt")).hits
    assert (hit.row.type, hit.match) == ("town", Match.CORRECTED)


def test_a_town_beyond_the_country_is_no_answer_but_is_known(make_map: MakeMap):
    country = square(10, 2, 9.0, 0.2, admin_level="2", name="Fernland")
    made = make_map(*ROAD, *houses(9, "Feldkirch"), *country)
    assert kinds(made, "Feldkirch") == []
    assert made.search(SearchQuery(text="Lindenweg 2, Feldkirch")).hits[0].row.house == "2"


class Fernland:
    """A country with one region, whose points lie in both."""

    def areas_at(self, point: Point) -> Sequence[WorldArea]:
        box, at = BBox(7.0, 49.0, 9.0, 51.0), Point(50.0, 8.0)
        return (
            WorldArea("Mitte", {}, 8, "FL-M", "fl", at, box),
            WorldArea("Fernland", {}, 4, "FL", "fl", at, box),
        )


def test_a_country_of_the_atlas_lies_in_none_of_its_regions(tmp_path: Path):
    file = tmp_path / "a.osm"
    region = square(10, 2, 7.9, 0.2, admin_level="4", name="Mark")
    file.write_text(osm(*ROAD, *region), encoding="utf-8")
    make(tmp_path / "a.map", [file], Fernland(), NoProgress())
    opened = OsmMap(Map(tmp_path / "a.map"))
    shown = {}
    for zoom in (3, 16):
        found = opened.reverse(Point(50.0, 8.005), zoom, "local", ())
        assert found is not None
        shown[zoom] = found[0].display_name
    assert shown[3] == "Fernland"
    assert shown[16].endswith("Fernland")
    query = SearchQuery(text="Mark", language="local")
    assert opened.place_of(opened.search(query).hits[0], query).display_name == "Mark, Fernland"
    opened.map.close()


def test_what_holds_a_point_is_named_from_the_smallest_to_the_largest(make_map: MakeMap):
    """The country has a small part beside the region's large one: the order is that of the whole areas."""
    west = [(40.0, 0.0), (40.0, 3.0), (49.0, 3.0), (49.0, 0.0)]
    small = [(49.95, 7.95), (49.95, 8.05), (50.05, 8.05), (50.05, 7.95)]
    members = "".join(f'<member type="way" ref="{each}" role="outer"/>' for each in (50, 51))
    tags = {"type": "boundary", "boundary": "administrative", "admin_level": "2", "name": "Fernland"}
    given = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
    made = make_map(
        *ROAD, *(node(number, *corner) for number, corner in enumerate((*west, *small), 60)),
        *square(10, 2, 7.9, 0.2, admin_level="4", name="Mitte"),
        way(50, 60, 61, 62, 63, 60), way(51, 64, 65, 66, 67, 64),
        f'<relation id="1" version="1">{members}{given}</relation>',
    )  # fmt: skip
    found = made.reverse(Point(50.0001, 8.005), 16, "local", ())
    assert found is not None
    assert found[0].display_name == "Lindenweg, Mitte, Fernland"
    levels, _ = made.levels(Point(50.0001, 8.005), "local", "none")
    assert [level.name for level in levels] == ["Fernland", "Mitte"]
