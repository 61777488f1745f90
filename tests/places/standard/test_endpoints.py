"""Nominatim's endpoints: forms, languages, filters, outlines, and errors of sources."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bearings.endpoint import Request, Response
from bearings.errors import BadResponse, BearingsError, DeadlineExceeded, Internal, RateLimited, Unavailable
from bearings.places.geocoder import Geocoder
from bearings.places.models import Found, Located, Point, SearchQuery
from bearings.places.settings import PlacesSettings
from bearings.places.standard import formats
from bearings.places.standard.endpoints import endpoints
from bearings.places.standard.parameters import MOST_RESULTS, BadRequest, Parameters
from tests.places.memory_source import PLACES, MemorySource
from tests.places.standard.conftest import Ask

pytestmark = pytest.mark.anyio


def read(response: Response) -> Any:
    assert response.status == 200, response.body
    return json.loads(response.body)


async def test_the_four_forms_of_a_search(ask: Ask):
    plain = read(await ask("/search", q="Port Aurel", format="json", limit=1))
    assert (plain[0]["class"], "category" in plain[0], "address" in plain[0]) == ("boundary", False, False)
    second = read(await ask("/search", "en", q="Port Aurel", limit=1, addressdetails=1))
    assert (second[0]["category"], second[0]["address"]["town"]) == ("boundary", "Port Aurel")
    features = read(await ask("/search", q="Port Aurel", format="geojson", limit=1))
    assert (features["type"], features["features"][0]["geometry"]["type"]) == ("FeatureCollection", "Point")
    west, south, east, north = features["features"][0]["bbox"]
    assert [f"{edge:.7f}" for edge in (south, north, west, east)] == second[0]["boundingbox"]
    coded = read(await ask("/search", "en", q="5 Harbour Street", format="geocodejson", limit=1, addressdetails=1))
    properties = coded["features"][0]["properties"]["geocoding"]
    assert coded["geocoding"]["query"] == "5 Harbour Street"
    assert (properties["type"], properties["housenumber"], properties["street"]) == ("house", "5", "Harbour Street")
    assert properties["city"] == "Port Aurel"


TYPES = [
    ("boundary", "administrative", 4, {"country": "Aurelia"}, "country", None),
    ("boundary", "administrative", 8, {"state": "Aurelia"}, "state", None),
    ("place", "city", 16, {"city": "Aurelia", "state": "Aurelia"}, "city", "Aurelia"),
    ("place", "town", 18, {"town": "Aurelia"}, "city", "Aurelia"),
    ("place", "village", 19, {"village": "Aurelia", "county": "East"}, "city", "Aurelia"),
    ("place", "suburb", 19, {"suburb": "Aurelia", "city": "Port"}, "district", "Port"),
    ("highway", "residential", 26, {"road": "Aurelia", "city": "Port"}, "street", "Port"),
    ("shop", "bakery", 30, {"shop": "Aurelia", "city": "Aurelia"}, "house", "Aurelia"),
    ("natural", "peak", 18, {"peak": "Aurelia", "country": "X"}, "locality", None),
    ("place", "ocean", 22, {"ocean": "Aurelia"}, "locality", None),
]


@pytest.mark.parametrize(
    ("category", "kind", "rank", "address", "said", "city"), TYPES, ids=[each[1] for each in TYPES]
)
def test_geocodejson_has_the_type_the_town_and_the_licence_of_the_place(
    category: str, kind: str, rank: int, address: dict[str, str], said: str, city: str | None
):
    place = replace(PLACES[0], name="Aurelia", category=category, type=kind, place_rank=rank, address=address)
    whole = json.loads(
        formats.many([place], "geocodejson", formats.Details(), "GeoNames, CC BY 4.0; X (public domain)")
    )
    properties = whole["features"][0]["properties"]["geocoding"]
    assert (properties["type"], properties.get("city")) == (said, city)
    assert whole["geocoding"]["licence"] == "CC BY 4.0, public domain"


@pytest.mark.parametrize(
    ("attribution", "licence"),
    [("© OpenStreetMap contributors, ODbL 1.0", "ODbL"), ("Hand-made for tests.", "Hand-made for tests.")],
)
def test_geocodejson_has_the_licence_that_the_attribution_names(attribution: str, licence: str):
    whole = json.loads(formats.many([], "geocodejson", formats.Details(), attribution))
    assert whole["geocoding"]["licence"] == licence


async def test_a_point_in_geocodejson_has_its_distance(ask: Ask):
    found = read(await ask("/reverse", lat=-26.5027, lon=179.75, format="geocodejson", extratags=1))
    properties = found["features"][0]["properties"]["geocoding"]
    assert isinstance(properties["accuracy"], int)
    assert "extra" in properties


async def test_languages_of_the_parameter_and_of_the_header(ask: Ask):
    async def name(languages: str = "", **parameters: str) -> str:
        found: str = read(await ask("/search", languages, q="Velmora", limit="1", **parameters))[0]["name"]
        return found

    assert await name() == "Velmoro"
    assert await name(accept__language="fr") == "Velmore"
    assert await name("de;q=0.3, ja, en;q=0.5") == "ヴェルモラ"
    assert await name("ja", accept__language="en-GB,en;q=0.9") == "Velmora"
    assert await name("*;q=0.5, !") == "Velmoro"


async def test_names_and_tags_on_request(ask: Ask):
    found = read(await ask("/search", q="Velmora", limit=1, namedetails=1, extratags=1))[0]
    assert found["namedetails"]["name:fr"] == "Velmore"
    assert not any(key.startswith("ISO") for key in found["namedetails"])
    assert "extratags" in found


async def test_excluded_places_feature_types_and_limits(ask: Ask):
    every = read(await ask("/search", q="Dawn"))
    assert len(every) > 1
    without = read(await ask("/search", q="Dawn", exclude_place_ids=f"{every[0]['place_id']},R1"))
    assert [one["osm_id"] for one in without] == [one["osm_id"] for one in every[1:]]
    kind = every[0]["osm_type"][0].upper()
    again = read(await ask("/search", q="Dawn", exclude_place_ids=f"{kind}{every[0]['osm_id']}"))
    assert again == without
    assert len(read(await ask("/search", q="Dawn", limit=1))) == 1
    settled = read(await ask("/search", q="Dawn", featureType="settlement"))
    assert settled
    assert all(8 <= one["place_rank"] <= 20 for one in settled)
    assert read(await ask("/search", q="Dawn", featureType="country")) == []


async def test_outlines(ask: Ask):
    whole = read(await ask("/search", q="Velmora", limit=1, polygon_geojson=1))[0]["geojson"]
    assert whole["type"] in ("Polygon", "MultiPolygon")
    rough = read(await ask("/search", q="Velmora", limit=1, polygon_geojson=1, polygon_threshold=0.05))[0]["geojson"]
    assert len(json.dumps(rough)) < len(json.dumps(whole))
    there = read(await ask("/reverse", lat=-26.5027, lon=179.75, zoom=3, polygon_geojson=1))
    assert there["geojson"]["type"] in ("Polygon", "MultiPolygon")
    feature = read(await ask("/lookup", osm_ids="R3001", format="geojson", polygon_geojson=1))["features"][0]
    assert feature["geometry"]["type"] in ("Polygon", "MultiPolygon")
    refused = await ask("/search", q="Velmora", polygon_svg=1)
    assert (refused.status, "polygon_geojson" in refused.body) == (400, True)


async def test_structured_queries_and_the_old_paths(ask: Ask):
    found = read(await ask("/search.php", street="5 Harbour Street", city="Port Aurel", limit=1))
    assert found[0]["display_name"].startswith("Harbour Street 5")
    assert read(await ask("/search", q=" ")) == []
    bounded = read(await ask("/search", q="Harbour Street", viewbox="0,0,1,1", bounded=1))
    assert bounded == []


async def test_the_state(ask: Ask):
    text = await ask("/status")
    assert (text.status, text.body, text.content_type) == (200, "OK", "text/plain; charset=utf-8")
    state = read(await ask("/status", format="json"))
    assert (state["status"], state["message"]) == (0, "OK")
    assert (await ask("/status", format="yaml")).status == 400


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"viewbox": "a,b,c,d"}, "Bounding box parameter needs to be numbers."),
        ({"viewbox": "nan,1,2,3"}, "Bounding box parameter needs to be numbers."),
        ({"viewbox": "1,1,1,2"}, "Bounding box with invalid parameters."),
        ({"polygon_threshold": "wide"}, "Parameter 'polygon_threshold' must be a number."),
    ],
)
async def test_values_that_are_refused(ask: Ask, parameters: dict[str, str], message: str):
    answer = await ask("/search", q="Velmora", **parameters)
    assert (answer.status, json.loads(answer.body)) == (400, {"error": {"code": 400, "message": message}})


async def test_impossible_queries_name_the_remedy(ask: Ask):
    long = await ask("/search", q="x" * 501)
    assert (long.status, "500 are allowed" in long.body) == (400, True)
    swapped = await ask("/search", q="179.75, -26.5")
    assert swapped.status == 400


def test_parameters_are_read_as_nominatim_reads_them():
    asked = Parameters(Request({"limit": "999", "countrycodes": "GB, f,fr,de1,gb", "bounded": "0", "x": "off"}))
    assert (asked.limit(), asked.countries(), asked.flag("bounded"), asked.flag("x")) == (
        MOST_RESULTS, ("gb", "fr"), False, True,
    )  # fmt: skip
    assert Parameters(Request({"limit": "-3"})).limit() == 1
    box = Parameters(Request({"viewbox": "200,-95,10,20"})).viewbox()
    assert box == (10.0, -90.0, 180.0, 20.0)
    with pytest.raises(BadRequest, match="Too many"):
        Parameters(Request({"osm_ids": ",".join(f"N{number}" for number in range(51))})).osm_ids()


class Failing(MemorySource):
    """Fails every question."""

    def __init__(self, error: BearingsError) -> None:
        super().__init__()
        self.error = error

    async def search(self, query: SearchQuery) -> Found:
        raise self.error

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RateLimited("slow down", retry_after_s=7.0), 429),
        (Unavailable("it is down"), 503),
        (DeadlineExceeded("too long"), 504),
        (BadResponse("nonsense"), 502),
        (Internal("a bug"), 500),
    ],
)
async def test_a_failing_source_is_a_status_with_words(error: BearingsError, status: int):
    source = Failing(error)
    geocoder = Geocoder(source, settings=PlacesSettings(_env_file=None, backend=source.backend.value))
    search, reverse, *_ = endpoints(geocoder)
    for answer in (
        await search.answer(Request({"q": "Velmora"})),
        await reverse.answer(Request({"lat": "1", "lon": "2"})),
    ):
        assert answer.status == status
        assert json.loads(answer.body)["error"]["message"].startswith(error.error)
        assert answer.retry_after_s == error.retry_after_s
