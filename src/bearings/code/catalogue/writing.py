"""Writes a catalogue: each repository in one transaction, so that a killed scan loses no more than that one."""

import json
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from bearings.code.catalogue.names import last_part
from bearings.code.catalogue.rows import Contents
from bearings.code.catalogue.schema import APPLICATION_ID, OF_FILES, STATEMENTS, VERSION
from bearings.errors import InvalidInput, WriteFailed

_BUSY_S = 10.0
SCANNED, FAILED = "scanned", "failed"


class Known(NamedTuple):
    """The state of a repository in the catalogue, from the last scan."""

    source: str
    fingerprint: str
    commit: str


class CatalogueWriter:
    """A catalogue, open for writing by one process. Close it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._modules: dict[tuple[str, str], int] = {}
        self._db = _opened(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def known(self) -> dict[str, Known]:
        """The repositories by name."""
        rows = self._db.execute("SELECT name, source, fingerprint, revision FROM repository")
        return {name: Known(*rest) for name, *rest in rows}

    def keep_only(self, names: Collection[str]) -> int:
        """Removes the repositories that are not among `names`; returns how many."""
        gone = [(name,) for name in self.known() if name not in names]
        with self._transaction():
            for (name,) in gone:
                self._clear(name)
            self._db.executemany("DELETE FROM repository WHERE name = ?", gone)
        return len(gone)

    def put(self, name: str, source: str, contents: Contents, now: float, seconds: float) -> None:
        """Replaces the rows of a repository."""
        self._modules.clear()  # a transaction that failed may have made some of them
        with self._transaction():
            self._clear(name)
            repository = self._state(name, source, SCANNED, contents.note, now, seconds)
            self._db.execute(
                "UPDATE repository SET revision = ?, fingerprint = ?, scanned = ?, files = ?, elements = ?, "
                "languages = ? WHERE id = ?",
                (
                    contents.commit, contents.fingerprint, now, contents.files, contents.elements,
                    json.dumps(contents.languages), repository,
                ),
            )  # fmt: skip
            self._rows(_Files(self._db, repository), contents)

    def confirm(self, name: str, source: str, commit: str, now: float) -> None:
        """Notes that a repository is as it was; its earlier remarks stay."""
        with self._transaction():
            self._db.execute(
                "UPDATE repository SET source = ?, state = ?, scanned = ?, tried = ?, "
                "revision = CASE ? WHEN '' THEN revision ELSE ? END, "
                "reason = CASE state WHEN ? THEN '' ELSE reason END WHERE name = ?",
                (source, SCANNED, now, now, commit, commit, FAILED, name),
            )

    def fail(self, name: str, source: str, reason: str, now: float, seconds: float) -> None:
        """Notes that a repository could not be scanned. Its rows from an earlier scan stay."""
        with self._transaction():
            self._state(name, source, FAILED, reason, now, seconds)

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._db, self._path)

    def _state(self, name: str, source: str, state: str, reason: str, now: float, seconds: float) -> int:
        """Sets a repository's state; returns its id."""
        self._db.execute(
            "INSERT INTO repository (name, source, state, reason, revision, fingerprint, tried, seconds, files, "
            "elements, languages) VALUES (?1, ?2, ?3, ?4, '', '', ?5, ?6, 0, 0, '{}') ON CONFLICT (name) DO UPDATE SET "
            "source = ?2, state = ?3, reason = ?4, tried = ?5, seconds = ?6",
            (name, source, state, reason, now, seconds),
        )
        (number,) = self._db.execute("SELECT id FROM repository WHERE name = ?", (name,)).fetchone()
        return int(number)

    def _clear(self, name: str) -> None:
        """Removes the rows of a repository's files."""
        files = "SELECT file.id FROM file JOIN repository ON repository.id = file.repository WHERE repository.name = ?"
        for table in OF_FILES:
            self._db.execute(f"DELETE FROM {table} WHERE file IN ({files})", (name,))  # noqa: S608 - our own names
        self._db.execute(f"DELETE FROM file WHERE id IN ({files})", (name,))  # noqa: S608

    def _rows(self, files: "_Files", contents: Contents) -> None:
        insert = self._db.executemany
        # The columns of these tables are the fields of their rows, but the file comes first.
        for table, rows in (("export", contents.exports), ("route", contents.routes), ("request", contents.requests)):
            fields = [name for name in rows[0]._fields if name != "file"] if rows else []
            values = ((files[row.file], *(getattr(row, name) for name in fields)) for row in rows)
            insert(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?)", values)  # noqa: S608 - our own names
        insert(
            "INSERT INTO outside_use VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((files[row.file], self._module(row.package, row.module), row.name, last_part(row.name), row.kind,
              row.line, row.text, row.element, row.is_guess) for row in contents.uses),
        )  # fmt: skip

    def _module(self, package: str, module: str) -> int:
        """The id of a module."""
        key = (package, module)
        if key not in self._modules:
            self._db.execute("INSERT OR IGNORE INTO module (package, name) VALUES (?, ?)", key)
            row = self._db.execute("SELECT id FROM module WHERE package = ? AND name = ?", key).fetchone()
            self._modules[key] = int(row[0])
        return self._modules[key]


class _Files(dict[str, int]):
    """The ids of a repository's files; a new one is written."""

    def __init__(self, db: sqlite3.Connection, repository: int) -> None:
        super().__init__()
        self._db = db
        self._repository = repository

    def __missing__(self, path: str) -> int:
        cursor = self._db.execute("INSERT INTO file (repository, path) VALUES (?, ?)", (self._repository, path))
        assert cursor.lastrowid is not None
        self[path] = cursor.lastrowid
        return cursor.lastrowid


class _Transaction:
    """A transaction as a block: all of it is written, or nothing. Raises WriteFailed."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise _unwritable(self._path, error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            self._db.execute("ROLLBACK" if kind else "COMMIT")
        except sqlite3.Error as fault:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            error = error if isinstance(error, sqlite3.Error) else fault
        if isinstance(error, sqlite3.Error):
            raise _unwritable(self._path, error) from error


def _opened(path: Path) -> sqlite3.Connection:
    """A catalogue to write into, new or existing. Raises InvalidInput for another file, WriteFailed."""
    try:
        db = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    except sqlite3.Error as error:
        raise _unwritable(path, error) from error
    try:
        _prepare(db, path)
    except sqlite3.DatabaseError as error:
        db.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise InvalidInput("out", str(path), "is no catalogue", "Name another file.") from error
        raise _unwritable(path, error) from error
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Makes the tables, unless they are there. Raises InvalidInput for a database of another program."""
    tables = _scalar(db, "SELECT count(*) FROM sqlite_schema")
    if tables and _scalar(db, "PRAGMA application_id") != APPLICATION_ID:
        raise InvalidInput("out", str(path), "is a database, but no catalogue", "Name another file.")
    if not tables or _scalar(db, "PRAGMA user_version") != VERSION:
        _make(db, path)


def _make(db: sqlite3.Connection, path: Path) -> None:
    """Makes the tables; those of another version are dropped, as every row can be read again."""
    with _Transaction(db, path):
        objects = db.execute("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall()
        for kind, name in objects:
            if kind in ("table", "view"):
                db.execute(f'DROP {kind} IF EXISTS "{name.replace(chr(34), chr(34) * 2)}"')
        for statement in STATEMENTS:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")


def _scalar(db: sqlite3.Connection, statement: str) -> int:
    (value,) = db.execute(statement).fetchone()
    return int(value)


def _unwritable(path: Path, error: sqlite3.Error) -> WriteFailed:
    return WriteFailed(f"{path}: the catalogue can't be written ({error})", "Free the file, or name another one.")
