"""Facts by content: what one version of the extractor read in a file, kept so that no process reads it again.

A store is a cache and nothing more: whatever goes wrong with it costs time, never an answer.
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

_KEEP = 0.8
"""How much of that stays when the oldest are dropped."""

_BUSY_S = 5.0
_BATCH = 500
_FEW = 128
"""Facts that may be late, of so many files: to write them takes a tenth of a second."""

_DAY_S = 86_400
_CHECK_BYTES = 8

_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""A database that can't be read, or has other tables than ours."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, facts BLOB NOT NULL, used INTEGER NOT NULL)"
_OLDEST = "SELECT key FROM facts ORDER BY used, rowid LIMIT (SELECT count(*) / 5 + 1 FROM facts)"


def key_of(path: str, language: Language, digest: bytes, version: int) -> bytes:
    """What facts are stored under: all that they are made from."""
    return hashlib.blake2b(f"{version}\0{language}\0{path}\0".encode() + digest, digest_size=16).digest()


class FactStore(Protocol):
    """Facts by key. Neither method raises."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """Those that are stored, in any order."""
        ...

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Keeps them for as long as there is room."""
        ...

    def close(self) -> None:
        """Lets go of whatever it holds; it may be used again."""
        ...


class MemoryFacts:
    """Facts kept by this object, and lost with it."""

    def __init__(self) -> None:
        self._facts: dict[bytes, FileFacts | Packed[FileFacts]] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """Those that are stored."""
        return _unpacked(self._facts, keys)

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Keeps them all."""
        self._facts.update(facts)

    def close(self) -> None:
        """Forgets them."""
        self._facts.clear()


class NoFacts:
    """Keeps nothing: each file is read by whoever asks."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """Nothing."""
        del keys
        return {}

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class LateFacts:
    """Facts for another store, which gets them when there is time: few are packed and written while somebody waits.

    Whoever is killed before that has lost no more than the time that it takes to read those files again.
    """

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._pending: dict[bytes, FileFacts | Packed[FileFacts]] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """Those that are stored, or will be."""
        late = _unpacked(self._pending, keys) if self._pending else {}
        return late | self._store.get([key for key in keys if key not in late])

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Keeps them for `settle`; many are stored at once."""
        self._pending.update(facts)
        if len(self._pending) > _FEW:
            self.settle()

    def settle(self) -> None:
        """Stores what is not stored yet."""
        pending, self._pending = self._pending, {}
        if pending:
            self._store.put(pending)

    def close(self) -> None:
        """Stores what is not stored yet, and closes the other store."""
        self.settle()
        self._store.close()


class SqliteFacts:
    """Facts in a file that many processes share.

    A file that is no database, or a broken one, is dropped and begun again. Over `max_bytes` the facts that were used
    longest ago go. Another process is waited for `busy_s` seconds. Rows carry a checksum, so that nothing need wait
    for the disk.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_STORE_BYTES, busy_s: float = _BUSY_S) -> None:
        self._path = directory / FACTS_FILE
        self._max_bytes = max_bytes
        self._busy_s = busy_s
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        with suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True)
        self._guarded(_size)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """Those that are stored and whole."""
        rows = self._guarded(lambda database: _select(database, keys)) or []
        found = {key: facts for key, blob, _ in rows if (facts := self._decoded(key, blob)) is not None}
        today = int(time.time()) // _DAY_S
        stale = [key for key, _, used in rows if not isinstance(used, int) or used < today]
        if stale:
            self._guarded(lambda database: _touch(database, stale, today))
        return found

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Keeps them; drops the oldest beyond the bound."""
        today = int(time.time()) // _DAY_S
        rows = [(key, _row(key, value), today) for key, value in facts.items()]
        self._guarded(lambda database: _insert(database, rows))
        self._guarded(self._bound)

    def close(self) -> None:
        """Closes the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _decoded(self, key: object, blob: object) -> FileFacts | None:
        """A row's facts, or None if it is not as it was written: a broken index leads to another row."""
        if not (isinstance(key, bytes) and isinstance(blob, bytes)):
            return None
        if _checksum(key, blob[_CHECK_BYTES:]) != blob[:_CHECK_BYTES]:
            return None
        try:
            return unpack_facts(blob[_CHECK_BYTES:])
        except Damaged:
            return None

    def _guarded(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """`work` in one transaction; None if the database is busy, full or can't be opened, also after a new start."""
        for _ in range(2):
            try:
                with self._opened() as database:
                    return work(database)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if not _is_damage(error):  # locked, full, read-only: not the file's fault
                    return None
                self._start_anew()
            except OSError:
                return None
        return None

    def _opened(self) -> sqlite3.Connection:
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

    def _start_anew(self) -> None:
        """Removes the broken file, unless another process did so already."""
        from filelock import FileLock, Timeout

        self.close()
        with suppress(OSError, Timeout), FileLock(self._path.with_suffix(".lock"), timeout=self._busy_s):
            if _inode_of(self._path) == self._inode:
                for suffix in ("", "-journal"):
                    Path(f"{self._path}{suffix}").unlink(missing_ok=True)

    def _bound(self, database: sqlite3.Connection) -> None:
        """Drops the oldest fifth until what is left fits."""
        if _size(database) <= self._max_bytes:
            return
        while _size(database) > self._max_bytes * _KEEP:
            if database.execute(f"DELETE FROM facts WHERE key IN ({_OLDEST})").rowcount <= 0:  # noqa: S608 - constant
                break


def _unpacked(held: Mapping[bytes, FileFacts | Packed[FileFacts]], keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
    """Of some keys those that are held."""
    found = {key: held[key] for key in keys if key in held}
    return {key: facts.get() if isinstance(facts, Packed) else facts for key, facts in found.items()}


def _is_damage(error: Exception) -> bool:
    """Whether the file's content is at fault; SQLite's words on a broken schema quote it, and may not be UTF-8."""
    return isinstance(error, UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def stored_bytes(directory: Path) -> int:
    """How much a directory's store takes; 0 where there is none."""
    try:
        return (directory / FACTS_FILE).stat().st_size
    except OSError:
        return 0


def drop_store(directory: Path) -> None:
    """Forgets all that is stored there, also while others use it. Raises OSError if it can't be removed."""
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
    """Bytes in use: the file's pages without the free ones."""
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
