"""The documents list everything that a user can type, call or set, and their examples work."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from bearings.cli.commands import bearings
from bearings.cli.envfile import settings_classes
from bearings.cli.wiring import WIRING
from bearings.places.osm.making import make
from bearings.progress import NoProgress
from tests.cli.in_process import code_wing
from tests.docs import reference
from tests.places.worlds import NoWorld
from tests.soak import soak

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = reference.PATH.read_text(encoding="utf-8")
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
GENERATED = {"reference", "parameters", "licences"}


@pytest.mark.slow
def test_the_reference_matches_the_program():
    assert reference.text() == REFERENCE, "run `make docs`"


@pytest.mark.parametrize("tool", reference.tools(), ids=lambda tool: tool.name)
def test_every_tool_and_parameter_is_documented(tool):
    assert f"`{tool.name}`" in README
    assert f"### `{tool.name}`" in REFERENCE
    for name, schema in tool.input_schema["properties"].items():
        assert f"| `{name}` |" in REFERENCE
        assert schema.get("description"), f"{tool.name}.{name} says nothing of itself"


@pytest.mark.slow
def test_every_command_and_option_is_documented():
    root = bearings()
    for path, command in reference.walk(root, click.Context(root, info_name="bearings", obj=WIRING)):
        assert f"### `{path}`" in REFERENCE
        for spelled, described in reference.parameters(command):
            assert spelled in REFERENCE
            assert described, f"{path}: {spelled} says nothing of itself"


def test_every_variable_is_documented():
    names = [kind.variable(name) for kind in settings_classes() for name in kind.model_fields]
    assert names
    for name in names:
        assert f"| `{name}` |" in REFERENCE


def test_every_variable_that_the_documents_name_is_read_by_the_program():
    known = {kind.variable(name) for kind in settings_classes() for name in kind.model_fields}
    for page in PAGES:
        named = set(
            re.findall(r"\b(?:GEOCODER|NOMINATIM|CODEREF|BEARINGS|MCP)_[A-Z_]+\b", page.read_text(encoding="utf-8"))
        )
        build = {"BEARINGS_COMPILED", "BEARINGS_PURE", "BEARINGS_TREE_SITTER"}
        assert named - known - build - {"BEARINGS_DATA"} == set(), page.name  # what tests read


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", prose):
        assert (page.parent / target).exists(), target
        if anchor and (target or page.name).endswith(".md"):
            assert anchor in anchors(page.parent / target if target else page), f"{target}#{anchor}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem not in GENERATED], ids=lambda page: page.name)
def test_lines_of_prose_are_short(page: Path):
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.splitlines() if len(line) > 160 and line[:1] not in "|<"] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_alone_lists_every_target():
    listed = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    phony = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {line.split()[1] for line in listed.splitlines()} == set(phony[0].split())


def test_decisions_are_numbered_once():
    numbers = [path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")]
    assert sorted(set(numbers)) == sorted(numbers)


def examples() -> list[Any]:
    """Every `bearings …` line in the documents' consoles that asks something and ends by itself."""
    found: list[Any] = []
    for page in PAGES:
        for line in re.findall(r"^\$ (?:\.venv/bin/)?(bearings .+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            if " serve" not in line:
                marks = [soak] if line.endswith("atlas verify") else []  # reads 220 MB
                found.append(pytest.param(page.name, line.partition("  #")[0].strip(), marks=marks))
    return found


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize(("page", "line"), examples(), ids=lambda word: word)
def test_every_command_in_the_documents_answers(
    page: str, line: str, places_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    words = shlex.split(line)[1:]
    environment = {**os.environ, "GEOCODER_CACHE_DIR": str(places_cache)}
    if page == "own-map.md":
        environment |= {"GEOCODER_INDEX_DIR": str(tmp_path)}
        make(tmp_path / "town.map", [ROOT / "tests" / "data" / "town" / "town.osm"], NoWorld(), NoProgress())
    if words[0] in ("install", "uninstall"):  # in a home of its own, without a terminal
        words = [str(tmp_path) if word == "." else word for word in words] + ["--yes"]
        environment |= dict.fromkeys(("HOME", "USERPROFILE", "APPDATA"), str(tmp_path))
        environment |= {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    if words[:2] == ["code", "fleet"]:  # with a catalogue of its own
        words = [str(tmp_path / word) if word == "fleet.db" else word for word in words]
        scan = ["code", "fleet", "scan", "examples/fleet.txt", str(tmp_path / "fleet.db")]
        subprocess.run([sys.executable, "-m", "bearings", *scan], cwd=ROOT, env=environment, check=True, timeout=120)
    if words[0] in ("places", "code") and words[1] not in ("fleet", "tag") and "." not in words:
        for name, value in environment.items() - os.environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(ROOT)
        wiring = replace(WIRING, code=code_wing)  # the words matter here, not the process
        here = CliRunner().invoke(bearings(), words, obj=wiring, prog_name="bearings")
        assert here.exit_code == 0, here.output
        assert here.stdout.strip()
        return
    folder = ROOT
    if words[:2] == ["code", "tag"]:  # the samples alone: it indexes the repository around its folder
        folder = tmp_path
        shutil.copytree(ROOT / "examples", folder / "examples")
    result = subprocess.run(
        [sys.executable, "-m", "bearings", *words],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


def shown() -> list[tuple[str, list[str]]]:
    """Every command of the README that is shown with its answer, and the lines of that."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return [(command, lines) for command, lines in found if lines]


def test_the_readme_shows_answers_of_both_wings():
    assert {command.split()[1] for command, _ in shown()} == {"places", "code"}


@pytest.mark.parametrize(("command", "lines"), shown(), ids=lambda word: word if isinstance(word, str) else "")
def test_what_the_readme_shows_is_what_the_program_says(command: str, lines: list[str], places_cache: Path):
    result = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=ROOT, env={**os.environ, "GEOCODER_CACHE_DIR": str(places_cache)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    wanted = [line for line in lines if line != "…"]
    assert result.stdout.splitlines()[: len(wanted)] == wanted


def test_the_client_setup_of_the_readme_is_json_that_names_our_launchers():
    blocks = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    commands = {
        server["command"].rpartition("/")[2]
        for block in blocks
        for table in json.loads(block).values()
        for server in table.values()
    }
    assert len(blocks) == 2
    assert commands == {"bearings-places", "bearings-code"}
    assert (Path(sys.executable).parent / "bearings-places").exists()
    assert (Path(sys.executable).parent / "bearings-code").exists()
