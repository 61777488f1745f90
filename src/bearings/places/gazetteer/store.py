"""The gazetteer's file in the cache directory: built once, by one process, whole or not at all."""

import hashlib
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bearings.errors import WriteFailed, shown
from bearings.places.gazetteer import packages
from bearings.places.index.database import Index
from bearings.places.index.writer import SCHEMA_VERSION, TEMPORARY_SUFFIX
from bearings.progress import Progress

SETTING = "GEOCODER_CACHE_DIR"
"""The environment variable that chooses the directory."""

DATA_VERSION = 3
"""Raised when build.py makes other rows of the same packages."""

_LOG = logging.getLogger(__name__)
_PATTERN = "gazetteer-v*"

Builder = Callable[[Path, Progress], None]


def file_name() -> str:
    """gazetteer-v<schema>-<hash of the versions of data and packages>.sqlite."""
    versions = ",".join(f"{name}={version}" for name, version in sorted(packages.versions().items()))
    digest = hashlib.sha256(f"{DATA_VERSION},{versions}".encode()).hexdigest()[:12]
    return f"gazetteer-v{SCHEMA_VERSION}-{digest}.sqlite"


def age(path: Path) -> dict[str, float]:
    """How many seconds ago the file was built, as `index_age_s`; nothing where it is not there."""
    try:
        return {"index_age_s": round(max(0.0, time.time() - path.stat().st_mtime), 1)}
    except OSError:
        return {}


def open_or_build(directory: Path, progress: Progress, builder: Builder) -> Index:
    """The open index; built first if it isn't there or is damaged. A second process waits for the first.

    Raises WriteFailed, naming the directory and the setting, if it has to be built and can't be written. There is no
    silent fallback to a temporary directory: every start would pay for the build again.
    """
    path = directory / file_name()
    opened = _open(path)
    if opened is not None:
        return opened
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _check_writable(directory)
        return _build_locked(path, progress, builder)
    except (OSError, sqlite3.Error) as error:
        raise WriteFailed(
            f"the gazetteer can't be built in {shown(str(directory))}: {shown(str(error))}",
            f"It needs about 150 MB there. Free or allow the path, or set {SETTING} to another directory.",
        ) from error


def _build_locked(path: Path, progress: Progress, builder: Builder) -> Index:
    from filelock import FileLock

    progress.update(0, None, "gazetteer: waiting for its lock")
    with FileLock(path.with_suffix(".lock")):
        opened = _open(path)
        if opened is None:
            _remove_temporaries(path.parent)
            builder(path, progress)
            opened = Index(path)
            _remove_others(path)
        return opened


def _open(path: Path) -> Index | None:
    """The index, or None if there is none that can be used."""
    if not path.is_file():
        return None
    try:
        return Index(path)
    except (sqlite3.DatabaseError, OSError) as error:
        _LOG.warning("the gazetteer %s is damaged and will be built again: %s", path, error)
        return None


def _check_writable(directory: Path) -> None:
    with tempfile.TemporaryFile(dir=directory):
        pass


def _remove_temporaries(directory: Path) -> None:
    """What killed builds left; the lock is ours, so that none is under way."""
    for leftover in directory.glob(f"{_PATTERN}{TEMPORARY_SUFFIX}"):
        leftover.unlink(missing_ok=True)


def _remove_others(path: Path) -> None:
    """Gazetteers of other versions. A running server keeps the one it holds (POSIX: though it is gone)."""
    for other in path.parent.glob(f"{_PATTERN}.sqlite"):
        if other != path:
            try:
                os.unlink(other)  # noqa: PTH108
            except OSError as error:
                _LOG.info("an old gazetteer stays: %s", error)
