"""Natural features of the atlas in an index: their names, the areas around them, their rank beside towns."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from bearings.places import geometry
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.atlas.ranking import importance as importance_of_people
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.models import Backend, BBox, BoxKind, Layer, Match, Point, Provenance, SearchQuery
from bearings.places.replies import ReverseReply
from builder.feature import Feature, Name
from builder.landscape import Holder, Landscape, importance

WEST, EAST = BBox(0, 0, 10, 10), BBox(10, 0, 20, 10)


def feature(name: str, layer: Layer, kind: str, box: BBox, fame: float = 0.5, *names: Name) -> Feature:
    shape = shapely.box(*box)
    return Feature(f"test:{name}", layer, kind, name, geometry.center(box), box, "exact", names, fame=fame, shape=shape)


FEATURES = (
    feature("Lake Within", Layer.LAKE, "lake", BBox(2, 2, 3, 3), 0.5, Name("Innersee", "de"), Name("Within")),
    feature("Border Range", Layer.PHYSICAL, "mountain_range", BBox(8, 4, 12, 6), 0.9),
    feature("Western Sea", Layer.SEA, "sea", BBox(-20, -5, 0, 15), 0.8),
    feature("Small Bay", Layer.SEA, "bay", BBox(-2, 0, 0, 2), 0.2),
    feature("Long Island", Layer.ISLAND, "island", BBox(19, 4, 22, 6), 0.5),
    Feature(
        "test:peak", Layer.PHYSICAL, "peak", "High Peak", Point(5, 5), geometry.around(Point(5, 5), 1000), "estimated",
        codes=(), fame=0.4, elevation_m=4321.0,
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Atlas]:
    path: Path = tmp_path_factory.mktemp("landscape") / "index.sqlite"
    with IndexWriter(path) as writer:
        holders = []
        for name, code, box in (("Westland", "ww", WEST), ("Eastland", "ee", EAST)):
            exact: BoxKind = "exact"
            country = NewPlace(name, "boundary", "country", 4, 0.8, geometry.center(box), box, exact, country_code=code)
            identifier = writer.add(country)
            writer.add_area(identifier, box, shapely.box(*box), Layer.COUNTRY)
            holders.append(Holder(identifier, code, shapely.box(*box), is_country=True))
        Landscape(writer, holders).add(FEATURES)
    index = Index(path)
    yield Atlas(index)
    index.close()


def first(atlas: Atlas, query: str, language: str = "en"):
    return atlas.search(SearchQuery(text=query, language=language)).places[0]


def test_a_feature_lies_in_the_area_that_holds_it(atlas: Atlas):
    assert first(atlas, "Lake Within").display_name == "Lake Within, Westland"
    assert first(atlas, "High Peak, Westland").point == (5, 5)


def test_an_island_ends_where_its_country_s_land_does(atlas: Atlas):
    island = first(atlas, "Long Island")
    assert island.bbox == (19, 4, 20, 6)
    assert island.display_name == "Long Island, Eastland"


def test_a_feature_across_a_border_has_no_country(atlas: Atlas):
    assert first(atlas, "Border Range").display_name == "Border Range"
    assert first(atlas, "Border Range").address == {"natural": "Border Range"}


def test_a_feature_is_named_in_the_language_asked_for(atlas: Atlas):
    assert first(atlas, "Lake Within", "de").name == "Innersee"
    assert first(atlas, "innersee").match == Match.ALTERNATE


def test_a_point_at_sea_is_in_the_smallest_sea_that_holds_it(atlas: Atlas):
    names = [place and place.name for lon in (-1, -10, -30) for place in [atlas.reverse(Point(1, lon), 10, "en")]]
    assert names == ["Small Bay", "Western Sea", None]
    assert atlas.levels(Point(1, -1), "en") == ((), {})


def test_a_point_in_a_lake_is_in_the_lake_where_that_is_asked_for(atlas: Atlas):
    found = [atlas.reverse(Point(2.5, 2.5), zoom, "en") for zoom in (3, 8, 10, 18)]
    assert [place and place.name for place in found] == ["Westland", "Westland", "Lake Within", "Lake Within"]
    assert found[-1] is not None
    assert found[-1].match == Match.COORDINATE
    assert found[-1].address == {"natural": "Lake Within", "country": "Westland", "country_code": "ww"}


def test_fame_ranks_beside_people():
    famous, known, unknown = (feature("x", Layer.PHYSICAL, "peak", WEST, fame) for fame in (0.95, 0.6, 0.05))
    assert importance(famous) > importance_of_people(20_000_000, 16)
    assert importance(known) > importance_of_people(100_000, 16)
    assert importance(unknown) > importance_of_people(800, 19)


def test_a_layer_matches_nominatim_s(atlas: Atlas):
    def found(*layers: str) -> list[str]:
        return [place.name for place in atlas.search(SearchQuery(text="Lake Within", layer=layers)).places]

    assert (found("natural"), found("address"), found("railway")) == (["Lake Within"], [], [])


def test_a_part_that_names_nothing_is_passed_over_and_told(atlas: Atlas):
    found = atlas.search(SearchQuery(text="High Peak, Nonesuchshire, Westland"))
    assert [place.name for place in found.places] == ["High Peak"]
    assert found.unused == ("Nonesuchshire",)
    assert (found.places[0].confidence or 1.0) < 0.95
    assert atlas.search(SearchQuery(text="High Peak, Eastland, Westland")).places == ()
    assert atlas.search(SearchQuery(text="Nonesuch, Nowhereshire, Westland")).places == ()


def test_a_reply_about_a_point_that_an_area_holds_is_not_far_away(atlas: Atlas):
    place = atlas.reverse(Point(9, 9), 3, "en")
    assert place is not None
    reply = ReverseReply.of(Point(9, 9), place, Provenance(Backend.GAZETTEER, "ours"))
    assert reply.distance_m == 0
    assert "holds 9, 9; its own point is 5, 5" in reply.to_text()
