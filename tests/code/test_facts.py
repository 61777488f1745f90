"""Fact stores return what was stored, or nothing, and never an error."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bearings.code.facts.blobs import FACTS_FILE, drop_store, stored_bytes
from bearings.code.facts.store import FactStore, LateFacts, NoFacts, SqliteFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.models import Language
from bearings.code.parse import parse_file
from tests.code.in_process import MemoryFacts
from tests.code.trees import SHOP


def facts_of(path: str, text: str) -> FileFacts:
    language = language_of(path)
    assert language is not None
    return parse_file(path, language, text.encode())


FACTS = {key_of(path, Language.PYTHON, b"d" * 16, 1): facts_of(path, text) for path, text in SHOP.items()}
KEYS = list(FACTS)


@pytest.fixture(params=["memory", "sqlite", "late"])
def store(request, tmp_path):
    made: FactStore = MemoryFacts() if request.param == "memory" else SqliteFacts(tmp_path / "cache")
    if request.param == "late":
        made = LateFacts(made)
    yield made
    made.close()


def test_delayed_facts_can_be_read_at_once(tmp_path):
    theirs = SqliteFacts(tmp_path)
    late = LateFacts(SqliteFacts(tmp_path))
    late.put(FACTS)
    assert late.get(KEYS) == FACTS
    assert theirs.get(KEYS) == {}
    late.settle()
    assert late.get(KEYS) == theirs.get(KEYS) == FACTS
    late.put({b"%d" % number: FACTS[KEYS[0]] for number in range(1000)})
    assert theirs.get([b"999"]) == {b"999": FACTS[KEYS[0]]}, "many are not kept waiting"
    late.put({b"more": FACTS[KEYS[0]]})
    late.close()
    assert set(theirs.get([b"more"])) == {b"more"}
    theirs.close()


def test_a_store_returns_what_was_stored(store):
    assert store.get(KEYS) == {}
    store.put(FACTS)
    assert store.get([*KEYS, b"unknown"]) == FACTS
    store.put({KEYS[0]: FACTS[KEYS[1]]})
    assert store.get(KEYS[:1]) == {KEYS[0]: FACTS[KEYS[1]]}
    assert store.get([]) == {}


def test_nofacts_stores_nothing():
    store = NoFacts()
    store.put(FACTS)
    assert store.get(KEYS) == {}
    store.close()


def test_a_key_depends_on_path_language_content_and_version():
    one = key_of("a.js", Language.JAVASCRIPT, b"x", 1)
    others = [
        key_of("b.js", Language.JAVASCRIPT, b"x", 1),
        key_of("a.js", Language.JSX, b"x", 1),
        key_of("a.js", Language.JAVASCRIPT, b"y", 1),
        key_of("a.js", Language.JAVASCRIPT, b"x", 2),
    ]
    assert len({one, *others}) == 5
    assert one == key_of("a.js", Language.JAVASCRIPT, b"x", 1)


def test_facts_outlive_their_process_and_connection(tmp_path):
    first = SqliteFacts(tmp_path)
    first.put(FACTS)
    first.close()
    assert first.get(KEYS) == FACTS, "a closed store opens itself again"
    first.close()
    second = SqliteFacts(tmp_path)
    assert second.get(KEYS) == FACTS
    second.close()


def test_a_store_can_be_measured_and_dropped_while_it_is_used(tmp_path):
    assert stored_bytes(tmp_path) == 0
    drop_store(tmp_path)
    store = SqliteFacts(tmp_path)
    store.put(FACTS)
    assert stored_bytes(tmp_path) > 0
    drop_store(tmp_path)
    assert stored_bytes(tmp_path) == 0
    store.put(FACTS)
    store.close()
    store.put(FACTS)
    assert store.get(KEYS) == FACTS
    store.close()


def test_many_keys_are_read_in_batches(tmp_path):
    store = SqliteFacts(tmp_path)
    many = {os.urandom(16): FACTS[KEYS[0]] for _ in range(1203)}
    store.put(many)
    assert store.get(list(many)) == many
    store.close()


@pytest.mark.parametrize("ruin", ["nonsense", "middle", "empty", "other tables", "truncated"])
def test_a_broken_file_is_replaced(tmp_path, ruin):
    store = SqliteFacts(tmp_path)
    store.put({os.urandom(16): FACTS[KEYS[2]] for _ in range(500)})
    store.close()
    path = tmp_path / FACTS_FILE
    data = path.read_bytes()
    if ruin == "nonsense":
        path.write_bytes(b"this is no database" * 1000)
    elif ruin == "middle":
        path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    elif ruin == "empty":
        path.write_bytes(b"")
    elif ruin == "truncated":
        path.write_bytes(data[: len(data) // 2])
    else:
        path.unlink()
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE facts (something TEXT)")
        database.close()
    for _ in range(3):  # what is found broken may be lost; what is put after that is kept
        store.put(FACTS)
    assert store.get(KEYS) == FACTS
    store.close()


def test_a_damaged_row_is_not_returned(tmp_path):
    store = SqliteFacts(tmp_path)
    store.put(FACTS)
    store.close()
    with sqlite3.connect(tmp_path / FACTS_FILE) as database:
        whole = database.execute("SELECT facts FROM facts WHERE key = ?", (KEYS[0],)).fetchone()[0]
        database.execute("UPDATE facts SET facts = ? WHERE key = ?", (whole[:-1] + b"!", KEYS[0]))
        database.execute("UPDATE facts SET facts = 'text' WHERE key = ?", (KEYS[1],))
    database.close()
    assert store.get(KEYS) == {key: FACTS[key] for key in KEYS[2:]}
    store.close()


def test_a_locked_database_is_no_error(tmp_path):
    store = SqliteFacts(tmp_path, busy_s=0.01)
    store.put(FACTS)
    other = sqlite3.connect(tmp_path / FACTS_FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert store.get(KEYS) == {}
    store.put(FACTS)
    other.execute("ROLLBACK")
    other.close()
    assert store.get(KEYS) == FACTS
    store.close()


@pytest.mark.parametrize("kind", ["file in the way", "directory in the way"])
def test_an_unusable_directory_is_no_error(tmp_path, kind):
    if kind == "file in the way":
        directory = tmp_path / "file"
        directory.write_text("")
    else:
        directory = tmp_path
        (tmp_path / FACTS_FILE).mkdir()
    store = SqliteFacts(directory)
    store.put(FACTS)
    assert store.get(KEYS) == {}
    store.close()


def test_the_oldest_facts_are_dropped_when_space_runs_out(tmp_path):
    room = 300 * len(msgspec.msgpack.encode(FACTS[KEYS[2]]))
    store = SqliteFacts(tmp_path, max_bytes=room)
    old = {os.urandom(16): FACTS[KEYS[2]] for _ in range(100)}
    store.put(old)
    store.close()
    with sqlite3.connect(tmp_path / FACTS_FILE) as database:
        database.execute("UPDATE facts SET used = 1")
    database.close()
    used = list(old)[:5]
    assert len(store.get(used)) == 5, "they are as good as new now"
    for _ in range(20):
        store.put({os.urandom(16): FACTS[KEYS[2]] for _ in range(50)})
    left = store.get(list(old))
    store.close()
    assert set(left) <= set(used)
    assert (tmp_path / FACTS_FILE).stat().st_size < 2 * room
    with sqlite3.connect(tmp_path / FACTS_FILE) as database:
        [count] = database.execute("SELECT count(*) FROM facts").fetchone()
    database.close()
    assert 0 < count < 1100


_WRITER = """
import os, sys
from pathlib import Path
from bearings.code.facts.store import SqliteFacts
from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, Symbol, SymbolKind
store = SqliteFacts(Path(sys.argv[1]))
facts = FileFacts("a.py", Language.PYTHON, 1, (Symbol("a.py", "a.py", SymbolKind.MODULE, 1, 1),))
for _ in range(30):
    keys = [os.urandom(16) for _ in range(20)]
    store.put(dict.fromkeys(keys, facts))
    assert len(store.get(keys)) == 20
"""


@pytest.mark.slow
def test_processes_share_a_store(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)]) for _ in range(4)]
    assert [writer.wait(120) for writer in writers] == [0] * 4
    with sqlite3.connect(Path(tmp_path) / FACTS_FILE) as database:
        assert database.execute("SELECT count(*) FROM facts").fetchone() == (4 * 30 * 20,)
    database.close()
