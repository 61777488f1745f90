"""Outlines from a Nominatim: requested by id, simplified by the place's size, with a reason if there is none."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from bearings.places import geometry, shapes
from bearings.places.models import BBox, Point, SearchQuery
from bearings.places.nominatim.source import NominatimSource
from tests.places.nominatim.conftest import MakeClient, row, settings

pytestmark = pytest.mark.anyio

Ask = Callable[["World"], NominatimSource]


def square(west: float, south: float, side: float) -> list[list[list[float]]]:
    east, north = west + side, south + side
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


TOWN = row()
COUNTRY = row(osm_id=7, place_rank=4, name="Land", boundingbox=["0", "10", "-60", "10"])
NODE = row(osm_type="node", osm_id=9)
POSTCODE = row(osm_type=None, osm_id=None, type="postcode")
SHAPES = {
    42: {"type": "Polygon", "coordinates": square(0.9, 51.75, 0.05)},
    7: {"type": "MultiPolygon", "coordinates": [square(0, 0, 10), square(-60, 5, 1)]},
}


class World(httpx2.AsyncBaseTransport):
    """A server that finds `rows` and looks up those with a geometry; a whole one takes `padding` bytes."""

    def __init__(self, *rows: dict[str, Any], padding: int = 0, sent: dict[int, Any] | None = None) -> None:
        self.rows, self.padding, self.sent = rows, padding, SHAPES if sent is None else sent
        self.lookups: list[dict[str, str]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        params = dict(request.url.params)
        if not request.url.path.endswith("lookup"):
            found = list(self.rows)
            return httpx2.Response(200, content=json.dumps(found if "q" in params else found[0]))
        self.lookups.append(params)
        ids = [int(osm_id[1:]) for osm_id in params["osm_ids"].split(",")]
        known = [{**one, "geojson": self.sent.get(one["osm_id"])} for one in self.rows if one.get("osm_id") in ids]
        blank = " " * (self.padding if params.get("polygon_threshold") == "0" else 0)
        return httpx2.Response(200, content=json.dumps(known) + blank)


@pytest.fixture
def ask(make_client: MakeClient) -> Ask:
    return lambda world: NominatimSource(make_client(transport=world), settings())


async def test_no_outline_is_asked_for_unless_it_is_wanted(ask: Ask) -> None:
    world = World(TOWN)
    found = await ask(world).search(SearchQuery(text="Seaford"))
    assert (world.lookups, found.places[0].outline) == ([], None)


async def test_each_outline_is_as_simple_as_its_place_is_large(ask: Ask) -> None:
    world = World(TOWN, COUNTRY, NODE, POSTCODE)
    found = await ask(world).search(SearchQuery(text="Seaford", geometry="simplified"))
    assert [(one["osm_ids"], one["polygon_threshold"]) for one in world.lookups] == [("R42", "1e-05"), ("R7", "0.01")]
    town, country, node, postcode = (place.outline for place in found.places)
    assert town.shape.bounds == pytest.approx((0.9, 51.75, 0.95, 51.8))
    assert (round(town.tolerance_m), round(country.tolerance_m)) == (1, 1112)
    assert node.shape.geom_type == "Point"
    assert "no object of OpenStreetMap" in (postcode.note or "")


async def test_an_answer_with_outlines_is_not_that_without(ask: Ask) -> None:
    world = World(TOWN)
    source = ask(world)
    for detail in ("simplified", "full", "full"):
        place = (await source.search(SearchQuery(text="Seaford", geometry=detail))).places[0]
        assert place.outline.shape is not None
    assert [one["polygon_threshold"] for one in world.lookups] == ["1e-05", "0"]
    assert (await source.lookup(["R42"], language="en")).places[0].outline is None


async def test_a_whole_outline_that_is_too_large_is_asked_for_again_and_simpler(ask: Ask) -> None:
    world = World(COUNTRY, padding=5_000_001)
    found = await ask(world).search(SearchQuery(text="Land", geometry="full"))
    outline = found.places[0].outline
    assert [one["polygon_threshold"] for one in world.lookups] == ["0", "0.01"]
    assert outline.shape is not None
    assert outline.note == "Simplified by the server."


@pytest.mark.parametrize("geojson", [None, {"type": "Polygon", "coordinates": [[[0, 0], [400, 0], [0, 1]]]}, 5])
async def test_an_outline_that_is_none_is_told(ask: Ask, geojson: object) -> None:
    found = await ask(World(TOWN, sent={42: geojson})).search(SearchQuery(text="Seaford", geometry="full"))
    assert found.places[0].outline.shape is None
    assert "no outline that can be read" in (found.places[0].outline.note or "")


async def test_a_main_part_is_computed_from_the_polygon(ask: Ask) -> None:
    found = await ask(World(COUNTRY)).search(SearchQuery(text="Land", parts="main"))
    place = found.places[0]
    assert place.bbox == pytest.approx((-0.01, -0.01, 10.01, 10.01), abs=1e-6)
    assert (place.bbox_kind, place.outline) == ("exact", None)


async def test_a_small_place_has_one_part_and_needs_no_request(ask: Ask) -> None:
    world = World(TOWN)
    await ask(world).search(SearchQuery(text="Seaford", parts="main"))
    assert world.lookups == []


@pytest.mark.parametrize(("parts", "says"), [("all", True), ("own", True), ("main", False)])
async def test_a_note_says_that_a_nominatim_does_not_know_parts(ask: Ask, parts: Any, says: bool) -> None:
    found = await ask(World(COUNTRY)).search(SearchQuery(text="Land", parts=parts))
    assert bool(found.note and "overseas" in found.note) is says


async def test_areas_have_outlines_by_their_objects(ask: Ask) -> None:
    world = World(row(address={"town": "Seaford", "country": "Land", "country_code": "xx"}))
    areas = await ask(world).admin(Point(51.78, 0.92), language="en", geometry="full")
    by_level = {area.level: area.outline for area in areas.levels}
    assert by_level["town"].shape is not None
    assert by_level["country"].note
    box = shapes.box_of(by_level["town"].shape)
    assert geometry.encloses(BBox(0.8, 51.7, 1, 51.9), box)
