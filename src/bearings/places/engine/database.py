"""Files of SQLite that both local sources answer from: written once, whole or not at all, and read by many threads."""

import os
import sqlite3
import threading
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from bearings.places import geometry
from bearings.places.engine import chains
from bearings.places.models import BBox

if TYPE_CHECKING:
    from shapely import Polygon

_CACHE_KB = 16_384
"""SQLite's page cache. The file is not mapped into memory: questions would soon map most of it."""

_MOST_PARAMETERS = 500
_BATCH = 20_000


class Database:
    """A file with a table `meta`, read only. Methods block, and may be called from any thread.

    Raises sqlite3.DatabaseError if the file is none of ours, is damaged, or has another version.
    """

    def __init__(self, path: Path, schema_version: int) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        self._closing = weakref.finalize(self, self._db.close)
        try:
            self._db.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
            self.meta = dict(self._db.execute("SELECT key, value FROM meta"))
            self._check(schema_version)
        except BaseException:
            self.close()
            raise

    def _check(self, schema_version: int) -> None:
        """Check version and length, so that a truncated file fails here and not in the middle of an answer."""
        if self.meta.get("schema_version") != str(schema_version):
            raise sqlite3.DatabaseError(f"{self.path} has schema {self.meta.get('schema_version')}")
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (page_bytes,) = self._db.execute("PRAGMA page_size").fetchone()
        if self.path.stat().st_size < pages * page_bytes:
            raise sqlite3.DatabaseError(f"{self.path} is cut short")

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            self._closing()

    def query(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """All rows of a SELECT."""
        with self._lock:
            return self._db.execute(statement, parameters).fetchall()

    def select_in(self, select: str, values: Iterable[Any], rest: str = "") -> Iterator[Any]:
        """The rows of "SELECT … WHERE column IN" for any number of values, so many at once as SQLite takes."""
        wanted = list(values)
        for start in range(0, len(wanted), _MOST_PARAMETERS):
            some = wanted[start : start + _MOST_PARAMETERS]
            yield from self.query(f"{select} ({','.join('?' * len(some))}) {rest}", some)

    def select_meeting(self, select: str, box: BBox, rest: str = "", parameters: Sequence[Any] = ()) -> list[Any]:
        """The rows of a SELECT from an R-tree whose boxes meet a box, which may cross 180 degrees.

        `rest` follows the condition. What lies on both sides of 180 degrees may come twice.
        """
        met = f"{select} WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? {rest}"
        return [
            row
            for piece in geometry.split(box)
            for row in self.query(met, (piece.east, piece.west, piece.north, piece.south, *parameters))
        ]


class DatabaseWriter:
    """Writes the file at `path`. As a context: a clean exit puts the whole file there, an error leaves nothing.

    The rows go to `temporary`, an empty file in the same directory, which is synced and renamed at the end, so that no
    reader ever sees half a file. Raises OSError or sqlite3.Error where the directory can't be written.
    """

    def __init__(self, path: Path, temporary: Path, package: str, more_tables: str = "") -> None:
        self._path = path
        self._temporary = temporary
        self._batches: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._areas = 0
        self._db = sqlite3.connect(temporary, isolation_level=None, check_same_thread=False)
        try:
            for pragma in ("page_size = 8192", "synchronous = OFF", "journal_mode = OFF", "cache_size = -65536"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.executescript(resources.files(package).joinpath("schema.sql").read_text("utf-8") + more_tables)
            self._db.execute("BEGIN")
        except BaseException:
            self._db.close()
            temporary.unlink(missing_ok=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
                self._db.execute("COMMIT")
                self._db.close()
                with self._temporary.open("rb+") as file:
                    os.fsync(file.fileno())
                self._temporary.replace(self._path)
        finally:
            self._db.close()
            self._temporary.unlink(missing_ok=True)

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Rows of the table `meta`: data versions, counts, attribution."""
        self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", values.items())

    def add_area(self, place: int, box: BBox, outline: "Polygon", layer: str) -> int:
        """Adds one polygon of a place of a layer; its number. It must not cross 180 degrees: cut it there."""
        self._areas += 1
        self._db.execute("INSERT INTO area VALUES (?,?,?,?)", (self._areas, place, layer, chains.packed(outline)))
        for piece in geometry.split(box):
            edges = (piece.west, piece.east, piece.south, piece.north)
            self._db.execute("INSERT INTO area_rtree VALUES (?,?,?,?,?)", (self._areas, *edges))
        return self._areas

    def _put(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Rows of an INSERT, written in batches; the order of rows of one statement is kept."""
        batch = self._batches[statement]
        batch.extend(rows)
        if len(batch) >= _BATCH:
            self._db.executemany(statement, batch)
            batch.clear()

    def _finish(self) -> None:
        """Write what is left of the batches; subclasses then make the tables that need all rows."""
        for statement, batch in self._batches.items():
            self._db.executemany(statement, batch)
            batch.clear()
