"""First words that are no command of a group, and hints in the words of the command line."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from bearings.cli.commands import bearings
from bearings.cli.speech import command, spoken
from bearings.cli.wiring import WIRING
from tests.cli.conftest import Invoke
from tests.code.trees import write


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cache"], "no such command 'cache'. Did you mean 'places cache' or 'code cache'?"),
        (["geocde", "Paris"], "Did you mean 'places geocode'?"),
        (["Paris"], "hint:  For a place: bearings places geocode Paris. About code: bearings code explore Paris"),
        (["code", "who calls f"], "hint:  Try: bearings code explore 'who calls f'"),
        (["reverse"], "error: missing argument 'LAT'\nhint:  Usage: bearings places reverse [OPTIONS] LAT LON; see "),
        (["nearby", "Berlin"], "its point: bearings places geocode Berlin"),
        (["explore", "./nowhere"], "Directory './nowhere' does not exist"),
    ],
)
def test_a_first_word_that_is_no_command_is_answered_with_the_likely_lines(
    invoke: Invoke, words: list[str], said: str
) -> None:
    result = invoke(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_folder_without_sources_says_so(invoke: Invoke) -> None:
    result = invoke("callers", "x")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "The project has no source file in a supported language (.py " in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["places", "distance", "Paris", "London"], "total 343.8 km"),
        (["distance", "Paris", "London"], "total 343.8 km"),
        (["code", "routes"], "GET /tidy"),
        (["endpoints"], "GET /tidy"),
    ],
)
def test_another_word_for_a_command_runs_it(empty_place: Path, words: list[str], said: str) -> None:
    write(empty_place, {"app.py": "import flask\napp = flask.Flask(__name__)\n\n@app.get('/tidy')\ndef tidy(): ...\n"})
    assert said in CliRunner().invoke(bearings(), words, obj=WIRING).stdout


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("coderef_query", {"query_type": "calls-me", "element": "f"}, "bearings code query f --type calls-me"),
        ("coderef_impact", {"element": "a.ts#f:1"}, "bearings code impact 'a.ts#f:1'"),
        ("coderef_symbol", {"element": ["f", "g"]}, "bearings code symbol f g"),
        ("route_waypoints", {"waypoints": ["New York", "Rome"]}, "bearings places route 'New York' Rome"),
        ("coderef_unused", {}, "bearings code unused"),
    ],
)
def test_a_call_of_a_tool_is_a_line_to_type(tool: str, arguments: dict[str, object], line: str) -> None:
    assert command(tool, arguments) == line


def test_a_hint_names_commands() -> None:
    assert spoken("coderef_scan lists all elements.") == "bearings code scan lists all elements."
    assert spoken('Ask: coderef_map {"element": "f"} now') == "Ask: bearings code map f now"
    assert spoken("my_coderef_scan_2 and coderef_scan {x}") == "my_coderef_scan_2 and coderef_scan {x}"
