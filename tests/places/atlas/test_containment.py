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
COUNTRIES = {
    "nl": ("Netherlands", BBox(4, 52, 6, 53)),
    "de": ("Germany", BBox(6, 52, 8, 53)),
    "gb": ("United Kingdom", BBox(-2, 52, 0, 53)),
}
COUNTIES = {
    "Westerdam": ("nl", BBox(4, 52, 5, 53)),
    "Oosterdam": ("nl", BBox(5, 52, 6, 53)),
    "Emsland": ("de", BBox(6, 52, 7, 53)),
    "Moorland": ("de", BBox(7, 52, 8, 53)),
    "Middle Borough": ("gb", BBox(-1.1, 52.4, -1, 52.6)),
    "East Borough": ("gb", BBox(-1, 52.4, -0.9, 52.6)),
}
TOWNS = {
    "Westerdam": ("Westerdam", 52.5, 4.9, 400_000, "city"),
    "Wijk": ("Westerdam", 52.51, 4.93, 40_000, "suburb"),
    "Oosterdorp": ("Oosterdam", 52.5, 5.6, 900, "village"),
    "Lingen": ("Emsland", 52.5, 6.1, 60_000, "city"),
    "Bawinkel": ("Emsland", 52.5, 6.8, 900, "village"),
    "Grenzdorf": ("Moorland", 52.5, 7.02, 1_000, "village"),
    "Eastham": ("East Borough", 52.5, -0.95, 90_000, "suburb"),
}
CITY = ("Greatham", Point(52.5, -1.05), 5_000_000)
"""A city of Britain in which its boroughs lie."""

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
                parent=ids["Westerdam"] if name == "Wijk" else ids[f"county {county_name}"], country_code=code,
            )  # fmt: skip
            ids[name] = writer.add(town)
            writer.add_extent(ids[name], point, town.bbox)
        name, point, people = CITY
        box = settlement.extent(point, people)
        city = NewPlace(
            name, "place", "city", 16, 0.8, point, box, "estimated", people, parent=ids["gb"], country_code="gb"
        )
        ids[name] = writer.add(city)
        writer.add_extent(ids[name], point, box)
        for borough in ("county Middle Borough", "county East Borough"):
            writer.put_into(ids[borough], ids[name])
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
        # A borough of a city, with and without a settlement of its own.
        (
            52.5,
            -0.96,
            18,
            "Eastham",
            Match.COORDINATE,
            {"suburb": "Eastham", "county": "East Borough", "city": "Greatham"},
        ),
        (52.5, -1.04, 18, "Middle Borough", Match.COORDINATE, {"county": "Middle Borough", "city": "Greatham"}),
        (52.5, -0.96, 12, "Greatham", Match.WITHIN, {"city": "Greatham"}),
        (52.5, -1.04, 10, "Greatham", Match.WITHIN, {"city": "Greatham"}),
        (52.5, -1.5, 10, "Greatham", Match.NEAREST, {"city": "Greatham"}),
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
