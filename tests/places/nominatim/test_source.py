"""Nominatim as a source: boxes across 180°, nearby places, administrative areas, and the status."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from bearings.errors import BearingsError, InvalidInput, RateLimited, Unavailable
from bearings.places import geometry
from bearings.places.categories import Category, Tag, belongs
from bearings.places.models import Backend, BBox, Match, Point, SearchQuery
from bearings.places.nominatim import nearby, poi, wire
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.source import NominatimSource
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress
from tests.places.nominatim.conftest import MakeClient, row, settings

pytestmark = pytest.mark.anyio

HERE = Point(51.78, 0.92)
Reply = Callable[[httpx2.Request], Any]
Ask = Callable[..., NominatimSource]


class World(httpx2.AsyncBaseTransport):
    """A server made of a function from requests to JSON, or to a status."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[httpx2.QueryParams] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.params)
        said = self.reply(request)
        return httpx2.Response(said) if isinstance(said, int) else httpx2.Response(200, content=json.dumps(said))


@pytest.fixture
def ask(make_client: MakeClient) -> Ask:
    """A source over a world."""

    def make(world: World, **values: Any) -> NominatimSource:
        return NominatimSource(make_client(transport=world, **values), settings(**values))

    return make


def fiji(**changes: Any) -> dict[str, Any]:
    return row(osm_id=571747, name="Fiji", boundingbox=["-21.9", "-12.2", "-180", "180"], **changes)


FIJI_PARTS = {
    "type": "MultiPolygon",
    "coordinates": [
        [[[177.0, -19.0], [180.0, -19.0], [180.0, -16.0], [177.0, -19.0]]],
        [[[-180.0, -18.0], [-178.0, -18.0], [-178.0, -17.0], [-180.0, -18.0]]],
    ],
}


async def test_it_is_a_place_source(ask: Ask) -> None:
    source: PlaceSource = ask(World(lambda _: []))
    await source.prepare(NoProgress())
    assert source.backend is Backend.NOMINATIM
    assert (await source.search(SearchQuery(text="x"))).places == ()


async def test_an_answer_says_where_it_is_from(ask: Ask) -> None:
    source = ask(World(lambda _: [row()]))
    for cached in (False, True):
        said = (await source.search(SearchQuery(text="Seaford"))).provenance
        assert (said.backend, said.host, said.cached, said.age_s) == (Backend.NOMINATIM, "127.0.0.1:9", cached, 0)
        assert "OpenStreetMap" in said.attribution


@pytest.mark.parametrize("names", [1, 600])
async def test_a_place_says_how_it_fits_however_many_names_it_has(ask: Ask, names: int) -> None:
    called = {f"name:{number}": f"Meerfurt {number}" for number in range(names)} | {"name:de": "Meerfurt"}
    source = ask(World(lambda _: [row(namedetails={"name": "Seaford", **called})]))
    found = await source.search(SearchQuery(text="7 Meerfurt, Shire", limit=1))
    assert (found.places[0].match, found.unused) == (Match.ALTERNATE, ("7",) if names == 1 else ())
    assert (await source.search(SearchQuery(text="Seaford"))).places[0].match is Match.EXACT


async def test_ten_places_are_asked_for_and_as_many_given_as_are_wanted(ask: Ask) -> None:
    world = World(lambda _: [row(osm_id=n, lat=str(n), boundingbox=[f"{n}", f"{n}.1", "0.9", "1"]) for n in range(10)])
    found = await ask(world).search(SearchQuery(text="Seaford", limit=1))
    assert (world.asked[0]["limit"], world.asked[0]["namedetails"]) == ("10", "1")
    assert [place.confidence for place in found.places] == [0.099]
    assert len((await ask(world).search(SearchQuery(text="Seaford", limit=3))).places) == 3


async def test_a_world_wide_box_is_made_from_the_polygon(ask: Ask) -> None:
    world = World(lambda r: [fiji(geojson=FIJI_PARTS)] if r.url.path == "/lookup" else [fiji()])
    found = await ask(world).search(SearchQuery(text="Fiji"))
    assert found.places[0].bbox == pytest.approx(BBox(176.99, -19.01, -177.99, -15.99))
    assert found.places[0].bbox_kind == "exact"
    assert (world.asked[1]["osm_ids"], world.asked[1]["polygon_geojson"]) == ("R571747", "1")


async def test_places_that_do_not_go_round_the_world_need_no_polygon(ask: Ask) -> None:
    world = World(lambda _: [row()])
    await ask(world).search(SearchQuery(text="Seaford"))
    assert len(world.asked) == 1


async def test_a_polygon_that_can_not_be_had_leaves_the_box_and_says_so(ask: Ask) -> None:
    world = World(lambda r: 404 if r.url.path == "/lookup" else fiji() if r.url.path == "/reverse" else [fiji()])
    source = ask(world)
    found = await source.search(SearchQuery(text="Fiji"))
    assert geometry.width(found.places[0].bbox) == 360
    assert "too wide" in (found.provenance.reason or "")
    located = await source.reverse(Point(-17, 178), zoom=3, language="en")
    assert "too wide" in (located.provenance.reason or "")


async def test_a_viewbox_across_180_is_asked_in_two_pieces_and_merged(ask: Ask) -> None:
    def reply(request: httpx2.Request) -> Any:
        west = float(request.url.params["viewbox"].split(",")[0])
        both = row(osm_id=1, importance=0.9)
        return [both, row(osm_id=2, importance=0.1)] if west > 0 else [both, row(osm_id=3, importance=0.5)]

    world = World(reply)
    query = SearchQuery(text="Suva", viewbox=BBox(177, -20, -178, -15), bounded=True, limit=2)
    found = await ask(world).search(query)
    assert [params["viewbox"].split(",")[0] for params in world.asked] == ["177.000000", "-180.000000"]
    assert [place.osm_id for place in found.places] == [1, 3]


async def test_the_sea_has_no_place_and_no_government(ask: Ask) -> None:
    source = ask(World(lambda _: {"error": "Unable to geocode"}))
    assert (await source.reverse(Point(0, 0), zoom=18, language="en")).place is None
    governed = await source.admin(Point(0, 0), language="en")
    assert (governed.levels, governed.address) == ((), {})


async def test_administrative_areas_come_outermost_first(ask: Ask) -> None:
    parts = {"suburb": "Old Town", "city": "Boulder", "county": "Boulder County", "ISO3166-2-lvl4": "US-CO"}
    world = World(
        lambda _: row(address={**parts, "state": "Colorado", "country": "United States", "country_code": "us"})
    )
    governed = await ask(world).admin(HERE, language="de")
    assert [(level.level, level.code) for level in governed.levels] == [
        ("country", "US"), ("state", "US-CO"), ("county", None), ("city", None), ("suburb", None)
    ]  # fmt: skip
    assert {params["accept-language"] for params in world.asked} == {"de"}


GOZO = {"island": "Gozo", "country": "Malta", "country_code": "mt"}


def areas(island_kind: str) -> Reply:
    """Country, island and village, as a server returns them by zoom."""

    def reply(request: httpx2.Request) -> Any:
        zoom = int(request.url.params["zoom"])
        name, number, parts = (
            ("Malta", 1, {"country": "Malta", "country_code": "mt"}) if zoom == 3
            else ("Gozo", 2, GOZO) if zoom < 10
            else ("Xewkija", 3, {"village": "Xewkija", **GOZO})
        )  # fmt: skip
        kind = island_kind if name == "Gozo" else "administrative"
        category = "boundary" if kind == "administrative" else "place"
        return row(
            name=name,
            osm_id=number,
            address=parts,
            category=category,
            type=kind,
            extratags={"admin_level": str(number)},
        )

    return reply


@pytest.mark.parametrize(("pace", "zooms"), [(0, [10, 14, 3, 5, 8]), (1.05, [10, 14, 5])], ids=["free", "paced"])
async def test_an_island_that_is_governed_is_an_area(ask: Ask, pace: float, zooms: list[int]) -> None:
    world = World(areas("administrative"))
    governed = await ask(world, rate_limit=pace).admin(HERE, language="en")
    assert [(area.level, area.name) for area in governed.levels] == [
        ("country", "Malta"), ("island", "Gozo"), ("village", "Xewkija")
    ]  # fmt: skip
    assert [int(params["zoom"]) for params in world.asked] == zooms


async def test_an_island_that_is_none_of_the_areas_is_left_out(ask: Ask) -> None:
    governed = await ask(World(areas("island"))).admin(HERE, language="en")
    assert [area.name for area in governed.levels] == ["Malta", "Xewkija"]
    assert governed.address["island"] == "Gozo"


async def test_areas_that_a_server_answers_with_have_their_object_and_level(ask: Ask) -> None:
    free = await ask(World(areas("administrative"))).admin(HERE, language="en")
    assert [(area.osm_type, area.osm_id, area.admin_level) for area in free.levels] == [
        ("relation", number, number) for number in (1, 2, 3)
    ]


async def test_a_paced_server_is_asked_for_two_areas_and_the_rest_have_no_object(ask: Ask) -> None:
    parts = {"city": "Boulder", "state": "Colorado", "country": "United States"}
    world = World(lambda _: row(name="Boulder", address=parts))
    governed = await ask(world, rate_limit=1.05).admin(HERE, language="en")
    assert [params["zoom"] for params in world.asked] == ["10", "14"]
    assert [(area.name, area.osm_id) for area in governed.levels] == [
        ("United States", None), ("Colorado", None), ("Boulder", 42)
    ]  # fmt: skip


async def test_a_village_does_not_hide_the_municipality_that_contains_it(ask: Ask) -> None:
    def reply(request: httpx2.Request) -> Any:
        if int(request.url.params["zoom"]) <= 10:
            return row(address={"village": "Mellieha", "country": "Malta", "country_code": "mt"})
        return row(address={"hamlet": "Bay", "village": "Manikata", "postcode": "X 1", "country": "Malta"})

    governed = await ask(World(reply)).admin(HERE, language="en")
    assert [level.name for level in governed.levels if level.level != "country"] == ["Mellieha", "Manikata", "Bay"]
    assert governed.address["village"] == "Manikata"
    assert governed.address["postcode"] == "X 1"


async def test_a_lookup_returns_the_known_places(ask: Ask) -> None:
    world = World(lambda _: [row()])
    found = await ask(world).lookup(["r42", "N1"], language="en")
    assert [place.osm_id for place in found.places] == [42]
    assert world.asked[0]["osm_ids"] == "R42,N1"


# Nearby places


def poi_row(
    key: str, value: str, number: int, name: str, lat: float = HERE.lat, lon: float = HERE.lon
) -> dict[str, Any]:
    return row(
        osm_type="node", osm_id=number, category=key, type=value, name=name, lat=lat, lon=lon, place_rank=30,
        display_name=name or "7, The Street", importance=-0.001,
    )  # fmt: skip


def town(request: httpx2.Request) -> Any:
    """A street, and for each tag one object, 111 m further north than the previous one."""
    if request.url.path == "/reverse":
        return row(address={"road": "The Lane", "village": "West Mersea", "suburb": "Shore", "country_code": "gb"})
    key, _, value = request.url.params["q"].split("]")[0].strip("[").partition("=")
    number = sum(map(ord, key + value))
    return [
        poi_row(key, value, number, f"The {value}", lat=HERE.lat + 0.001 * (number % 9)),
        poi_row(key, value, number + 100_000, ""),
        poi_row(key, value, number + 200_000, "Far away", lat=HERE.lat + 0.09),
        poi_row("highway", "residential", number + 300_000, "Not of the category"),
    ]


async def test_all_seven_categories_are_found_within_the_budget(ask: Ask) -> None:
    world = World(town)
    found = await ask(world, rate_limit=1.05).nearby(
        HERE, radius_m=2000, categories=list(Category), limit=5, language="en"
    )
    assert len(world.asked) <= poi.PACED_BUDGET
    for category in Category:
        assert any(belongs(category, near.place.category, near.place.type) for near in found.places)
    assert found.answered == tuple(Category)
    assert (found.failed, found.unsupported, found.complete) == ((), (), False)
    assert found.here == {"street": "The Lane", "suburb": "Shore", "city": "West Mersea"}
    assert all(near.place.name.startswith("The ") and near.distance_m <= 2000 for near in found.places)
    assert [near.distance_m for near in found.places] == sorted(near.distance_m for near in found.places)


@pytest.mark.slow
async def test_a_server_without_a_pace_is_asked_for_everything(ask: Ask) -> None:
    world = World(town)
    found = await ask(world).nearby(HERE, radius_m=2000, categories=["amenity"], limit=40, language="en")
    assert len(world.asked) == 1 + len(poi.tags(Category.AMENITY))
    assert len(found.places) > 20


@pytest.mark.slow
async def test_no_more_come_than_the_limit_of_each_category(ask: Ask) -> None:
    found = await ask(World(town)).nearby(HERE, radius_m=2000, categories=["amenity", "shop"], limit=2, language="en")
    assert len(found.places) == 4


@pytest.mark.slow
async def test_a_question_by_tag_is_for_the_circle_around_the_point(ask: Ask) -> None:
    world = World(town)
    await ask(world, rate_limit=1).nearby(HERE, radius_m=1000, categories=["tourism"], limit=5, language="fr")
    tagged = world.asked[1]
    assert tagged["q"].endswith("51.780000,0.920000")
    west, south, _, north = map(float, tagged["viewbox"].split(","))
    assert geometry.distance_m(Point(HERE.lat, west), HERE) == pytest.approx(1000, rel=0.01)
    assert north - south == pytest.approx(0.018, rel=0.01)
    assert (tagged["bounded"], tagged["dedupe"], tagged["accept-language"]) == ("1", "0", "fr")


@pytest.mark.slow
async def test_a_circle_across_180_is_asked_in_two_pieces_within_the_same_budget(ask: Ask) -> None:
    world = World(town)
    await ask(world, rate_limit=1).nearby(
        Point(-16.5, 179.999), radius_m=5000, categories=["amenity", "shop"], limit=5, language="en"
    )
    boxes = {params["viewbox"] for params in world.asked if "viewbox" in params}
    assert len(boxes) == 2
    assert len(world.asked) <= poi.PACED_BUDGET


@pytest.mark.slow
async def test_a_category_that_failed_is_named_with_its_reason_and_the_rest_answered(ask: Ask) -> None:
    world = World(lambda request: 404 if "[shop=" in request.url.params.get("q", "") else town(request))
    found = await ask(world).nearby(HERE, radius_m=2000, categories=["amenity", "shop"], limit=5, language="en")
    assert (found.answered, found.failed) == (("amenity",), ("shop",))
    assert "shop: " in (found.provenance.reason or "")
    assert found.places


@pytest.mark.slow
async def test_without_the_street_the_rest_is_answered_and_that_is_said(ask: Ask) -> None:
    world = World(lambda request: 500 if request.url.path == "/reverse" else town(request))
    found = await ask(world).nearby(HERE, radius_m=2000, categories=["amenity"], limit=5, language="en")
    assert found.here == {}
    assert "here: " in (found.provenance.reason or "")
    assert found.places


async def test_without_any_answer_the_first_error_is_raised(ask: Ask) -> None:
    with pytest.raises(Unavailable):
        await ask(World(lambda _: 500)).nearby(HERE, radius_m=2000, categories=["amenity"], limit=5, language="en")


async def test_a_refusal_ends_the_asking(ask: Ask) -> None:
    world = World(lambda request: town(request) if request.url.path == "/reverse" else 429)
    with pytest.raises(RateLimited):
        await ask(world, rate_limit=1).nearby(HERE, radius_m=2000, categories=["shop"], limit=5, language="en")
    assert len(world.asked) == 2


@pytest.mark.slow
async def test_a_slow_server_costs_patience_once_and_is_said(make_client: MakeClient) -> None:
    class Slow(World):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if len(self.asked) > 2:
                await asyncio.Event().wait()
            return await super().handle_async_request(request)

    client = make_client(transport=Slow(town))
    search = nearby.Search(client, HERE, radius_m=2000, limit=5, language="en", patience_s=3.0)
    harvest = await search.run([Category.AMENITY, Category.SHOP], 20)
    assert harvest.failed == ("amenity", "shop")
    assert {type(error).code for error in harvest.failures.values()} == {"timeout"}
    assert harvest.answers > 0


@pytest.mark.slow
async def test_information_is_tourism_though_it_is_filed_elsewhere(ask: Ask) -> None:
    world = World(town)
    found = await ask(world).nearby(HERE, radius_m=2000, categories=["tourism"], limit=40, language="en")
    assert any(params.get("q", "").startswith("[information=office]") for params in world.asked)
    assert ("tourism", "information") in {(near.place.category, near.place.type) for near in found.places}
    assert poi.filed_under(Category.SHOP, found.places[0].place) is None


@pytest.mark.slow
@pytest.mark.parametrize("pace", [0, 1.05], ids=["no pace", "paced"])
async def test_a_lake_is_natural_though_it_is_filed_under_water(ask: Ask, pace: float) -> None:
    world = World(town)
    source = ask(world, rate_limit=pace)
    found = await source.nearby(HERE, radius_m=2000, categories=["natural"], limit=40, language="en")
    assert any(params.get("q", "").startswith("[water=lake]") for params in world.asked)
    assert ("natural", "water") in {(near.place.category, near.place.type) for near in found.places}


async def test_a_category_that_does_not_exist_is_refused(ask: Ask) -> None:
    with pytest.raises(InvalidInput):
        await ask(World(town)).nearby(HERE, radius_m=1, categories=["food"], limit=5, language="en")


def crowd(request: httpx2.Request) -> Any:
    """A hundred parks to the north, with a nameless one between each two, 40 an answer, nearest first."""
    if request.url.path == "/reverse":
        return row()
    if "[leisure=park]" not in request.url.params["q"]:
        return []
    seen = set(filter(None, request.url.params.get("exclude_place_ids", "").split(",")))
    parks = [
        poi_row("leisure", "park", number, f"Park {number}" if number % 2 else "", lat=HERE.lat + number * 1e-5)
        | {"place_id": number}
        for number in range(200)
        if str(number) not in seen
    ]
    return parks[:40]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "radius_m", "pace", "found", "pages"),
    [(50, 5000, 0, 50, 3), (1, 5000, 0, 1, 1), (50, 60, 0, 27, 2), (50, 5000, 1.05, 20, 1)],
    ids=["until there are enough", "one is enough", "until the radius ends", "never where there is a pace"],
)
async def test_an_answer_that_is_full_is_asked_on(
    limit: int, radius_m: float, pace: float, found: int, pages: int, ask: Ask
) -> None:
    world = World(crowd)
    source = ask(world, rate_limit=pace)
    around = await source.nearby(HERE, radius_m=radius_m, categories=["leisure"], limit=limit, language="en")
    asked = [params for params in world.asked if "[leisure=park]" in params.get("q", "")]
    assert (len(around.places), len(asked)) == (found, pages)
    assert len({near.place.osm_id for near in around.places}) == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("categories", "kinds"),
    [
        (["tourism"], {("tourism", "attraction")}),
        (["historic"], {("historic", "castle")}),
        (["tourism", "historic"], {("historic", "castle")}),
    ],
    ids=["one", "the other", "both: as it is filed"],
)
async def test_a_castle_that_is_an_attraction_is_of_both_categories(
    ask: Ask, categories: list[str], kinds: set[tuple[str, str]]
) -> None:
    castle = poi_row("historic", "castle", 7, "The Keep") | {"extratags": {"tourism": "attraction", "shop": "no"}}
    world = World(lambda r: row() if r.url.path == "/reverse" else [castle] if "=castle]" in r.url.params["q"] else [])
    around = await ask(world).nearby(HERE, radius_m=99, categories=categories, limit=5, language="en")
    assert {(near.place.category, near.place.type) for near in around.places} == kinds
    none = await ask(world).nearby(HERE, radius_m=99, categories=["shop"], limit=5, language="en")
    assert none.places == ()


def test_every_tag_that_is_asked_is_of_its_category_or_may_be_by_a_second_tag() -> None:
    for category in Category:
        tags = poi.tags(category)
        assert len(set(tags)) == len(tags) >= 10
        for tag in tags:
            second = {} if category not in ("tourism", "historic") else {str(category): "attraction"}
            place = wire.place(poi_row(tag.key, tag.value or "", 1, "x") | {"extratags": second})
            assert place is not None
            filed = poi.filed_under(category, place)
            assert filed is not None
            assert belongs(category, filed.category, filed.type)
        assert all(str(tag.value).replace("_", "").isalpha() for tag in tags), "Nominatim takes letters and _ alone"
        assert len(tags) < poi.FREE_BUDGET / 2, "there is room for further pages"


def test_a_kind_is_asked_for_alone() -> None:
    assert poi.plan(["amenity=cinema", "shop"], 3)[0] == ("amenity=cinema", Tag("amenity", "cinema"))
    assert [name for name, _ in poi.plan(["amenity=cinema", "shop"], 3)] == ["amenity=cinema", "shop", "shop"]
    place = wire.place(poi_row("shop", "bakery", 1, "x") | {"extratags": {"amenity": "cafe"}})
    assert place is not None
    assert poi.filed_under("amenity=cafe", place).type == "cafe"
    assert poi.filed_under("amenity=pub", place) is None


@pytest.mark.parametrize("budget", [1, 9, 50, 1000])
def test_the_plan_asks_each_category_once_before_any_twice(budget: int) -> None:
    planned = poi.plan(list(Category), budget)
    assert len(planned) == len(set(planned)) == min(max(budget, 7), sum(len(poi.tags(c)) for c in Category))
    assert {category for category, _ in planned[:7]} == set(Category)
    assert (Category.AMENITY, Tag("amenity", "restaurant")) in planned


# Status


async def test_status_says_how_it_stands_without_network(ask: Ask) -> None:
    world = World(lambda _: [row()])
    source = ask(world, rate_limit=2)
    await source.search(SearchQuery(text="x"))
    await source.search(SearchQuery(text="x"))
    said = await source.status()
    assert len(world.asked) == 1
    assert said.ready
    assert said.detail == "127.0.0.1:9, one request every 2 s"
    assert (said.counters["requests"], said.counters["cache_hits"], said.counters["cache_misses"]) == (1, 1, 1)
    assert said.counters["next_slot_s"] == 2


async def test_status_says_that_a_pace_was_raised(make_client: MakeClient) -> None:
    public = NominatimSettings(rate_limit=0.1)
    source = NominatimSource(make_client(), public)
    assert "GEOCODER_RATE_LIMIT = 0.1 was raised" in (await source.status()).detail


async def test_a_cool_down_is_not_ready_and_says_why(ask: Ask) -> None:
    source = ask(World(lambda _: 403))
    with pytest.raises(BearingsError):
        await source.search(SearchQuery(text="x"))
    said = await source.status()
    assert not said.ready
    assert "in a cool-down: 127.0.0.1:9 answered HTTP 403" in said.detail
    assert said.counters["cooldown_s"] == 900


def test_the_pace_is_kept_where_the_user_keeps_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    client = NominatimClient(settings(), cache_dir=None)
    assert client.host == "127.0.0.1:9"
