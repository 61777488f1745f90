"""Texts and numbers of every entrance of places: too much is refused by name, and what is taken costs little memory."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.endpoint import Request
from bearings.errors import InvalidInput, NotFound, Unsupported
from bearings.places.geocoder import Geocoder
from bearings.places.models import SearchQuery, Structured
from bearings.places.osm.making import make
from bearings.places.osm.source import OsmSource
from bearings.places.settings import PlacesSettings
from bearings.places.standard.endpoints import endpoints
from bearings.places.tools import PlaceTools
from bearings.progress import NoProgress
from tests.adversary.conftest import Tally
from tests.places.osm.conftest import TOWN
from tests.places.worlds import NoWorld
from tests.soak import SOAK

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

Call = Callable[[str], Awaitable[str]]
"""Passes a text to an entrance: "answered", or the error's sentence."""

LONGEST = 500
FIELDS = ("amenity", "street", "city", "county", "state", "country", "postalcode")
AREAS = FIELDS[2:6]

PIECES = (
    "q",
    "ab,",
    ",",
    "de ",
    "a b,",
    "in ",
    "7",
    "12 ",
    "1.5 ",
    "3° ",
    "e\u0301",
    "\u0300",
    "\ufdfa",
    "\ufdfa,",
    "京",
    "京都, ",
    "서울 ",
    "москва",
    "(",
    "a (b) ",
    '"',
    "NEAR( ",
    "street 2 ",
    "strasse",
    "Port Aurel,",
    "Harbour Street 5 ",
    "&",
    "flat 3 ",
    "a.b.",
    "😀",
    "ﬃ",
    "ß",
    "สาธารณรัฐ",
    "共和国",
    "\u00a0x",
)
"""Repeated up to the longest text, and beyond it."""

NUMBERS = (
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-0.0",
    "1e-308",
    "5e-324",
    "1e-400",
    "0." + "0" * 400 + "1",
    "2.3e-308",
    "1e-300",
    "1e-12",
    "1e308",
    "1e3",
    "9" * 400,
    "9" * 5_000,
    "0x10",
    "",
    "-180",
    "89.9999999999",
)

MOST_BYTES = 40_000_000
"""Memory above idle that one question may take."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    make(folder / "town.map", [TOWN], NoWorld(), NoProgress())
    return folder


@pytest.fixture(params=["gazetteer", "osm-index"])
async def geocoder(request: pytest.FixtureRequest, maps: Path, tmp_path: Path) -> AsyncIterator[Geocoder]:
    from bearings.places.atlas.source import GazetteerSource

    source = OsmSource(maps) if request.param == "osm-index" else GazetteerSource(tmp_path)
    one = Geocoder(source, settings=PlacesSettings(_env_file=None, backend=request.param))
    yield one
    await one.aclose()


async def asked(geocoder: Geocoder, path: str, parameters: Mapping[str, str], languages: str = "") -> str:
    """What the HTTP interface says, which is no fault of the server's."""
    found = next(each for each in endpoints(geocoder) if path in each.paths)
    response = await found.answer(Request(parameters, languages))
    assert response.status in (200, 400), (path, parameters, response.body[:300])
    return "answered" if response.status == 200 else str(json.loads(response.body)["error"]["message"])


async def called(geocoder: Geocoder, name: str, arguments: Mapping[str, Any]) -> str:
    """What a tool says: an answer, or an error that names an argument."""
    tool = next(each for each in PlaceTools(geocoder).tools() if each.name == name)
    try:
        reply, _ = await tool.run(arguments)
    except InvalidInput as error:
        return error.error
    except (NotFound, Unsupported):
        return "answered"
    item = reply.structured().get("items", [{}])[0]
    return str(item["error"]["error"]) if "error" in item else "answered"


def entrances(geocoder: Geocoder) -> dict[str, Call]:
    """Every way of a text to the geocoder."""

    async def found(query: SearchQuery) -> str:
        try:
            await geocoder.find(geocoder.source_chain(None), query)
        except InvalidInput as error:
            return error.error
        return "answered"

    return {
        "q": lambda text: asked(geocoder, "/search", {"q": text}),
        **{f: lambda text, field=f: asked(geocoder, "/search", {field: text}) for f in FIELDS},  # type: ignore[misc]
        "all fields": lambda text: asked(geocoder, "/search", dict.fromkeys(FIELDS, text)),
        "areas": lambda text: asked(geocoder, "/search", dict.fromkeys(AREAS, text)),
        "query": lambda text: called(geocoder, "geocode", {"query": text}),
        "structured": lambda text: called(geocoder, "geocode", {"structured": dict.fromkeys(FIELDS, text)}),
        "bbox": lambda text: called(geocoder, "bbox_from_place", {"query": text}),
        "queries": lambda text: called(geocoder, "batch_geocode", {"queries": [text]}),
        "waypoints": lambda text: called(geocoder, "route_waypoints", {"waypoints": [text, [1, 2]]}),
        "points": lambda text: called(
            geocoder, "distance_matrix", {"points": [{"name": text, "lat": 1, "lon": 2}, [1, 2]]}
        ),
        "the geocoder": lambda text: found(SearchQuery(text=text)),
        "its fields": lambda text: found(SearchQuery(structured=Structured(city=text))),
    }


async def test_a_text_at_the_bound_is_cheap_and_one_beyond_it_is_refused(geocoder: Geocoder, tally: Tally) -> None:
    tried = survived = 0
    for name, call in entrances(geocoder).items():
        await call("Port Aurel")
        for piece in PIECES if SOAK or name in ("q", "all fields", "areas") else PIECES[::9]:
            tracemalloc.start()
            try:
                await call((piece * LONGEST)[:LONGEST].strip())
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            beyond = (piece.strip() or ".") * 60_000
            refusal = await call(beyond[:60_000])
            tried += 1
            survived += peak < MOST_BYTES and "characters" in refusal and ("500" in refusal or "2,000" in refusal)
    tally("texts too long for an entrance of places", tried, survived)


async def test_ligatures_count_as_their_letters(geocoder: Geocoder) -> None:
    assert "ligatures" in str(await refused(geocoder, "\ufdfa" * 100))
    assert await called(geocoder, "geocode", {"query": "\ufdfa"}) == "answered"


async def refused(geocoder: Geocoder, query: str) -> str:
    with pytest.raises(InvalidInput) as error:
        await geocoder.geocode(query)
    return error.value.hint


LISTS = [
    ("geocode", {"query": "Port Aurel"}, "country_codes"),
    ("geocode", {"query": "Port Aurel"}, "layer"),
    ("nearby_places", {"lat": 1, "lon": 2}, "categories"),
    ("batch_geocode", {"queries": ["Port Aurel"]}, "country_codes"),
]


@pytest.mark.parametrize(("tool", "rest", "field"), LISTS)
async def test_a_list_has_a_length(geocoder: Geocoder, tool: str, rest: dict[str, Any], field: str) -> None:
    assert "2,000 are allowed" in await called(geocoder, tool, {**rest, field: "gb," * 300_000})
    empty: list[list[str]] = [[]] * 300_000
    for value in (["gb"] * 300_000, empty, str(empty), [["gb"] * 700] * 2):
        refusal = await called(geocoder, tool, {**rest, field: value})
        assert "more than 1,000 values" in refusal
        assert "more like it" not in refusal


@pytest.mark.parametrize(
    "name",
    ["accept-language", "countrycodes", "viewbox", "layer", "exclude_place_ids", "format", "featureType", "x" * 900],
)
async def test_every_parameter_and_the_header_have_a_length(geocoder: Geocoder, name: str) -> None:
    said = await asked(
        geocoder, "/search", {"q": "Port Aurel", "format": "json", name: "a," * 20_000} | {"format": "json"}
    )
    assert name == "format" or "characters" in said
    assert "Accept-Language" in await asked(geocoder, "/search", {"q": "Port Aurel"}, "en," * 20_000)


async def test_numbers_at_the_edges_of_floats_are_no_fault_of_the_server(geocoder: Geocoder, tally: Tally) -> None:
    tried = 0
    for number in NUMBERS:
        for path, name, rest in (
            ("/search", "polygon_threshold", {"q": "Port Aurel", "polygon_geojson": "1"}),
            ("/search", "limit", {"q": "Velmora"}),
            ("/reverse", "lat", {"lon": "2"}),
            ("/reverse", "lon", {"lat": "2"}),
            ("/reverse", "zoom", {"lat": "1", "lon": "2"}),
            ("/search", "viewbox", {"q": "Velmora", "bounded": "1"}),
            ("/lookup", "osm_ids", {}),
        ):
            value = f"1,{number},3,4" if name == "viewbox" else f"R{number}" if name == "osm_ids" else number
            await asked(geocoder, path, {**rest, name: value})
            tried += 1
        for shape in (number, f"[{number}, 1]", f'{{"lat": 1, "lon": "{number}"}}'):
            await called(geocoder, "route_waypoints", {"waypoints": [shape, [1, 2]]})
            tried += 1
    assert "must be a number" in await asked(geocoder, "/reverse", {"lat": "1e-308", "lon": "1"})
    for tool, arguments in (
        ("nearby_places", {"lat": 1, "lon": 2, "radius_km": 1e-310}),
        ("geocode", {"query": "x", "near": {"lat": 5e-324, "lon": 1}}),
        ("bbox_from_place", {"query": "x", "padding": 5e-324}),
        ("geocode", {"query": "x", "viewbox": [1, 2, 3, 1e-308]}),
        ("geocode", {"query": "x", "limit": 10**5_000}),
        ("geocode", {"query": 10**5_000}),
    ):
        assert await called(geocoder, tool, arguments) != "answered"
        tried += 1
    tally("numbers too large or small for places", tried, tried)


async def test_other_questions_are_answered_meanwhile(geocoder: Geocoder) -> None:
    """The loop turns while a costly text is searched."""
    await geocoder.geocode("Port Aurel")
    turns = 0

    async def turning() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(turning())
    await geocoder.geocode(structured=Structured(**dict.fromkeys(AREAS, "new york " * 50)))
    beside.cancel()
    assert turns > 2
