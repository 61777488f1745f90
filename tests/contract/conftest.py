"""The implementations of each Protocol. A new one is a line here; the suites beside this file then run on it too."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bearings.places.atlas.source import GazetteerSource
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.source import NominatimSource
from bearings.places.osm.making import make
from bearings.places.osm.schema import SUFFIX
from bearings.places.osm.source import OsmSource
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress
from tests.contract.exchanges import RECORD, Recorder, Replayed
from tests.contract.worlds import EARTH, VELMORA, World
from tests.nominatim_server.fixture import real_nominatim
from tests.places.memory_source import MemorySource, ObjectSource
from tests.places.worlds import NoWorld

__all__ = ["real_nominatim"]

TOWN = Path(__file__).parents[1] / "data" / "town" / "town.osm"

MakeSource = Callable[[Path], PlaceSource]
"""Makes a source that keeps its files, if any, under the directory."""


@dataclass(frozen=True)
class Arm:
    """An implementation, and the world of its data."""

    make: MakeSource
    world: World = EARTH


def over(url: str, transport: httpx2.AsyncBaseTransport | None, **values: Any) -> MakeSource:
    """A Nominatim source with its own settings, independent of the environment."""
    settings = NominatimSettings.model_validate({"base_url": url, "email": None, "rate_limit": None, **values})

    def make(directory: Path) -> PlaceSource:
        client = NominatimClient(
            settings, cache_dir=directory / "cache", pace_dir=directory / "pace", transport=transport
        )
        return NominatimSource(client, settings)

    return make


def memory(_: pytest.FixtureRequest) -> Iterator[Arm]:
    yield Arm(lambda _: MemorySource())


def memory_with_objects(_: pytest.FixtureRequest) -> Iterator[Arm]:
    yield Arm(lambda _: ObjectSource())


def gazetteer(request: pytest.FixtureRequest) -> Iterator[Arm]:
    cache: Path = request.getfixturevalue("places_cache")
    yield Arm(lambda _: GazetteerSource(cache))


def core_atlas(_: pytest.FixtureRequest) -> Iterator[Arm]:
    yield Arm(lambda directory: GazetteerSource(directory, "core"))


def recorded_nominatim(_: pytest.FixtureRequest) -> Iterator[Arm]:
    yield Arm(over("http://recorded.invalid", Replayed()), VELMORA)


def a_real_nominatim(request: pytest.FixtureRequest) -> Iterator[Arm]:
    recorder = Recorder() if os.environ.get(RECORD) else None
    yield Arm(over(request.getfixturevalue("real_nominatim"), recorder), VELMORA)
    if recorder:
        recorder.write()


@pytest.fixture(scope="session")
def town_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the map of the little town."""
    folder = tmp_path_factory.mktemp("maps")
    make(folder / f"town{SUFFIX}", [TOWN], NoWorld(), NoProgress())
    return folder


def imported_map(request: pytest.FixtureRequest) -> Iterator[Arm]:
    folder: Path = request.getfixturevalue("town_map")
    yield Arm(lambda _: OsmSource(folder), VELMORA)


PLACE_SOURCES = [
    pytest.param(imported_map, id="imported map"),
    pytest.param(memory, id="memory"),
    pytest.param(memory_with_objects, id="memory with objects"),
    pytest.param(gazetteer, id="gazetteer"),
    pytest.param(core_atlas, id="gazetteer, core"),
    pytest.param(recorded_nominatim, id="nominatim, recorded"),
    pytest.param(a_real_nominatim, id="nominatim, real", marks=pytest.mark.slow),
]


@pytest.fixture(scope="session", params=PLACE_SOURCES)
def arm(request: pytest.FixtureRequest) -> Iterator[Arm]:
    """Each implementation in turn."""
    yield from request.param(request)


@pytest.fixture(scope="session")
def make_source(arm: Arm) -> MakeSource:
    """Makes sources of the implementation."""
    return arm.make


@pytest.fixture(scope="session")
def world(arm: Arm) -> World:
    """The world of the implementation's data."""
    return arm.world


@pytest.fixture(scope="session")
def source_directory(arm: Arm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory for the files of one implementation's sources, so that they build them once."""
    return tmp_path_factory.mktemp("places")


@pytest.fixture
async def source(make_source: MakeSource, source_directory: Path) -> AsyncIterator[PlaceSource]:
    """A source that is ready."""
    made = make_source(source_directory)
    await made.prepare(NoProgress())
    yield made
    await made.aclose()
