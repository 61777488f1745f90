"""Resources are read by calls of tools: the same answers, errors, budgets and guards."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

from bearings.cli.wiring import WIRING, Wing, Wiring, both_spec
from bearings.errors import Busy
from bearings.places.geocoder import Geocoder
from bearings.places.osm.making import make
from bearings.places.osm.schema import SUFFIX
from bearings.places.osm.source import OsmSource
from bearings.places.resources import resources as place_resources
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools
from bearings.progress import NoProgress
from bearings.serving.app import ServerSpec, build_server
from bearings.serving.calls import CallEnded, Hooks
from bearings.serving.peer import Peer
from tests.cli.fixture_cli import places_wing
from tests.contract.conftest import TOWN
from tests.explore.browser import as_json
from tests.explore.served import FERRY
from tests.places.worlds import NoWorld
from tests.serving.conftest import text_of


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def spec() -> ServerSpec:
    """Both wings: places from memory, and the sources of an example."""
    wing = replace(places_wing(), resources=place_resources)
    return both_spec(Wiring(places=lambda: wing, code=WIRING.code), (Path(FERRY),))


def server(**hooks: Any) -> Server[Any]:
    return build_server(spec(), Hooks(**hooks))


async def read(client: Client, uri: str) -> tuple[str, str]:
    """The media type and the text of a resource."""
    [content] = (await client.read_resource(uri)).contents
    values = as_json(content)
    assert values["uri"] == uri
    return values["mimeType"], values["text"]


async def refused(client: Client, uri: str) -> MCPError:
    with pytest.raises(MCPError) as error:
        await client.read_resource(uri)
    return error.value


@pytest.mark.slow
@pytest.mark.anyio
async def test_templates_are_listed_with_their_media_types() -> None:
    async with Client(server()) as client:
        listed = (await client.list_resource_templates()).resource_templates
    assert {one.uri_template: one.mime_type for one in listed} == {
        "bearings://places/osm/{osm_id}": "application/geo+json",
        "bearings://places/{query}": "application/geo+json",
        "bearings://code/map{?project_path,element}": "text/plain",
    }


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("bearings://places/Fiji", "Fiji"),
        ("bearings://places/%C3%8Ele-de-France", "Île-de-France"),
    ],
)
async def test_a_place_is_geojson(uri: str, name: str) -> None:
    async with Client(server()) as client:
        media_type, text = await read(client, uri)
        reply = await client.call_tool("geocode", {"query": name, "limit": 1, "geometry": "simplified"})
    assert media_type == "application/geo+json"
    collection = json.loads(text)
    [feature], [place] = collection["features"], json.loads(text_of(reply))["results"]
    assert feature["type"] == "Feature"
    assert feature["bbox"] == place["bbox"]
    assert feature["properties"]["display_name"] == place["display_name"]
    assert feature["properties"]["display_name"].startswith(name)
    point = {"type": "Point", "coordinates": [place["lon"], place["lat"]]}
    assert feature["geometry"] == place.get("geometry", point)
    assert collection["attribution"]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a map of the tests' own town, whose objects have ids."""
    folder = tmp_path_factory.mktemp("maps")
    make(folder / f"town{SUFFIX}", [TOWN], NoWorld(), NoProgress())
    return folder


@pytest.mark.slow
@pytest.mark.anyio
async def test_an_object_of_openstreetmap_is_geojson_with_its_outline(town: Path) -> None:
    geocoder = Geocoder(OsmSource(town), settings=PlacesSettings(_env_file=None))
    wing = Wing(PlaceTools(geocoder).tools(), geocoder.aclose, resources=place_resources)
    wiring = Wiring(places=lambda: wing, code=WIRING.code)
    async with Client(build_server(both_spec(wiring, (Path(FERRY),)))) as client:
        found = json.loads(text_of(await client.call_tool("geocode", {"query": "Port Aurel", "limit": 1})))
        [named] = found["results"]
        osm_id = f"{named['osm_type'][0].upper()}{named['osm_id']}"
        media_type, text = await read(client, f"bearings://places/osm/{osm_id}")
        reply = await client.call_tool("lookup_places", {"osm_ids": [osm_id], "geometry": "simplified"})
    collection = json.loads(text)
    [feature], [place] = collection["features"], json.loads(text_of(reply))["results"]
    assert media_type == "application/geo+json"
    assert (feature["bbox"], feature["geometry"]) == (place["bbox"], place["geometry"])
    assert feature["geometry"]["type"] in ("Polygon", "MultiPolygon")
    assert feature["properties"]["osm_id"] == named["osm_id"]
    assert feature["properties"]["name"] == "Port Aurel"
    assert "OpenStreetMap" in collection["attribution"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_nothing_found_is_an_empty_collection_with_a_hint() -> None:
    async with Client(server()) as client:
        collection = json.loads((await read(client, "bearings://places/qwrtzpsdfg"))[1])
    assert collection["features"] == []
    assert collection["hint"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_projects_map_is_what_the_tool_says_in_text_mode() -> None:
    async with Client(server()) as client:
        media_type, text = await read(client, f"bearings://code/map?project_path={FERRY}&element=parseTime")
        arguments = {"project_path": FERRY, "element": "parseTime", "output_mode": "text"}
        reply = text_of(await client.call_tool("coderef_map", arguments))
    assert media_type == "text/plain"
    assert "<<<" in text
    assert text.splitlines()[1:] == reply.splitlines()[1:]  # the first line has a duration


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("bearings://places/osm/X1", "invalid_input"),
        ("bearings://places/osm/R175905", "unsupported"),  # hand-made places have no ids
        ("bearings://places/%20", "invalid_input"),
        ("bearings://code/map?project_path=/etc", "path_not_allowed"),
        (f"bearings://code/map?project_path={FERRY}&element=nobody", "element_not_found"),
    ],
)
async def test_an_error_of_the_tool_is_the_error_of_the_resource(uri: str, code: str) -> None:
    async with Client(server()) as client:
        error = await refused(client, uri)
    assert error.code == INVALID_PARAMS
    assert error.data["code"] == code
    assert error.data["error"] in str(error)


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("uri", ["bearings://", "bearings://places/a/b", "file:///etc/passwd", "ui://bearings/x.html"])
async def test_an_unknown_resource_is_refused(uri: str) -> None:
    async with Client(server()) as client:
        error = await refused(client, uri)
    assert error.code == INVALID_PARAMS
    assert error.data == {"uri": uri}
    assert "Unknown resource" in str(error)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_very_long_uri_is_no_resource() -> None:
    async with Client(server()) as client:
        assert "Unknown resource" in str(await refused(client, "bearings://places/" + "a" * 10_000))


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_peers_tools_are_its_resources() -> None:
    peer = Peer("token t", "t", toolsets=frozenset({"geocode"}))
    async with Client(server(peer=lambda _: peer)) as client:
        listed = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in listed] == ["bearings://places/{query}"]
        assert "Unknown resource" in str(await refused(client, f"bearings://code/map?project_path={FERRY}"))
        assert "Unknown resource" in str(await refused(client, "ui://bearings/graph.html"))
        assert json.loads((await read(client, "bearings://places/Fiji"))[1])["features"]


@pytest.mark.anyio
async def test_a_peers_roots_hold(tmp_path: Path) -> None:
    peer = Peer("token t", "t", roots=(tmp_path,))
    async with Client(server(peer=lambda _: peer)) as client:
        error = await refused(client, f"bearings://code/map?project_path={FERRY}")
    assert error.data["code"] == "path_not_allowed"


@pytest.mark.slow
@pytest.mark.anyio
async def test_reading_counts_as_a_call() -> None:
    ended: list[CallEnded] = []

    @contextmanager
    def full(_: Peer) -> Iterator[Busy]:
        yield Busy("too many calls", "Wait.")

    async with Client(server(admitted=full, on_call_end=ended.append)) as client:
        error = await refused(client, "bearings://places/Fiji")
    assert error.code == INTERNAL_ERROR
    assert error.data["code"] == "busy"
    assert [(call.tool, call.outcome) for call in ended] == [("geocode", "busy")]
