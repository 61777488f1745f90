"""Places across 180° and at the poles through the tools, over the whole gazetteer: box, padding, area, union."""

from pathlib import Path
from typing import Any

import pytest

from bearings.errors import NotFound
from bearings.places import geometry
from bearings.places.atlas.source import GazetteerSource
from bearings.places.geocoder import Geocoder
from bearings.places.models import BBox, Point
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools

pytestmark = pytest.mark.anyio

WORLD_KM2 = 510_000_000

# name, largest width in degrees, pieces, range of the area in km², points inside
COUNTRIES: list[tuple[str, float, int, tuple[float, float], list[Point]]] = [
    ("Fiji", 8, 2, (3e5, 2e6), [Point(-18.14, 178.44), Point(-16.8, -179.97)]),
    ("New Zealand", 25, 2, (2e6, 6e6), [Point(-36.85, 174.76), Point(-43.95, -176.56)]),
    ("Russia", 175, 2, (2e7, 6e7), [Point(55.75, 37.62), Point(66.17, -169.81), Point(64.73, 177.51)]),
    ("Kiribati", 45, 2, (2e6, 1.2e7), [Point(1.33, 172.98), Point(1.87, -157.4)]),
    ("Antarctica", 360, 1, (1e7, 5e7), [Point(-77.85, 166.67), Point(-89.9, 0.0)]),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def ask(places_cache: Path) -> Any:
    settings = PlacesSettings.model_validate({"backend": "gazetteer", "cache_dir": places_cache})
    tools = {tool.name: tool for tool in PlaceTools(Geocoder(GazetteerSource(places_cache), settings=settings)).tools()}

    async def asked(name: str, **arguments: Any) -> dict[str, Any]:
        return (await tools[name].run(arguments))[0].structured()

    return asked


def holds(boxes: list[list[float]], point: Point) -> bool:
    return any(geometry.contains(BBox(*box), point) for box in boxes)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "widest", "pieces", "area", "points"), COUNTRIES, ids=[row[0] for row in COUNTRIES])
async def test_a_box_is_tight_in_as_many_pieces_as_it_takes_and_holds_the_place(
    name: str, widest: float, pieces: int, area: tuple[float, float], points: list[Point], ask: Any
) -> None:
    reply = await ask("bbox_from_place", query=name)
    whole, boxes = BBox(*reply["bbox"]), reply["bboxes"]
    assert geometry.width(whole) <= widest
    assert (whole.west > whole.east) == (pieces == 2)
    assert len(boxes) == pieces
    assert all(-180 <= west < east <= 180 and -90 <= south < north <= 90 for west, south, east, north in boxes)
    assert all(holds(boxes, point) for point in points)
    assert area[0] < reply["area_km2"] < area[1]
    assert reply["area_km2"] == pytest.approx(sum(geometry.area_km2(BBox(*box)) for box in boxes), rel=1e-5)
    assert geometry.contains(whole, Point(**reply["center"]))
    assert ("all longitudes" in reply.get("hint", "")) == (pieces == 1)


@pytest.mark.slow
@pytest.mark.parametrize("padding", [0.1, 1, 5])
@pytest.mark.parametrize("name", [row[0] for row in COUNTRIES])
async def test_padding_wraps_and_never_grows_past_the_world(name: str, padding: float, ask: Any) -> None:
    bare, padded = [await ask("bbox_from_place", query=name, padding=p) for p in (0, padding)]
    before, after = BBox(*bare["bbox"]), BBox(*padded["bbox"])
    wanted = min(360.0, geometry.width(before) * (1 + 2 * padding))
    assert geometry.width(after) == pytest.approx(wanted, abs=1e-5)
    height = (before.north - before.south) * padding
    assert after.south == pytest.approx(max(-90.0, before.south - height), abs=1e-5)
    assert after.north == pytest.approx(min(90.0, before.north + height), abs=1e-5)
    assert bare["area_km2"] < padded["area_km2"] <= WORLD_KM2 * 1.001
    assert all(west < east for west, _, east, _ in padded["bboxes"])


@pytest.mark.parametrize(
    ("waypoints", "widest", "crosses"),
    [
        (["Fiji", "Kiribati"], 60, True),
        (["Suva", "Auckland", [-16.8, -179.97]], 10, True),
        ([[66.17, -169.81], "Moscow"], 160, True),
        ([[-89.9, 0], [-89.9, 180]], 181, False),
        ([[89.9, -179.9], [89.9, 179.9]], 1, True),
        (["Paris", "Moscow"], 40, False),
    ],
)
async def test_the_box_of_a_route_takes_the_smallest_arc(
    waypoints: list[Any], widest: float, crosses: bool, ask: Any
) -> None:
    reply = await ask("route_waypoints", waypoints=waypoints)
    box = BBox(*reply["bbox"])
    assert geometry.width(box) <= widest
    assert (box.west > box.east) == crosses
    assert all(geometry.contains(box, Point(stop["lat"], stop["lon"])) for stop in reply["points"])
    assert reply["total_distance_m"] == pytest.approx(sum(leg["distance_m"] for leg in reply["legs"]), abs=0.1)


@pytest.mark.parametrize("lon", [0.0, 90.0, -180.0, 180.0])
async def test_the_south_pole_is_in_antarctica_at_every_longitude_and_the_north_pole_in_no_country(
    lon: float, ask: Any
) -> None:
    areas = await ask("admin_boundaries", lat=-90.0, lon=lon)
    assert areas["country"] == "Antarctica"
    assert (await ask("reverse_geocode", lat=-90.0, lon=lon))["address"]["country_code"] == "aq"
    with pytest.raises(NotFound):
        await ask("admin_boundaries", lat=90.0, lon=lon)


@pytest.mark.parametrize("lat", [-77.0, -60.0, -40.0, -16.8, 0.0, 30.0, 52.0, 66.0, 75.0])
async def test_180_degrees_east_and_west_are_one_meridian(lat: float, ask: Any) -> None:
    east, west = [await ask("reverse_geocode", lat=lat, lon=lon) for lon in (180.0, -180.0)]
    assert east["display_name"] == west["display_name"]
    assert east["plus_code"] == west["plus_code"]
    assert east["mgrs"] == west["mgrs"]
