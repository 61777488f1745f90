"""Arguments under the names of Nominatim and other servers: accepted, with the current name in a note, everywhere."""

import json

import anyio
import pytest
from mcp import Client, StdioServerParameters

from bearings.errors import InvalidInput
from bearings.places import arguments
from tests.cli.conftest import Invoke, command, environment
from tests.cli.fixture_cli import FIXTURE

CALLS = [
    ("geocode", {"q": "Paris", "lang": "en"}, "q is called query here; lang is called language here."),
    ("bbox_from_place", {"place_name": "Fiji"}, "place_name is called query here."),
    ("reverse_geocode", {"latitude": 40.015, "lng": -105.27}, "latitude is called lat here; lng is called lon here."),
    ("batch_geocode", {"queries": ["Paris"], "max_results": 2}, "max_results is called limit here."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "passed", "told"), CALLS)
def test_an_old_name_is_taken_and_told(name: str, passed: dict[str, object], told: str) -> None:
    tool = next(tool for tool in FIXTURE.places().tools if tool.name == name)
    ours = {arguments.OLD_NAMES.get(key, key): value for key, value in passed.items()}
    reply, _ = anyio.run(tool.run, passed)
    expected, _ = anyio.run(tool.run, ours)
    assert reply.structured() == {**expected.structured(), "spelling": told}
    assert told in reply.to_text()
    assert "spelling" not in expected.structured()


def test_an_argument_under_two_names_is_refused() -> None:
    tool = next(tool for tool in FIXTURE.places().tools if tool.name == "geocode")
    with pytest.raises(InvalidInput, match="country_codes, which is passed too"):
        anyio.run(tool.run, {"query": "Paris", "countrycodes": "fr", "country_codes": "fr"})
    with pytest.raises(InvalidInput, match="countries"):
        anyio.run(tool.run, {"query": "Paris", "countrycodes": "fr", "countries": "fr"})


def test_an_old_name_of_another_tools_argument_is_unknown() -> None:
    tool = next(tool for tool in FIXTURE.places().tools if tool.name == "reverse_geocode")
    with pytest.raises(InvalidInput, match="is no argument of this tool"):
        anyio.run(tool.run, {"lat": 1, "lon": 1, "countrycodes": "fr"})


@pytest.mark.slow
def test_a_server_takes_old_names() -> None:
    async def ask() -> dict[str, object]:
        line = command("places", "serve")
        async with Client(StdioServerParameters(command=line[0], args=line[1:], env=environment())) as client:
            result = await client.call_tool("geocode", {"query": "Paris", "countrycodes": "fr"})
            return dict(result.structured_content or {})

    reply = anyio.run(ask)
    assert reply["count"] == 1
    assert reply["spelling"] == "countrycodes is called country_codes here."


def test_a_command_takes_old_names_and_does_not_show_them(invoke: Invoke) -> None:
    result = invoke("places", "geocode", "Paris", "--countrycodes", "fr", "--lang", "en", "--json")
    told = "countrycodes is called country_codes here; lang is called language here."
    assert json.loads(result.stdout)["spelling"] == told
    assert told in invoke("places", "geocode", "Paris", "--countrycodes", "fr", "--lang", "en").stdout
    assert "countrycodes" not in invoke("places", "geocode", "--help").stdout
