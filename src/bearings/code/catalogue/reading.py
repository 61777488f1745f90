"""Answers from a catalogue. The file may be anybody's: nothing in it runs, and a question has a deadline."""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from bearings.code.catalogue.names import SEPARATORS, dotted, last_part, plain
from bearings.code.catalogue.routes import Wanted
from bearings.code.catalogue.rows import ExportRow, RequestRow, RouteRow, UseRow
from bearings.code.catalogue.schema import APPLICATION_ID, STATEMENTS, VERSION
from bearings.errors import DeadlineExceeded, InvalidInput

_DEADLINE_S = 30.0
_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""

R = TypeVar("R")

ANY_NAME = "*"
_AFTER = {".": "/", "/": "0", "::": ":;", "\\": "]"}
"""The first text after all that begin with a separator."""

_MAY_BE_NAMED = "(outside_use.name = ? OR (outside_use.name >= ? AND outside_use.name < ?) OR last = ?)"
"""The condition that a use may be one of a name; `_is_named` decides."""

_MOST = 300_000
"""Rows that one answer may have."""

_OF_FILE = "{0} JOIN file ON file.id = {0}.file"
_IN_ORDER = "ORDER BY repository.name, file.path, line"


class RepositoryState(NamedTuple):
    """A repository: `state` is scanned or failed, `scanned` when its rows were read; None: never."""

    name: str
    source: str
    state: str
    reason: str
    commit: str
    scanned: float | None
    tried: float
    seconds: float
    files: int
    elements: int
    languages: dict[str, int]


class Catalogue:
    """A catalogue, open for reading."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def repositories(self) -> list[RepositoryState]:
        """All repositories by name."""
        rows = self._all(
            "SELECT name, source, state, reason, revision, scanned, tried, seconds, files, elements, languages "
            "FROM repository ORDER BY name",
            (),
        )
        return [self._row((*rest, _counts(languages)), RepositoryState) for *rest, languages in rows]

    def uses(self, package: str, name: str = ANY_NAME) -> list[tuple[str, UseRow]]:
        """The uses of `name` of a package, or of anything in it, each with its repository; guesses last.

        `package` is its name or a module in it. `get` finds members of that name, `codes` also `codes.ok`.
        """
        conditions, values = _below(package)
        if name != ANY_NAME:
            conditions = f"({conditions}) AND {_MAY_BE_NAMED}"
            values += [plain(name), f"{plain(name)}.", f"{plain(name)}/", last_part(name)]
        rows = self._joined_rows(
            UseRow,
            "module.package, module.name, outside_use.name, kind, file.path, line, text, element, is_guess",
            "module JOIN outside_use ON outside_use.module = module.id JOIN file ON file.id = outside_use.file",
            f"WHERE {conditions} ORDER BY is_guess, repository.name, file.path, line, outside_use.name",
            values,
        )
        return [(repository, row) for repository, row in rows if name == ANY_NAME or _is_named(row, name)]

    def exports(self, name: str) -> list[tuple[str, ExportRow]]:
        """The exported symbols with a name, qualified or not."""
        columns = "export.name, qualified_name, kind, file.path, line, signature"
        rows = self._joined_rows(
            ExportRow, columns, _OF_FILE.format("export"), f"WHERE export.name = ? {_IN_ORDER}", [last_part(name)]
        )
        return [(one, row) for one, row in rows if f".{row.qualified_name}".endswith(f".{name}")]

    def routes(self, wanted: Wanted) -> list[tuple[str, RouteRow]]:
        """The endpoints that may answer a request."""
        columns = "method, route.path, file.path, line, handler, framework"
        rows = self._joined_rows(RouteRow, columns, _OF_FILE.format("route"), _IN_ORDER, ())
        return [(one, row) for one, row in rows if wanted.fits(row.method, row.path)]

    def requests(self, wanted: Wanted) -> list[tuple[str, RequestRow]]:
        """The requests that may go to an endpoint."""
        columns = "method, request.path, file.path, line, text, element"
        rows = self._joined_rows(RequestRow, columns, _OF_FILE.format("request"), _IN_ORDER, ())
        return [(one, row) for one, row in rows if wanted.fits(row.method, row.path)]

    def packages_like(self, package: str) -> list[str]:
        """Packages with a similar name, for a hint."""
        from rapidfuzz import fuzz, process

        names = [name for (name,) in self._all("SELECT DISTINCT package FROM module ORDER BY package", ())]
        near = process.extract(package.lower(), names, scorer=fuzz.ratio, limit=5, score_cutoff=70)
        return [name for name, _, _ in near]

    def _joined_rows(
        self, kind: type[R], columns: str, source: str, rest: str, values: Sequence[object]
    ) -> list[tuple[str, R]]:
        """The rows of a table that is joined with its files, each with its repository. All texts are our own."""
        rows = self._all(
            f"SELECT repository.name, {columns} FROM {source} "  # noqa: S608
            f"JOIN repository ON repository.id = file.repository {rest}",
            values,
        )
        return [(repository, self._row(row, kind)) for repository, *row in rows]

    def _row(self, values: Sequence[object], kind: type[R]) -> R:
        """A row of a kind. Raises InvalidInput: SQLite stores any type in any column."""
        try:
            return msgspec.convert(values, kind, strict=False)  # SQLite has no booleans
        except msgspec.ValidationError as error:
            raise _unreadable(self._path, error) from error

    def _all(self, statement: str, values: Sequence[object]) -> list[Any]:
        """All rows of a question. Raises InvalidInput for a damaged file, DeadlineExceeded."""
        limit = time.monotonic() + _DEADLINE_S
        self._db.set_progress_handler(lambda: time.monotonic() > limit, _STEPS)
        try:
            rows = self._db.execute(statement, values).fetchmany(_MOST + 1)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise _unreadable(self._path, error) from error
        if len(rows) > _MOST:
            raise InvalidInput("element", ANY_NAME, f"has more than {_MOST:,} rows", "Name an element of the package.")
        return rows


@contextmanager
def opened(path: Path, field: str = "fleet", *, mends: bool = False) -> Iterator[Catalogue]:
    """The catalogue at a path. Raises InvalidInput for a file that is none, or of another version.

    `mends`: the file is the caller's own, so a transaction that a killed scan left open may be taken back.
    """
    if not os.path.isfile(path):  # noqa: PTH113 - raises nothing
        raise InvalidInput(field, str(path), "is no file", "Make it: bearings code fleet scan REPOS.txt OUT.")
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'rw' if mends else 'ro'}", uri=True, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise _unreadable(path, error) from error
    try:
        _check(db, path, field)
        yield Catalogue(db, path)
    finally:
        db.close()


def _check(db: sqlite3.Connection, path: Path, field: str) -> None:
    """Refuse a file whose tables are not exactly those of a catalogue: it could have views and triggers."""
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA query_only = ON")
        db.execute("PRAGMA cell_size_check = ON")
        (application,), (version,) = (db.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
        statements = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 100")}
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _unreadable(path, error, field) from error
    if application == APPLICATION_ID and version != VERSION:
        remedy = "Scan again with this version: bearings code fleet scan REPOS.txt OUT."
        raise InvalidInput(field, str(path), "is a catalogue of another version", remedy)
    if application != APPLICATION_ID or statements != set(STATEMENTS):
        raise InvalidInput(field, str(path), "is no catalogue", "Make one: bearings code fleet scan REPOS.txt OUT.")


def _below(package: str) -> tuple[str, list[object]]:
    """The condition that a module is a package or below it, with its values."""
    conditions = ["module.package = ?", "module.name = ?"]
    values: list[object] = [package, package]
    for separator in SEPARATORS:
        conditions.append("(module.name >= ? AND module.name < ?)")
        values += [package + separator, package + _AFTER[separator]]
    return " OR ".join(conditions), values


def _is_named(use: UseRow, name: str) -> bool:
    """Whether a use is one of `name`, of a member of it, or of a member with that name."""
    wanted, own = plain(name), plain(use.name)
    if not use.is_guess and own.startswith(f"{wanted}."):
        return True
    return f".{dotted((use.module, own))}".replace("/", ".").endswith(f".{wanted}")


def _counts(text: str) -> dict[str, int]:
    try:
        counts = json.loads(text)
    except ValueError:
        return {}
    return {str(key): int(value) for key, value in counts.items()} if isinstance(counts, dict) else {}


def _unreadable(path: Path, error: Exception, field: str = "fleet") -> InvalidInput | DeadlineExceeded:
    if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
        return DeadlineExceeded(f"{path}: no answer within {_DEADLINE_S:g} s", "Ask for less.")
    remedy = "Scan again: bearings code fleet scan REPOS.txt OUT. A scan that was killed leaves this until then."
    return InvalidInput(field, str(path), f"can't be read as a catalogue ({error})", remedy)
