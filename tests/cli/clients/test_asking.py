"""The questions at a terminal, and the effect of the answers."""

import json
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")

if sys.platform != "win32":
    import pty

Say = Callable[[str, str], None]


@contextmanager
def terminal(*words: str) -> Iterator[tuple[Say, Callable[[], tuple[int, str]]]]:
    """`bearings WORDS…` at a terminal: functions to answer a prompt, and to get status and screen."""
    pid, screen = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-m", "bearings", *words], environment(NO_COLOR="1"))
    shown = b""

    def say(prompt: str, answer: str) -> None:
        nonlocal shown
        seen = len(shown)
        while prompt.encode() not in shown[seen:]:
            assert select.select([screen], [], [], 60)[0], shown.decode()
            shown += os.read(screen, 4096)
        os.write(screen, answer.encode() + b"\n")

    def end() -> tuple[int, str]:
        nonlocal shown
        try:
            while more := os.read(screen, 4096):
                shown += more
        except OSError:  # the other side is closed
            pass
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()

    try:
        yield say, end
    finally:
        os.close(screen)


def servers(home: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]
    return found


@pytest.mark.slow
def test_the_address_is_asked_for_once_with_the_policy_and_the_difference_is_shown(home: Path):
    with terminal("install", "cursor") as (say, end):
        say("Your address (empty: no)", "nobody")
        say("Your address (empty: no)", "somebody@town.example")
        say("Write this? [y/N]", "y")
        status, screen = end()
    assert status == 0, screen
    assert "https://operations.osmfoundation.org/policies/nominatim/" in screen
    assert "name@example.org" in screen  # the problem with the first answer
    assert '"NOMINATIM_EMAIL": "somebody@town.example"' in screen
    assert servers(home)["bearings-places"]["env"] == {"NOMINATIM_EMAIL": "somebody@town.example"}
    assert "env" not in servers(home)["bearings-code"]


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["", "n", "No"])
def test_no_address_means_no_and_is_not_asked_again(home: Path, answer: str):
    with terminal("install", "cursor") as (say, end):
        say("Your address (empty: no)", answer)
        say("Write this? [y/N]", "y")
        assert end()[0] == 0
    assert "env" not in servers(home)["bearings-places"]
    with terminal("install", "cursor", "--with-skill") as (say, end):
        say("Write this? [y/N]", "y")
        status, screen = end()
    assert (status, "Your address" in screen) == (0, False)


@pytest.mark.slow
def test_a_no_writes_nothing(home: Path):
    with terminal("install", "cursor", "--no-nominatim") as (say, end):
        say("Write this? [y/N]", "n")
        status, screen = end()
    assert (status, "Nothing was written." in screen) == (1, True)
    assert list(home.iterdir()) == []


@pytest.mark.slow
def test_a_project_s_file_is_shared_so_no_address_is_asked_for(tmp_path: Path):
    with terminal("install", "cursor", "--project", str(tmp_path)) as (say, end):
        say("Write this? [y/N]", "y")
        status, screen = end()
    assert (status, "Your address" in screen) == (0, False)
