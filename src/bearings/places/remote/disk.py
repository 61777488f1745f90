"""Answers on disk: one SQLite file a backend, shared by all processes of a user.

The file holds bytes, never pickles, and digests of questions instead of their text. Only its owner may read it. It is a
cache: every failure means "not known", and a damaged file is replaced by an empty one.
"""

import contextlib
import os
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from bearings.cache_database import CacheDatabase, used_bytes

VERSION = 1
"""The version of the schema and of the bytes' meaning; it is in the file's name, so versions never share one."""

_BUSY_S = 2.0
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY, stored REAL NOT NULL, empty INTEGER NOT NULL, body BLOB NOT NULL
)""",
    "CREATE INDEX IF NOT EXISTS reply_by_age ON reply (stored)",
)
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "wal_autocheckpoint = 200",  # pages: the log stays below 1 MB
    "journal_size_limit = 1000000",
)
_DROP_OLDEST = """DELETE FROM reply
WHERE key IN (SELECT key FROM reply ORDER BY stored LIMIT (SELECT 1 + count(*) / 10 FROM reply))"""
_LEAST_LIMIT = 1_000_000
"""The limits of the file and of a value are of no smaller one: a schema needs some room, too."""


@dataclass(slots=True)
class Entry:
    """An answer's bytes, the time it was stored (seconds since the epoch), and whether it says "nothing there".

    `meaning` is the parsed form of the bytes; it stays in memory and is never written to disk.
    """

    body: bytes
    stored: float
    empty: bool
    meaning: object = field(default=None, compare=False)


class Disk:
    """A store of at most `limit` bytes in `directory`, whose files are named after `backend`.

    Its methods block for a moment, so call them in a thread. `faults` counts failures. A process that is killed loses
    at most the entry that it was writing: transactions are SQLite's.
    """

    def __init__(self, directory: Path, backend: str, limit: int) -> None:
        self.path = directory / f"{backend}-v{VERSION}.sqlite3"
        self._marker = directory / f"{backend}.cleared"
        self.limit = limit
        room = max(limit, _LEAST_LIMIT)
        self._database = CacheDatabase(self.path, _SCHEMA, _PRAGMAS, _BUSY_S, 4 * room, room)
        self._run = self._database.run
        self.close = self._database.close

    @property
    def faults(self) -> int:
        """How often the file could not be used."""
        return self._database.faults

    def get(self, key: str) -> Entry | None:
        """The entry, however old."""
        row = self._run(lambda db: db.execute("SELECT body, stored, empty FROM reply WHERE key = ?", (key,)).fetchone())
        if row is None or not isinstance(row[0], bytes) or not isinstance(row[1], float):
            return None
        return Entry(row[0], row[1], bool(row[2]))

    def put(self, key: str, entry: Entry) -> None:
        """Store the entry and evict the oldest as needed. Ignores an entry larger than a tenth of the limit."""
        if len(entry.body) > self.limit // 10:
            return

        def store(db: sqlite3.Connection) -> None:
            row = (key, entry.stored, entry.empty, entry.body)
            db.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?)", row)
            self._shrink(db)

        self._run(store)

    def clear(self) -> None:
        """Delete all entries, also from the memory of other processes."""

        def empty(db: sqlite3.Connection) -> None:
            with db:
                db.execute("DELETE FROM reply")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        self._run(empty)
        with contextlib.suppress(OSError):
            self._marker.touch(mode=0o600)
            os.utime(self._marker)

    def cleared_at(self) -> int:
        """A number that changes when any process clears the store."""
        try:
            return os.stat(self._marker).st_mtime_ns  # noqa: PTH116 - fast: it runs before every answer from memory
        except OSError:
            return 0

    def size(self) -> tuple[int, int]:
        """The number of entries and their bytes. Does not create the file."""
        if not self.path.exists():
            return 0, 0

        def measure(db: sqlite3.Connection) -> tuple[int, int]:
            (entries,) = db.execute("SELECT count(*) FROM reply").fetchone()
            return int(entries), used_bytes(db)

        return self._run(measure) or (0, 0)

    def _shrink(self, db: sqlite3.Connection) -> None:
        """Delete the oldest tenth until the rest fits."""
        while used_bytes(db) > self.limit:
            if not db.execute(_DROP_OLDEST).rowcount:
                return
