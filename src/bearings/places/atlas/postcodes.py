"""The layer of postcodes: a file of its own beside the atlas, with a licence of its own (ODbL). Nothing needs it.

A code has one row a country. Its point is its own, or that of the settlement whose name it has. `place` is then the
settlement's id in the atlas that the file was made over, which `meta` names by its checksum.
"""

import importlib.util
import logging
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from bearings.places.atlas.edition import INPUTS
from bearings.places.engine.database import Database
from bearings.places.models import Point

SCHEMA_VERSION = 1
DATA_VERSION = "2026.11.0"
"""Year, month and number of the data. Raised by hand when the packages or the builder change."""

ATLAS = "atlas_sha256"
"""The row of `meta` with the checksum of the atlas that the ids of places are of."""

WHEEL, WHEEL_FILE = "bearings_postcodes", "postcodes.sqlite"
"""The data wheel's package, and the file in it."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE locality (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER, UNIQUE (name, place));
CREATE TABLE code (
    key TEXT NOT NULL, country TEXT NOT NULL, written TEXT, locality INTEGER, lat INTEGER NOT NULL,
    lon INTEGER NOT NULL, origin INTEGER NOT NULL, PRIMARY KEY (key, country)
) WITHOUT ROWID;
"""
_STEPS = 100_000
"""Points are stored in steps of 1e-5 degrees, a metre."""

_CSC = "https://github.com/dr5hn/countries-states-cities-database"
_SEPARATORS = re.compile(r"[^0-9A-Z]+")
_LOG = logging.getLogger(__name__)


class Origin(IntEnum):
    """How the point of a code is known."""

    SETTLEMENT = 0
    CODE = 1
    ZIP_CODE = 2

    @property
    def attribution(self) -> str:
        """The credit of the code's source."""
        if self is Origin.ZIP_CODE:
            return "US ZIP codes: zipcodes (MIT)"
        return f"Postcodes: countries-states-cities-database ({_CSC}, ODbL 1.0)"


class Postcode(NamedTuple):
    """A postcode of a country (lower-case alpha-2), as its people write it."""

    written: str
    country: str
    point: Point
    origin: Origin
    locality: str = ""
    place: int | None = None


def key_of(written: str) -> str:
    """The key of a code: upper case, letters and digits alone."""
    return _SEPARATORS.sub("", written.upper())


def file_name() -> str:
    """The name of the file in the cache directory; it is made over the atlas of the same inputs."""
    return f"postcodes-v{SCHEMA_VERSION}-{DATA_VERSION}-{INPUTS}.sqlite"


class Postcodes(Database):
    """The open layer, read only. Raises sqlite3.DatabaseError if the file is none."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, SCHEMA_VERSION)
        self.countries = frozenset(self.meta["countries"].split())

    def of(self, key: str) -> list[Postcode]:
        """The rows of a key, one a country."""
        rows = self.query(
            "SELECT coalesce(written, key), country, lat, lon, origin, name, place FROM code "
            "LEFT JOIN locality ON id = locality WHERE key = ? ORDER BY country",
            (key,),
        )
        return [
            Postcode(written, country, Point(lat / _STEPS, lon / _STEPS), Origin(origin), name or "", place)
            for written, country, lat, lon, origin, name, place in rows
        ]


def write(path: Path, codes: Iterable[Postcode], meta: Mapping[str, str]) -> None:
    """Writes the file at `path`, whole or not at all. Of a country and key the first row counts."""
    handle, temporary = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=".building", dir=path.parent)
    os.close(handle)
    connection = sqlite3.connect(temporary, isolation_level=None)
    try:
        connection.executescript(f"PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; {_SCHEMA} BEGIN")
        ids: dict[tuple[str, int | None], int] = {}
        ordered = sorted((key_of(code.written), code.country, code) for code in codes)
        connection.executemany("INSERT OR IGNORE INTO code VALUES (?,?,?,?,?,?,?)", _rows(ordered, ids))
        connection.executemany("INSERT INTO locality VALUES (?,?,?)", ((each, *named) for named, each in ids.items()))
        countries = " ".join(sorted({country for _, country, _ in ordered}))
        rows = {**meta, "schema_version": str(SCHEMA_VERSION), "data_version": DATA_VERSION, "countries": countries}
        connection.executemany("INSERT INTO meta VALUES (?,?)", rows.items())
        connection.execute("COMMIT")
        connection.close()
        Path(temporary).replace(path)
    finally:
        connection.close()
        Path(temporary).unlink(missing_ok=True)


def _rows(
    ordered: Iterable[tuple[str, str, Postcode]], ids: dict[tuple[str, int | None], int]
) -> Iterator[tuple[str | int | None, ...]]:
    """The rows of the table `code`; `ids` gets the localities."""
    for key, country, code in ordered:
        named = (code.locality, code.place)
        locality = ids.setdefault(named, len(ids) + 1) if code.locality else None
        lat, lon = (round(degrees * _STEPS) for degrees in code.point)
        yield key, country, None if code.written == key else code.written, locality, lat, lon, code.origin


def readable(path: Path) -> bool:
    """Whether `path` is a layer of this version."""
    try:
        Postcodes(path).close()
    except (sqlite3.DatabaseError, OSError, KeyError):
        return False
    return True


def open_postcodes(cache_dir: Path, atlas: Path) -> Postcodes | None:
    """The layer of the data wheel, beside the atlas or in the cache directory, the first that can be read, if any."""
    spec = importlib.util.find_spec(WHEEL)
    wheel = [] if spec is None or spec.origin is None else [Path(spec.origin).with_name(WHEEL_FILE)]
    for path in filter(Path.is_file, (*wheel, atlas.with_name(WHEEL_FILE), cache_dir / file_name())):
        try:
            return Postcodes(path)
        except (sqlite3.DatabaseError, OSError, KeyError) as error:
            _LOG.warning("the postcodes %s can't be read and are passed over: %s", path, error)
    return None
