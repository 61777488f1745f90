"""Disputed areas: their administrators, claimants, and the source of that opinion."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from bearings.places import geometry
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.models import BBox, Disputed, Layer, Party, Point, SearchQuery

NORTH, SOUTH = BBox(0, 0, 10, 10), BBox(0, -10, 10, 0)
ISLES, EAST, WEST = BBox(-60, -90, -20, -80), BBox(-50, -90, -20, -80), BBox(-60, -90, -31, -80)
STRIP, CORNER = BBox(0, 0, 10, 2), BBox(8, -2, 10, 0)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Atlas]:
    path = tmp_path_factory.mktemp("disputes") / "index.sqlite"
    build(path)
    index = Index(path)
    yield Atlas(index)
    index.close()


def build(path: Path) -> None:
    with IndexWriter(path) as writer:
        north, south = (_add(writer, name, "country", box) for name, box in (("Norland", NORTH), ("Sudland", SOUTH)))
        writer.localise(south, {"fr": "Terre-du-Sud"})
        strip, corner = _add(writer, "The Strip", "disputed", STRIP), _add(writer, "Corner", "disputed", CORNER)
        writer.dispute(strip, "claimed", "An Atlas", [north], [south])
        writer.dispute(corner, "breakaway", "Another Atlas", [corner], [south])
        _add(writer, "Icy Isles", "country", ISLES)
        for name, box in (("East Isles", EAST), ("West Isles", WEST)):
            writer.dispute(_add(writer, name, "disputed", box), "claimed", "An Atlas", [], [north])
        town = NewPlace(
            "Middling", "place", "town", 18, 0.4, Point(1, 5), geometry.around(Point(1, 5), 3_000), "estimated", 9_000,
            parent=north, country_code="no",
        )  # fmt: skip
        writer.add_extent(writer.add(town), town.point, town.bbox)


def _add(writer: IndexWriter, name: str, kind: str, box: BBox) -> int:
    is_country = kind == "country"
    code = name[:2] if is_country else None
    place = NewPlace(
        name, "boundary", kind, 4 if is_country else 22, 0.8, geometry.center(box), box, "exact",
        country_code=code and code.lower(), code=code and code.upper(),
        layer=Layer.COUNTRY if is_country else Layer.DISPUTED,
    )  # fmt: skip
    identifier = writer.add(place)
    writer.add_area(identifier, box, shapely.box(*box), Layer.COUNTRY if is_country else Layer.DISPUTED)
    return identifier


def test_a_point_tells_the_areas_that_hold_it_with_all_sides(atlas: Atlas):
    place = atlas.reverse(Point(1, 1), 18, "en")
    told = (Disputed("The Strip", "claimed", (Party("Norland", "NO"),), (Party("Sudland", "SU"),), "An Atlas"),)
    assert place is not None
    assert place.disputed == told
    assert place.address["country"] == "Norland", "the dispute takes nothing away"
    assert atlas.disputed(Point(1, 1), "en") == told


def test_a_point_elsewhere_tells_none(atlas: Atlas):
    for point in (Point(5, 5), Point(-5, 5), Point(50, 50)):
        assert atlas.disputed(point, "en") == ()


def test_an_area_that_governs_itself_is_its_own_side_and_has_no_code(atlas: Atlas):
    (told,) = atlas.disputed(Point(-1, 9), "fr")
    assert told.administered_by == (Party("Corner"),)
    assert told.claimed_by == (Party("Terre-du-Sud", "SU"),)


@pytest.mark.parametrize(
    ("query", "areas"),
    [
        ("The Strip", ["The Strip"]),
        ("Middling", ["The Strip"]),
        ("Norland", []),
        ("Sudland", []),
        ("Icy Isles", ["East Isles", "West Isles"]),
    ],
)
def test_a_name_tells_the_areas_around_its_place_and_not_its_parts(atlas: Atlas, query: str, areas: list[str]):
    found = atlas.search(SearchQuery(text=query)).places[0]
    assert sorted(area.name for area in found.disputed) == areas


@pytest.mark.parametrize("lon", [0.0, -40.0, 180.0])
def test_at_a_pole_all_areas_meet_that_reach_it(atlas: Atlas, lon: float):
    assert [area.name for area in atlas.disputed(Point(-90, lon), "en")] == ["East Isles", "West Isles"]
    assert atlas.disputed(Point(90, lon), "en") == ()
