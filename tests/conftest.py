"""For all tests: caches of their own, beside pytest's, so that the user's are neither used nor filled."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import settings

from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import readable
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[1]

USERS_CACHE = "BEARINGS_TESTS_USERS_CACHE"
"""Where `make install` put the full atlas, for the workers of a run: their caches are elsewhere already."""


def pytest_configure() -> None:
    """Before anything is imported that may look: cache and state directories, of this process and those it starts."""
    os.environ.pop("GEOCODER_ATLAS", None)
    os.environ.setdefault(USERS_CACHE, str(PlacesSettings().cache_dir))
    os.environ.setdefault("GEOCODER_INDEX_DIR", str(ROOT / ".pytest_cache" / "no-maps"))
    os.environ.setdefault("XDG_CACHE_HOME", str(ROOT / ".pytest_cache" / "bearings"))
    os.environ.setdefault("XDG_STATE_HOME", str(ROOT / ".pytest_cache" / "state"))
    settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
    settings.load_profile("untimed")


@pytest.fixture(scope="session")
def full_atlas() -> Path:
    """The full atlas that `make install` made; it is read only."""
    made = Path(os.environ[USERS_CACHE]) / file_name()
    if not readable(made):
        pytest.fail(f"{made}: there is no full atlas. Run: make atlas")
    return made


@pytest.fixture(scope="session")
def places_cache(full_atlas: Path) -> Path:
    """A cache directory with the full atlas in it."""
    directory = PlacesSettings().cache_dir
    link = directory / full_atlas.name
    if directory != full_atlas.parent and not (link.is_symlink() and link.readlink() == full_atlas):
        directory.mkdir(parents=True, exist_ok=True)
        own = link.with_suffix(f".{os.getpid()}")
        own.symlink_to(full_atlas)
        own.replace(link)  # workers may do so at once
    return directory


@pytest.fixture(scope="session")
def atlas_packages() -> Path:
    """The folder of the packages that an atlas is made from, for slow tests."""
    installed = subprocess.run(
        [sys.executable, ROOT / "packaging" / "atlas" / "install.py", "--environment"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(ROOT / ".venv-atlas")}))
