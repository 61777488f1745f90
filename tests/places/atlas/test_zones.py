"""The time zone of a point, over an index of two countries and the sea between them."""

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import shapely

from bearings.places import geometry
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.atlas.zones import nautical
from bearings.places.models import BBox, Layer, Point, SearchQuery, TimeZone

WIDE, NARROW, ICE = BBox(0, 0, 20, 10), BBox(30, 0, 40, 10), BBox(-180, -90, 180, -60)
WEST, EAST, STATION = BBox(0, 0, 10, 10), BBox(10, 0, 19, 10), BBox(165, -79, 168, -77)


def build(path: Path, outlines: bool) -> None:
    with IndexWriter(path) as writer:
        west, east = (writer.add_zone(f"Africa/{name}", ["xa"]) for name in ("Lagos", "Cairo"))
        one, station = writer.add_zone("Asia/Dubai", ["xb"]), writer.add_zone("Antarctica/McMurdo", ["aq"])
        for zone, box in ((west, WEST), (east, EAST), (station, STATION)) if outlines else ():
            writer.add_area(zone, box, shapely.box(*box), Layer.TIME_ZONE)
        for name, code, box in (("Wide", "xa", WIDE), ("Narrow", "xb", NARROW), ("Ice", "aq", ICE)):
            country = NewPlace(
                name, "boundary", "country", 4, 0.9, geometry.center(box), box, "exact",
                country_code=code, code=code.upper(), layer=Layer.COUNTRY, zone=one if code == "xb" else None,
            )  # fmt: skip
            place = writer.add(country, (), (code,))
            writer.add_area(place, box, shapely.box(*box), Layer.COUNTRY)
        sea = NewPlace("Gulf", "place", "sea", 22, 0.5, Point(5, 25), BBox(-60, -10, 60, 20), "exact", layer=Layer.SEA)
        writer.add_area(writer.add(sea), sea.bbox, shapely.box(*sea.bbox), Layer.SEA)
        region = NewPlace(
            "Far West", "boundary", "state", 8, 0.5, Point(5, 1), BBox(0, 0, 2, 10), "exact",
            parent=place, country_code="xa", layer=Layer.REGION, zone=west,
        )  # fmt: skip
        writer.add_area(writer.add(region), region.bbox, shapely.box(*region.bbox), Layer.REGION)


@pytest.fixture(scope="module", params=[True, False], ids=["outlines", "none"])
def drawn(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def atlas(drawn: bool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Atlas]:
    path = tmp_path_factory.mktemp("zones") / "index.sqlite"
    build(path, drawn)
    index = Index(path)
    yield Atlas(index)
    index.close()


def zone(atlas: Atlas, lat: float, lon: float) -> TimeZone | None:
    place = atlas.reverse(Point(lat, lon), 18, "en")
    assert place is not None
    return place.time_zone


@pytest.mark.parametrize(
    ("lat", "lon", "name"),
    [(5, 9, "Africa/Lagos"), (5, 11, "Africa/Cairo"), (5, 19.9, "Africa/Cairo"), (-0.1, 5, "Africa/Lagos")],
    ids=["west", "east", "beyond the outlines", "territorial waters"],
)
def test_in_a_country_of_several_zones_the_nearest_outline_says_it(
    atlas: Atlas, drawn: bool, lat: float, lon: float, name: str
):
    assert zone(atlas, lat, lon) == (TimeZone(name) if drawn else None)


def test_without_outlines_a_region_of_one_zone_says_it(atlas: Atlas):
    assert zone(atlas, 5, 1) == TimeZone("Africa/Lagos")


def test_a_country_of_one_zone_says_it_wherever_other_zones_are_drawn(atlas: Atlas):
    assert zone(atlas, 5, 31) == TimeZone("Asia/Dubai")
    assert zone(atlas, 5, 29.9) == TimeZone("Asia/Dubai"), "eleven kilometres off its coast"
    found = atlas.search(SearchQuery(text="Narrow")).places[0]
    assert found.time_zone == TimeZone("Asia/Dubai")
    assert atlas.search(SearchQuery(text="Wide")).places[0].time_zone is None


def test_at_sea_and_on_the_ice_the_longitude_says_it(atlas: Atlas, drawn: bool):
    assert zone(atlas, 5, 25) == TimeZone("Etc/GMT-2", nautical=True)
    assert zone(atlas, -80, 100) == TimeZone("Etc/GMT-7", nautical=True)
    at_station = TimeZone("Antarctica/McMurdo") if drawn else TimeZone("Etc/GMT-11", nautical=True)
    assert zone(atlas, -78, 166) == at_station


@pytest.mark.parametrize(
    ("lon", "name"),
    [
        (0, "Etc/GMT"),
        (7.4, "Etc/GMT"),
        (-30, "Etc/GMT+2"),
        (180, "Etc/GMT-12"),
        (-180, "Etc/GMT+12"),
        (-7.6, "Etc/GMT+1"),
    ],
)
def test_nautical_zones_are_those_of_iana(lon: float, name: str):
    assert nautical(Point(0, lon)).id == name
    assert ZoneInfo(name).key == name
