"""A lookup in a stored snapshot answers only what is still true, whatever else has changed."""

import os
from pathlib import Path

import msgspec
import pytest

from bearings.code.facts.store import SqliteFacts
from bearings.code.index import snapshot_packing
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_file import graph_path, read_file
from bearings.code.index.snapshot_lookup import MAX_FILES, PartialState, SnapshotLookup
from bearings.code.index.snapshot_packing import PackedSnapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.resolve.stored_uses import StoredUses
from tests.code.test_change_detection import MAX
from tests.code.trees import repository, write

_SAVE = "    def save(self):\n        return 1\n"

FILES = {
    "app/base.py": f"class Model:\n{_SAVE}\n\nclass File:\n{_SAVE}",
    "app/user.py": "from app.base import Model\n\n\n"
    "class User(Model):\n    x = 1\n\n\ndef store():\n    Model().save()\n",
    "app/disk.py": "from app.base import File\n\n\ndef write(file: File):\n    file.save()\n",
    "app/again.py": "from app.base import *\n\nstarred = Model()\n",
    "app/deep.py": "from app.user import store\n\n\ndef nightly():\n    store()\n",
    "tests/test_deep.py": "from app.deep import nightly\n\n\ndef test_nightly():\n    nightly()\n",
}


def settled(root: Path, cache: Path) -> Path:
    """The path of the project's snapshot, made as if no file had changed for a while."""
    graphs = GraphStore(cache)
    index = Index(root, SqliteFacts(cache), MAX, graphs=graphs)
    index.refresh()
    index.keep()
    path = graph_path(cache, root)
    state = msgspec.msgpack.decode(body(path), type=list)
    for name, (_, digest) in state[3].items():
        status = os.lstat(root / name)
        state[3][name] = ((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino), digest)
    graphs.save(root, MAX, PackedSnapshot(msgspec.msgpack.encode(state), {}))
    return path


def body(path: Path) -> memoryview:
    found = read_file(path)
    assert found is not None
    return found[1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(os.path.realpath(repository(tmp_path / "project", FILES)))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def lookup(root: Path, cache: Path) -> SnapshotLookup:
    found = SnapshotLookup.of(cache, graph_path(cache, root), root, MAX)
    assert found is not None
    return found


def sites(edges) -> list[tuple[str, int]]:
    return [(edge.file, edge.line) for edge in edges]


def test_a_lookup_and_the_store_agree_on_the_order_of_fields():
    fields = PartialState.__struct_fields__
    assert snapshot_packing.StoredState.__struct_fields__[: len(fields)] == fields
    assert snapshot_packing.Row.__struct_fields__ == ("summary", "uses", "consulted")
    assert StoredUses.__struct_fields__ == ("texts", "edges", "outside", "given_up")


def test_methods_of_the_same_name_are_distinguished(root: Path, cache: Path):
    settled(root, cache)
    found = {one.symbol.qualified_name: one for one in lookup(root, cache).elements("save")}
    assert sites(found["Model.save"].calls) == [("app/user.py", 9)]
    assert sites(found["File.save"].calls) == [("app/disk.py", 5)]
    model = next(one for one in lookup(root, cache).elements("Model"))
    assert sites(model.heirs) == [("app/user.py", 4)]
    assert sites(model.calls) == [("app/again.py", 3), ("app/user.py", 9)]


def test_a_lookup_agrees_with_the_graph(root: Path, cache: Path):
    settled(root, cache)
    graph = Index(root, SqliteFacts(cache), MAX).refresh().graph
    quick = lookup(root, cache)
    for symbol in graph.symbols.values():
        if symbol.file == symbol.id or symbol.name.startswith("test"):
            continue
        [one] = [one for one in quick.elements(symbol.name) if one.symbol.id == symbol.id]
        assert sorted(sites(one.edges)) == sorted(sites(graph.edges_to(symbol.id))), symbol.id


def test_tests_that_reach_an_element_through_a_caller_are_found(root: Path, cache: Path):
    settled(root, cache)
    quick = lookup(root, cache)
    by_name = {name: quick.elements(name)[0] for name in ("store", "nightly", "write")}
    assert sites(quick.tests(by_name["nightly"])) == [("tests/test_deep.py", 5)]
    assert sites(quick.tests(by_name["store"])) == [("tests/test_deep.py", 5)]
    assert quick.tests(by_name["write"]) == []


@pytest.mark.parametrize(
    ("changed", "still"),
    [
        ("app/deep.py", {"Model.save": [("app/user.py", 9)], "File.save": [("app/disk.py", 5)]}),
        ("app/user.py", {"Model.save": [], "File.save": [("app/disk.py", 5)]}),
        ("app/base.py", {}),
    ],
)
def test_changed_files_and_uses_that_depend_on_them_are_left_out(changed: str, still, root: Path, cache: Path):
    settled(root, cache)
    write(root, {changed: FILES[changed] + "\n\ndef more():\n    pass\n"})
    assert {one.symbol.qualified_name: sites(one.calls) for one in lookup(root, cache).elements("save")} == still


def test_an_edge_through_a_file_that_changed_is_left_out(tmp_path: Path, cache: Path):
    files = {
        "web/a.ts": "export function one() { return 1 }\n",
        "web/index.ts": "export { one } from './a'\n",
        "web/b.ts": "import { one } from '.'\nexport const b = () => one()\n",
    }
    root = Path(os.path.realpath(repository(tmp_path / "project", files)))
    settled(root, cache)
    assert sites(lookup(root, cache).elements("one")[0].calls) == [("web/b.ts", 2)]
    write(root, {"web/index.ts": "export { two as one } from './c'\n"})
    assert sites(lookup(root, cache).elements("one")[0].calls) == []


def test_a_file_that_may_have_changed_while_it_was_read_counts_as_changed(root: Path, cache: Path):
    index = Index(root, SqliteFacts(cache), MAX, graphs=GraphStore(cache))
    index.refresh()
    index.keep()
    assert lookup(root, cache).elements("save") == []


def test_a_name_that_too_many_files_define_gets_no_answer(tmp_path: Path, cache: Path):
    files = {f"app/m{n}.py": "def run():\n    pass\n" for n in range(MAX_FILES + 1)}
    root = Path(os.path.realpath(repository(tmp_path / "project", files)))
    settled(root, cache)
    assert lookup(root, cache).elements("run") == []
    assert lookup(root, cache).elements("nowhere") == []


@pytest.mark.parametrize("damage", ["none", "cut", "other", "garbage"])
def test_a_damaged_snapshot_is_not_read(damage: str, root: Path, cache: Path):
    path = settled(root, cache)
    data = path.read_bytes()
    match damage:
        case "none":
            path.unlink()
        case "cut":
            path.write_bytes(data[:-1])
        case "garbage":
            GraphStore(cache).save(root, MAX, PackedSnapshot(b"\xc1", {}))
        case "other":
            assert SnapshotLookup.of(cache, path, root, MAX + 1) is None
            return
    assert SnapshotLookup.of(cache, path, root, MAX) is None


def test_a_lookup_without_facts_finds_nothing(root: Path, cache: Path):
    settled(root, cache)
    (cache / "facts.sqlite").write_bytes(b"no database")
    assert lookup(root, cache).elements("save") == []
