"""An index follows every change of its tree, and reads no more than it must."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bearings.code.facts.packing import Packed
from bearings.code.facts.store import NoFacts, SqliteFacts
from bearings.code.file_facts import FileFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.models import EdgeKind
from bearings.code.project.skipped import SkipReason
from tests.code.in_process import MemoryFacts
from tests.code.trees import SHOP, repository, write

MAX = 100_000
LONG_AGO = 1_000_000_000


class CountingFacts(MemoryFacts):
    """A store that records which files were parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed: list[str] = []

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        self.parsed += [(file.get() if isinstance(file, Packed) else file).path for file in facts.values()]
        super().put(facts)


class RecordedProgress:
    """Records progress messages."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.messages.append(message)


def age(root: Path) -> None:
    """Sets the modification time of every file years back."""
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (LONG_AGO, LONG_AGO))


def content(snapshot: Snapshot) -> object:
    """All that a snapshot contains, for comparison."""
    return (
        snapshot.revision,
        dict(snapshot.facts),
        snapshot.project,
        snapshot.skipped,
        snapshot.graph.symbols,
        snapshot.graph.resolution,
        {here: (snapshot.graph.edges_from(here), snapshot.graph.edges_to(here)) for here in snapshot.graph.symbols},
        {symbol.name: snapshot.graph.find(symbol.name) for symbol in snapshot.graph.symbols.values()},
        snapshot.graph.outside_by_source,
        snapshot.graph.unresolved_by_name,
    )


def clean(root: Path) -> Snapshot:
    return Index(root, NoFacts(), MAX).refresh()


def calls(snapshot: Snapshot) -> set[tuple[str, str]]:
    edges = snapshot.graph.resolution.edges
    return {(edge.source, edge.target) for edge in edges if edge.kind in (EdgeKind.CALL, EdgeKind.NEW)}


def test_a_first_look_finds_everything(tmp_path):
    snapshot = Index(write(tmp_path, SHOP), NoFacts(), MAX).refresh()
    assert list(snapshot.facts) == sorted(SHOP)
    assert snapshot.elements == len(snapshot.graph.symbols) - len(SHOP)
    assert ("shop/basket.py#Basket.add:10", "shop/prices.py#with_tax:4") in calls(snapshot)


def test_nothing_changed_gives_the_same_snapshot(tmp_path):
    store = CountingFacts()
    index = Index(repository(tmp_path, SHOP), store, MAX)
    first = index.refresh()
    assert index.refresh() is first
    assert sorted(store.parsed) == sorted(SHOP)


def test_only_what_changed_is_parsed_again(tmp_path):
    store = CountingFacts()
    index = Index(write(tmp_path, SHOP), store, MAX)
    first = index.refresh()
    store.parsed.clear()
    write(tmp_path, {"shop/prices.py": SHOP["shop/prices.py"].replace("with_tax", "gross")})
    second = index.refresh()
    assert store.parsed == ["shop/prices.py"]
    assert second.revision != first.revision
    assert "shop/prices.py#gross:4" in second.graph.symbols
    assert "shop/prices.py#with_tax:4" in first.graph.symbols, "a snapshot never changes"


def test_an_edit_that_changes_neither_time_nor_size_is_detected(tmp_path):
    index = Index(write(tmp_path, {"a.py": "def one(): pass\n"}), NoFacts(), MAX)
    age(tmp_path)
    index.refresh()
    write(tmp_path, {"a.py": "def two(): pass\n"})
    age(tmp_path)
    assert "a.py#two:1" in index.refresh().graph.symbols


@pytest.mark.slow
def test_many_edits_within_one_clock_tick_are_all_detected(tmp_path):
    index = Index(write(tmp_path, {"a.py": ""}), NoFacts(), MAX)
    for number in range(10, 60):
        write(tmp_path, {"a.py": f"def f{number}(): pass\n"})
        assert f"a.py#f{number}:1" in index.refresh().graph.symbols


def test_a_touched_file_is_read_but_changes_nothing(tmp_path):
    store = CountingFacts()
    index = Index(write(tmp_path, SHOP), store, MAX)
    first = index.refresh()
    store.parsed.clear()
    age(tmp_path)
    assert index.refresh() is first
    assert store.parsed == []


def test_switching_back_parses_nothing(tmp_path):
    store = CountingFacts()
    index = Index(write(tmp_path, {"a.py": "A = 1\n"}), store, MAX)
    first = index.refresh()
    write(tmp_path, {"a.py": "B = 1\n"})
    index.refresh()
    write(tmp_path, {"a.py": "A = 1\n"})
    assert content(index.refresh()) == content(first)
    assert store.parsed == ["a.py", "a.py"]


def test_another_process_finds_the_facts_stored(tmp_path):
    root = write(tmp_path / "project", SHOP)
    first = Index(root, SqliteFacts(tmp_path / "cache"), MAX).refresh()
    second = Index(root, SqliteFacts(tmp_path / "cache"), MAX).refresh()
    assert content(first) == content(second) == content(clean(root))


def test_a_manifest_or_a_file_without_a_language_changes_the_snapshot(tmp_path):
    index = Index(write(tmp_path, {"a.py": ""}), NoFacts(), MAX)
    first = index.refresh()
    write(tmp_path, {"package.json": "{}"})
    second = index.refresh()
    assert dict(second.project.manifests) == {"package.json": b"{}"}
    write(tmp_path, {"data.bin": b"\0"})
    third = index.refresh()
    assert third.project.paths == {"a.py", "package.json", "data.bin"}
    (tmp_path / "package.json").unlink()
    fourth = index.refresh()
    assert fourth.project.manifests == {}
    assert len({snapshot.revision for snapshot in (first, second, third, fourth)}) == 4


def test_settings_that_others_extend_are_read_where_they_are_installed(tmp_path):
    base = "node_modules/@inn/tsconfig/base.json"
    files = {
        "tsconfig.json": '{"extends": "@inn/tsconfig/base.json"}',
        base: '{"extends": "../more/options.json"}',
        "node_modules/@inn/more/options.json": '{"compilerOptions": {"paths": {"own": ["../../../a.ts"]}}}',
        "a.ts": "export function f() {}",
        "b.ts": "import { f } from 'own'\nf()",
    }
    index = Index(write(tmp_path, files), MemoryFacts(), MAX)
    first = index.refresh()
    assert calls(first) == {("b.ts", "a.ts#f:1")}
    assert index.refresh() is first
    write(tmp_path, {base: "{}"})
    assert calls(index.refresh()) == set()
    write(tmp_path, {base: files[base]})
    assert calls(index.refresh()) == {("b.ts", "a.ts#f:1")}
    (tmp_path / base).unlink()
    assert content(index.refresh()) == content(clean(tmp_path))


def test_skipped_files_are_listed_and_read_once_they_can_be(tmp_path):
    index = Index(write(tmp_path, {"a.py": b"x\0y", "b.py": b"#" * (MAX + 1)}), NoFacts(), MAX)
    first = index.refresh()
    assert [(left.path, left.reason) for left in first.skipped] == [
        ("a.py", SkipReason.BINARY),
        ("b.py", SkipReason.TOO_LARGE),
    ]
    assert index.refresh() is first
    write(tmp_path, {"a.py": "def a(): pass\n"})
    (tmp_path / "b.py").unlink()
    second = index.refresh()
    assert second.skipped == ()
    assert "a.py#a:1" in second.graph.symbols
    write(tmp_path, {"a.py": b"\0"})
    third = index.refresh()
    assert (list(third.facts), [left.path for left in third.skipped]) == ([], ["a.py"])


def test_a_new_file_resolves_the_imports_that_waited_for_it(tmp_path):
    asking = {"a.ts": "import { b } from './b'\nb()\n", "c.py": "from lib.d import e\ne()\n"}
    index = Index(write(tmp_path, asking), NoFacts(), MAX)
    assert calls(index.refresh()) == set()
    write(tmp_path, {"b.ts": "export function b() {}\n", "lib/__init__.py": "", "lib/d.py": "def e(): pass\n"})
    assert calls(index.refresh()) == {("a.ts", "b.ts#b:1"), ("c.py", "lib/d.py#e:1")}
    (tmp_path / "b.ts").rename(tmp_path / "b.tsx")
    assert calls(index.refresh()) == {("a.ts", "b.tsx#b:1"), ("c.py", "lib/d.py#e:1")}


@pytest.mark.slow
def test_workers_do_not_change_the_result(tmp_path):
    files = {f"m{number:03}.py": f"from m{number - 1:03} import f\n\ndef f(): f()\n" for number in range(310)}
    with_help = Index(write(tmp_path, files), NoFacts(), MAX, WorkerPool(1)).refresh()
    assert content(with_help) == content(Index(tmp_path, NoFacts(), MAX, WorkerPool(0)).refresh())


def test_a_file_that_becomes_a_directory_and_back(tmp_path):
    index = Index(write(tmp_path, {"a.py": "A = 1\n"}), NoFacts(), MAX)
    index.refresh()
    (tmp_path / "a.py").unlink()
    write(tmp_path, {"a.py/b.py": "B = 1\n"})
    assert list(index.refresh().facts) == ["a.py/b.py"]
    shutil.rmtree(tmp_path / "a.py")
    write(tmp_path, {"a.py": "A = 1\n"})
    assert list(index.refresh().facts) == ["a.py"]


def test_a_tree_that_vanishes_is_empty(tmp_path):
    root = write(tmp_path / "project", SHOP)
    index = Index(root, NoFacts(), MAX)
    index.refresh()
    shutil.rmtree(root)
    snapshot = index.refresh()
    assert (snapshot.elements, dict(snapshot.facts)) == (0, {})


class BreakingFacts(MemoryFacts):
    """A store that raises MemoryError on demand."""

    failing = False

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        if self.failing:
            raise MemoryError
        return super().packed(keys)


def test_a_refresh_that_fails_midway_leaves_no_partial_state(tmp_path):
    store = BreakingFacts()
    index = Index(write(tmp_path, SHOP), store, MAX)
    index.refresh()
    write(tmp_path, {"shop/prices.py": "def net(): pass\n", "new.py": "NEW = 1\n"})
    store.failing = True
    with pytest.raises(MemoryError):
        index.refresh()
    store.failing = False
    assert content(index.refresh()) == content(clean(tmp_path))


def test_a_refresh_reports_reading_and_resolving(tmp_path):
    progress = RecordedProgress()
    Index(write(tmp_path, SHOP), NoFacts(), MAX).refresh(progress)
    assert progress.messages == ["listing files", "reading files", "resolving names"]


class StoppedFacts(CountingFacts):
    """A store that interrupts the process once it holds some facts."""

    room = 300

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        super().put(facts)
        if len(self.parsed) > self.room:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_refresh_does_not_parse_its_files_again(tmp_path):
    files = {f"m{number:03}.py": f"def f{number}(): pass\n" for number in range(700)}
    store = StoppedFacts()
    with pytest.raises(KeyboardInterrupt):
        Index(write(tmp_path, files), store, MAX).refresh()
    assert 300 < len(store.parsed) < 700
    store.room = 10_000
    assert content(Index(tmp_path, store, MAX).refresh()) == content(clean(tmp_path))
    assert sorted(store.parsed) == sorted(files), "nothing is parsed twice"


NAMES = ["a", "b", "c"]
PATHS = st.sampled_from([f"{folder}{name}.{ext}" for folder in ("", "lib/") for name in NAMES for ext in ("py", "ts")])
STATEMENTS = st.sampled_from(
    [
        *(f"from {m} import {n}" for m in ("a", "lib.b") for n in NAMES),
        *(f"import {{ {n} }} from './{n}'" for n in NAMES),
        *(f"def {n}(): return {m}()" for n in NAMES for m in NAMES),
        *(f"export function {n}() {{ return {m}() }}" for n in NAMES for m in NAMES),
        *(f"class {n.upper()}: pass" for n in NAMES),
        *(f"export class {n.upper()} extends {m.upper()} {{ go() {{ this.go() }} }}" for n in NAMES for m in NAMES),
        "export * from './b'",
        "export { a as b } from './lib/c'",
        "from lib import *",
        "import { c } from '@/c'",
        "class B(C):\n    def go(self): return self.gone()",
        "b: C = a()",
        "\0",
        "((((",
    ]
)
TEXTS = st.lists(STATEMENTS, max_size=6).map("\n".join)


class Edits(RuleBasedStateMachine):
    """Random edits; after each, or after several, the index equals one that was built from nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(Edits.base) / str(Edits.count)
        Edits.count += 1
        self.root.mkdir()
        self.index = Index(self.root, MemoryFacts(), MAX)
        self.looks = False

    base = ""
    count = 0

    @rule(path=PATHS, text=TEXTS)
    def edit(self, path, text):
        write(self.root, {path: text})

    @rule(path=PATHS, to=PATHS)
    def rename(self, path, to):
        if (self.root / path).exists():
            (self.root / to).parent.mkdir(exist_ok=True)
            (self.root / path).replace(self.root / to)

    @rule(path=PATHS)
    def delete(self, path):
        (self.root / path).unlink(missing_ok=True)

    @rule()
    def delete_folder(self):
        shutil.rmtree(self.root / "lib", ignore_errors=True)

    @rule()
    def hide_the_times(self):
        age(self.root)

    @rule(text=st.sampled_from(["", "*.ts\n", "lib/\n", "a.*\n!a.py\n"]))
    def ignore(self, text):
        write(self.root, {".gitignore": text})

    @rule(text=st.sampled_from(["{}", '{"compilerOptions": {"baseUrl": "lib", "paths": {"@/*": ["./*"]}}}', "{"]))
    def configure(self, text):
        write(self.root, {"tsconfig.json": text})

    @rule()
    def look(self):
        self.looks = True

    @invariant()
    def equals_a_clean_build(self):
        if self.looks:
            self.looks = False
            assert content(self.index.refresh()) == content(clean(self.root))


@pytest.mark.slow
def test_after_any_edits_the_graph_equals_that_of_a_clean_build(tmp_path_factory):
    Edits.base = str(tmp_path_factory.mktemp("edits"))
    Edits.TestCase.settings = settings(stateful_step_count=25, suppress_health_check=list(HealthCheck))
    Edits.TestCase("runTest").runTest()
