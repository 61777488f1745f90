"""The choice of the atlas: a full one if there is one, otherwise the core atlas of the program.

Nothing is built here. The places of a full atlas are the file that the user names (GEOCODER_ATLAS), the data wheel
`bearings-atlas`, and the cache directory, where `make install` puts it.
"""

import importlib.util
import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from bearings.errors import InvalidInput
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.index import Index
from bearings.places.models import Data

SETTING = "GEOCODER_ATLAS"
"""The environment variable that names an atlas."""

CORE = "core"
"""The setting's value for the core atlas, even if there is a full one."""

CORE_PATH = Path(__file__).with_name("core.sqlite")

WHEEL, WHEEL_FILE = "bearings_atlas", "atlas.sqlite"
"""The data wheel's package, and the file in it."""

_LOG = logging.getLogger(__name__)


class Origin(StrEnum):
    """The origin of an atlas."""

    SETTING = "GEOCODER_ATLAS"
    WHEEL = "the package bearings-atlas"
    CACHE = "made on this machine"
    PROGRAM = "part of bearings"


Opened = tuple[Index, Origin]
"""An open atlas, and its origin."""


def open_atlas(setting: str, cache_dir: Path) -> Opened:
    """The atlas that `setting` names; for an empty setting the first readable one, last the core atlas.

    Raises InvalidInput for a setting that names no readable atlas: a user who names one wants no other.
    """
    for path, origin in places(setting, cache_dir):
        try:
            return Index(path), origin
        except (sqlite3.DatabaseError, OSError) as error:
            if origin is Origin.SETTING:
                raise _unusable(setting, error) from error
            _LOG.warning("the atlas %s can't be read and is passed over: %s", path, error)
    raise InvalidInput(SETTING, setting, "no atlas can be read", "Install bearings again: its core atlas is damaged.")


def places(setting: str, cache_dir: Path) -> Iterator[tuple[Path, Origin]]:
    """The files that may be an atlas, in order; those found by search exist."""
    if setting not in ("", CORE):
        yield Path(setting).expanduser(), Origin.SETTING
        return
    if setting != CORE:
        wheel, made = wheel_path(), cache_dir / file_name()
        if wheel is not None:
            yield wheel, Origin.WHEEL
        if made.is_file():
            yield made, Origin.CACHE
    yield CORE_PATH, Origin.PROGRAM


def wheel_path() -> Path | None:
    """The atlas of the data wheel, if installed. The package is located without importing it."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name(WHEEL_FILE)
    return path if path.is_file() else None


def readable(path: Path) -> bool:
    """Whether `path` is a complete atlas of this version's schema."""
    try:
        Index(path).close()
    except (sqlite3.DatabaseError, OSError):
        return False
    return True


def data_of(meta: Mapping[str, str]) -> Data:
    """The extent of an atlas, from its meta rows."""
    return "core" if meta.get("data") == CORE else "full"


def age(path: Path) -> dict[str, float]:
    """The age of the file in seconds, as `index_age_s`; empty if there is no file."""
    try:
        return {"index_age_s": round(max(0.0, time.time() - path.stat().st_mtime), 1)}
    except OSError:
        return {}


def _unusable(setting: str, error: Exception) -> InvalidInput:
    return InvalidInput(
        SETTING, setting, f"is no atlas that this version reads ({error})",
        'Name a file that `bearings places atlas build` made, set it to "core", or leave it unset.',
    )  # fmt: skip
