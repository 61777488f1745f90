"""The views, doctor, servers and completion."""

import io
import json
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from rich.console import Console

from bearings.cli import view_places
from bearings.cli.render import rendered
from tests.cli.conftest import Invoke, command, environment
from tests.cli.fixture_cli import FIXTURE

VIEWS = [
    ("geocode", {"query": "Paris"}, "Île-de-France"),
    ("geocode", {"query": "Nowhere"}, "Nothing found."),
    ("reverse_geocode", {"lat": 40.015, "lon": -105.27}, "Boulder"),
    ("bbox_from_place", {"query": "Fiji"}, "in pieces"),
    ("admin_boundaries", {"lat": 48.8566, "lon": 2.3522}, "France"),
    ("geocode", {"query": "40.015, -105.27"}, "Read as coordinates"),
    ("batch_geocode", {"queries": ["Paris", "Nowhere", "Fiji"]}, "2 of 3 answered, 1 failed."),
    ("batch_geocode", {"queries": ["Paris", "Nowhere"]}, "not found: no"),
    ("route_waypoints", {"waypoints": ["Paris", [48.1, 11.6], "Boulder"]}, "so far"),
    ("route_waypoints", {"waypoints": ["Paris", "Nowhere", "Boulder"]}, "(without the legs"),
    ("distance_matrix", {"points": ["Paris", "Nowhere", {"name": "camp", "lat": 47.1, "lon": 11.2}]}, "–"),
    ("distance_matrix", {"points": [[number, number] for number in range(20)]}, "more columns"),
    ("nearby_places", {"lat": 48.8566, "lon": 2.3522, "radius_km": 50}, "distance"),
    ("nearby_places", {"lat": -30, "lon": -30}, "Nothing found."),
    ("geocoder_status", {}, "no limit"),
    ("geocoder_status", {}, "backend"),
    ("geocoder_capabilities", {}, "geocode("),
]


@pytest.mark.parametrize(("name", "arguments", "want"), VIEWS)
@pytest.mark.parametrize("width", [60, 140])
def test_a_terminal_gets_a_view_that_fits(name: str, arguments: dict[str, object], want: str, width: int) -> None:
    tool = next(tool for tool in FIXTURE.places().tools if tool.name == name)
    reply, _ = anyio.run(tool.run, arguments)
    console = Console(file=io.StringIO(), width=width, force_terminal=True, no_color=True)
    assert want in rendered(name, reply, reply.structured(), console)


def test_doctor_tells_settings_and_where_they_come_from(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEOCODER_LANGUAGE", "de")
    monkeypatch.setenv("BEARINGS_TOKEN", "hush")
    result = invoke("doctor", "--json")
    found = {row["variable"]: row for row in json.loads(result.stdout)["settings"]}
    assert (found["GEOCODER_LANGUAGE"]["value"], found["GEOCODER_LANGUAGE"]["origin"]) == ("de", "env")
    assert "hush" not in invoke("doctor").stdout + result.stdout
    assert result.exit_code == 0


def test_doctor_fails_where_a_setting_makes_no_sense(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREF_TIMEOUT", "soon")
    result = invoke("doctor")
    assert result.exit_code == 1
    assert "CODEREF_TIMEOUT = 'soon'" in result.stdout


@pytest.mark.parametrize("words", [["--toolsets", "nosuch"], ["--root", "nosuch"], ["--port", "99999"], ["udp"]])
def test_a_server_refuses_unusable_settings(invoke: Invoke, words: list[str]) -> None:
    result = invoke("code", "serve", *words)
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "want"), [(["places", "serve"], 11), (["code", "serve", "stdio", "--read-only"], 15), (["serve"], 30)]
)
def test_a_server_serves_its_tools(words: list[str], want: int) -> None:
    async def count() -> int:
        line = command(*words)
        async with Client(StdioServerParameters(command=line[0], args=line[1:], env=environment())) as client:
            return len((await client.list_tools()).tools)

    assert anyio.run(count) == want


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_for_both_commands(invoke: Invoke, shell: str) -> None:
    script = invoke("completion", shell).stdout
    assert "_BEARINGS_COMPLETE" in script
    assert "_CODEREF_COMPLETE" in script


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["places", "gecode", "Paris"], "Did you mean 'geocode'?"),
        (["place"], "Did you mean 'places'?"),
        (["code", "scann"], "Did you mean 'scan'"),
        (["places", "geocode", "Paris", "--limt", "3"], "Did you mean '--limit'?"),
        (["places", "xyzzy"], "No such command 'xyzzy'.\n"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_likely_one(invoke: Invoke, words: list[str], meant: str) -> None:
    result = invoke(*words)
    assert result.exit_code == 2
    assert meant in result.stderr


def test_a_terminal_shows_the_possible_places() -> None:
    suggested = {
        "results": [],
        "suggestions": [{"display_name": "West Mersea, England"}],
        "hint": "Check the spelling.",
    }
    reply = {**suggested, "source": {"backend": "gazetteer"}, "attribution": "GeoNames."}
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        console.print(view_places.results(reply, 80))
    assert "Did you mean West Mersea, England?\nCheck the spelling." in captured.get()


AREA = {
    "name": "Strip", "kind": "claimed", "administered_by": {"self": "Strip"}, "claimed_by": {"NO": "Norland"},
    "source": "An Atlas",
}  # fmt: skip
SOURCED = {"source": {"backend": "gazetteer"}, "attribution": "GeoNames."}


@pytest.mark.parametrize(
    ("view", "reply"),
    [
        (
            view_places.place,
            {"display_name": "Strip", "found": {"lat": 1, "lon": 1}, "asked": {"lat": 1, "lon": 1}, "distance_m": 0,
             "precision": "country", "category": "boundary", "type": "country", "bbox": [0, 0, 2, 2],
             "bbox_kind": "exact", "address": {}, "time_zone": "Etc/GMT", "time_zone_nautical": True},
        ),
        (view_places.hierarchy, {"boundaries": [{"name": "Norland", "level": "country"}]}),
        (
            view_places.results,
            {"results": [{"display_name": "Strip", "name": "Strip", "lat": 1, "lon": 1, "precision": "disputed"}]},
        ),
    ],
)  # fmt: skip
def test_a_terminal_is_told_all_sides_of_a_dispute(view: Any, reply: dict[str, Any]) -> None:
    whole = {**reply, "disputed": [AREA], **SOURCED}
    if "results" in reply:
        whole["results"] = [{**reply["results"][0], "disputed": [AREA]}]
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as captured:
        console.print(view(whole, 100))
    assert "Strip: administered by itself; claimed by Norland. Source: An Atlas" in captured.get()
    if "time_zone" in reply:
        assert "Etc/GMT (nautical: by longitude)" in captured.get()
