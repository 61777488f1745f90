"""The core atlas: small, part of the program, a subset of the full atlas, with notes on missing data."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

from bearings.places.atlas.edition import DATA_VERSION
from bearings.places.atlas.index import Index
from bearings.places.atlas.integrity import CHECKSUM, faults
from bearings.places.atlas.source import REMEDY, GazetteerSource
from bearings.places.atlas.store import CORE, CORE_PATH
from bearings.places.atlas.writer import SCHEMA_VERSION
from bearings.places.engine import chains
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools
from bearings.progress import NoProgress
from core_atlas import make_core
from tests.places import small_index
from tests.soak import soak

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Ask a tool over the core atlas; returns the structured reply."""

    def asked(name: str, **arguments: Any) -> dict[str, Any]:
        async def run() -> dict[str, Any]:
            settings = PlacesSettings.model_validate({"backend": "gazetteer", "cache_dir": tmp_path})
            source = GazetteerSource(tmp_path, CORE)
            tools = {tool.name: tool for tool in PlaceTools(Geocoder(source, settings=settings)).tools()}
            try:
                reply, _ = await tools[name].run(arguments)
                return {**reply.structured(), "text": reply.to_text()}
            finally:
                await source.aclose()

        return anyio.run(run)

    return asked


@pytest.mark.slow
def test_it_is_small_whole_and_of_this_edition():
    assert CORE_PATH.stat().st_size <= 8_000_000
    assert CORE_PATH.stat().st_mode & 0o444 == 0o444
    assert faults(CORE_PATH, SCHEMA_VERSION) == []
    index = Index(CORE_PATH)
    assert (index.meta["data"], index.meta["data_version"]) == (CORE, DATA_VERSION), "run `make core-atlas`"
    index.close()


@pytest.mark.slow
@soak
def test_it_is_made_of_the_full_atlas_that_this_edition_makes(full_atlas: Path, tmp_path: Path):
    make_core(full_atlas, tmp_path / "core.sqlite")
    made, committed = Index(tmp_path / "core.sqlite"), Index(CORE_PATH)
    assert made.meta[CHECKSUM] == committed.meta[CHECKSUM], "run `make core-atlas` and commit its file"
    made.close()
    committed.close()


@pytest.mark.parametrize(
    ("query", "country"),
    [("Paris", "fr"), ("東京", "jp"), ("Springfield, Illinois", "us"), ("Île-de-France", "fr"), ("Deutschland", "de"),
     ("Londno", "gb"), ("Vaduz", "li"), ("Paris, Europe", "fr"), ("Kingston, Caribbean", "jm"),
     ("Istanbul, Asia", "tr")],
)  # fmt: skip
def test_cities_regions_countries_and_capitals_are_found_and_the_reply_says_core(ask: Ask, query: str, country: str):
    reply = ask("geocode", query=query, limit=1)
    assert reply["results"][0]["address"]["country_code"] == country
    assert reply["source"]["data"] == CORE
    assert reply["source"]["remedy"] == REMEDY
    assert f"core data, {DATA_VERSION}. {REMEDY}" in reply["text"]


def test_a_place_of_the_full_atlas_is_not_found_and_the_hint_names_the_remedy(ask: Ask):
    reply = ask("geocode", query="West Mersea")
    assert reply["results"] == []
    assert reply["hint"].endswith(REMEDY)
    assert reply["text"].count(REMEDY) == 1


def test_nearby_places_tell_the_remedy_too(ask: Ask):
    assert REMEDY in ask("nearby_places", lat=51.78, lon=0.92, radius_km=5)["hint"]


@pytest.mark.parametrize(
    ("lat", "lon", "country"), [(48.8566, 2.3522, "fr"), (-18.14, 178.44, "fj"), (43.739, 7.427, "mc")]
)
def test_points_are_in_their_countries(ask: Ask, lat: float, lon: float, country: str):
    assert ask("reverse_geocode", lat=lat, lon=lon)["address"]["country_code"] == country


@pytest.mark.parametrize(
    ("lat", "lon", "country"),
    [(45.0, 1.0, "fr"), (40.0, -100.0, "us"), (-25.0, 135.0, "au"), (22.0, 79.0, "in"), (-10.0, -55.0, "br")],
)
def test_a_point_far_from_any_city_is_in_its_country(ask: Ask, lat: float, lon: float, country: str):
    assert ask("reverse_geocode", lat=lat, lon=lon)["address"]["country_code"] == country


def test_every_country_has_an_outline():
    index = Index(CORE_PATH)
    without = index.query("SELECT name FROM place WHERE layer = 'country' AND id NOT IN (SELECT place FROM area)")
    index.close()
    assert without == []


def test_places_are_chosen_and_hang_on_the_next_area_that_was(tmp_path: Path):
    full = tmp_path / "full.sqlite"
    small_index.build(full, NoProgress())
    with closing(sqlite3.connect(full)) as connection:
        connection.execute("UPDATE place SET layer = 'county' WHERE name = 'Illinois'")
        connection.commit()
    make_core(full, tmp_path / "core.sqlite")
    index = Index(tmp_path / "core.sqlite")
    names = dict(index.query("SELECT name, parent FROM place"))
    assert {"Street", "Barbuda", "Illinois"}.isdisjoint(names)
    assert {"England", "London", "St. Louis"} <= set(names)
    assert index.rows([names["St. Louis"]])[names["St. Louis"]].name == "United States"
    assert index.query("SELECT count(*) FROM name WHERE place NOT IN (SELECT id FROM place)") == [(0,)]
    index.close()
    assert faults(tmp_path / "core.sqlite", SCHEMA_VERSION) == []


@pytest.mark.slow
def test_a_command_makes_it(tmp_path: Path):
    full, core = tmp_path / "full.sqlite", tmp_path / "core.sqlite"
    small_index.build(full, NoProgress())
    script = Path(__file__).parents[3] / "packaging" / "atlas" / "core_atlas.py"
    subprocess.run([sys.executable, script, core, full], check=True)
    assert faults(core, SCHEMA_VERSION) == []


@pytest.mark.slow
def test_outlines_are_valid():
    index = Index(CORE_PATH)
    stored = [outline for (outline,) in index.query("SELECT outline FROM area")]
    index.close()
    assert all(chains.polygon(outline).is_valid for outline in stored)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE place SET lat = 0 WHERE name = 'London'", "checksum"),
        ("DELETE FROM name WHERE key = 'london'", "checksum"),
        ("UPDATE meta SET value = '0' WHERE key = 'schema_version'", "schema 0"),
        ("DELETE FROM meta WHERE key = 'content_sha256'", "no checksum"),
    ],
)
def test_a_changed_row_is_a_fault(tmp_path: Path, statement: str, said: str):
    path = tmp_path / "changed.sqlite"
    small_index.build(path, NoProgress())
    assert faults(path, SCHEMA_VERSION) == []
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    [fault, *_] = faults(path, SCHEMA_VERSION)
    assert said in fault


def test_damaged_pages_are_a_fault(tmp_path: Path):
    path = tmp_path / "damaged.sqlite"
    shutil.copyfile(CORE_PATH, path)
    with path.open("r+b") as file:
        file.seek(40 * 4096)
        file.write(b"\xff" * 4096)
    assert faults(path, SCHEMA_VERSION)
    path.write_bytes(b"not a database")
    assert faults(path, SCHEMA_VERSION)
