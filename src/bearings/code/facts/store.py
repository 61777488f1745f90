"""Stores of facts: what one version of the extractor found in a file's content, so that no process parses it again.

A store is a cache: a fault in it costs time, never an answer.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol, TypeVar

from bearings.code.facts.packing import Damaged, Packed, pack, unpack_facts
from bearings.code.models import FileFacts, Language

_Result = TypeVar("_Result")

FACTS_FILE = "facts.sqlite"
MAX_STORE_BYTES = 512 * 2**20
"""Room for the facts of some twenty million lines, at about 20 bytes each."""

_SHRINK_TO = 0.8
"""The share of MAX_STORE_BYTES that stays after the oldest facts are dropped."""

_BUSY_S = 5.0
_BATCH = 500
_MAX_PENDING = 128
"""LateFacts delays the facts of up to this many files: writing them takes a tenth of a second."""

_DAY_S = 86_400
_CHECK_BYTES = 8

_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""Errors of a database that can't be read or has another schema."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, facts BLOB NOT NULL, used INTEGER NOT NULL)"
_OLDEST = "SELECT key FROM facts ORDER BY used, rowid LIMIT (SELECT count(*) / 5 + 1 FROM facts)"


def key_of(path: str, language: Language, digest: bytes, version: int) -> bytes:
    """The key of a file's facts: a hash of everything that they are made from."""
    return hashlib.blake2b(f"{version}\0{language}\0{path}\0".encode() + digest, digest_size=16).digest()


class FactStore(Protocol):
    """Facts by key. No method raises."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The facts that are stored, in any order."""
        ...

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts. They may be evicted later."""
        ...

    def close(self) -> None:
        """Releases all resources. The next call opens them again."""
        ...


class MemoryFacts:
    """Facts in memory, for the lifetime of this object."""

    def __init__(self) -> None:
        self._facts: dict[bytes, FileFacts | Packed[FileFacts]] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The facts that are stored."""
        return _unpacked(self._facts, keys)

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts without a limit."""
        self._facts.update(facts)

    def close(self) -> None:
        """Drops all facts."""
        self._facts.clear()


class NoFacts:
    """Stores nothing: each process parses each file."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """An empty dict."""
        del keys
        return {}

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Drops the facts."""

    def close(self) -> None:
        """Does nothing."""


class LateFacts:
    """Delays writes to another store until `settle`, so that a caller does not wait while a few facts are written.

    A process that is killed before loses only the time to parse those files again.
    """

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._pending: dict[bytes, FileFacts | Packed[FileFacts]] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The facts that are stored or pending."""
        pending = _unpacked(self._pending, keys) if self._pending else {}
        return pending | self._store.get([key for key in keys if key not in pending])

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Holds facts for `settle`; calls it at once if there are many."""
        self._pending.update(facts)
        if len(self._pending) > _MAX_PENDING:
            self.settle()

    def settle(self) -> None:
        """Writes the pending facts."""
        pending, self._pending = self._pending, {}
        if pending:
            self._store.put(pending)

    def close(self) -> None:
        """Writes the pending facts and closes the other store."""
        self.settle()
        self._store.close()


class SqliteFacts:
    """Facts in an SQLite file that many processes share.

    A file that is no database, or a broken one, is replaced. Beyond `max_bytes` the least recently used facts are
    dropped. A lock of another process is waited for up to `busy_s` seconds. Each row carries a checksum, so writes
    need not be synchronous.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_STORE_BYTES, busy_s: float = _BUSY_S) -> None:
        self._path = directory / FACTS_FILE
        self._max_bytes = max_bytes
        self._busy_s = busy_s
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        with suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True)
        self._run(_size)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The stored facts whose checksum is right."""
        rows = self._run(lambda database: _select(database, keys)) or []
        found = {key: facts for key, blob, _ in rows if (facts := self._decoded(key, blob)) is not None}
        today = int(time.time()) // _DAY_S
        stale = [key for key, _, used in rows if not isinstance(used, int) or used < today]
        if stale:
            self._run(lambda database: _touch(database, stale, today))
        return found

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts, and drops the oldest beyond `max_bytes`."""
        today = int(time.time()) // _DAY_S
        rows = [(key, _row(key, value), today) for key, value in facts.items()]
        self._run(lambda database: _insert(database, rows))
        self._run(self._evict)

    def close(self) -> None:
        """Closes the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _decoded(self, key: object, blob: object) -> FileFacts | None:
        """A row's facts; None if its checksum is wrong. It covers the key, because a broken index finds other rows."""
        if not (isinstance(key, bytes) and isinstance(blob, bytes)):
            return None
        if _checksum(key, blob[_CHECK_BYTES:]) != blob[:_CHECK_BYTES]:
            return None
        try:
            return unpack_facts(blob[_CHECK_BYTES:])
        except Damaged:
            return None

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


def _unpacked(held: Mapping[bytes, FileFacts | Packed[FileFacts]], keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
    """The facts of those keys that `held` contains."""
    found = {key: held[key] for key in keys if key in held}
    return {key: facts.get() if isinstance(facts, Packed) else facts for key, facts in found.items()}


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


def _select(database: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, object, object]]:
    rows: list[tuple[bytes, object, object]] = []
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        with closing(
            database.execute(f"SELECT key, facts, used FROM facts WHERE key IN ({marks})", batch)  # noqa: S608 - marks
        ) as found:
            rows.extend(found)
    return rows


def _touch(database: sqlite3.Connection, keys: Sequence[bytes], today: int) -> None:
    database.executemany("UPDATE facts SET used = ? WHERE key = ?", [(today, key) for key in keys])


def _insert(database: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, int]]) -> None:
    database.executemany("INSERT OR REPLACE INTO facts (key, facts, used) VALUES (?, ?, ?)", rows)


def _size(database: sqlite3.Connection) -> int:
    """The bytes in use: the file's pages without the free ones."""
    pages, free, page_size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * page_size


def _row(key: bytes, facts: FileFacts | Packed[FileFacts]) -> bytes:
    data = facts.data if isinstance(facts, Packed) else pack(facts)
    return _checksum(key, data) + data


def _checksum(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK_BYTES, key=key[: hashlib.blake2b.MAX_KEY_SIZE]).digest()


def _inode_of(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
