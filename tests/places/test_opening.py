"""The places wing as a library, for programs that wait and that await."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bearings.places
from bearings.errors import InvalidInput, NotFound
from bearings.places.osm.making import make
from bearings.progress import NoProgress
from tests.places.osm.conftest import TOWN
from tests.places.worlds import NoWorld


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps")
    make(folder / "town.map", [TOWN], NoWorld(), NoProgress())
    return folder


@pytest.mark.slow
def test_each_question_has_its_method(maps: Path, tmp_path: Path):
    with bearings.places.open(backend="osm-index", index_dir=maps, cache_dir=tmp_path, language="en") as places:
        found = places.geocode("5 Harbour Street, Port Aurel", near=(-26.5, 179.75)).results[0]
        assert (found.name, found.address["town"]) == ("Harbour Street 5", "Port Aurel")
        assert places.reverse(found.lat, found.lon).address["house_number"] == "5"
        west, south, east, north = places.bbox("Port Aurel", padding=0.1).bbox
        assert (west < east, south < north) == (True, True)
        assert places.nearby(-26.5, 179.75, categories="amenity").places
        assert places.admin(-26.5, 179.75).country == "Velmora"
        assert places.lookup(["R3001"]).results[0].name == "Velmora"
        with pytest.raises(NotFound):
            places.reverse(10, 10)
        with ThreadPoolExecutor(4) as threads:
            names = list(threads.map(lambda _: places.geocode("Port Aurel").results[0].name, range(20)))
        assert names == ["Port Aurel"] * 20
    places.close()


@pytest.mark.anyio
async def test_for_programs_that_await(maps: Path, tmp_path: Path):
    async with bearings.places.open_async(backend="osm-index", index_dir=maps, cache_dir=tmp_path) as places:
        assert (await places.geocode("Port Aurel", language="fr")).count >= 1


def test_arguments_come_before_the_environment(maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GEOCODER_LANGUAGE", "ja")
    monkeypatch.setenv("GEOCODER_BACKEND", "nominatim")
    given = {"backend": "osm-index", "index_dir": maps, "cache_dir": tmp_path}
    with bearings.places.open(**given) as places:
        assert places.geocode("Velmora").results[0].name == "ヴェルモラ"
    with bearings.places.open(**given, language="fr") as places:
        assert places.geocode("Velmora").results[0].name == "Velmore"


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"bakend": "auto"}, "bakend"), ({"backend": "google"}, "google"), ({"timeout": -1}, "timeout"),
     ({"nominatim_email": "nobody"}, "an address of yours")],
)  # fmt: skip
def test_a_setting_that_can_not_be_is_refused(settings: dict[str, object], words: str):
    with pytest.raises(InvalidInput, match=words):
        bearings.places.open(**settings)


@pytest.mark.slow
def test_the_package_is_as_light_as_before():
    code = (
        "import sys, bearings.places; assert 'anyio' not in sys.modules; "
        "assert hasattr(bearings.places, 'open') and not hasattr(bearings.places, 'shut')"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
