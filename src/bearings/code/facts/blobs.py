"""Bytes by key in an SQLite file that many processes share: the facts of files, and what they use.

It is a cache: a fault in it costs time, never an answer.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

_Result = TypeVar("_Result")

FACTS_FILE = "facts.sqlite"
MAX_STORE_BYTES = 640 * 2**20
"""Room for some twenty million lines, at about 30 bytes each."""

_SHRINK_TO = 0.8
"""The share of MAX_STORE_BYTES that stays after the oldest values are dropped."""

BUSY_S = 5.0
_BATCH = 500

_DAY_S = 86_400
_CHECK_BYTES = 8

_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""Errors of a database that can't be read or has another schema."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, facts BLOB NOT NULL, used INTEGER NOT NULL)"
_OLDEST = "SELECT key FROM facts ORDER BY used, rowid LIMIT (SELECT count(*) / 5 + 1 FROM facts)"


class SqliteBlobs:
    """Values by key. No method raises.

    A file that is no database, or a broken one, is replaced. Beyond `max_bytes` the least recently used values are
    dropped. A lock of another process is waited for up to `busy_s` seconds. Each row carries a checksum, so writes
    need not be synchronous.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_STORE_BYTES, busy_s: float = BUSY_S) -> None:
        self._path = directory / FACTS_FILE
        self._max_bytes = max_bytes
        self._busy_s = busy_s
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        with suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True)
        self._run(_size)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored values whose checksum is right."""
        rows = self._run(lambda database: [*_selected(database, "key, facts, used", keys)]) or []
        found: dict[bytes, bytes] = {}
        today, stale = int(time.time()) // _DAY_S, []
        for key, blob, used in rows:
            if isinstance(key, bytes) and isinstance(blob, bytes) and _is_sound(key, blob):
                found[key] = blob[_CHECK_BYTES:]
                if not isinstance(used, int) or used < today:
                    stale.append(key)
        if stale:
            self._run(lambda database: _touch(database, stale, today))
        return found

    def sizes(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The bytes of the stored values, unchecked and untouched."""
        return self._run(lambda database: dict(_selected(database, "key, length(facts)", keys))) or {}

    def put(self, values: Mapping[bytes, bytes]) -> bool:
        """Stores values, and drops the oldest beyond `max_bytes`. Returns whether they are stored."""
        today = int(time.time()) // _DAY_S
        rows = [(key, _checksum(key, value) + value, today) for key, value in values.items()]
        is_stored = self._run(lambda database: _insert(database, rows)) is not None
        self._run(self._evict)
        return is_stored

    def close(self) -> None:
        """Closes the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """The result of `work` in one transaction; None if the database is busy or full, or can't be opened.

        A broken file is removed, and the work tried once more.
        """
        for _ in range(2):
            try:
                with self._open() as database:
                    return work(database)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if not _is_damage(error):  # locked, full or read-only: the file itself is sound
                    return None
                self._remove_broken()
            except OSError:
                return None
        return None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(self._path, timeout=self._busy_s, check_same_thread=False)
            try:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(_SCHEMA)
                self._inode = self._path.stat().st_ino
            except BaseException:
                connection.close()
                self._inode = _inode_of(self._path)
                raise
            self._connection = connection
        return self._connection

    def _remove_broken(self) -> None:
        """Removes the broken file, unless another process has replaced it already."""
        from filelock import FileLock, Timeout

        self.close()
        with suppress(OSError, Timeout), FileLock(self._path.with_suffix(".lock"), timeout=self._busy_s):
            if _inode_of(self._path) == self._inode:
                for suffix in ("", "-journal"):
                    Path(f"{self._path}{suffix}").unlink(missing_ok=True)

    def _evict(self, database: sqlite3.Connection) -> None:
        """Drops the oldest fifth until the rest fits."""
        if _size(database) <= self._max_bytes:
            return
        while _size(database) > self._max_bytes * _SHRINK_TO:
            if database.execute(f"DELETE FROM facts WHERE key IN ({_OLDEST})").rowcount <= 0:  # noqa: S608 - constant
                break


def _is_damage(error: Exception) -> bool:
    """Whether the file is damaged. SQLite quotes a broken schema in its message, which may then be no UTF-8."""
    return isinstance(error, UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def stored_bytes(directory: Path) -> int:
    """The size in bytes of a directory's store; 0 if there is none."""
    try:
        return (directory / FACTS_FILE).stat().st_size
    except OSError:
        return 0


def drop_store(directory: Path) -> None:
    """Removes a directory's store, even while other processes use it. Raises OSError if it can't be removed."""
    for suffix in ("", "-journal"):
        (directory / f"{FACTS_FILE}{suffix}").unlink(missing_ok=True)


def _selected(database: sqlite3.Connection, columns: str, keys: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
    """The rows with these keys, in batches; `columns` is a constant."""
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        with closing(
            database.execute(f"SELECT {columns} FROM facts WHERE key IN ({marks})", batch)  # noqa: S608 - constants
        ) as found:
            yield from found


def _is_sound(key: bytes, blob: bytes) -> bool:
    """Whether a row's checksum is right. It covers the key, because a broken index finds other rows."""
    return _checksum(key, blob[_CHECK_BYTES:]) == blob[:_CHECK_BYTES]


def _touch(database: sqlite3.Connection, keys: Sequence[bytes], today: int) -> None:
    database.executemany("UPDATE facts SET used = ? WHERE key = ?", [(today, key) for key in keys])


def _insert(database: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, int]]) -> bool:
    database.executemany("INSERT OR REPLACE INTO facts (key, facts, used) VALUES (?, ?, ?)", rows)
    return True


def _size(database: sqlite3.Connection) -> int:
    """The bytes in use: the file's pages without the free ones."""
    pages, free, page_size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * page_size


def _checksum(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK_BYTES, key=key[: hashlib.blake2b.MAX_KEY_SIZE]).digest()


def _inode_of(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
