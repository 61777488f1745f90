"""A cache in an SQLite file that many processes share. A fault in it costs time, never an answer.

The file may be somebody else's work, or damaged: it has the tables of its program and nothing beside (a view or a
trigger can run for hours), each piece of work has a budget of steps, and each value a size. Only its owner may read it.
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from bearings.private import private_database, private_folder, tell_unused

Result = TypeVar("Result")

_BROKEN = frozenset(
    (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_TOOBIG,
    )
)
"""Errors of a file that can't be read, has another schema, or takes too much."""

_LOOK = 10_000
"""Instructions of SQLite's virtual machine between looks at the budget."""

_OPENING = 100_000
"""Steps to read a schema: enough for some thousand tables."""

_MOST_STEPS = 100_000_000
"""Some two seconds: to drop a fifth of a million rows takes a third of it."""

_IMPATIENT_S = 60.0
"""After a lock that another process held for longer than the patience, none is waited for, for this time."""

_impatient: dict[Path, float] = {}

_log = logging.getLogger(__name__)


class CacheDatabase:
    """The file at `path`, with the tables of `schema`. Any thread may use it; no method raises.

    A file that is damaged, has other tables or more than `most_bytes` is replaced. A lock of another process is waited
    for up to `busy_s` seconds. No value has more than `most_value` bytes. `faults` counts failures.
    """

    def __init__(
        self, path: Path, schema: Sequence[str], pragmas: Sequence[str], busy_s: float, most_bytes: int, most_value: int
    ) -> None:
        self.path = path
        self.faults = 0
        self._schema = [*(f"PRAGMA {pragma}" for pragma in pragmas), *schema]
        self._busy_s = busy_s
        self._most_bytes = most_bytes
        self._most_value = most_value
        self._mutex = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._left = 0

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """The result of `work` in one transaction; None if the file is locked, full or not used.

        A broken file is removed, and the work tried once more.
        """
        with self._mutex:
            for _ in range(2):
                try:
                    with self._opened() as database:
                        self._left = _MOST_STEPS
                        return work(database)
                except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes a broken schema in its message
                    if not self._is_mended(error):
                        break
                except OSError as error:
                    self.faults += 1
                    tell_unused(error)
                    break
        return None

    def close(self) -> None:
        """Close the file. The next work opens it again."""
        with self._mutex:
            self._disconnect()

    def _opened(self) -> sqlite3.Connection:
        """A connection to the present file: another process may have replaced the one that was open."""
        if self._connection is not None and _inode(self.path) == self._inode:
            return self._connection
        self._disconnect()
        private_folder(self.path.parent)
        size = private_database(self.path)
        self._inode = _inode(self.path)
        patience = 0.0 if time.monotonic() < _impatient.get(self.path, 0.0) else self._busy_s
        database = sqlite3.connect(self.path, timeout=patience, check_same_thread=False)
        self._connection = database
        self._left = _OPENING
        database.set_progress_handler(self._is_over, _LOOK)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._most_value)
        database.execute("PRAGMA trusted_schema = OFF")
        statements = {
            sql for (sql,) in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 100")
        }
        if size > self._most_bytes or statements - {line.replace("IF NOT EXISTS ", "") for line in self._schema}:
            raise sqlite3.DatabaseError("it has other tables than its program makes, or is too large")
        for statement in self._schema:
            database.execute(statement)
        return database

    def _is_over(self) -> bool:
        self._left -= _LOOK
        return self._left < 0

    def _is_mended(self, error: sqlite3.Error | UnicodeDecodeError) -> bool:
        """Remove the file if its content is at fault. A lock, a full disk or a missing permission is none."""
        self.faults += 1
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        self._disconnect()
        if code not in _BROKEN:
            if code == sqlite3.SQLITE_BUSY:
                _impatient[self.path] = time.monotonic() + _IMPATIENT_S
            _log.info("The cache %s does not work: %s", self.path, error)
            return False
        _log.warning("The cache %s was damaged and is begun anew", self.path)
        from filelock import FileLock, Timeout

        with suppress(OSError, Timeout), FileLock(f"{self.path}.lock", timeout=self._busy_s, mode=0o600):
            if _inode(self.path) == self._inode:  # else another process has replaced it
                remove_database(self.path)
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def used_bytes(database: sqlite3.Connection) -> int:
    """The bytes in use: the file's pages without the free ones."""
    pages, free, page_size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * page_size


def remove_database(path: Path) -> None:
    """Remove a file and those beside it. Raises OSError."""
    for beside in ("", "-journal", "-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)


def _inode(path: Path) -> int:
    try:
        return os.stat(path).st_ino  # noqa: PTH116 - twice as fast, before each piece of work
    except OSError:
        return -1
