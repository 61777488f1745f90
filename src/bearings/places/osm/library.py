"""The maps of a user: where they stand, what is in them, how they come and go."""

import errno
import logging
import re
import sqlite3
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.errors import BearingsError, Busy, InvalidInput, NotFound, WriteFailed
from bearings.places.osm.schema import SORTED_SUFFIX, STAGING_SUFFIX, SUFFIX, TEMPORARY_SUFFIX
from bearings.private import data_folder

if TYPE_CHECKING:
    from bearings.places.osm.map import Map

SETTING = "GEOCODER_INDEX"
"""The environment variable that names a map."""

_LOCK, _PATIENCE_S = ".import.lock", 1.0
"""The file that an import holds, and how long another waits: one whose parent was killed needs a moment to end."""

_NAME = re.compile(r"[\w][\w.+-]{0,63}")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a map: its file, size, number of places, extracts and their date."""

    name: str
    path: Path
    size: int
    places: int
    files: str
    data_version: str
    imported: str
    attribution: str


def path_of(folder: Path, name: str) -> Path:
    """The file of a map. Raises InvalidInput for a name that is no file name."""
    if not _NAME.fullmatch(name) or name.endswith((TEMPORARY_SUFFIX, SUFFIX)):
        raise InvalidInput(
            "name", name, "is no name of a map", "Use letters, digits, '-', '+', '_' and '.', 64 at most."
        )
    return folder / f"{name}{SUFFIX}"


def name_of(files: Sequence[Path]) -> str:
    """The name of a map of some files: that of the first, without its endings."""
    name = files[0].name
    for ending in (".pbf", ".osm", ".bz2", ".gz", ".zst", ".opl", ".xml", "-latest"):
        name = name.removesuffix(ending)
    for ending in (".osm", "-latest"):
        name = name.removesuffix(ending)
    return re.sub(r"[^\w.+-]", "-", name)[:64].lstrip(".-+") or "map"


def maps(folder: Path, setting: str = "") -> list[Path]:
    """The files of the maps to ask: the one that the setting names (a name or a path), else all that were imported.

    Raises InvalidInput for a setting that names none.
    """
    if setting:
        for path in (folder / f"{setting}{SUFFIX}", Path(setting).expanduser()):
            if path.is_file():
                return [path]
        raise InvalidInput(
            SETTING, setting, "is no imported map", "See `bearings places index list`, or leave it unset."
        )
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    except OSError:
        return []


def card(path: Path) -> Card:
    """A map's card. Raises InvalidInput if it can't be read."""
    from bearings.places.osm.map import Map

    try:
        opened = Map(path)
        meta = opened.meta
        opened.close()
        return Card(
            path.stem, path, path.stat().st_size, int(meta.get("places", 0)), meta.get("files", ""),
            meta.get("data_version", ""), meta.get("imported", ""), meta.get("attribution", ""),
        )  # fmt: skip
    except (sqlite3.Error, OSError, ValueError) as error:
        raise InvalidInput("map", path.stem, f"can't be read ({error})", "Import it again.") from error


def opened(paths: Sequence[Path]) -> "list[Map]":
    """The maps that can be read; others are passed over with a warning."""
    from bearings.places.osm.map import Map

    maps = []
    for path in paths:
        try:
            maps.append(Map(path))
        except (sqlite3.DatabaseError, OSError) as error:
            _LOG.warning("the map %s can't be read and is passed over: %s", path, error)
    return maps


def remove(folder: Path, name: str) -> Path:
    """Removes a map. Raises NotFound if there is none, WriteFailed if the file can't be removed."""
    path = path_of(folder, name)
    if not path.is_file():
        known = ", ".join(each.stem for each in maps(folder)) or "none"
        raise NotFound(f"there is no map {name!r}", f"Imported maps: {known}.")
    try:
        path.unlink()
    except OSError as error:
        raise WriteFailed(f"{path} can't be removed: {error.strerror}", _remedy(path, error)) from error
    return path


def _remedy(path: Path, error: OSError) -> str:
    """The hint for a file that can't be removed."""
    if error.errno == errno.EROFS:
        return "The disk is read-only: make it writable."
    if sys.platform == "win32":
        return "Close the programs that use it."
    return f"Make the folder {path.parent} writable."


@contextmanager
def importing(folder: Path) -> Iterator[None]:
    """Holds the folder for an import, and removes what killed ones left. Raises Busy while another import runs."""
    import filelock

    try:
        data_folder(folder)
        lock = filelock.FileLock(folder / _LOCK, timeout=_PATIENCE_S, mode=0o600)
        lock.acquire()
    except filelock.Timeout as error:
        raise Busy("another import is running", f"Wait until it ends; it holds {folder / _LOCK}.") from error
    except OSError as error:
        raise WriteFailed(f"{folder} can't be written: {error.strerror}", "Set GEOCODER_INDEX_DIR.") from error
    try:
        for path in _drafts(folder):
            with suppress(OSError):
                path.unlink()
        yield
    finally:
        with suppress(OSError):
            data_folder(folder)  # the new map, too
        lock.release()


def sweep(folder: Path) -> None:
    """Removes what killed imports left, unless one runs. Never raises."""
    with suppress(OSError, BearingsError):
        if _drafts(folder):
            with importing(folder):
                pass


def _drafts(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith((TEMPORARY_SUFFIX, STAGING_SUFFIX, SORTED_SUFFIX))]


class Shelf:
    """The maps that a source has open, looked for again when files come, go or change. Any thread may use it."""

    def __init__(self, folder: Path, setting: str) -> None:
        self._folder = folder
        self._setting = setting
        self._lock = threading.Lock()
        self._open: dict[tuple[Path, int, int], Map] = {}

    def maps(self) -> "list[Map]":
        """The maps of now. An import that replaces a map is seen by the next question."""
        wanted = {}
        for path in maps(self._folder, self._setting):
            with suppress(OSError):
                status = path.stat()
                wanted[path, status.st_mtime_ns, status.st_size] = path
        with self._lock:
            for key in [key for key in self._open if key not in wanted]:
                self._open.pop(key)  # closed with its last question
            for key, path in wanted.items():
                if key not in self._open:
                    self._open.update((key, each) for each in opened([path]))
            return list(self._open.values())

    def close(self) -> None:
        """Close all maps. Idempotent."""
        with self._lock:
            for each in self._open.values():
                each.close()
            self._open.clear()
