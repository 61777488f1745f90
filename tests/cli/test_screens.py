"""The views, doctor, servers and completion."""

import io
import json
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from bearings.cli.terminal import rendered
from bearings.places.replies.disputes import DisputedArea
from bearings.places.replies.parts import Suggestion
from tests.cli.conftest import Invoke, command, environment
from tests.cli.fixture_cli import FIXTURE

VIEWS = [
    ("geocode", {"query": "Paris"}, "Île-de-France"),
    ("geocode", {"query": "Nowhere"}, "Nothing found."),
    ("reverse_geocode", {"lat": 40.015, "lon": -105.27}, "Boulder"),
    ("bbox_from_place", {"query": "Fiji"}, "in pieces"),
    ("admin_boundaries", {"lat": 48.8566, "lon": 2.3522}, "France"),
    ("geocode", {"query": "40.015, -105.27"}, "Read as coordinates"),
    ("batch_geocode", {"queries": ["Paris", "Nowhere", "Fiji"]}, "2 of 3 answered, 1 failed, 0 not asked"),
    ("batch_geocode", {"queries": ["Paris", "Nowhere"]}, "not found: no"),
    ("route_waypoints", {"waypoints": ["Paris", [48.1, 11.6], "Boulder"]}, "so far"),
    ("route_waypoints", {"waypoints": ["Paris", "Nowhere", "Boulder"]}, "(not complete: the legs"),
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
    assert want in " ".join(seen(name, replied(name, arguments), width).split())


def replied(name: str, arguments: dict[str, object]) -> Any:
    """A tool's reply."""
    tool = next(tool for tool in FIXTURE.places().tools if tool.name == name)
    return anyio.run(tool.run, arguments)[0]


def seen(name: str, reply: Any, width: int) -> str:
    """A reply as a terminal shows it, without colours."""
    return rendered(name, reply, Console(file=io.StringIO(), width=width, color_system=None))


@pytest.mark.slow
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
    ("words", "want"), [(["places", "serve"], 11), (["code", "serve", "stdio", "--read-only"], 15), (["serve"], 33)]
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
        (["place"], "Did you mean 'places' or 'code replace'?"),
        (["code", "scann"], "Did you mean 'scan'"),
        (["places", "geocode", "Paris", "--limt", "3"], "Did you mean '--limit'?"),
        (["places", "xyzzy"], "no such command 'xyzzy'\n"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_likely_one(invoke: Invoke, words: list[str], meant: str) -> None:
    result = invoke(*words)
    assert result.exit_code == 2
    assert meant in result.stderr


def test_a_terminal_shows_the_possible_places() -> None:
    meant = Suggestion(name="West Mersea", display_name="West Mersea, England", lat=51.78, lon=0.92)
    reply = replace(replied("geocode", {"query": "Nowhere"}), suggestions=[meant], hint="Check the spelling.")
    assert "Nothing found. Check the spelling.\nDid you mean West Mersea, England?\n" in seen("geocode", reply, 80)


AREA = DisputedArea(
    name="Strip", kind="claimed", administered_by={"self": "Strip"}, claimed_by={"NO": "Norland"}, source="An Atlas"
)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("geocode", {"query": "Paris"}),
        ("reverse_geocode", {"lat": 40.015, "lon": -105.27}),
        ("admin_boundaries", {"lat": 48.8566, "lon": 2.3522}),
    ],
)
def test_a_terminal_is_told_all_sides_of_a_dispute(name: str, arguments: dict[str, object]) -> None:
    reply = replied(name, arguments)
    if name == "geocode":
        reply.results[0].disputed = [AREA]
    else:
        reply.disputed = [AREA]
    told = "disputed: Strip (claimed); administered by itself; claimed by Norland (NO) (source: An Atlas)"
    assert told in seen(name, reply, 120)


def test_a_terminal_shows_the_text_of_a_pipe_in_colours() -> None:
    reply = replied("bbox_from_place", {"query": "Fiji"})
    console = Console(file=io.StringIO(), width=200, force_terminal=True, color_system="standard")
    shown = rendered("bbox_from_place", reply, console)
    assert Text.from_ansi(shown).plain == reply.to_text()
    assert shown.startswith("\x1b[1mFiji\x1b[0m\n")
    assert seen("bbox_from_place", reply, 200) == reply.to_text()


def test_a_line_that_is_too_wide_goes_on_below_and_no_word_is_broken() -> None:
    reply = replied("geocode", {"query": "Nowhere"})
    lines = seen("geocode", replace(reply, hint=f"{'word ' * 20}"), 40).splitlines()
    assert lines[1].startswith("      word word")
    assert max(map(len, lines)) <= 40
    name = "a_name_that_is_wider_than_the_terminal_is_selected_by_a_double_click"
    assert f"Nothing found. two {name}\n" in seen("geocode", replace(reply, hint=f"two {name}"), 40)
