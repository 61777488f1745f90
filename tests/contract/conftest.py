"""The implementations of each seam. A new one is a line here; the suites beside this file then run on it too."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bearings.places.source import PlaceSource
from bearings.progress import NoProgress
from tests.places.memory_source import MemorySource, ObjectSource

MakeSource = Callable[[Path], PlaceSource]
"""Makes a source that keeps its files, if any, under the directory."""

PLACE_SOURCES: dict[str, MakeSource] = {
    "memory": lambda _directory: MemorySource(),
    "memory with objects": lambda _directory: ObjectSource(),
}


@pytest.fixture(scope="session", params=PLACE_SOURCES.values(), ids=list(PLACE_SOURCES))
def make_source(request: pytest.FixtureRequest) -> MakeSource:
    """Each implementation in turn."""
    make: MakeSource = request.param
    return make


@pytest.fixture(scope="session")
def source_directory(make_source: MakeSource, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the sources of one implementation keep what they have built, so that they build it once."""
    return tmp_path_factory.mktemp("places")


@pytest.fixture
async def source(make_source: MakeSource, source_directory: Path) -> AsyncIterator[PlaceSource]:
    """A source that is ready."""
    made = make_source(source_directory)
    await made.prepare(NoProgress())
    yield made
    await made.aclose()
