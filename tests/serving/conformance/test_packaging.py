"""Files that registries and installers read: they describe the program correctly and are accepted."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import bearings
from bearings.cli.envfile import settings_classes
from tests.serving.conformance.checkers import MCPB, Checkers
from tests.soak import soak

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VARIABLES = {kind.variable(name) for kind in settings_classes() for name in kind.model_fields}


def read(name: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    return said


def copied_by_the_image() -> list[str]:
    lines = (FOLDER / "Dockerfile").read_text("utf-8").splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY") and not line.startswith("COPY --")]
    return [name for names in copied for name in names]


def named_by(page: str) -> list[str]:
    """The files that the page says to copy for a bundle."""
    said = re.search(r"copy it beside (.*?) into a directory", (ROOT / page).read_text("utf-8"), re.DOTALL)
    assert said is not None
    return re.findall(r"`([^`]+)`", said[1])


def test_the_registry_entry_names_this_version_of_this_package():
    entry = read("server.json")
    [package] = entry["packages"]
    assert entry["version"] == package["version"] == bearings.__version__
    assert package["identifier"] == PROJECT["name"]
    assert package["identifier"] in PROJECT["scripts"], "uvx runs the script that is named like the package"
    assert {one["name"] for one in package["environmentVariables"]} <= VARIABLES
    assert len(entry["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])


def test_the_bundle_starts_an_own_script_with_settings_that_it_asks_for():
    manifest = read("manifest.json")
    assert manifest["version"] == bearings.__version__
    assert (ROOT / manifest["server"]["entry_point"]).is_file()
    start = manifest["server"]["mcp_config"]
    assert set(PROJECT["scripts"]) & set(start["args"])
    assert set(start["env"]) <= VARIABLES
    asked = {found for value in start["env"].values() for found in re.findall(r"user_config\.(\w+)", value)}
    assert asked == set(manifest["user_config"])
    assert manifest["compatibility"]["runtimes"]["python"] == PROJECT["requires-python"]


def test_the_image_starts_a_server_that_others_reach_and_asks_for_its_health():
    lines = (FOLDER / "Dockerfile").read_text("utf-8").splitlines()
    command = json.loads(next(line for line in lines if line.startswith("CMD")).removeprefix("CMD "))
    assert command[0] in PROJECT["scripts"]
    assert "/health" in next(line for line in lines if line.startswith("HEALTHCHECK"))
    assert any(line.startswith("USER ") and line != "USER root" for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("names", [copied_by_the_image(), named_by("docs/deploy.md")], ids=["image", "bundle"])
def test_the_files_that_are_copied_are_all_that_a_wheel_is_made_of(names: list[str], tmp_path: Path):
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if name != "BEARINGS_COMPILED"}
    outcome = subprocess.run(build, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    [wheel] = tmp_path.glob("*.whl")
    assert {"bearings/code/parse.py", "bearings/places/atlas/core.sqlite"} <= set(zipfile.ZipFile(wheel).namelist())


@soak
def test_the_bundle_s_own_tool_accepts_the_manifest(checkers: Checkers):
    outcome = checkers.run(MCPB, "validate", str(FOLDER / "manifest.json"), cwd=FOLDER)
    assert outcome.status == 0, outcome.out + outcome.err


def test_the_runtime_that_is_compiled_in_is_the_locked_one() -> None:
    said = re.search(r'^RUNTIME = "(\S+) --hash=(\S+)"$', (FOLDER / "native.py").read_text("utf-8"), re.MULTILINE)
    assert said is not None
    locked = (ROOT / "requirements.lock").read_text("utf-8").partition(f"\n{said[1]} ")[2].partition("\n\n")[0]
    assert said[2] in re.split(r"\n\S", locked)[0]
