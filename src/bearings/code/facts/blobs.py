"""Bytes by key in an SQLite file that many processes share: the facts of files, and what they use.

It is a cache: a fault in it costs time, never an answer.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bearings.cache_database import CacheDatabase, remove_database, used_bytes

FACTS_FILE = "facts.sqlite"
MAX_STORE_BYTES = 2 * 2**30
"""Room for some sixty million lines, at about 30 bytes each: Linux alone has half of them."""

_SHRINK_TO = 0.8
"""The share of MAX_STORE_BYTES that stays after the oldest values are dropped."""

BUSY_S = 2.0
_MOST_VALUE = 64 * 2**20
_BATCH = 500

_DAY_S = 86_400
_CHECK_BYTES = 8

_SCHEMA = "CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, facts BLOB NOT NULL, used INTEGER NOT NULL)"
_INSERT = "INSERT OR REPLACE INTO facts (key, facts, used) VALUES (?, ?, ?)"
_OLDEST = "SELECT key FROM facts ORDER BY used, rowid LIMIT (SELECT count(*) / 5 + 1 FROM facts)"


class SqliteBlobs:
    """Values by key. No method raises.

    A file that is no database, or a broken one, is replaced. Beyond `max_bytes` the least recently used values are
    dropped. A lock of another process is waited for up to `busy_s` seconds. Each row carries a checksum, so writes
    need not be synchronous. Only the owner may read the file, and one that may be somebody else's is not used.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_STORE_BYTES, busy_s: float = BUSY_S) -> None:
        path = directory / FACTS_FILE
        self._max_bytes = max_bytes
        most = 2 * max(max_bytes, MAX_STORE_BYTES)
        self._database = CacheDatabase(path, [_SCHEMA], ["synchronous = OFF"], busy_s, most, _MOST_VALUE)
        self._run = self._database.run
        self._run(used_bytes)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored values whose checksum is right."""
        rows = self._run(lambda database: [*_selected(database, "key, facts, used", keys)]) or []
        values: dict[bytes, bytes] = {}
        today, stale = int(time.time()) // _DAY_S, []
        for key, blob, used in rows:
            if isinstance(key, bytes) and isinstance(blob, bytes) and _is_sound(key, blob):
                values[key] = blob[_CHECK_BYTES:]
                if not isinstance(used, int) or used < today:
                    stale.append(key)
        if stale:
            rows = [(today, key) for key in stale]
            self._run(lambda database: database.executemany("UPDATE facts SET used = ? WHERE key = ?", rows))
        return values

    def sizes(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The bytes of the stored values, unchecked and untouched."""
        rows = self._run(lambda database: [*_selected(database, "key, length(facts)", keys)]) or []
        return {key: size for key, size in rows if isinstance(size, int)}

    def put(self, values: Mapping[bytes, bytes]) -> bool:
        """Stores values, and drops the oldest beyond `max_bytes`. Returns whether they are stored."""
        today = int(time.time()) // _DAY_S
        small = {key: value for key, value in values.items() if len(value) < _MOST_VALUE - _CHECK_BYTES}
        rows = [(key, _checksum(key, value) + value, today) for key, value in small.items()]
        is_stored = self._run(lambda database: database.executemany(_INSERT, rows))
        self._run(self._evict)
        return is_stored is not None and len(small) == len(values)

    def close(self) -> None:
        """Closes the database."""
        self._database.close()

    def _evict(self, database: sqlite3.Connection) -> None:
        """Drops the oldest fifth until the rest fits."""
        if used_bytes(database) <= self._max_bytes:
            return
        while used_bytes(database) > self._max_bytes * _SHRINK_TO:
            if database.execute(f"DELETE FROM facts WHERE key IN ({_OLDEST})").rowcount <= 0:  # noqa: S608 - constant
                break


def stored_bytes(directory: Path) -> int:
    """The size in bytes of a directory's store; 0 if there is none."""
    try:
        return (directory / FACTS_FILE).stat().st_size
    except OSError:
        return 0


def drop_store(directory: Path) -> None:
    """Removes a directory's store, even while other processes use it. Raises OSError if it can't be removed."""
    remove_database(directory / FACTS_FILE)


def _selected(database: sqlite3.Connection, columns: str, keys: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
    """The rows with these keys, in batches; `columns` is a constant."""
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        with closing(
            database.execute(f"SELECT {columns} FROM facts WHERE key IN ({marks})", batch)  # noqa: S608 - constants
        ) as cursor:
            yield from cursor


def _is_sound(key: bytes, blob: bytes) -> bool:
    """Whether a row's checksum is right. It covers the key, because a broken index finds other rows."""
    return _checksum(key, blob[_CHECK_BYTES:]) == blob[:_CHECK_BYTES]


def _checksum(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK_BYTES, key=key[: hashlib.blake2b.MAX_KEY_SIZE]).digest()
