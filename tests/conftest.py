"""For all tests: caches of their own, beside pytest's, so that the user's are neither used nor filled."""

import os
from pathlib import Path

import anyio
import pytest

from bearings.places.gazetteer.source import GazetteerSource
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress

ROOT = Path(__file__).parents[1]


def pytest_configure() -> None:
    """Before anything is imported that may look: this process's cache directory, and that of those it starts."""
    os.environ.setdefault("XDG_CACHE_HOME", str(ROOT / ".pytest_cache" / "bearings"))


@pytest.fixture(scope="session")
def places_cache() -> Path:
    """A directory with the whole gazetteer, built once for all workers and kept for the next run."""
    directory = PlacesSettings().cache_dir
    anyio.run(GazetteerSource(directory).prepare, NoProgress())
    return directory
