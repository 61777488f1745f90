"""Files in the user's caches are replaced by hostile ones, at random; answers are the same as without a cache.

`make soak` tries many more.
"""

import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bearings.code.engine.session import Session
from bearings.code.facts.blobs import FACTS_FILE
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.snapshot_file import GRAPHS_FOLDER, framed, read_file
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.questions.query import Query
from bearings.progress import NoProgress
from tests.adversary.conftest import Tally, attempts
from tests.code.in_process import MemoryFacts
from tests.code.test_change_detection import MAX
from tests.code.trees import SHOP, repository

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ATTEMPTS = attempts(24, 2_000)
Hostile = Callable[[Path, random.Random], object]


def _sql(cache: Path, *statements: str) -> None:
    with closing(sqlite3.connect(cache / FACTS_FILE)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def _forever(dice: random.Random) -> str:
    """A query without end, or with a result of gigabytes."""
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
    return dice.choice(
        [f"{rows} i, i, i FROM n", f"{rows} i, zeroblob({dice.randint(10**6, 10**9)}), i FROM n WHERE i < 9",
         f"{rows} count(*), '', 0 FROM n ORDER BY i"]
    )  # fmt: skip


def view(cache: Path, dice: random.Random) -> None:
    _sql(cache, "DROP TABLE facts", f"CREATE VIEW facts(key, facts, used) AS {_forever(dice)}")


def trigger(cache: Path, dice: random.Random) -> None:
    event = dice.choice(["AFTER INSERT", "BEFORE UPDATE", "AFTER DELETE"])
    body = f"DELETE FROM facts WHERE key IN (SELECT 1 FROM ({_forever(dice)}))"
    _sql(cache, f"CREATE TRIGGER t{dice.randrange(99)} {event} ON facts BEGIN {body}; END")


def tables(cache: Path, dice: random.Random) -> None:
    _sql(cache, *(f"CREATE TABLE t{number} (a)" for number in range(dice.randint(1, 400))))


def rows(cache: Path, dice: random.Random) -> None:
    value = dice.choice(["NULL", "7", "'text'", f"zeroblob({dice.randint(0, 10**6)})", "randomblob(300)"])
    _sql(cache, f"UPDATE OR IGNORE facts SET facts = {value}", "UPDATE facts SET used = 'never'")


def bombs(cache: Path, dice: random.Random) -> None:
    """With right checksums."""
    from bearings.code.facts.blobs import _checksum

    bomb = zstd.compress(bytes([dice.randrange(256)]) * dice.randint(10**6, 10**8))
    with closing(sqlite3.connect(cache / FACTS_FILE)) as db, db:
        for (key,) in db.execute("SELECT key FROM facts").fetchall():
            db.execute("UPDATE facts SET facts = ? WHERE key = ?", (_checksum(key, bomb) + bomb, key))


def noise(cache: Path, dice: random.Random) -> None:
    """Some bytes of a file are others, or it is cut."""
    path = dice.choice([cache / FACTS_FILE, *(cache / GRAPHS_FOLDER).iterdir()])
    data = bytearray(path.read_bytes())
    for _ in range(dice.randint(1, 40)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    path.write_bytes(data[: dice.choice([len(data), dice.randrange(len(data))])])


def body(cache: Path, dice: random.Random) -> None:
    """A graph's body is something else, with a right checksum."""
    [path] = (cache / GRAPHS_FOLDER).iterdir()
    found = read_file(path)
    if found is not None:
        data = bytearray(found[1])
        start = dice.randrange(len(data))
        data[start : start + dice.randint(0, 9)] = dice.randbytes(dice.randint(0, 9))
        hostile = dice.choice([bytes(data)[: dice.randrange(len(data))], b"\x9a" + dice.randbytes(40), b"\x91" * 9_999])
        path.write_bytes(b"".join(framed(found[0], hostile)))


def kind(cache: Path, dice: random.Random) -> None:
    path = dice.choice(
        [cache / FACTS_FILE, cache / f"{FACTS_FILE}-journal", cache / GRAPHS_FOLDER, *(cache / GRAPHS_FOLDER).iterdir()]
    )
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    dice.choice([os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(path)])(
        path
    )


HOSTILE: list[Hostile] = [view, trigger, tables, rows, bombs, noise, body, kind]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="FIFOs and links are POSIX")
def test_a_hostile_cache_changes_no_answer(tmp_path: Path, tally: Tally):
    root = repository(tmp_path / "project", SHOP)
    expected, kept = _answer(root, None), tmp_path / "kept"
    _answer(root, kept)
    survived = 0
    for number in range(ATTEMPTS):
        cache = tmp_path / f"cache{number}"
        shutil.copytree(kept, cache)
        HOSTILE[number % len(HOSTILE)](cache, random.Random(number))
        survived += all(_answer(root, cache) == expected for _ in range(2))
        shutil.rmtree(cache)
    tally("a cache that somebody else has written", ATTEMPTS, survived)


def _answer(root: Path, cache: Path | None) -> object:
    """What a session answers, which reads the project anew where stored facts are lost or can't be right."""
    store = SqliteFacts(cache) if cache else MemoryFacts()
    graphs = GraphStore(cache) if cache else None
    session = Session(root, store, MAX, graphs)
    with closing(store), closing(session):
        question = Query(query_type="calls-me", element="with_tax", detail="full")
        value = session.answer(question, NoProgress()).value
        session.keep()
    if graphs is not None:
        graphs.close()
    return value
