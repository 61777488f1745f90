"""For all tests: caches of their own, beside pytest's, so that the user's are neither used nor filled, and no settings
of the user's."""

import gc
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import readable
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[1]

USERS_CACHE = "BEARINGS_TESTS_USERS_CACHE"
"""Where `make install` put the full atlas, for the workers of a run: their caches are elsewhere already."""

USERS = re.compile(
    "(BEARINGS|CODEREF|GEOCODER|GIT|MCP|NOMINATIM)_"
    "(?!DATA|SOAK|ROUNDS|REQUIRE_|NOMINATIM_DIR|TESTS?_|TREE_SITTER|WRITE_|RECORD_|BENCHMARKS|VIEWS)"
)
"""Variables that the program and git read, which a user may have set; all but those of the suite itself."""


def pytest_configure() -> None:
    """Before anything is imported that may look: the settings of this process, and of those that it starts."""
    cache = os.environ.get("GEOCODER_CACHE_DIR")
    for name in list(os.environ):
        if USERS.match(name) or name.lower() in ("http_proxy", "all_proxy"):
            del os.environ[name]
    os.environ.setdefault(USERS_CACHE, cache or str(PlacesSettings().cache_dir))
    os.environ["GEOCODER_INDEX_DIR"] = str(ROOT / ".pytest_cache" / "no-maps")
    for kind in ("CACHE", "DATA", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(ROOT / ".pytest_cache" / "bearings")
    sys.path.append(str(ROOT / "packaging" / "atlas"))  # the builder of the atlas, which is no part of the wheel
    for name in ("NO_PROXY", "no_proxy"):  # what a test starts on this machine is asked directly
        os.environ[name] = ",".join(filter(None, ("localhost,127.0.0.1,::1", os.environ.get(name))))
    # A busy machine fails no test: no deadline. Each run draws other examples.
    settings.register_profile("bearings", deadline=None, max_examples=100 if os.environ.get("BEARINGS_SOAK") else 20)
    settings.load_profile("bearings")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays to the end: collections of garbage look at none of its million objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `BEARINGS_TEST_SHARE=3`, every third slow test is left out, and of the values of each other a third stays.

    They are drawn by their names and `BEARINGS_TEST_DRAW`, so that each commit draws others. All of `mark.whole` stay.
    """
    share, groups = int(os.environ.get("BEARINGS_TEST_SHARE", "1")), defaultdict[str, list[str]](list)
    for item in items if share > 1 else ():
        if item.get_closest_marker("slow") and not item.get_closest_marker("whole"):
            groups[item.nodeid.partition("[")[0]].append(item.nodeid)
    left = set[str]()
    for test, values in groups.items():
        stay = -(-len(values) // share) if _lot(test) % share else 0
        left.update(sorted(values, key=_lot)[stay:])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left])
    items[:] = [item for item in items if item.nodeid not in left]


def _lot(name: str) -> int:
    text = os.environ.get("BEARINGS_TEST_DRAW", "") + name
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


@pytest.fixture(scope="session")
def full_atlas() -> Path:
    """The full atlas that `make install` made; it is read only.

    Skips where there is none, as without a network, unless `BEARINGS_REQUIRE_ATLAS=1`: then it fails.
    """
    made = Path(os.environ[USERS_CACHE]) / file_name()
    if not readable(made):
        give_up = pytest.fail if os.environ.get("BEARINGS_REQUIRE_ATLAS") == "1" else pytest.skip
        give_up(f"{made}: there is no full atlas. Run: make atlas")
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
