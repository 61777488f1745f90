"""docs/adding-a-tool.md, followed: its code becomes a tool that an MCP client calls, and a command."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from mcp import Client

import bearings.places
import bearings.places.replies
from bearings.cli.lazy import LazyGroup
from bearings.cli.spelling import Spelling
from bearings.cli.toolcommand import entries
from bearings.cli.wiring import WIRING, Wing
from bearings.places import tools
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.serving.app import ServerSpec, build_server
from bearings.tool import Tool
from tests.docs import recipes
from tests.places.memory_source import MemorySource

PAGE = recipes.ROOT / "docs" / "adding-a-tool.md"
LISTING, COMMAND = recipes.snippets(PAGE)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Tool]:
    """The page's tool: its modules imported, its method listed as the page lists it."""
    recipes.write(PAGE, tmp_path)
    written = tmp_path / "src/bearings/places"
    with recipes.grown(bearings.places.replies, written / "replies"), recipes.grown(bearings.places, written):
        from_service = importlib.import_module("bearings.places.halfway")
        geocoder = Geocoder(MemorySource(), settings=PlacesSettings(backend="auto"))
        yield eval(LISTING, {**vars(tools), **vars(from_service), "self": tools.PlaceTools(geocoder)})


def test_the_page_has_the_modules_that_it_announces():
    assert list(recipes.modules(PAGE)) == [
        "src/bearings/places/replies/halfway.py",
        "src/bearings/places/halfway.py",
    ]


@pytest.mark.parametrize(("name", "path"), recipes.names(PAGE))
def test_every_name_stands_in_the_file_that_the_page_says(name: str, path: str):
    assert name in (recipes.ROOT / path).read_text("utf-8")


def test_the_code_has_the_house_s_style(tmp_path: Path):
    recipes.write(PAGE, tmp_path)
    checked = recipes.in_style(tmp_path / "src")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.anyio
async def test_a_client_lists_and_calls_the_tool(tool: Tool):
    spec = ServerSpec("places", "Places", "1", "Ask for places.", (tool,))
    async with Client(build_server(spec)) as client:
        [listed] = (await client.list_tools()).tools
        assert listed.name == "midpoint"
        assert sorted(listed.input_schema["required"]) == ["end", "start"]
        assert "Find the point halfway" in (listed.description or "")
        result = await client.call_tool("midpoint", {"start": "Boulder", "end": "Fiji"})
        assert not result.is_error
        told = result.structured_content
        jsonschema.validate(told, listed.output_schema)
        assert told["start"].startswith("Boulder")
        assert -180 <= told["midpoint"]["lon"] <= 180
        assert 10_000_000 < told["distance_m"] < 12_000_000
        refused = await client.call_tool("midpoint", {"start": "Atlantis", "end": "Fiji"})
        assert refused.is_error
        assert refused.structured_content["code"] == "not_found"
        unknown = await client.call_tool("midpoint", {"start": "Boulder", "finish": "Fiji"})
        assert unknown.structured_content["code"] == "invalid_input"


@pytest.mark.anyio
async def test_the_text_is_the_same_answer(tool: Tool):
    async with Client(build_server(ServerSpec("places", "Places", "1", "", (tool,)))) as client:
        result = await client.call_tool("midpoint", {"start": "Boulder", "end": "Fiji", "output_mode": "text"})
    assert "halfway from" in result.content[0].text


def test_the_tool_is_a_command(tool: Tool):
    async def aclose() -> None:
        return None

    spellings = eval(f"{{{COMMAND}}}", {"Spelling": Spelling})
    group = LazyGroup("places", "Places.", entries(spellings, lambda _: Wing((tool,), aclose)))
    result = CliRunner().invoke(group, ["midpoint", "Boulder", "Fiji"], obj=WIRING)
    assert result.exit_code == 0, result.output
    assert "halfway from" in result.stdout
