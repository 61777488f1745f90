"""The output, its stream, and the exit status."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bearings.cli.running import BROKEN_PIPE
from tests.cli.conftest import Invoke, command, environment, process

STATUSES = [
    (["places", "geocode", "Boulder"], 0),
    (["places", "geocode", "Nowhere at all"], 1),
    (["places", "reverse", "40.015", "-105.27"], 0),
    (["places", "reverse", "-30", "-30"], 1),
    (["places", "reverse", "95", "0"], 2),
    (["places", "bbox", "Fiji"], 0),
    (["places", "bbox", "Nowhere"], 1),
    (["places", "admin", "48.8566", "2.3522"], 0),
    (["places", "status"], 0),
    (["places", "capabilities"], 0),
    (["places", "geocode"], 2),
    (["places", "geocode", "a", "b"], 2),
    (["places", "nosuch"], 2),
    (["nosuch"], 2),
    (["places", "geocode", "Paris", "--limit", "99"], 2),
    (["places", "geocode", "Paris", "--near", "nonsense"], 2),
    (["code", "scan", "nosuch"], 2),
    (["code", "query", "x"], 2),
    (["code", "query", "x", "--type", "nosuch"], 2),
]


@pytest.mark.parametrize(("words", "status"), STATUSES)
def test_the_exit_status_tells_the_outcome(invoke: Invoke, words: list[str], status: int) -> None:
    result = invoke(*words)
    assert result.exit_code == status, result.output
    assert bool(result.stderr) == (status == 2 or (status == 1 and words[1] != "geocode"))


@pytest.mark.parametrize(("words", "status"), [row for row in STATUSES if row[0][-1].startswith("nosuch") is False])
def test_json_is_one_document_and_nothing_else(invoke: Invoke, words: list[str], status: int) -> None:
    result = invoke(*words, "--json")
    assert result.exit_code == status
    if result.stdout:
        body = json.loads(result.stdout)
        assert body["success"] is (status == 0 or "count" in body)
        assert result.stderr == ""
    else:
        assert "Usage:" in result.stderr


def test_json_is_the_same_as_the_seeds_format_json(invoke: Invoke) -> None:
    assert (
        invoke("places", "bbox", "Fiji", "--format", "json").stdout == invoke("places", "bbox", "Fiji", "--json").stdout
    )


def test_a_format_of_the_tools_own_stays_its_own(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): ...\n")
    result = invoke("code", "export", "--format", "json", "--json")
    assert json.loads(result.stdout)["format"] == "json"


def test_an_error_and_its_hint_go_to_stderr(invoke_odd: Invoke) -> None:
    result = invoke_odd("lost")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: there is no such thing\nhint:  Ask for another.\n"


def test_an_error_in_json_is_its_body(invoke_odd: Invoke) -> None:
    result = invoke_odd("torn", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["candidates"] == ["a#x", "b#x"]
    assert result.stderr == ""


def test_a_bug_is_one_line_without_a_traceback(invoke_odd: Invoke) -> None:
    result = invoke_odd("broken")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: broken failed: RuntimeError: a fault\nhint:  This is a fault of bearings.")


@pytest.mark.slow
def test_a_log_level_shows_where_a_fault_lies() -> None:
    result = process("odd", "broken", BEARINGS_LOG_LEVEL="debug")
    assert b"Traceback" in result.stderr
    assert result.returncode == 1


@pytest.mark.slow
def test_a_project_is_here_or_where_it_is_said(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "a.py").write_text("def f(): ...\n\n\ndef g():\n    f()\n")
    named = json.loads(invoke("code", "query", "f", "--type", "calls-me", "--project", "app", "--json").stdout)
    assert [row["from"] for row in named["results"]] == ["a.py#g:4"]
    here = json.loads(invoke("code", "scan", "--json").stdout)
    there = json.loads(invoke("code", "scan", "app", "--json").stdout)
    assert {element["file"] for element in here["elements"]} == {"app/a.py"}
    assert {element["file"] for element in there["elements"]} == {"a.py"}


@pytest.mark.parametrize(
    ("words", "want"),
    [
        (["code", "scan", "--lang", "py", "--no-ast"], ("lexical", 2)),
        (["code", "scan", "--languages", "ts,tsx"], ("ast", 0)),
        (["code", "scan", "--types", "class"], ("ast", 0)),
    ],
)
def test_the_seeds_spellings_are_understood(
    invoke: Invoke, tmp_path: Path, words: list[str], want: tuple[str, int]
) -> None:
    (tmp_path / "a.py").write_text("def f(): ...\n\n\ndef g():\n    f()\n")
    (tmp_path / "b.ts").write_text("const x = 1;\n")
    reply = json.loads(invoke(*words, "--json").stdout)
    assert reply["method"] == want[0]
    assert sum(element["file"] == "a.py" for element in reply["elements"]) == want[1]


def test_settings_that_make_no_sense_are_named(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREF_TIMEOUT", "soon")
    result = invoke("code", "scan")
    assert result.exit_code == 2
    assert "CODEREF_TIMEOUT = 'soon'" in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.prefix.isascii(), reason="Python does not start from here in a locale of ASCII alone")
def test_unicode_is_printed_under_any_locale() -> None:
    result = process("places", "geocode", "Paris", "--json", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0, result.stderr
    assert "Île-de-France" in result.stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize(("words", "status"), [(["geocode", "Nowhere"], 1), (["reverse", "1"], 2), (["status"], 0)])
def test_a_process_ends_with_the_status(words: list[str], status: int) -> None:
    assert process("places", *words).returncode == status


@pytest.mark.slow
def test_stdout_without_a_terminal_is_plain() -> None:
    result = process("places", "bbox", "Fiji", FORCE_COLOR="")
    assert b"\x1b" not in result.stdout
    assert result.stderr == b""


@pytest.mark.slow
def test_ctrl_c_ends_at_once_and_says_nothing() -> None:
    with subprocess.Popen(
        command("odd", "slow"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"asleep\n"
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=10)
    assert (running.returncode, stdout, stderr) == (130, b"", b"")


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error_to_speak_of(unbuffered: str) -> None:
    with subprocess.Popen(
        command("odd", "long"),
        env=environment(PYTHONUNBUFFERED=unbuffered),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=10) == BROKEN_PIPE


@pytest.mark.slow
def test_a_terminal_gets_a_view_and_a_bar() -> None:
    """Run under a pseudo-terminal: colours on stdout; on stderr the bar, and the cursor back after Ctrl-C."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("odd", "slow"), env=environment(TERM="xterm", COLUMNS="80"), stdout=subprocess.PIPE, stderr=theirs
    ) as running:
        os.close(theirs)
        assert running.stdout is not None
        assert running.stdout.readline() == b"asleep\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
    drawn = b""
    with contextlib.suppress(OSError):  # Linux's error at the end of a terminal
        while part := os.read(ours, 65536):
            drawn += part
    os.close(ours)
    assert b"\x1b[?25h\r\x1b[K" in drawn  # under coverage the process lives on to save its data, and draws meanwhile
