"""A finished index file, opened for reading: one connection behind a lock."""

import sqlite3
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_CACHE_KB = 16_384
"""SQLite's page cache. The file is not mapped into memory: questions would soon map most of it."""


class Opened:
    """A file with a table `meta`, read only. Methods block, and may be called from any thread.

    Raises sqlite3.DatabaseError if the file is no index, is damaged, or has another version.
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
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        if self.path.stat().st_size < pages * size:
            raise sqlite3.DatabaseError(f"{self.path} is cut short")

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            self._closing()

    def query(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """All rows of a SELECT."""
        with self._lock:
            return self._db.execute(statement, parameters).fetchall()
