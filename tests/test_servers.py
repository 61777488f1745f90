"""Both servers for their clients: a process on stdio, every tool, good and bad arguments of every kind."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import Tool

from bearings.cli.wiring import WIRING, both_spec, code_spec, places_spec, tools_named
from bearings.serving.app import wire_tool

ROOT = Path(__file__).parents[1]
FERRY = str(ROOT / "examples" / "ferry")
TIDES = str(ROOT / "examples" / "tides")

GOOD: list[tuple[str, dict[str, Any]]] = [
    ("geocode", {"query": "Boulder"}),
    ("geocode", {"query": "Cambridge", "country_codes": "gb", "limit": 3, "language": "fr"}),
    ("geocode", {"query": "Springfield", "near": {"lat": 39.8, "lon": -89.6}, "limit": 2}),
    ("geocode", {"query": "Paris", "viewbox": [-100, 30, -90, 36], "bounded": True}),
    ("geocode", {"structured": {"city": "Paris", "country": "France"}}),
    ("geocode", {"query": "qwrtzpsdfg"}),
    ("reverse_geocode", {"lat": 48.8566, "lon": 2.3522}),
    ("reverse_geocode", {"lat": 48.8566, "lon": 2.3522, "zoom": 3, "language": "local"}),
    ("bbox_from_place", {"query": "Fiji", "padding": 0.1}),
    ("admin_boundaries", {"lat": 35.68, "lon": 139.69}),
    ("nearby_places", {"lat": 48.8566, "lon": 2.3522, "radius_km": 10, "limit": 3}),
    ("batch_geocode", {"queries": ["Paris", "qwrtzpsdfg", "Fiji"]}),
    ("route_waypoints", {"waypoints": ["Paris", [45.76, 4.84], {"name": "Marseille", "lat": 43.3, "lon": 5.37}]}),
    ("distance_matrix", {"points": ["Paris", "Boulder", "東京"]}),
    ("geocoder_status", {}),
    ("geocoder_capabilities", {}),
    ("coderef_scan", {"project_path": FERRY}),
    ("coderef_scan", {"project_path": TIDES, "use_ast": False, "types": ["class"], "limit": 2}),
    ("coderef_query", {"project_path": FERRY, "query_type": "calls-me", "element": "parseTime"}),
    ("coderef_query", {"project_path": TIDES, "query_type": "imports", "element": "tides/tables.py"}),
    ("coderef_query", {"project_path": TIDES, "query_type": "path", "source": "table_for", "element": "height_at"}),
    ("coderef_symbol", {"project_path": TIDES, "element": "Station"}),
    ("coderef_symbol", {"project_path": TIDES, "element": ["Station", "nobody", "table_for"]}),
    ("coderef_query", {"project_path": FERRY, "query_type": "calls-me", "target": "parseTime", "detail": "full"}),
    ("coderef_explore", {"project_path": FERRY, "question": "where are seats booked"}),
    ("coderef_unused", {"project_path": FERRY, "exports": True}),
    ("coderef_validate", {"project_path": FERRY, "pattern": "src/**"}),
    ("coderef_drift", {"project_path": TIDES, "index_path": "earlier.coderef-index.json"}),
    ("coderef_tag", {"path": FERRY, "project_path": FERRY, "lang": "ts", "exclude": ["test"], "verbose": True}),
    ("coderef_rename", {"project_path": FERRY, "element": "parseTime", "new_name": "readTime"}),
    ("coderef_signature", {"project_path": FERRY, "element": "parseTime", "parameters": "text, zone?: string"}),
    ("coderef_move", {"project_path": FERRY, "element": "parseTime", "target": "src/times.ts"}),
    ("coderef_remove", {"project_path": FERRY, "element": "parseTime"}),
    ("coderef_replace", {"project_path": FERRY, "element": "parseTime", "where": "before", "text": "const ANY = 1;"}),
    ("coderef_diagram", {"project_path": FERRY}),
    ("coderef_diagram", {"project_path": TIDES, "element": "Station", "diagram_type": "all", "format": "dot"}),
    ("coderef_impact", {"project_path": FERRY, "element": "parseTime", "operation": "delete"}),
    ("coderef_complexity", {"project_path": TIDES, "element": "tides/tables.py"}),
    ("coderef_changes", {"project_path": TIDES}),
    ("coderef_context", {"project_path": FERRY, "output_format": "both"}),
    ("coderef_map", {"project_path": TIDES, "focus": "Station"}),
    ("coderef_patterns", {"project_path": FERRY}),
    ("coderef_coverage", {"project_path": TIDES, "format": "detailed"}),
    ("coderef_export", {"project_path": TIDES}),
    ("coderef_export", {"project_path": TIDES, "format": "index", "max_nodes": 3}),
]

OF = {
    "places": [row for row in GOOD if not row[0].startswith("coderef_")],
    "code": [row for row in GOOD if row[0].startswith("coderef_")],
}
UNSUPPORTED = {"lookup_places": {"osm_ids": ["N1"]}}
"""Questions that the gazetteer does not support."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def client_of(wing: str, mode: str) -> AsyncIterator[Client]:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "bearings", wing, "serve", "stdio"], env=dict(os.environ), cwd=ROOT
    )
    async with Client(command, mode=mode, read_timeout_seconds=120) as client:
        yield client


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("wing", ["places", "code"])
async def test_every_tool_answers_and_its_reply_fits_its_schema(wing: str, mode: str):
    async with client_of(wing, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {name for name, _ in OF[wing]} == set(tools) - set(UNSUPPORTED)
        for name, arguments in OF[wing]:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, arguments, result.structured_content)
            jsonschema.validate(result.structured_content, tools[name].output_schema or {})
            text = await client.call_tool(name, {**arguments, "output_mode": "text"})
            assert set(text.structured_content) == {"text"}
            jsonschema.validate(text.structured_content, tools[name].output_schema or {})
            assert result.content[0].text.startswith("{")
            assert text.content[0].text.strip()
            assert not text.content[0].text.startswith("{")


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("wing", ["places", "code"])
async def test_bad_input_of_every_kind_is_a_clear_error_and_the_server_lives(wing: str, tmp_path: Path):
    first = dict(reversed(OF[wing]))  # the first good arguments of each tool
    async with client_of(wing, "auto") as client:
        for tool in (await client.list_tools()).tools:
            good = {**UNSUPPORTED, **first}[tool.name]
            for bad in [*bad_values(tool, good), *bad_projects(good, tmp_path)]:
                result = await client.call_tool(tool.name, bad)
                said = (tool.name, str(bad)[:200], str(result.structured_content)[:300])
                assert result.is_error, said
                body = result.structured_content
                assert body["code"] in {"invalid_input", "path_not_allowed", "element_not_found"}, said
                assert body["error"], said
                assert len(json.dumps(body)) < 2500, said
                assert "Traceback" not in body["error"], said
            last = await client.call_tool(tool.name, good)
            assert not last.is_error or last.structured_content["code"] == "unsupported"


def bad_values(tool: Tool, good: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """For each argument, values that its schema must refuse; and an unknown argument."""
    yield {**good, "no_such_argument": 1}
    for name in tool.input_schema.get("required", []):
        yield {key: value for key, value in good.items() if key != name}
    for name, schema in tool.input_schema["properties"].items():
        rest = {key: value for key, value in good.items() if not {key, name} <= {"query", "structured"}}
        cut = schema.get("maximum", 0) + 1 if tool.name.startswith("coderef_") else None  # reduced to the maximum
        for value in values_against(schema, 200_001 if name == "text" else 20_000):
            if cut is None or value != cut or isinstance(value, bool):
                yield {**rest, name: value}


def values_against(schema: dict[str, Any], too_long: int) -> Iterator[Any]:
    kind = schema.get("type")
    if kind in ("integer", "number"):
        yield from ("many", [], {}, True, 1e300 if kind == "number" and "maximum" in schema else "1e999")
        if "maximum" in schema:
            yield schema["maximum"] + 1
        if "minimum" in schema:
            yield schema["minimum"] - 1
    elif kind == "string":
        yield from (5, [], {"a": 1}, "x" * too_long, "a\0b")
    elif kind == "boolean":
        yield from ("perhaps", 7, [])
    elif kind == "array":
        yield from (5, "[1,", [{"a": {}}], [[[[]]]])
    else:
        yield from (5.5, [[]], {"no_such_key": 1}, "a\0b")


def bad_projects(good: dict[str, Any], tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Paths that are not projects."""
    if "project_path" not in good:
        return
    file = tmp_path / "file.py"
    file.write_text("x = 1\n")
    for path in ("\0", "nowhere/at/all", str(tmp_path / "missing"), str(file), "/dev/null", "/" + "x" * 5000):
        yield {**good, "project_path": path}


@pytest.mark.slow
def test_nan_and_infinity_on_the_wire_are_refused():
    """JSON has no NaN, but the writers of Python and other languages produce it."""
    lines: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        *(
            {"id": 2 + i, "method": "tools/call", "params": {
                "name": "reverse_geocode", "arguments": {"lat": value, "lon": 2}}}
            for i, value in enumerate((math.nan, math.inf, -math.inf))
        ),
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "bearings", "places", "serve", "stdio"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for line in lines:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
        process.stdin.flush()
    answers: dict[int, dict[str, Any]] = {}
    while len(answers) < 4:
        message = json.loads(process.stdout.readline())
        answers[message["id"]] = message
    process.stdin.close()
    process.stdout.close()
    assert process.wait(timeout=10) == 0
    for number in (2, 3, 4):
        assert answers[number]["error"]["code"] == -32700  # JSON has no such numbers


@pytest.mark.parametrize(
    ("wing", "sets", "tokens"),
    [("places", "all", 3_500), ("places", "core", 2_500), ("code", "all", 8_000), ("code", "core", 4_000)],
)
def test_all_that_a_model_reads_of_a_server_fits_its_budget(wing: str, sets: str, tokens: int):
    """The size on the wire, at four characters a token."""
    spec = places_spec(WIRING) if wing == "places" else code_spec(WIRING, None)
    tools = spec.chosen(toolsets=tools_named([sets], spec.tools), read_only=False).tools
    wire = sum(len(wire_tool(tool).model_dump_json(by_alias=True, exclude_none=True)) for tool in tools)
    assert tools
    assert wire < tokens * 4


def test_the_definitions_of_both_wings_together_fit_forty_thousand_characters():
    fields = {"name", "description", "input_schema", "output_schema"}
    listed = [wire_tool(tool) for tool in both_spec(WIRING, None).tools]
    assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True, include=fields)) for tool in listed) <= 40_000


def test_a_servers_instructions_are_short_and_name_no_tool_that_is_not_there():
    for spec in (places_spec(WIRING), code_spec(WIRING, None), both_spec(WIRING, None)):
        assert len(spec.instructions) <= 1_200
        named = set(re.findall(r"\b(?:coderef_[a-z]+|[a-z]+_geocode|bbox_[a-z_]+|admin_[a-z]+)\b", spec.instructions))
        assert named
        assert named <= {tool.name for tool in spec.tools}


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_nominatim_that_does_not_answer_delays_no_status(tmp_path: Path):
    asked = anyio.Event()

    async def hang(connection: anyio.abc.SocketStream) -> None:
        async with connection:
            asked.set()
            await anyio.sleep_forever()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, hang)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        environment = {**os.environ, "NOMINATIM_BASE_URL": f"http://127.0.0.1:{port}", "XDG_CACHE_HOME": str(tmp_path)}
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "bearings", "places", "serve", "stdio"], env=environment, cwd=ROOT
        )
        async with Client(command) as client, anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "geocode", {"query": "Paris"})
            await asked.wait()
            with anyio.fail_after(5):
                status = await client.call_tool("geocoder_status", {})
            calls.cancel_scope.cancel()
        group.cancel_scope.cancel()
    assert not status.is_error
    assert status.structured_content["backend"] == "nominatim"


@pytest.mark.slow
def test_the_first_tool_to_ask_of_each_wing_asks_to_stay_loaded():
    wires = [wire_tool(tool) for wing in (WIRING.places(), WIRING.code(None)) for tool in wing.tools]
    marked = {wire.name: wire.model_dump(by_alias=True)["_meta"] for wire in wires if wire.meta}
    assert marked == {name: {"anthropic/alwaysLoad": True} for name in ("geocode", "coderef_explore")}
