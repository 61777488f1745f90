"""A process resumes from the snapshot of the one before; a damaged snapshot costs time, never an answer."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.code.engine.session import Session
from bearings.code.facts.blobs import FACTS_FILE, drop_store
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.change_detection import TreeState
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_file import GRAPHS_FOLDER, framed, read_file
from bearings.code.index.snapshot_packing import PackedSnapshot, pack
from bearings.code.index.snapshot_store import GraphStore, drop_graphs, graphs_bytes
from bearings.code.models import EdgeKind, Outside
from bearings.code.project.skipped import Listing
from bearings.code.questions.query import Query
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.memory import Memory
from bearings.progress import NoProgress
from tests.code.in_process import MemoryFacts
from tests.code.test_change_detection import MAX, age, clean, content
from tests.code.trees import SHOP, repository, write

FILES = {
    **SHOP,
    "web/a.ts": "export function one() { return two() }\nfunction two() { return missing() }\n",
    "web/b.ts": "import { one } from './a'\nimport { x } from 'elsewhere'\nexport const b = () => one(x)\n",
    "package.json": '{"name": "shop"}',
    "big.py": "x = 1\n" * MAX,
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path / "project", FILES)
    age(root)
    return root


class CountingStore(MemoryFacts):
    """A store that counts the keys that it was asked for."""

    asked = 0

    def packed(self, keys):
        self.asked += len(keys)
        return super().packed(keys)


def index(root: Path, cache: Path, store=None) -> Index:
    return Index(root, store or SqliteFacts(cache), MAX, graphs=GraphStore(cache))


def stored(root: Path, cache: Path, store=None) -> Path:
    """Stores a project's snapshot; returns its file."""
    first = index(root, cache, store)
    first.refresh()
    first.keep()
    [path] = (cache / GRAPHS_FOLDER).iterdir()
    return path


def test_the_next_process_has_the_graph_without_reading_facts(root, tmp_path):
    store = CountingStore()
    stored(root, tmp_path, store)
    before, store.asked = store.asked, 0
    second = index(root, tmp_path, store)
    snapshot = second.refresh()
    assert (before > 0, store.asked) == (True, 0)
    assert snapshot.elements == clean(root).elements
    assert snapshot.skipped == clean(root).skipped
    assert content(snapshot) == content(clean(root))


EDITS: dict[str, Callable[[Path], object]] = {
    "none": lambda root: None,
    "a line above": lambda root: write(root, {"shop/prices.py": "\n" + SHOP["shop/prices.py"]}),
    "a name more": lambda root: write(root, {"web/a.ts": "export const x = 1\n" + FILES["web/a.ts"]}),
    "a file more": lambda root: write(
        root, {"elsewhere/index.ts": "export const x = 1\n", "web/c.py": "import shop\n"}
    ),
    "a file less": lambda root: (root / "web/a.ts").unlink(),
    "another name": lambda root: (root / "web/a.ts").rename(root / "web/c.ts"),
    "a manifest": lambda root: write(
        root, {"tsconfig.json": '{"compilerOptions": {"paths": {"elsewhere": ["./web/a"]}}}'}
    ),
    "a rule": lambda root: write(root, {".gitignore": "web/\n"}),
    "a smaller file": lambda root: write(root, {"big.py": "from web import a\n"}),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_between_processes_is_detected(root, tmp_path, edit):
    """Twice: the third process resumes from the second's changes to the first's snapshot."""
    stored(root, tmp_path)
    EDITS[edit](root)
    second = index(root, tmp_path)
    assert content(second.refresh()) == content(clean(root))
    second.keep()
    write(root, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    third = index(root, tmp_path)
    assert content(third.refresh()) == content(clean(root))


def test_settings_that_appear_where_a_stored_configuration_extends_them_are_read(tmp_path):
    files = {"tsconfig.json": '{"extends": "./base/paths"}', "src/a.ts": "import { b } from '~/b'\nb()\n"}
    more = {"src/b.ts": "export function b() {}\n", ".gitignore": "base/\n"}  # no listing has the settings
    root = repository(tmp_path / "project", {**files, **more})
    age(root)
    stored(root, tmp_path)
    before = content(clean(root))
    write(root, {"base/paths.json": '{"compilerOptions": {"paths": {"~/*": ["../src/*"]}}}'})
    second = index(root, tmp_path)
    assert before != content(second.refresh()) == content(clean(root))


@pytest.mark.slow
def test_an_answer_from_a_stored_snapshot_imports_neither_the_resolver_nor_a_parser(root, tmp_path):
    stored(root, tmp_path)
    script = (
        "import sys; from pathlib import Path; import bearings.code.engine.worker\n"
        "from bearings.code.engine.session import Session; from bearings.code.facts.store import SqliteFacts\n"
        "from bearings.code.index.snapshot_store import GraphStore; from bearings.code.questions.query import Query\n"
        "from bearings.progress import NoProgress\n"
        f"cache = Path({str(tmp_path)!r})\n"
        f"session = Session(Path({str(root)!r}), SqliteFacts(cache), {MAX}, GraphStore(cache))\n"
        "question = Query(element='web/a.ts#two', query_type='calls-me')\n"
        "print(session.answer(question, NoProgress()).value.results_found)\n"
        "print({'tree_sitter', 'rapidfuzz', 'bearings.code.parse', 'bearings.code.resolve.evaluator',\n"
        "'bearings.code.resolve.rules.families', 'bearings.code.index.demand'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1\nset()\n"


def test_a_go_interface_that_is_added_between_processes_is_implemented(tmp_path):
    root = repository(tmp_path / "project", {"a/a.go": "package a\n\ntype T struct{}\n\nfunc (T) M() {}\n"})
    stored(root, tmp_path)
    write(root, {"b/b.go": "package b\n\ntype I interface{ M() }\n"})
    snapshot = index(root, tmp_path).refresh()
    assert [edge.source for edge in snapshot.graph.edges_to("b/b.go#I:3")] == ["a/a.go#T:3"]


def test_a_snapshot_is_written_again_only_after_a_change(root, tmp_path):
    path = stored(root, tmp_path)
    path.unlink()
    second = index(root, tmp_path)
    second.refresh()
    second.keep()
    path.unlink()
    second.refresh()
    second.keep()
    assert not path.exists()
    write(root, {"web/b.ts": ""})
    second.refresh()
    second.keep()
    assert path.exists()


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_snapshot_is_not_loaded(tmp_path, data):
    root = tmp_path / "project"
    if not root.exists():
        repository(root, SHOP)
        (tmp_path / "sound").write_bytes(stored(root, tmp_path).read_bytes())
    sound = (tmp_path / "sound").read_bytes()
    [path] = (tmp_path / GRAPHS_FOLDER).iterdir()
    where = data.draw(st.integers(0, len(sound) - 1))
    damage = data.draw(st.sampled_from(["cut", "turned", "doubled", "empty"]))
    broken = {
        "cut": sound[:where],
        "turned": sound[:where] + bytes([sound[where] ^ 1 << data.draw(st.integers(0, 7))]) + sound[where + 1 :],
        "doubled": sound + sound[where:],
        "empty": b"",
    }[damage]
    path.write_bytes(broken)
    assert GraphStore(tmp_path).load(root, MAX) is None
    path.write_bytes(sound)
    assert GraphStore(tmp_path).load(root, MAX) is not None


def test_a_snapshot_of_another_project_or_read_limit_is_not_loaded(root, tmp_path):
    path = stored(root, tmp_path)
    assert GraphStore(tmp_path).load(root, MAX) is not None
    assert GraphStore(tmp_path).load(root, MAX + 1) is None
    other = repository(tmp_path / "other", SHOP)
    second = stored_other(other, tmp_path, path)
    second.write_bytes(path.read_bytes())
    assert content(index(other, tmp_path).refresh()) == content(clean(other))


def stored_other(root: Path, cache: Path, but: Path) -> Path:
    more = index(root, cache)
    more.refresh()
    more.keep()
    [path] = set((cache / GRAPHS_FOLDER).iterdir()) - {but}
    return path


def test_the_project_is_read_again_if_its_facts_are_gone(root, tmp_path):
    facts = tmp_path / "facts"
    path = stored(root, tmp_path, SqliteFacts(facts))
    drop_store(facts)
    again = index(root, tmp_path, SqliteFacts(facts))
    snapshot = again.refresh()
    with pytest.raises(Lost):
        dict(snapshot.facts.items())
    again.reset()
    assert not path.exists()
    assert content(again.refresh()) == content(clean(root))


def test_missing_facts_that_an_edit_needs_are_read_again(root, tmp_path):
    facts = tmp_path / "facts"
    stored(root, tmp_path, SqliteFacts(facts))
    drop_store(facts)
    write(root, {"web/a.ts": "export const x = 1\n"})
    assert content(index(root, tmp_path, SqliteFacts(facts)).refresh()) == content(clean(root))


def test_a_project_whose_rows_are_gone_is_read_again(root, tmp_path):
    stored(root, tmp_path)
    drop_store(tmp_path)
    assert GraphStore(tmp_path).load(root, MAX) is None
    again = index(root, tmp_path)
    assert content(again.refresh()) == content(clean(root))
    again.keep()
    assert GraphStore(tmp_path).load(root, MAX) is not None


def test_rows_that_disappear_after_the_snapshot_was_loaded_are_made_again(root, tmp_path):
    """Uses are read when they are needed; another process may have dropped them, or the disk turned a bit."""
    stored(root, tmp_path)
    for statement in ("DELETE FROM facts", "UPDATE facts SET facts = x'00' || substr(facts, 2)"):
        second = index(root, tmp_path)
        snapshot = second.refresh()
        with closing(sqlite3.connect(tmp_path / FACTS_FILE)) as database, database:
            database.execute(statement)
        with pytest.raises(Lost):
            content(snapshot)
        second.reset()
        assert content(second.refresh()) == content(clean(root))
        second.keep()


def rows_in(cache: Path) -> int:
    with closing(sqlite3.connect(cache / FACTS_FILE)) as database:
        return int(database.execute("SELECT count(*) FROM facts").fetchone()[0])


@pytest.mark.slow
def test_worktrees_share_the_rows_on_which_they_agree(root, tmp_path):
    stored(root, tmp_path)
    before = rows_in(tmp_path)
    other = tmp_path / "worktree"
    shutil.copytree(root, other)
    write(other, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    more = index(other, tmp_path)
    assert content(more.refresh()) == content(clean(other))
    more.keep()
    assert rows_in(tmp_path) - before == 2, "the facts and the uses of the file that differs"
    assert content(index(root, tmp_path).refresh()) == content(clean(root))
    assert content(index(other, tmp_path).refresh()) == content(clean(other))


def test_an_edit_adds_the_rows_of_its_file_alone(root, tmp_path):
    stored(root, tmp_path)
    again = index(root, tmp_path)
    for number in range(3):
        again.refresh()
        again.keep()
        before = rows_in(tmp_path)
        write(root, {"web/b.ts": FILES["web/b.ts"] + f"one({number})\n"})
        again.refresh()
        again.keep()
        assert rows_in(tmp_path) - before <= 2, "its facts, and its uses if another line has them"


def test_a_snapshot_whose_rows_cannot_be_stored_is_not_stored(root, tmp_path):
    facts = tmp_path / "facts"
    (tmp_path / FACTS_FILE).mkdir()
    again = index(root, tmp_path, SqliteFacts(facts))
    again.refresh()
    again.keep()
    assert not [*(tmp_path / GRAPHS_FOLDER).glob("*.graph")]


def test_a_question_is_answered_though_its_facts_are_gone(root, tmp_path):
    question = Query(query_type="calls-me", element="one")
    facts = tmp_path / "facts"
    first = Session(root, SqliteFacts(facts), MAX, GraphStore(tmp_path))
    first_answer = first.answer(question, NoProgress()).value
    first.keep()
    drop_store(facts)
    second = Session(root, SqliteFacts(facts), MAX, GraphStore(tmp_path))
    assert second.answer(question, NoProgress()).value == first_answer
    assert [hop.from_ for hop in first_answer.results] == ["web/b.ts#b:3"]


def test_the_first_question_after_a_preload_does_not_compare_the_tree_again(root, tmp_path):
    question = Query(query_type="calls-me", element="one")
    session = Session(root, SqliteFacts(tmp_path), MAX, GraphStore(tmp_path))
    session.preload(NoProgress())
    write(root, {"web/c.ts": "import { one } from './a'\nexport const c = () => one()\n"})
    first, second = (session.answer(question, NoProgress()) for _ in range(2))
    assert [hop.from_ for hop in first.value.results] == ["web/b.ts#b:3"]
    assert [hop.from_ for hop in second.value.results] == ["web/b.ts#b:3", "web/c.ts#c:2"]
    assert first.index.fresh_at < second.index.fresh_at


def test_a_preload_does_not_answer_about_a_file_that_changed_after_it(root, tmp_path):
    session = Session(root, SqliteFacts(tmp_path), MAX, GraphStore(tmp_path))
    session.preload(NoProgress())
    write(root, {"web/b.ts": "\n\n\nimport { one } from './a'\nexport const b = () => one(1)\n"})
    answer = session.answer(Query(query_type="calls-me", element="one"), NoProgress())
    assert [hop.from_ for hop in answer.value.results] == ["web/b.ts#b:5"]


def test_the_oldest_snapshots_and_abandoned_files_are_removed_when_space_runs_out(root, tmp_path):
    path = stored(root, tmp_path)
    room = path.stat().st_size * 2
    parts = [path.with_name("old.part"), path.with_name("new.part")]
    for part in parts:
        part.write_bytes(b"x")
    for old in (path, parts[0]):
        os.utime(old, (1_000_000_000, 1_000_000_000))
    store = GraphStore(tmp_path, room)
    for number in range(2):
        store.save(tmp_path / "project" / str(number), MAX, PackedSnapshot(b"", {}))
        (tmp_path / "project" / str(number)).mkdir()
        store.save(tmp_path / "project" / str(number), MAX, PackedSnapshot(bytes(room // 2 - 300), {}))
    assert not path.exists()
    assert [part.exists() for part in parts] == [False, True]
    assert 0 < graphs_bytes(tmp_path) <= room
    drop_graphs(tmp_path)
    assert graphs_bytes(tmp_path) == 0


def test_a_snapshot_of_which_a_part_is_not_stored_is_not_saved(root, tmp_path):
    store = GraphStore(tmp_path)
    assert not store.save(root, MAX, PackedSnapshot(b"body", {}, is_whole=False))
    assert not store.has(root)


def test_rows_are_stored_in_parts_while_they_are_packed():
    paths = [f"m{number}.py" for number in range(2500)]
    files = {path: FileUses((), (Outside(path, path * 600, EdgeKind.CALL, path, 1, ""),)) for path in paths}
    empty = frozenset[str]()
    summaries = dict.fromkeys(
        paths, FileSummary(empty, 1, empty, empty, {}, broken=False, generated=False, repeated=empty)
    )
    memory = Memory(dict.fromkeys(files, frozenset(["m0.py"])), [], {})
    stored: list[dict[bytes, bytes]] = []

    def put(rows: dict[bytes, bytes]) -> bool:
        stored.append(rows)
        return len(stored) != failing

    tree = TreeState(Listing((), (), ""), {}, {}, frozenset())
    for failing in (0, 1):
        stored.clear()
        packed = pack(tree, {}, summaries, files, memory, None, files, put)
        assert packed.is_whole is (failing == 0)
        assert len(stored) == 1
        assert len({*packed.rows, *stored[0]}) == len(files) + 1, "a row for each file's uses, one for equal summaries"
        assert len(packed.rows) < len(files) / 2


def test_a_cache_that_cannot_be_written_causes_no_error(root, tmp_path):
    (tmp_path / GRAPHS_FOLDER).write_text("in the way")
    again = index(root, tmp_path)
    again.refresh()
    again.keep()
    assert content(index(root, tmp_path).refresh()) == content(clean(root))
    (tmp_path / GRAPHS_FOLDER).unlink()
    stored(root, tmp_path)
    [path] = (tmp_path / GRAPHS_FOLDER).iterdir()
    path.unlink()
    path.mkdir()
    again.refresh()
    again.keep()
    assert [each.name for each in path.parent.iterdir()] == [path.name], "what was half written is gone"


_WRITER = """
import sys
from pathlib import Path
from bearings.code.index.snapshot_packing import PackedSnapshot
from bearings.code.index.snapshot_store import GraphStore
store, root, number = GraphStore(Path(sys.argv[1])), Path(sys.argv[2]), 0
body = Path(sys.argv[3]).read_bytes()
print("ready", flush=True)
while True:
    number += 1
    store.save(root, 100_000, PackedSnapshot(body, {b'%d' % number: bytes(100_000)}))
"""


@pytest.mark.slow
def test_a_process_that_is_killed_while_writing_leaves_the_previous_snapshot(root, tmp_path):
    path = stored(root, tmp_path / "cache")
    body = tmp_path / "body"
    label_and_body = read_file(path)
    assert label_and_body is not None
    body.write_bytes(label_and_body[1])
    for number in range(6):
        command = (sys.executable, "-c", _WRITER, tmp_path / "cache", root, body)
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            writer.stdout.readline()
            threading.Event().wait(0.003 * number)
            writer.kill()
        assert GraphStore(tmp_path / "cache").load(root, MAX) is not None
        assert content(index(root, tmp_path / "cache").refresh()) == content(clean(root))


def test_a_snapshot_counts_as_stored_although_an_older_one_cannot_be_removed(root, tmp_path):
    path = stored(root, tmp_path)
    labelled = read_file(path)
    (path.parent / "other.graph").mkdir()
    os.utime(path.parent / "other.graph", (0, 0))
    assert labelled is not None
    assert GraphStore(tmp_path, path.stat().st_size).save(root, MAX, PackedSnapshot(bytes(labelled[1]), {}))
    assert path.exists()


def test_a_reader_waits_for_a_snapshot_that_is_being_written(root, tmp_path):
    path = stored(root, tmp_path)
    graphs, body = GraphStore(tmp_path), path.read_bytes()
    path.unlink()
    found: list[object] = []
    with graphs.writing(root):
        reader = threading.Thread(target=lambda: found.append(graphs.load(root, MAX)))
        reader.start()
        reader.join(0.1)
        assert reader.is_alive()
        path.write_bytes(body)
    reader.join(30)
    assert found[0] is not None
    assert list(path.parent.iterdir()) == [path]


def test_a_reader_does_not_wait_for_a_writer_that_was_killed(root, tmp_path):
    path = stored(root, tmp_path)
    path.with_suffix(".lock").touch()
    assert GraphStore(tmp_path).load(root, MAX) is not None
    assert list(path.parent.iterdir()) == [path]


def test_a_packed_map_fetches_each_value_once_and_copies_share_it():
    fetched: list[str] = []

    def fetch(paths):
        fetched.extend(paths)
        return {path: path.upper() for path in paths}

    packed_map: PackedMap[str] = PackedMap(fetch, ["b", "a", "c"])
    assert (list(packed_map), len(packed_map), "a" in packed_map, fetched) == (["a", "b", "c"], 3, True, [])
    assert (packed_map["b"], packed_map["b"], fetched) == ("B", "B", ["b"])
    copy = packed_map.copy()
    copy.update({"d": "D"})
    assert (copy.pop("a"), copy.pop("a"), "a" in packed_map) == (True, False, True)
    assert dict(copy.items()) == {"b": "B", "c": "C", "d": "D"}
    assert list(packed_map.values()) == ["A", "B", "C"]
    assert fetched == ["b", "c", "a", "c"]
    packed_map.clear()
    assert dict(packed_map) == {}


@pytest.mark.skipif(os.name != "posix", reason="POSIX")
@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "endless", "graphs is a link", "a fifo as lock"])
def test_a_snapshot_that_is_no_file_of_ours_is_not_read(root, tmp_path, kind):
    path = stored(root, tmp_path)
    if kind == "graphs is a link":
        path.parent.rename(tmp_path / "elsewhere")
        path.parent.symlink_to(tmp_path / "elsewhere")
    elif kind == "a fifo as lock":
        os.mkfifo(path.with_suffix(".lock"))
    else:
        path.rename(tmp_path / "elsewhere")
        make = {"fifo": os.mkfifo, "folder": os.mkdir}.get(kind)
        make(path) if make else path.symlink_to(tmp_path / "elsewhere" if kind == "link" else "/dev/zero")
    assert (GraphStore(tmp_path).load(root, MAX) is None) is (kind != "a fifo as lock")
    assert GraphStore(tmp_path).load_similar(b"x", MAX) is None
    again = index(root, tmp_path)
    assert content(again.refresh()) == content(clean(root))
    again.keep()


@pytest.mark.slow
def test_a_snapshot_says_what_it_likes_and_is_bounded(root, tmp_path):
    """A checksum is no secret: a body may be anything."""
    path = stored(root, tmp_path)
    read = read_file(path)
    assert read is not None
    label, body = read
    for hostile in (b"", b"\xdd\xff\xff\xff\xff", b"\x91" * 100_000, bytes(body)[:-1], bytes(2**20)):
        path.write_bytes(b"".join(framed(label, hostile)))
        assert GraphStore(tmp_path).load(root, MAX) is None
    with path.open("wb") as file:
        file.writelines(framed(label, bytes(body)))
        file.truncate(10**9)
    assert GraphStore(tmp_path).load(root, MAX) is None
    assert content(index(root, tmp_path).refresh()) == content(clean(root))
