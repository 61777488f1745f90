"""Two ways to run the command line: in this process, and in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bearings.cli.commands import bearings
from tests.cli.fixture_cli import FIXTURE, odd_group
from tests.cli.in_process import code_wing

ROOT = Path(__file__).parents[2]

Invoke = Callable[..., Result]


@pytest.fixture(autouse=True)
def empty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without a `.env`, an environment without our variables, and private caches."""
    for name in os.environ:
        if name.startswith(("BEARINGS_", "GEOCODER_", "CODEREF_", "NOMINATIM_", "MCP_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def invoke() -> Invoke:
    """Run `bearings WORDS…` without other processes; returns its result."""
    wiring = replace(FIXTURE, code=code_wing)
    return lambda *words: CliRunner().invoke(bearings(), words, obj=wiring, prog_name="bearings")


@pytest.fixture
def invoke_odd() -> Invoke:
    """Run one of the odd tools; returns its result."""
    return lambda *words: CliRunner().invoke(odd_group(), words, obj=FIXTURE, prog_name="odd")


def command(*words: str) -> list[str]:
    """The fixture's command line as a process."""
    return [sys.executable, "-m", "tests.cli.fixture_cli", *words]


def environment(**more: str) -> dict[str, str]:
    """This environment, with the tests and this tree's package importable from anywhere."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src"))), **more}


def process(*words: str, **more: str) -> "subprocess.CompletedProcess[bytes]":
    """Run `bearings WORDS…` in a process of its own, with empty stdin."""
    return subprocess.run(
        command(*words), env=environment(**more), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
