"""The full atlas as built, and its installation by `make install`."""

import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from bearings.places.atlas import postcodes
from bearings.places.atlas.edition import DATA_VERSION, file_name
from bearings.places.atlas.integrity import faults
from bearings.places.atlas.writer import SCHEMA_VERSION
from bearings.progress import NoProgress
from tests.conftest import ROOT
from tests.places import small_index
from tests.soak import soak

INSTALL = ROOT / "packaging" / "atlas" / "install.py"


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def test_it_is_whole_within_its_size_and_says_its_edition(full_atlas: Path):
    assert full_atlas.stat().st_size <= 260_000_000
    with closing(sqlite3.connect(f"{full_atlas.as_uri()}?immutable=1", uri=True)) as connection:
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        [count] = connection.execute(
            "SELECT count(*) FROM place WHERE type IN ('city', 'town', 'village', 'suburb')"
        ).fetchone()
    assert (meta["data"], meta["data_version"]) == ("full", DATA_VERSION)
    assert count == 234_908


@pytest.mark.slow
@soak  # `bearings places atlas verify`, in the documents, checks it each time
def test_its_checksum_is_right(full_atlas: Path):
    assert faults(full_atlas, SCHEMA_VERSION) == []


def test_the_edition_s_hash_matches_the_atlas_s_inputs():
    checked = run(ROOT / "packaging" / "atlas" / "inputs.py")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
def test_make_install_leaves_an_existing_atlas_alone(tmp_path: Path):
    small_index.build(tmp_path / file_name(), NoProgress())
    postcodes.write(tmp_path / postcodes.file_name(), [], {})
    before = (tmp_path / file_name()).stat()
    done = run(INSTALL, GEOCODER_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    after = (tmp_path / file_name()).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "status"), [((), 0), (("--strict",), 1)])
def test_a_build_that_fails_is_said_and_leaves_the_core_atlas_answering(
    tmp_path: Path, atlas_packages: Path, options: tuple[str, ...], status: int
):
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run(INSTALL, *options, GEOCODER_CACHE_DIR=str(blocked))
    assert done.returncode == status
    assert "The core atlas answers" in done.stderr
    asked = run("-m", "bearings", "places", "geocode", "Paris", "--json", GEOCODER_CACHE_DIR=str(blocked))
    assert '"data":"core"' in asked.stdout, asked.stderr


@pytest.mark.slow
def test_postcodes_that_fail_are_said_and_leave_the_atlas_answering(tmp_path: Path, atlas_packages: Path):
    small_index.build(tmp_path / file_name(), NoProgress())
    (tmp_path / file_name()).with_suffix(".lock").mkdir()  # nothing can be locked for making them
    done = run(INSTALL, GEOCODER_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0
    assert "The atlas goes without postcodes" in done.stderr
    asked = run("-m", "bearings", "places", "geocode", "62701, USA", "--json", GEOCODER_CACHE_DIR=str(tmp_path))
    assert '"unused":["62701"]' in asked.stdout, asked.stderr


@pytest.mark.slow
def test_the_data_wheel_holds_the_atlas_and_is_found_by_the_program(tmp_path: Path):
    cache, dist, site = tmp_path / "cache", tmp_path / "dist", tmp_path / "site"
    cache.mkdir()
    small_index.build(cache / file_name(), NoProgress())
    postcodes.write(cache / postcodes.file_name(), [], {})
    built = run(ROOT / "packaging" / "atlas" / "wheel.py", dist, GEOCODER_CACHE_DIR=str(cache))
    assert built.returncode == 0, built.stderr
    wheel, layer = sorted(dist.iterdir())
    assert layer.name == f"bearings_postcodes-{postcodes.DATA_VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(layer) as archive:
        assert "bearings_postcodes/postcodes.sqlite" in archive.namelist()
    assert wheel.name == f"bearings_atlas-{DATA_VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert {"bearings_atlas/__init__.py", "bearings_atlas/atlas.sqlite"} <= set(archive.namelist())
        archive.extractall(site)
    said = run(
        "-m", "bearings", "places", "atlas", "info", "--json", PYTHONPATH=str(site), XDG_CACHE_HOME=str(tmp_path)
    )
    found = json.loads(said.stdout)
    assert (found["data"], found["origin"]) == ("full", "the package bearings-atlas")
    asked = run("-m", "bearings", "places", "geocode", "London", "--json", PYTHONPATH=str(site))
    assert json.loads(asked.stdout)["source"]["data"] == "full"


@pytest.mark.slow
def test_a_damaged_atlas_becomes_no_wheel(tmp_path: Path):
    small_index.build(tmp_path / file_name(), NoProgress())
    with closing(sqlite3.connect(tmp_path / file_name())) as connection:
        connection.execute("DELETE FROM place WHERE name = 'London'")
        connection.commit()
    built = run(ROOT / "packaging" / "atlas" / "wheel.py", tmp_path / "dist", GEOCODER_CACHE_DIR=str(tmp_path))
    assert built.returncode == 1
    assert "checksum" in built.stderr
    assert not (tmp_path / "dist").exists()
