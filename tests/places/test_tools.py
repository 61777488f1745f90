"""The tools as a server and a command line use them: schemas, bounds, effects, cost, and replies."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bearings.errors import InvalidInput, NotFound
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools
from bearings.tool import Tool
from tests.places.memory_source import MemorySource, ObjectSource, Timepiece

pytestmark = pytest.mark.anyio

NAMES = [
    "geocode",
    "reverse_geocode",
    "bbox_from_place",
    "admin_boundaries",
    "nearby_places",
    "batch_geocode",
    "route_waypoints",
    "distance_matrix",
    "lookup_places",
    "geocoder_status",
    "geocoder_capabilities",
]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("geocode", {"query": "Paris", "near": {"lat": 48, "lon": 2}, "viewbox": "[2, 48, 3, 49]", "limit": 1}),
    ("geocode", {"structured": {"city": "Boulder"}, "country_codes": ["us"], "layer": ["address"]}),
    ("geocode", {"query": "Atlantis"}),
    ("reverse_geocode", {"lat": 40.015, "lon": -105.27, "zoom": 10}),
    ("bbox_from_place", {"query": "Fiji", "padding": 0.1}),
    ("admin_boundaries", {"lat": 48.8566, "lon": 2.3522}),
    ("nearby_places", {"lat": 48.8566, "lon": 2.3522, "radius_km": 2, "categories": "amenity,shop"}),
    ("nearby_places", {"lat": 0, "lon": 0, "categories": ["shop"], "limit": 1}),
    ("batch_geocode", {"queries": ["Paris", "Atlantis", " "], "limit": 2, "country_codes": "fr"}),
    ("batch_geocode", {"queries": '["Paris"]'}),
    ("route_waypoints", {"waypoints": ["Paris", "48.1, 11.6", [55.75, 37.62], {"lat": 1, "lon": 2}, "Atlantis"]}),
    ("distance_matrix", {"points": '["Paris", [48.1, 11.6], {"name": "camp", "lat": 1, "lon": 2}, "Atlantis"]'}),
    ("lookup_places", {"osm_ids": ["n11", "N99"], "language": "fr"}),
    ("geocoder_status", {}),
    ("geocoder_capabilities", {}),
]


SNAPSHOT = Path(__file__).with_name("tool_definitions.json")


def tools(source: MemorySource | None = None) -> dict[str, Tool]:
    service = Geocoder(source or ObjectSource(), settings=PlacesSettings(_env_file=None), clock=Timepiece())
    return {tool.name: tool for tool in PlaceTools(service).tools()}


def definitions() -> dict[str, dict[str, Any]]:
    """The definition of each tool for clients."""
    return {
        name: {"description": tool.description, "input": tool.input_schema, "output": tool.output_schema}
        for name, tool in tools().items()
    }


def compact(schema: object) -> str:
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False)


class Heard:
    """Records its messages."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.messages.append(message)


def test_the_tools_are_those_of_the_contract_in_order() -> None:
    assert list(tools()) == NAMES


@pytest.mark.parametrize(("name", "given"), CALLS)
async def test_a_reply_fits_its_schema_and_reads_as_text(name: str, given: dict[str, Any]) -> None:
    tool = tools()[name]
    reply, mode = await tool.run({**given, "output_mode": "text"})
    jsonschema.validate(reply.structured(), tool.output_schema)
    assert mode == "text"
    text = reply.to_text()
    assert text
    assert not text.lstrip().startswith(("{", "["))


@pytest.mark.parametrize("name", NAMES)
def test_no_tool_changes_anything_and_only_questions_may_leave_the_machine(name: str) -> None:
    effects = tools()[name].effects
    assert (effects.read_only, effects.idempotent, effects.destructive) == (True, True, False)
    assert effects.open_world is (not name.startswith("geocoder_"))


@pytest.mark.parametrize("name", NAMES[:9])
async def test_the_example_in_a_description_works(name: str) -> None:
    tool = tools()[name]
    _, _, example = tool.description.partition("Example: ")
    reply, _ = await tool.run(json.loads(example))
    assert reply.success


@pytest.mark.parametrize(
    ("name", "given", "field"),
    [
        ("geocode", {"query": "Paris", "limit": 0}, "limit"),
        ("geocode", {"query": "Paris", "limit": 41}, "limit"),
        ("geocode", {"query": "Paris", "limit": True}, "limit"),
        ("geocode", {"query": "a" * 501}, "query"),
        ("geocode", {"query": "Paris", "near": {"lat": 1}}, "near.lon"),
        ("geocode", {"query": "Paris", "viewbox": [1, 2]}, "viewbox"),
        ("geocode", {"structured": {"town": "Paris"}}, "structured.town"),
        ("geocode", {"query": "Paris", "near_to": "x"}, "near_to"),
        ("reverse_geocode", {"lat": 91, "lon": 0}, "lat"),
        ("reverse_geocode", {"lat": 0, "lon": 181}, "lon"),
        ("reverse_geocode", {"lat": 0, "lon": 0, "zoom": 99}, "zoom"),
        ("reverse_geocode", {"lat": 0, "lon": 0, "zoom": 2}, "zoom"),
        ("reverse_geocode", {"lat": 0}, "lon"),
        ("bbox_from_place", {"query": "Paris", "padding": -0.1}, "padding"),
        ("bbox_from_place", {"query": "Paris", "padding": 5.1}, "padding"),
        ("admin_boundaries", {"lat": float("nan"), "lon": 0}, "lat"),
        ("nearby_places", {"lat": 0, "lon": 0, "radius_km": 0}, "radius_km"),
        ("nearby_places", {"lat": 0, "lon": 0, "radius_km": 50.5}, "radius_km"),
        ("nearby_places", {"lat": 0, "lon": 0, "limit": 51}, "limit"),
        ("nearby_places", {"lat": 0, "lon": 0, "categories": "pubs"}, "categories"),
        ("batch_geocode", {"queries": []}, "queries"),
        ("batch_geocode", {"queries": ["Paris"] * 51}, "queries"),
        ("batch_geocode", {"queries": ["Paris", 5]}, "queries.1"),
        ("batch_geocode", {"queries": ["Paris"], "limit": 0}, "limit"),
        ("batch_geocode", {"queries": ["Paris"], "limit": 6}, "limit"),
        ("route_waypoints", {"waypoints": ["Paris"]}, "waypoints"),
        ("route_waypoints", {"waypoints": ["Paris"] * 51}, "waypoints"),
        ("route_waypoints", {"waypoints": ["Paris", [91, 0]]}, "waypoints.1"),
        ("distance_matrix", {"points": ["Paris"]}, "points"),
        ("distance_matrix", {"points": ["Paris"] * 101}, "points"),
        ("distance_matrix", {"points": ["Paris", {"lat": 1, "lon": float("nan")}]}, "points.1.lon"),
        ("lookup_places", {"osm_ids": []}, "osm_ids"),
        ("lookup_places", {"osm_ids": ["N1"] * 51}, "osm_ids"),
        ("lookup_places", {"osm_ids": ["X1"]}, "osm_ids.0"),
        ("geocoder_status", {"verbose": True}, "verbose"),
    ],
)
async def test_a_value_out_of_bounds_is_refused_by_name(name: str, given: dict[str, Any], field: str) -> None:
    source = MemorySource()
    with pytest.raises(InvalidInput) as refused:
        await tools(source)[name].run(given)
    assert refused.value.field == field
    assert source.prepared == 0


@pytest.mark.parametrize("name", ["reverse_geocode", "admin_boundaries"])
async def test_open_sea_is_an_error_not_an_empty_success(name: str) -> None:
    with pytest.raises(NotFound):
        await tools()[name].run({"lat": 0, "lon": 0})


@pytest.mark.parametrize(("name", "given"), [call for call in CALLS if not call[0].startswith("geocoder_")])
async def test_a_source_that_must_prepare_says_so(name: str, given: dict[str, Any]) -> None:
    heard = Heard()
    await tools()[name].run(given, heard)
    assert heard.messages[0] == "ready"
    assert "ready" not in heard.messages[1:]


@pytest.mark.parametrize("name", ["geocoder_status", "geocoder_capabilities"])
async def test_the_status_prepares_no_source(name: str) -> None:
    source = MemorySource()
    await tools(source)[name].run({})
    assert (source.prepared, source.asked) == (0, [])


async def test_capabilities_list_every_tool_with_its_own_schema() -> None:
    known = tools()
    reply, _ = await known["geocoder_capabilities"].run({})
    listed = {card["name"]: card["parameters"] for card in reply.structured()["tools"]}
    assert listed == {name: tool.input_schema for name, tool in known.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_costs_a_model_little(name: str) -> None:
    tool = tools()[name]
    size = len(compact(tool.input_schema)) + len(compact(tool.output_schema)) + len(tool.description)
    assert size < 5000
    assert len(tool.description) < 260


def test_all_definitions_together_stay_below_eight_thousand_tokens() -> None:
    assert len(compact(definitions())) / 4 < 8_000, "a token is about four characters"


def test_definitions_change_only_on_purpose() -> None:
    told = definitions()
    if os.environ.get("WRITE_SNAPSHOTS"):
        SNAPSHOT.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert told == json.loads(SNAPSHOT.read_text(encoding="utf-8")), "if it is meant, run with WRITE_SNAPSHOTS=1"
