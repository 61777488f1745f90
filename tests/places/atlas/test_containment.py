"""The county of a point is the one whose outline holds it; its town is one of that county, and of its own country."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from bearings.places import geometry
from bearings.places.atlas import settlement
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.models import BBox, Layer, Match, Point

# Two countries of two counties each. The Netherlands' second-level areas are municipalities, Germany's are not.
COUNTRIES = {"nl": ("Netherlands", BBox(4, 52, 6, 53)), "de": ("Germany", BBox(6, 52, 8, 53))}
COUNTIES = {
    "Westerdam": ("nl", BBox(4, 52, 5, 53)),
    "Oosterdam": ("nl", BBox(5, 52, 6, 53)),
    "Emsland": ("de", BBox(6, 52, 7, 53)),
    "Moorland": ("de", BBox(7, 52, 8, 53)),
}
TOWNS = {
    "Westerdam": ("Westerdam", 52.5, 4.9, 400_000, "city"),
    "Wijk": ("Westerdam", 52.51, 4.93, 40_000, "suburb"),
    "Oosterdorp": ("Oosterdam", 52.5, 5.6, 900, "village"),
    "Lingen": ("Emsland", 52.5, 6.1, 60_000, "city"),
    "Bawinkel": ("Emsland", 52.5, 6.8, 900, "village"),
    "Grenzdorf": ("Moorland", 52.5, 7.02, 1_000, "village"),
}
LINGEN_BEYOND = BBox(5.97, 52.48, 6.0, 52.52)
"""Land of Germany that an outline has on the Dutch side."""


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Atlas]:
    path: Path = tmp_path_factory.mktemp("containment") / "index.sqlite"
    with IndexWriter(path) as writer:
        ids = {}
        for code, (name, box) in COUNTRIES.items():
            country = NewPlace(
                name, "boundary", "country", 4, 0.9, geometry.center(box), box, "exact", country_code=code
            )
            ids[code] = writer.add(country)
            writer.add_area(ids[code], box, shapely.box(*box), Layer.COUNTRY)
        writer.add_area(ids["de"], LINGEN_BEYOND, shapely.box(*LINGEN_BEYOND), Layer.COUNTRY)
        for name, (code, box) in COUNTIES.items():
            county = NewPlace(
                name, "boundary", "county", 12, 0.4, geometry.center(box), box, "exact", 1000, parent=ids[code],
                country_code=code,
            )  # fmt: skip
            ids[f"county {name}"] = writer.add(county)
            writer.add_area(ids[f"county {name}"], box, shapely.box(*box), Layer.COUNTY)
        for name, (county_name, lat, lon, people, kind) in TOWNS.items():
            point, code = Point(lat, lon), COUNTIES[county_name][0]
            town = NewPlace(
                name, "place", kind, 20 if kind == "suburb" else settlement.PLACE_RANKS[kind], 0.3,
                point, settlement.extent(point, people), "estimated", people,
                parent=ids["Westerdam"] if kind == "suburb" else ids[f"county {county_name}"], country_code=code,
            )  # fmt: skip
            ids[name] = writer.add(town)
            writer.add_extent(ids[name], point, town.bbox)
    index = Index(path)
    yield Atlas(index)
    index.close()


@pytest.mark.parametrize(
    ("lat", "lon", "zoom", "name", "match", "address"),
    [
        # 100 m over the line from a city of 400,000 people: the municipality decides, and not who is nearer.
        (52.5, 5.001, 18, "Oosterdorp", Match.WITHIN, {"village": "Oosterdorp", "county": "Oosterdam"}),
        (52.1, 4.1, 18, "Westerdam", Match.COORDINATE, {"county": "Westerdam"}),  # 60 km away: the municipality alone
        (52.5, 4.89, 18, "Westerdam", Match.WITHIN, {"city": "Westerdam", "county": "Westerdam"}),
        (52.511, 4.931, 18, "Wijk", Match.WITHIN, {"suburb": "Wijk", "city": "Westerdam", "county": "Westerdam"}),
        (52.511, 4.931, 10, "Westerdam", Match.WITHIN, {"city": "Westerdam", "county": "Westerdam"}),
        (52.511, 4.931, 9, "Westerdam", Match.COORDINATE, {"county": "Westerdam"}),
        # A district of many municipalities: one of its own settlements, by nearness.
        (52.5, 6.99, 18, "Bawinkel", Match.NEAREST, {"village": "Bawinkel", "county": "Emsland"}),
        (52.5, 7.02, 18, "Grenzdorf", Match.COORDINATE, {"village": "Grenzdorf", "county": "Moorland"}),
    ],
)
def test_the_outline_decides(
    atlas: Atlas, lat: float, lon: float, zoom: int, name: str, match: Match, address: dict[str, str]
):
    place = atlas.reverse(Point(lat, lon), zoom, "en")
    assert place is not None
    found = {key: value for key, value in place.address.items() if not key.startswith("country")}
    assert (place.name, place.match, found) == (name, match, address)


def test_a_town_beyond_the_border_of_a_coarse_outline_is_its_own_country_s(atlas: Atlas):
    place = atlas.reverse(Point(52.5, 5.98), 18, "en")
    assert place is not None
    assert (place.name, place.address["country_code"]) == ("Lingen", "de")


def test_admin_lists_the_same_areas_with_their_outlines(atlas: Atlas):
    levels, address = atlas.levels(Point(52.511, 4.931), "en", "simplified")
    assert [level.name for level in levels] == ["Netherlands", "Westerdam", "Westerdam", "Wijk"]
    county = levels[1].outline
    assert county is not None
    assert county.shape is not None
    assert county.shape.bounds == tuple(COUNTIES["Westerdam"][1])
    assert address["suburb"] == "Wijk"
