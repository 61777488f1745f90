"""The four scripts, shell completion, and doctor on machines with missing programs."""

import os
import re
import signal
import stat
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from bearings.cli import checks
from bearings.cli.interrupt import leaving_at_once
from bearings.cli.wiring import WIRING, Wiring
from bearings.errors import Unsupported
from tests.cli.conftest import Invoke, environment

BIN = Path(sys.executable).parent


def script(name: str, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(BIN / name), *words], env=environment(**more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "banner"),
    [("bearings", "bearings "), ("coderef", "coderef (bearings-mcp) "), ("bearings-places", "bearings-places "),
     ("bearings-code", "bearings-code ")],
)  # fmt: skip
def test_every_script_tells_its_version(name: str, banner: str):
    result = script(name, "--version")
    assert result.returncode == 0
    assert result.stdout.startswith(banner)


def test_python_m_bearings_is_bearings():
    result = subprocess.run(
        [sys.executable, "-m", "bearings", "--help"], env=environment(), capture_output=True, text=True, check=True
    )
    assert "Usage: bearings " in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tool"), [("bearings-places", "geocode"), ("bearings-code", "coderef_scan")])
def test_a_launcher_serves_stdio_to_a_client(name: str, tool: str):
    async def tools() -> list[str]:
        async with Client(StdioServerParameters(command=str(BIN / name), env=environment())) as client:
            return [found.name for found in (await client.list_tools()).tools]

    assert tool in anyio.run(tools)


@pytest.mark.slow
def test_usage_errors_are_status_two_and_on_stderr():
    result = script("bearings", "nosuch")
    assert (result.returncode, result.stdout) == (2, "")
    assert "no such command 'nosuch'" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "number", "want"),
    [("bearings pl", 1, "places"), ("bearings places geo", 2, "geocode"), ("bearings code query --ty", 3, "--type")],
)
def test_a_shell_gets_completions(line: str, number: int, want: str):
    result = script("bearings", _BEARINGS_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(number))
    assert want in result.stdout


def test_a_log_level_is_taken_from_the_environment():
    assert script("bearings", "--version", BEARINGS_LOG_LEVEL="debug").returncode == 0


def test_ctrl_c_is_left_alone_outside_the_main_thread():
    def run() -> object:
        with leaving_at_once():
            return signal.getsignal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(run).result() is before
    with leaving_at_once():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_doctor_misses_programs_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert checks.program("git", "a hint").mark == "warn"
    assert checks.program("node", "a hint", needed=False).mark == "ok"
    assert checks.coderef(None).mark == "ok"


def test_doctor_says_how_bearings_comes_onto_the_path():
    assert checks.on_path("").mark == "ok"
    missing = checks.on_path("/venv/bin/bearings")
    assert (missing.mark, missing.detail) == ("warn", "bearings is not on it")
    assert "pipx install ." in missing.hint
    assert missing.hint.endswith("/venv/bin/bearings")


def test_doctor_says_what_a_client_sees(invoke: Invoke):
    assert re.search(
        r"clients +\d+ tools about places, \d+ about code; bearings install writes /", invoke("doctor").stdout
    )


@pytest.mark.parametrize(
    ("says", "mark", "detail"),
    [
        ("echo coderef '(bearings-mcp)' 9", "ok", "ours"),
        ("echo other 1.0", "warn", "another program: other 1.0"),
        ("exit 3", "warn", "another program: no version"),
    ],
)
def test_doctor_tells_our_coderef_from_another(tmp_path: Path, says: str, mark: str, detail: str):
    program = tmp_path / "coderef"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    check = checks.coderef(str(program))
    assert (check.mark, check.detail.partition(" (")[0]) == (mark, detail)


def test_doctor_names_a_program_that_can_not_be_started(tmp_path: Path):
    program = tmp_path / "coderef"
    program.write_text("no program\n")
    assert checks.coderef(str(program)).detail.startswith("another program: no version")


def test_doctor_says_that_a_cache_directory_is_a_file(tmp_path: Path):
    file = tmp_path / "file"
    file.touch()
    check = checks.directory("places cache", file / "below", "GEOCODER_CACHE_DIR")
    assert check.mark == "fail"
    assert "GEOCODER_CACHE_DIR" in check.hint
    full = checks.directory("places cache", tmp_path, "GEOCODER_CACHE_DIR")
    assert full.mark == "ok"
    assert "GB free" in full.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("imported", "line"),
    [("./lib", "✓ imports +all of the project's own resolve"), ("$lib/far", r"! imports +\$lib/: 1 import, no file")],
)
def test_doctor_says_which_imports_of_a_project_lead_to_no_file(tmp_path: Path, imported: str, line: str):
    (tmp_path / "lib.ts").write_text("export const a = 1\n")
    (tmp_path / "main.ts").write_text(f'import {{ a }} from "{imported}"\n')
    result = script("bearings", "doctor", str(tmp_path))
    assert re.search(line, result.stdout)
    assert result.returncode == 0


def test_doctor_says_that_places_can_not_answer():
    def none() -> None:
        raise Unsupported("no backend", "Choose one.")

    found = anyio.run(checks.checks, Wiring(places=none, code=WIRING.code))  # type: ignore[arg-type] # never returns
    places = next(check for check in found if check.name == "places")
    assert (places.mark, places.detail, places.hint) == ("fail", "no backend", "Choose one.")


@pytest.mark.parametrize(("atlas", "mark", "said"), [("", "ok", "core atlas"), ("/nowhere", "warn", "GEOCODER_ATLAS")])
def test_doctor_says_which_atlas_answers_and_makes_none(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, atlas: str, mark: str, said: str
):
    monkeypatch.setenv("GEOCODER_ATLAS", atlas)
    found = anyio.run(checks.checks, WIRING)
    places = next(check for check in found if check.name == "places")
    assert places.mark == mark
    assert said in places.detail
    assert not list(tmp_path.rglob("*.sqlite"))


@pytest.mark.slow
def test_http_is_served_and_ends_on_a_signal():
    """The same without terminal sequences: stderr is a pipe here."""
    with subprocess.Popen(
        [str(BIN / "bearings"), "serve", "http", "--port", "0", "--root", os.curdir],
        env=environment(BEARINGS_LOG_LEVEL="INFO"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        for line in running.stderr:
            found = re.search(r"running on (http://\S+)", line)
            if found:
                break
        assert found
        with urllib.request.urlopen(f"{found.group(1)}/health/live", timeout=10) as reply:
            assert reply.status == 200
        running.terminate()
        stdout, _ = running.communicate(timeout=20)
    assert stdout == ""
