"""The same over the command line, in processes of their own, and on a terminal."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.cli.wiring import WIRING
from bearings.errors import BearingsError
from bearings.reply import Reply
from bearings.tool import Tool
from tests.adversary.conftest import Tally, attempts
from tests.adversary.text.calls import code_calls, place_calls
from tests.adversary.text.corpus import hides, leaks

pytestmark = pytest.mark.slow

CODE = [
    ["scan", "{project}"], ["scan", "{project}", "--no-use-ast"], ["context", "--output-format", "markdown"], ["map"],
    ["patterns"], ["coverage"], ["validate"], ["drift"], ["changes"], ["diagram"], ["symbol", "f3"], ["symbol", "t5"],
    ["export"], ["tag", "{project}/py"], ["query", "f3", "--type", "depends-on-me"], ["impact", "t5"],
    ["complexity", "K5"], ["symbol", "no\x1b[31m\u202esuch"], ["changes", "--base", "no\x1b[31m\u202esuch"],
]  # fmt: skip
PLACES = [
    ["geocode", "Alpha"], ["geocode", "A\x1b[31m\u202elpha"], ["reverse", "51.1", "0.1"], ["bbox", "Beta"],
    ["nearby", "51.2", "0.2"], ["admin", "51.3", "0.3"], ["batch", "Gamma", "Delta"], ["route", "Epsilon", "Zeta"],
    ["matrix", "Eta", "Theta"], ["lookup", "N42", "N43"], ["status"], ["capabilities"],
]  # fmt: skip


def _commands(repository: Path) -> list[list[str]]:
    project = str(repository)
    words = [[word.format(project=project) for word in line] for line in CODE]
    code = [["code", *line] if project in line[-1] or project in " ".join(line) else
            ["code", *line, "--project", project] for line in words]  # fmt: skip
    return code + [["places", *line] for line in PLACES] + [["doctor"]]


def test_no_command_prints_hidden_text(repository: Path, environment: dict[str, str], tmp_path: Path, tally: Tally):
    (tmp_path / ".env").write_text("BEARINGS_ROOTS=/a\x1b[31m\u202eb\nCODEREF_ENGINE=n\u200bative\n")
    leaked = []
    tried = 0
    commands = _commands(repository)
    lines = [*commands[:: attempts(8, 1)], *([*line, "--json"] for line in commands[4 :: attempts(8, 1)])]
    for line in lines:
        done = subprocess.run(
            [sys.executable, "-m", "bearings", *line],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=tmp_path if line[0] == "doctor" else repository.parent,
            timeout=120,
            check=False,
        )
        tried += 1
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        assert out or err, line
        if line[-1] == "--json" and out:
            leaked += [(line, text) for text in leaks(json.loads(out))]
        leaked += [(line, text) for text in (out, err) if hides(text)]
    assert not leaked, leaked[:5]
    tally("hidden text, commands", tried, tried - len(leaked))


def test_no_view_on_a_terminal_prints_a_sequence_of_theirs(
    repository: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tally: Tally
):
    for name, value in environment.items():
        if name.startswith(("XDG_", "GEOCODER_", "NOMINATIM_")):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    views = anyio.run(_views, repository)
    leaked = [view for view in views if hides(view)]
    assert not leaked, leaked[:2]
    tally("hidden text, views on a terminal", len(views), len(views) - len(leaked))


async def _views(repository: Path) -> list[str]:
    """Every reply as a terminal shows it."""
    shown = []
    for wing, calls in (
        (WIRING.code((repository,)), code_calls(str(repository), range(2))),
        (WIRING.places(), place_calls(range(900, 903))),
    ):
        tools = {tool.name: tool for tool in wing.tools}
        for name, arguments in calls:
            reply = await _reply(tools[name], arguments)
            if reply is not None:
                console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=140)
                shown.append(rendered(name, reply, console))
        await wing.aclose()
    return shown


async def _reply(tool: Tool, arguments: dict[str, Any]) -> Reply | None:
    try:
        return (await tool.run(arguments))[0]
    except BearingsError:
        return None
