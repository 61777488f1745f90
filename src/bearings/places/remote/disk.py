"""Answers on disk: one SQLite file a backend, shared by all processes of a user.

The file holds bytes, never pickles, and digests of questions instead of their text. Only its owner may read it. It is a
cache: every failure means "not known", and a damaged file is replaced by an empty one.
"""

import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

Answer = TypeVar("Answer")

VERSION = 1
"""The version of the schema and of the bytes' meaning; it is in the file's name, so versions never share one."""

_BUSY_S = 2.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY, stored REAL NOT NULL, empty INTEGER NOT NULL, body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS reply_by_age ON reply (stored);
"""

_log = logging.getLogger(__name__)


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
        self.faults = 0
        self.limit = limit
        self._mutex = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def get(self, key: str) -> Entry | None:
        """The entry, however old."""
        row = self._guarded(
            lambda db: db.execute("SELECT body, stored, empty FROM reply WHERE key = ?", (key,)).fetchone(), None
        )
        if row is None or not isinstance(row[0], bytes) or not isinstance(row[1], float):
            return None
        return Entry(row[0], row[1], bool(row[2]))

    def put(self, key: str, entry: Entry) -> None:
        """Store the entry and evict the oldest as needed. Ignores an entry larger than a tenth of the limit."""
        if len(entry.body) > self.limit // 10:
            return

        def store(db: sqlite3.Connection) -> None:
            with db:
                db.execute(
                    "INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?)", (key, entry.stored, entry.empty, entry.body)
                )
            self._shrink(db)

        self._guarded(store, None)

    def clear(self) -> None:
        """Delete all entries, also from the memory of other processes."""

        def empty(db: sqlite3.Connection) -> None:
            with db:
                db.execute("DELETE FROM reply")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        self._guarded(empty, None)
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
            return int(entries), _used(db)

        return self._guarded(measure, (0, 0))

    def close(self) -> None:
        """Close the file."""
        with self._mutex:
            self._disconnect()

    def _guarded(self, work: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """The result of the work, or `otherwise` if the store fails: a cache never makes a call fail."""
        with self._mutex:
            for _ in range(2):
                try:
                    return work(self._connected())
                except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
                    self.faults += 1
                    if not _is_damage(error):
                        _log.warning("The cache on disk does not work: %s", type(error).__name__)
                        break
                    self._throw_away()
            return otherwise

    def _connected(self) -> sqlite3.Connection:
        """A connection to the current file; another process may have replaced the one that was open."""
        if self._connection is not None and _inode(self.path) == self._inode:
            return self._connection
        self._disconnect()
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self.path.chmod(0o600)
        db = self._connection = sqlite3.connect(self.path, timeout=_BUSY_S, check_same_thread=False)
        self._inode = _inode(self.path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 200")  # pages: the log stays below 1 MB
        db.execute("PRAGMA journal_size_limit = 1000000")
        db.executescript(_SCHEMA)
        return db

    def _shrink(self, db: sqlite3.Connection) -> None:
        """Delete the oldest tenth until the rest fits."""
        while _used(db) > self.limit:
            with db:
                dropped = db.execute(
                    "DELETE FROM reply WHERE key IN (SELECT key FROM reply ORDER BY stored"
                    " LIMIT (SELECT 1 + count(*) / 10 FROM reply))"
                ).rowcount
            if not dropped:
                return

    def _throw_away(self) -> None:
        """Delete the damaged file, unless another process has already replaced it."""
        _log.warning("The cache on disk was damaged and is begun anew")
        ours = self._connection is None or _inode(self.path) == self._inode
        self._disconnect()
        if ours:
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _is_damage(error: Exception) -> bool:
    """Whether the file's content is at fault, not a lock, a full disk or a missing permission.

    SQLite's message about a broken schema quotes it, and may not be UTF-8.
    """
    return isinstance(error, (sqlite3.DatabaseError, UnicodeDecodeError)) and not (
        isinstance(error, sqlite3.OperationalError) and "no such table" not in str(error)
    )


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return -1


def _used(db: sqlite3.Connection) -> int:
    """Bytes of the pages in use."""
    sizes = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")]
    return int((sizes[0] - sizes[1]) * sizes[2])
