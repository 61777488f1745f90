"""A store that is damaged, full, closed or fought over gives what was put, or nothing; never anything else."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.facts.blobs import FACTS_FILE
from bearings.code.facts.store import SqliteFacts
from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.parse import parse_file
from tests.code.trees import write


def facts_of(number: int) -> FileFacts:
    path = f"m{number}.py"
    language = language_of(path)
    assert language is not None
    return parse_file(path, language, f"def f{number}(): return g{number}()\n".encode())


FACTS = {bytes([number]) * 16: facts_of(number) for number in range(120)}


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A store's file, with FACTS in it."""
    directory = tmp_path_factory.mktemp("sound")
    store = SqliteFacts(directory)
    store.put(FACTS)
    store.close()
    file: Path = directory / FACTS_FILE
    return file


DAMAGE = st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 255)), min_size=1, max_size=8)


@pytest.mark.slow
@given(damage=DAMAGE, cut=st.none() | st.integers(0, 2**20))
def test_whatever_bytes_are_damaged_no_wrong_fact_comes_out(sound, tmp_path_factory, damage, cut):
    broken = bytearray(sound.read_bytes())
    for at, value in damage:
        broken[at % len(broken)] = value
    never_wrong(bytes(broken if cut is None else broken[: cut % len(broken)]), tmp_path_factory.mktemp("damaged"))


def test_a_schema_that_is_no_text_is_damage(sound, tmp_path):
    never_wrong(sound.read_bytes().replace(b"CREATE TABLE facts", b"CREATE TABLE f\xfects"), tmp_path)


def test_a_column_of_another_type_is_no_harm(sound, tmp_path):
    shutil.copy(sound, tmp_path)
    with closing(sqlite3.connect(tmp_path / FACTS_FILE)) as database, database:
        database.execute("UPDATE facts SET used = x'fe' WHERE rowid % 2")
        database.execute("UPDATE facts SET facts = 7 WHERE rowid % 3")
    never_wrong((tmp_path / FACTS_FILE).read_bytes(), tmp_path)


def never_wrong(data: bytes, directory: Path) -> None:
    """Whatever a store's file holds, no wrong fact comes out, and nothing is raised."""
    (directory / FACTS_FILE).write_bytes(data)
    store = SqliteFacts(directory)
    try:
        for _ in range(3):
            for key, facts in store.get(list(FACTS)).items():
                assert facts == FACTS[key]
            store.put(FACTS)
    finally:
        store.close()


def test_an_index_that_leads_to_another_row_finds_nothing(tmp_path):
    """As a broken page may: the row is whole, but it is another file's."""
    store = SqliteFacts(tmp_path)
    store.put(FACTS)
    store.close()
    one, other = list(FACTS)[:2]
    with sqlite3.connect(tmp_path / FACTS_FILE) as database:
        [blob] = database.execute("SELECT facts FROM facts WHERE key = ?", (other,)).fetchone()
        database.execute("UPDATE facts SET facts = ? WHERE key = ?", (blob, one))
    database.close()
    assert store.get([one, other]) == {other: FACTS[other]}
    store.close()


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
del sys.argv[1]
from bearings.cli.main import main
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="file sizes are limited by setrlimit")
@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 3_000, 20_000])
def test_a_full_disk_costs_time_alone(tmp_path, limit):
    root = write(tmp_path / "p", {f"m{number}.py": f"def f{number}(): pass\n" * 40 for number in range(60)})
    scan = ["code", "scan", str(root), "--json"]
    environment = {**os.environ, "CODEREF_CACHE_DIR": str(tmp_path / "cache")}
    full = [sys.executable, "-c", _LIMITED, str(limit), *scan]
    sound = [sys.executable, "-m", "bearings", *scan]
    answers = []
    for command in (full, full, sound, full):
        done = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr.decode()
        answers.append(done.stdout.partition(b'"index"')[0])
    assert len(set(answers)) == 1


_WRITER = """
import random, sys
from pathlib import Path
from tests.code.hostile.test_store import FACTS
from bearings.code.facts.blobs import drop_store
from bearings.code.facts.store import SqliteFacts
store, chance, directory = SqliteFacts(Path(sys.argv[1])), random.Random(int(sys.argv[2])), Path(sys.argv[1])
for _ in range(12):
    keys = chance.sample(list(FACTS), 30)
    store.put({key: FACTS[key] for key in keys})
    for key, facts in store.get(chance.sample(list(FACTS), 30)).items():
        assert facts == FACTS[key]
    if chance.random() < 0.1:
        drop_store(directory)
    if chance.random() < 0.1:
        (directory / "facts.sqlite").write_bytes(b"this is no database" * 999)
"""


@pytest.mark.slow
def test_processes_that_write_drop_and_ruin_it_at_once_never_read_a_wrong_fact(tmp_path):
    root = Path(__file__).parents[3]
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), str(random.randrange(9**9))], cwd=root)
        for _ in range(3)
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 3
