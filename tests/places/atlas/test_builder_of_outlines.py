"""What the atlas's builder mends: airports in degrees and minutes, land beyond a border, continents without islands."""

from collections.abc import Mapping
from typing import Any

import pytest
import shapely

from bearings.places.models import BBox, Layer, Point
from builder import airports, geoboundaries, outposts
from builder.continents import with_islands
from builder.districts import Settled, within
from builder.feature import Feature
from builder.landscape import Holder


def row(country: str, lat: float, lon: float, city: str = "") -> Mapping[str, Any]:
    return {"country": country, "lat": lat, "lon": lon, "city": city}


@pytest.mark.parametrize(
    ("lat", "lon", "expected"),
    [
        (50.5405, 4.2904, (50.90139, 4.48444)),
        (49.3724, 6.1216, (49.62333, 6.20444)),
        (-12.3, -7.0, (-12.5, -7.0)),
        (50.54051, 4.2904, None),  # five decimals are none of minutes and seconds
        (50.6405, 4.2904, None),  # 64 minutes
        (50.5477, 4.2904, None),  # 77 seconds
    ],
)
def test_degrees_minutes_and_seconds(lat: float, lon: float, expected: tuple[float, float] | None):
    again = airports.in_dms(row("BE", lat, lon))
    assert (again and (again["lat"], again["lon"])) == expected


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_a_country_in_minutes_is_read_so_as_a_whole_and_no_other():
    land = {
        "BE": shapely.box(2.5, 49.5, 6.4, 51.5),
        "FR": shapely.box(2, 48, 6, 49.49),
        "PR": shapely.box(-67, 18, -66, 18.6),
    }
    rows = {
        "BRU": row("BE", 50.5405, 4.2904),  # in Belgium both ways
        "AAA": row("BE", 49.4505, 5.3000),  # in France, unless it is 49°45′05″
        "OBL": row("BE", 51.2647, 4.75333),
        "CDG": row("FR", 49.0128, 2.5500),
        "XXX": row("FR", 50.9, 4.4),  # in Belgium however it is read
        "SJU": row("US", 18.4394, -66.0021),
        "LDH": row("FR", 40.0, 3.0, "Nowhere at all"),  # at sea: an islet
        "SEA": row("FR", 40.0, 3.0, "Paris"),
    }
    found = airports.placed(rows, {**land, "US": shapely.box(-100, 30, -80, 40)})
    assert sorted(found) == ["AAA", "BRU", "CDG", "LDH", "OBL", "SJU"]
    assert (found["BRU"]["lat"], found["AAA"]["lat"], found["CDG"]["lat"]) == (50.90139, 49.75139, 49.0128)
    assert (found["OBL"]["lon"], found["SJU"]["country"]) == (4.75333, "PR")


HOLDERS = [
    Holder(1, "mx", shapely.box(0, 0, 10, 10), is_country=True),
    Holder(2, "us", shapely.box(0, 10, 10, 20), is_country=True),
]
AREAS: dict[str | int, int] = {"MX": 1, "US": 2}


@pytest.mark.parametrize(
    ("cities", "expected"),
    [
        ([("US", 5.0, 9.99)], [2]),  # El Paso, a kilometre south of the line
        ([("US", 5.0, 9.0)], []),  # 110 km: no error of a line
        ([("US", 5.0, 10.5), ("MX", 5.0, 9.99)], []),
        ([("US", -3.0, 9.99)], []),  # at sea: the nearest coast tells
        ([("US", 5.0, 9.99), ("MX", 5.01, 9.98)], [2]),
    ],
)
def test_a_settlement_over_the_line_has_land_there(cities: list[tuple[str, float, float]], expected: list[int]):
    settled = [Settled("", country, lon, lat, ()) for country, lon, lat in cities]
    found = list(outposts.find(settled, [600_000] * len(settled), HOLDERS, AREAS, []))
    assert [each.holder.place for each in found] == expected
    for outpost in found:
        assert outpost.land.contains(shapely.Point(settled[0].lon, settled[0].lat))
        assert not any(outpost.land.contains(shapely.Point(each.lon, each.lat)) for each in settled[1:])


def test_disputed_land_has_none():
    settled = [Settled("", "US", 5.0, 9.99, ())]
    assert list(outposts.find(settled, [600_000], HOLDERS, AREAS, [shapely.box(4, 9, 6, 11)])) == []


def test_points_in_shapes():
    points = shapely.points([(0.5, 0.5), (1.5, 0.5), (9, 9)])
    assert within(points, [shapely.box(1, 0, 2, 1), shapely.box(0, 0, 2, 1)]) == [(0, 1), (1, 0), (1, 1)]


RUSSIA = ((30, 50, 39, 60), (41, 50, 170, 65), (179.5, 70, 180, 71), (35, 71, 38, 72))


def continent(name: str, box: BBox) -> Feature:
    return Feature(
        f"test:{name}", Layer.CONTINENT, "continent", name, Point(0, 0), box, "exact", shape=shapely.box(*box)
    )


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_islands_are_in_the_continent_of_their_country():
    continents = [continent("Europe", BBox(0, 40, 40, 70)), continent("Asia", BBox(40.5, 30, 179, 70))]
    shapes = {
        "IS": shapely.box(-24, 63, -13, 66),  # by GeoNames
        "RU": shapely.multipolygons([shapely.box(*box) for box in RUSSIA]),
        "ZZ": shapely.box(-60, 0, -50, 1),
    }
    europe, asia = with_islands(continents, shapes)
    assert europe.bbox == BBox(-24, 40, 40, 72)
    assert asia.bbox == BBox(40.5, 30, 180, 71)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Frogn nor", "Frogn"), ('"Nedre Eiker" nor', "Nedre Eiker"), ("Buk-gu [North Distrikt]", "Buk-gu"),
        ("ROSCREA-TEMPLEMORE LEA-4", "Roscrea-Templemore"), ("Abu_Halifa", "Abu Halifa"), ("SECTOR 1", "Sector 1"),
        ("HÅ", "HÅ"), ("Oosterhonor", "Oosterhonor"), ("Bergen (NH)", "Bergen (NH)"),
    ],
)  # fmt: skip
def test_names_of_outlines_are_written_as_people_write_them(name: str, written: str):
    assert geoboundaries.mended(name) == written
