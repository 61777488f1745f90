"""Every recorded reply of a real server (BEARINGS_DATA), in any format, through client, source and tools.

Each reply answers a question to the method of its endpoint.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest

from bearings.errors import BadResponse, BearingsError, NotFound
from bearings.places import geometry
from bearings.places.advice import LEAST_CONFIDENCE
from bearings.places.geocoder import Geocoder
from bearings.places.models import BBox, Match, Point, SearchQuery
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.source import NominatimSource
from bearings.places.query import parse
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools
from bearings.tool import Tool
from tests.places.nominatim.conftest import MakeClient, settings
from tests.soak import mostly_slow, soak

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif("BEARINGS_DATA" not in os.environ, reason="BEARINGS_DATA is not set: no recorded replies"),
]

Exchange = dict[str, Any]

FOLDER = Path(os.environ.get("BEARINGS_DATA", "/nowhere")) / "oracle" / "replies"
FILES = sorted(FOLDER.glob("*.json")) or [FOLDER / "there are none"]
NOWHERE = {"error": "Unable to geocode"}
ODD_FORMATS = {"xml", "geojson", "geocodejson", "nope"}

every_reply = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


class Said(httpx2.AsyncBaseTransport):
    """Answers every question with one recorded reply."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.path)
        return httpx2.Response(
            self._exchange["status"], headers=self._exchange["headers"], content=self._exchange["body"].encode()
        )


def read(file: Path) -> Exchange:
    exchange: Exchange = json.loads(file.read_text("utf-8"))
    exchange["headers"].pop("content-length", None)
    return exchange


def rows(exchange: Exchange) -> list[dict[str, Any]] | None:
    """The places in the reply; None if the reply is in another format."""
    params, raw = exchange["request"]["params"], exchange["body"]
    odd = params.get("format") in ODD_FORMATS or "json_callback" in params
    if exchange["status"] != 200 or odd or endpoint(exchange) == "status":
        return None
    said = json.loads(raw)
    return [] if said == NOWHERE else said if isinstance(said, list) else [said]


def endpoint(exchange: Exchange) -> str:
    return str(exchange["request"]["path"]).strip("/").removesuffix(".php")


def box_said(row: dict[str, Any]) -> list[float]:
    south, north, west, east = map(float, row["boundingbox"])
    return [west, south, east, north]


def assert_same_box(box: list[float], row: dict[str, Any]) -> None:
    """Edge by edge; a box without a width or a height may have grown to the least size, some ten metres."""
    grown = [ours - said for ours, said in zip(box, box_said(row), strict=True)]
    assert all(-1e-4 < by <= 1e-7 for by in grown[:2])
    assert all(-1e-7 <= by < 1e-4 for by in grown[2:])


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def holds(result: dict[str, Any], row: dict[str, Any]) -> None:
    """The result holds exactly the server's answer."""
    assert (result.get("osm_type"), result.get("osm_id")) == (row.get("osm_type"), row.get("osm_id"))
    assert result["display_name"] == row["display_name"]
    assert result["name"] in row["display_name"] or result["name"] == row["name"]
    assert result["place_rank"] == row["place_rank"]
    assert (result["category"], result["type"]) == (row.get("category") or row["class"], row["type"])
    assert result["address"] == row.get("address", {})
    said = row["importance"]
    assert result.get("importance") == (round(said, 4) if said >= 0 else None)
    west, south, east, north = result["bbox"]
    assert west < east
    assert south < north
    assert_same_box(result["bbox"], row)
    assert result["bbox_kind"] == ("exact" if row.get("osm_type") in ("way", "relation") else "estimated")
    words = {*texts(row), result["precision"], result["bbox_kind"], result["name"], *Match}
    assert set(texts(result)) <= words


@pytest.fixture
def world(file: Path, make_client: MakeClient) -> tuple[Exchange, NominatimClient, Said]:
    exchange = read(file)
    transport = Said(exchange)
    return exchange, make_client(transport=transport), transport


def tools_over(client: NominatimClient) -> dict[str, Tool]:
    source = NominatimSource(client, settings())
    geocoder = Geocoder(source, settings=PlacesSettings.model_validate({"backend": "nominatim"}))
    return {tool.name: tool for tool in PlaceTools(geocoder).tools()}


async def answer(tool: Tool, **arguments: Any) -> dict[str, Any]:
    """The tool's reply, checked against its schema."""
    reply, _ = await tool.run(arguments)
    said = json.loads(json.dumps(reply.structured(), allow_nan=False))
    jsonschema.validate(said, tool.output_schema)
    assert all(part.isprintable() for line in reply.to_text().splitlines() for part in line)
    return dict(said)


@every_reply
async def test_a_client_reads_it_whole_or_refuses_it_and_keeps_only_answers(
    world: tuple[Exchange, NominatimClient, Said],
) -> None:
    exchange, client, transport = world
    questions = {
        "search": lambda: client.search(SearchQuery(text="Vaduz")),
        "reverse": lambda: client.reverse(Point(47.1, 9.5), zoom=18, language="en"),
        "lookup": lambda: client.lookup(["N1"], language="en"),
        "status": client.status,
        "nope": lambda: client.lookup(["N1"], language="en"),
    }
    question, said = questions[endpoint(exchange)], rows(exchange)
    if endpoint(exchange) == "status":
        if exchange["request"]["params"]:
            assert (await client.status()).software_version == "5.3.3"
        else:
            with pytest.raises(BadResponse):
                await client.status()
        return
    for _ in range(2):
        if said is None:
            with pytest.raises(BadResponse) as caught:
                await question()
            assert exchange["body"][:40] not in json.dumps(caught.value.body())
        else:
            await question()
    stats = await client.cache_stats()
    assert (stats.size, len(transport.asked)) == ((0, 2) if said is None else (1, 1))


@pytest.mark.parametrize("file", mostly_slow(3, FILES, soak), ids=lambda file: file.stem)
async def test_the_tools_return_the_server_s_answers(world: tuple[Exchange, NominatimClient, Said]) -> None:
    exchange, client, _ = world
    said, tools = rows(exchange), tools_over(client)
    place = {"lat": 47.1393, "lon": 9.5228}
    text = exchange["request"]["params"].get("q") or "Vaduz"
    text = "Vaduz" if parse(text).point else text  # reverse answers a point
    calls: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "search": [("geocode", {"query": "Vaduz", "limit": 40}), ("bbox_from_place", {"query": text})],
        "reverse": [("reverse_geocode", place), ("admin_boundaries", place)],
        "lookup": [("lookup_places", {"osm_ids": ["R1155955", "W332250402", "N5923967592", "W36963771", "N1"]})],
    }
    for name, arguments in calls.get(endpoint(exchange), []):
        one = name not in ("geocode", "lookup_places")
        nothing = said == [] or (name == "admin_boundaries" and said and "address" not in said[0])
        if said is None or (one and nothing):
            with pytest.raises(BearingsError) as caught:
                await answer(tools[name], **arguments)
            assert type(caught.value) is (BadResponse if said is None else NotFound)
            assert caught.value.hint
            continue
        if name == "bbox_from_place" and not (await is_sure(tools["geocode"], text)):
            with pytest.raises(NotFound, match=r"may be several|matches all of"):
                await answer(tools[name], **arguments)
            continue
        CHECKS[name](await answer(tools[name], **arguments), said)


async def is_sure(geocode: Tool, text: str) -> bool:
    """Whether the first place may stand for the text alone."""
    return bool((await answer(geocode, query=text, limit=5))["results"][0]["confidence"] >= LEAST_CONFIDENCE)


def geocoded(reply: dict[str, Any], said: list[dict[str, Any]]) -> None:
    assert reply["count"] == len(reply["results"]) == len(said)
    assert bool(reply.get("hint")) == (not said)
    for result, row in zip(reply["results"], said, strict=True):
        holds(result, row)
        assert (result["lat"], result["lon"]) == (float(row["lat"]), float(row["lon"]))


def boxed(reply: dict[str, Any], said: list[dict[str, Any]]) -> None:
    assert_same_box(reply["bbox"], said[0])
    assert reply["bboxes"] == [reply["bbox"]]
    assert reply["area_km2"] == pytest.approx(geometry.area_km2(BBox(*reply["bbox"])), rel=1e-4)
    assert reply["display_name"] == said[0]["display_name"]


def reversed_(reply: dict[str, Any], said: list[dict[str, Any]]) -> None:
    [row] = said
    own = ("source", "attribution", "asked", "found", "plus_code", "mgrs")
    holds({key: value for key, value in reply.items() if key not in own}, row)
    assert reply["found"] == {"lat": float(row["lat"]), "lon": float(row["lon"])}
    away = geometry.distance_m(Point(47.1393, 9.5228), Point(**reply["found"]))
    assert reply["distance_m"] == (0.0 if reply["match"] == "coordinate" else pytest.approx(away, abs=0.1))


def governed(reply: dict[str, Any], said: list[dict[str, Any]]) -> None:
    names = {*said[0]["address"].values()}
    assert reply["boundaries"]
    assert {area["name"] for area in reply["boundaries"]} <= names
    assert reply["boundaries"][0]["level"] == "country"
    assert {reply[key] for key in ("country", "town", "village", "postcode") if key in reply} <= names


def looked_up(reply: dict[str, Any], said: list[dict[str, Any]]) -> None:
    rows_by_id = {row["osm_id"]: row for row in said}
    assert {result["osm_id"] for result in reply["results"]} == set(rows_by_id)
    assert len(reply["results"]) + len(reply["not_found"]) == 5
    for result in reply["results"]:
        holds(result, rows_by_id[result["osm_id"]])


CHECKS = {
    "geocode": geocoded,
    "bbox_from_place": boxed,
    "reverse_geocode": reversed_,
    "admin_boundaries": governed,
    "lookup_places": looked_up,
}
