"""A worker that starts before the line is parsed, and the end of a process."""

import subprocess
import sys
from pathlib import Path

import pytest

from bearings.cli.code_spellings import SPELLINGS
from bearings.cli.likely import likely_hello
from bearings.cli.main import early_worker
from bearings.envfile import named_file
from bearings.settings import ServeSettings
from tests.cli.conftest import environment


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("scan", True),
        ("query f --type calls-me", True),
        ("", False),
        ("--help", False),
        ("--version", False),
        ("scan --help", False),
        ("serve stdio", False),
        ("cache clear", False),
        ("fleet scan repos.txt fleet.db", False),
    ],
)
def test_a_line_that_asks_about_code_has_a_worker_at_once(line: str, starts: bool) -> None:
    spare = early_worker(line.split())
    assert (spare is not None) == starts
    if spare is not None:
        hello = likely_hello(line.split()[0], SPELLINGS[line.split()[0]], line.split())
        assert hello is not None
        process = spare.take(hello)
        assert process is not None
        process.communicate(timeout=30)
        assert process.returncode == 0


def test_completion_starts_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_COMPLETEST_COMPLETE", "bash_complete")
    assert early_worker(["scan"]) is None


_RUN = """
import threading, time
import click
from bearings.cli.running import run
@click.command
def said():
    print("said", end="")
    threading.Thread(target=go_on, daemon={daemon}).start()
def go_on():
    time.sleep(0.2)
    print(", and more", end="")
run(said, "said")
"""


@pytest.mark.parametrize(("daemon", "said"), [(True, "said"), (False, "said, and more")])
def test_a_process_ends_at_once_unless_a_thread_is_to_be_waited_for(daemon: bool, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format(daemon=daemon)],
        env=environment(PYTHONUNBUFFERED=""), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, said), done.stderr


def test_a_setting_is_as_passed_else_as_in_the_environment_else_as_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine").write_text("BEARINGS_ROOTS=file\nbearings_log_level=error\nBEARINGS_TOKEN\nMCP_STDIO=\nOTHER=1\n")
    file = named_file("mine")
    monkeypatch.setenv("BEARINGS_ROOTS", "environment")
    monkeypatch.setenv("mcp_stdio", "1")
    read = ServeSettings(_env_file=file)
    assert (read.roots, read.log_level, read.token, read.mcp_stdio) == ("environment", "ERROR", None, "1")
    assert ServeSettings(_env_file=file, roots="passed").roots == "passed"
    monkeypatch.setenv("BEARINGS_ROOTS", "")
    assert ServeSettings(_env_file=file).roots == "file"
    assert ServeSettings().roots == ""
