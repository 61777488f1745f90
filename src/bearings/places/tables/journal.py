"""The journal of a run: the row where it stands, and every answer, so that the same command goes on after any end."""

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from bearings.errors import InvalidInput, WriteFailed
from bearings.places.tables.answering import Answer, Subject
from bearings.private import private_folder

_SCHEMA = """
CREATE TABLE IF NOT EXISTS progress (identity TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answer (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

_PRAGMAS = ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL", "cache_size = -64000")

_AT_ONCE = 500
"""Keys of one query."""

Key = bytes


def key_of(subject: Subject) -> Key:
    """The key of a question. Equal questions have equal keys."""
    text = subject if isinstance(subject, str) else f"\0{subject[0]!r},{subject[1]!r}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(slots=True)
class State:
    """Where a run stands: the reader's position, the draft's length, and counts for the summary.

    `asked` counts distinct questions; `editions` are those of the sources. `is_done`: all rows are drafted.
    """

    position: int = 0
    length: int = 0
    rows: int = 0
    asked: int = 0
    matches: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
    errors: int = 0
    editions: tuple[str, ...] = ()
    is_done: bool = False

    def add(self, answers: Sequence[Answer], position: int) -> None:
        """Count rows that were written, up to a position."""
        self.position = position
        self.rows += len(answers)
        for answer in answers:
            if answer.error is None:
                for counts, name in ((self.matches, answer.match or ""), (self.sources, answer.source or "")):
                    counts[name] = counts.get(name, 0) + 1
            else:
                self.errors += 1


def journal_of(out: Path) -> Path:
    """The journal of a table: in the user's state folder, as one beside the table could be a stranger's."""
    import platformdirs

    name = blake2b(os.fsencode(os.path.realpath(out)), digest_size=16).hexdigest()
    return platformdirs.user_state_path("bearings", appauthor=False) / "tables" / f"{name}.sqlite"


class Journal:
    """The state of a run on disk. One process holds it at a time.

    Raises InvalidInput if it is of another run, or held; WriteFailed if it can't be written.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._identity = identity
        self.goes_on = False
        """Whether an earlier run began this table, so that a draft may be there."""
        try:
            private_folder(path.parent)
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            for pragma in _PRAGMAS:
                self._db.execute(f"PRAGMA {pragma}")
            self._db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self.state = self._begun()
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    def _begun(self) -> State:
        """The state that was saved; a new one if there is none, or if a run with another request has done nothing."""
        row = self._db.execute("SELECT identity, state FROM progress").fetchone()
        self.goes_on = row is not None
        state = State() if row is None else msgspec.json.decode(row[1], type=State)
        if row is None or (row[0] != self._identity and not state.asked and not state.rows):
            self._db.execute("DELETE FROM progress")
            self._db.execute("INSERT INTO progress VALUES (?, ?)", (self._identity, "{}"))
            return State()
        if row[0] != self._identity:
            self._db.close()
            problem = "is of a run over another input, or with other options"
            raise InvalidInput("out", str(self.path), problem, "Run that again, or begin anew: pass --overwrite.")
        return state

    def missing(self, keys: Collection[Key]) -> set[Key]:
        """Those of the keys that have no answer."""
        return set(keys) - {key for (key,) in self._selected("key", list(keys))}

    def known(self, keys: Sequence[Key]) -> dict[Key, Answer]:
        """The answers that there are to some of these questions."""
        return {key: msgspec.json.decode(value, type=Answer) for key, value in self._selected("key, value", keys)}

    def _selected(self, columns: str, keys: Sequence[Key]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            query = f"SELECT {columns} FROM answer WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608 - marks
            yield from self._db.execute(query, some)

    def add(self, answers: Iterable[tuple[Key, Answer]]) -> None:
        """Keep answers; they are on disk with the next `save`."""
        values = ((key, msgspec.json.encode(answer)) for key, answer in answers)
        try:
            self._db.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?)", values)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def save(self) -> None:
        """Bring the state and all answers to the disk, whole or not at all."""
        try:
            self._db.execute("UPDATE progress SET state = ?", (msgspec.json.encode(self.state).decode(),))
            self._db.execute("COMMIT")
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close it; what was not saved is forgotten."""
        self._db.close()

    def remove(self) -> None:
        """Close and delete it."""
        self._db.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _failed(self, error: Exception) -> InvalidInput | WriteFailed:
        if "locked" in str(error):
            return InvalidInput("out", str(self.path), "is being written by another run", "Wait for its end.")
        return WriteFailed(f"{self.path} can't be written: {error}", "Free the disk, or write elsewhere; then go on.")


def identity_of(path: Path, facts: Mapping[str, object]) -> str:
    """The identity of a run: the state of its input, and all that its answers depend on."""
    there = path.stat()
    with path.open("rb") as file:
        head = blake2b(file.read(1_000_000), digest_size=16).hexdigest()
    return json.dumps({**facts, "bytes": there.st_size, "changed": there.st_mtime_ns, "head": head}, sort_keys=True)
