"""A cache's file may be anybody's work: it is used, replaced or left, and always in a bounded time."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bearings.cache_database import CacheDatabase, remove_database, used_bytes
from tests.soak import soak

SCHEMA = ("CREATE TABLE IF NOT EXISTS one (key TEXT PRIMARY KEY, value BLOB NOT NULL)",)
FOREVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"


def cache(path: Path, busy_s: float = 0.01) -> CacheDatabase:
    return CacheDatabase(path, SCHEMA, ("synchronous = OFF",), busy_s, 1_000_000, 10_000)


def put(database: CacheDatabase, value: object = b"b") -> None:
    database.run(lambda db: db.execute("INSERT OR REPLACE INTO one VALUES ('a', ?)", (value,)))


def values(database: CacheDatabase) -> list[object] | None:
    return database.run(lambda db: [value for (value,) in db.execute("SELECT value FROM one")])


def written(*statements: str) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.execute("BEGIN")  # one transaction: thousands of their own take half a minute of a busy disk
            for statement in statements:
                db.execute(statement)
            db.commit()

    return write


TABLE = SCHEMA[0]
STRANGE: dict[str, Callable[[Path], object]] = {
    "a view without end": written(f"CREATE VIEW one(key, value) AS {FOREVER}"),
    "a trigger": written(
        TABLE, f"CREATE TRIGGER t AFTER INSERT ON one BEGIN DELETE FROM one WHERE key IN ({FOREVER}); END"
    ),
    "an index on an expression": written(TABLE, "CREATE INDEX i ON one (hex(value))"),
    "a check": written(
        "CREATE TABLE one (key TEXT PRIMARY KEY, value BLOB CHECK (length(randomblob(1000000000)) > 0))"
    ),
    "a generated column": written("CREATE TABLE one (key TEXT PRIMARY KEY, value BLOB AS (hex(zeroblob(1000000000))))"),
    "a virtual table": written("CREATE VIRTUAL TABLE one USING fts5(key, value)"),
    "another program's": written("CREATE TABLE one (a)"),
    "another table beside": written(TABLE, "CREATE TABLE two (a)"),
    "many tables": written(*(f"CREATE TABLE t{number} (a)" for number in range(3_000))),
    "no database": lambda path: path.write_bytes(b"no database" * 1_000),
    "half a header": lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 50),
    "a file with a hole": lambda path: os.truncate(path, 10**9) if path.write_bytes(b"SQLite") else None,
}


@pytest.mark.parametrize("strange", STRANGE)
def test_a_strange_file_is_replaced(tmp_path: Path, strange: str):
    path = tmp_path / "a.sqlite"
    STRANGE[strange](path)
    database = cache(path)
    assert values(database) == []
    put(database)
    assert (values(database), database.faults) == ([b"b"], 1)
    database.close()
    assert values(cache(path)) == [b"b"]


def test_a_value_of_any_size_costs_little(tmp_path: Path):
    path = tmp_path / "a.sqlite"
    written(TABLE, "INSERT INTO one VALUES ('a', zeroblob(900000))")(path)
    database = cache(path)
    assert values(database) == []
    put(database, b"x" * 20_000)  # never stored
    assert values(database) == []
    put(database)
    assert values(database) == [b"b"]


@soak
def test_work_beyond_its_steps_ends(tmp_path: Path):
    database = cache(tmp_path / "a.sqlite")
    put(database)
    assert database.run(lambda db: db.execute(f"SELECT count(*) FROM ({FOREVER})").fetchone()) is None
    put(database)
    assert values(database) == [b"b"]


def test_a_lock_without_end_is_waited_for_once(tmp_path: Path):
    """With a patience of an hour, a second wait would hang the test; so the first one is short."""
    path = tmp_path / "a.sqlite"
    put(cache(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert values(cache(path)) is None
        patient = cache(path, busy_s=3_600)
        assert values(patient) is None
        other.execute("ROLLBACK")
    assert values(patient) == [b"b"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX")
@pytest.mark.parametrize("kind", ["fifo", "link", "folder"])
def test_a_file_of_another_kind_is_left_and_not_used(tmp_path: Path, kind: str):
    path, other = tmp_path / "a.sqlite", tmp_path / "other.sqlite"
    written(TABLE)(other)
    before = other.read_bytes()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(other)
    database = cache(path)
    put(database)
    assert values(database) is None
    assert other.read_bytes() == before
    assert os.path.lexists(path)


@pytest.mark.skipif(os.name != "posix", reason="POSIX")
def test_only_the_owner_may_read_the_file(tmp_path: Path):
    path = tmp_path / "made/a.sqlite"
    old = os.umask(0)
    try:
        database = cache(path)
        database.run(lambda db: db.execute("PRAGMA journal_mode = WAL").fetchall())
        put(database)
        assert database.run(used_bytes)
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
        for file in path.parent.iterdir():
            file.chmod(0o666)
        values(cache(path))
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    finally:
        os.umask(old)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    remove_database(path)
    assert values(database) == []
