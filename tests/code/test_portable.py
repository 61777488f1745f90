"""A portable index gives another machine the graph of a commit, and nothing that differs from its sources is stored."""

import copy
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.code.engine.session import Session
from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.packing import compressed
from bearings.code.facts.store import NoFacts, SqliteFacts, key_of
from bearings.code.index.portable.container import Header, Refused, framed, inflated, opened
from bearings.code.index.portable.exporting import exported
from bearings.code.index.portable.importing import Imported, imported
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_file import checksum, graph_path
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.models import Language
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.sources import digest_of
from bearings.code.questions.catalogued import Catalogued
from bearings.code.questions.explore import Explore
from bearings.code.questions.map import AskMap
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan
from bearings.code.questions.unused import AskUnused
from bearings.errors import WriteFailed
from bearings.progress import NoProgress
from tests.code.test_change_detection import MAX, clean, content
from tests.code.test_snapshot import EDITS, FILES
from tests.code.trees import git, repository, write

MORE = {
    **FILES,
    "go.mod": "module example.org/shop\n\ngo 1.22\n",
    "a/a.go": "package a\n\ntype T struct{}\n\nfunc (T) M() {}\n",
    "b/b.go": "package b\n\ntype I interface{ M() }\n",
    "web/routes.ts": "import express from 'express'\nconst app = express()\napp.get('/users/:id', () => one())\n",
    "web/asks.ts": "export const ask = () => fetch('/users/1')\n",
    "native/lib.rs": "fn area(a: i32) -> i32 { grow(a) }\nfn grow(a: i32) -> i32 { a }\n",
    "card.vue": "<script setup lang='ts'>\nimport { one } from './web/a'\none()\n</script>\n",
    "broken.py": "def f(:\n",
    "empty.py": "",
}
"""A project with all ways of resolving."""


class CountingFacts(SqliteFacts):
    """A store that counts the keys that it was asked for."""

    asked = 0

    def get(self, keys):
        self.asked += len(keys)
        return super().get(keys)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", MORE)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def export(root: Path, name: str = "HEAD", most: int = MAX) -> bytes:
    return exported(CommitTree(root, None, name), NoFacts(), most, NoProgress()).data


def take(data: bytes, root: Path, cache: Path, **options: Any) -> Imported:
    return imported(data, root, cache, MAX, NoProgress(), **options)


def refusal(data: bytes, root: Path, cache: Path, **options: Any) -> str:
    """Why an index is refused; the cache is as it was."""
    before = files_of(cache)
    with pytest.raises(Refused) as refused:
        take(data, root, cache, **options)
    assert files_of(cache) == before
    return refused.value.problem


def files_of(cache: Path) -> list[str]:
    """The snapshots in a cache."""
    return sorted(path.name for path in cache.rglob("*.graph"))


def clone(root: Path, *options: str, name: str = "clone") -> Path:
    git(root.parent, "clone", "-q", *options, root.as_uri(), str(root.parent / name))
    return root.parent / name


def index(root: Path, cache: Path, store: SqliteFacts | None = None) -> Index:
    return Index(root, store or SqliteFacts(cache), MAX, graphs=GraphStore(cache))


@pytest.mark.parametrize("verify", [False, True])
@pytest.mark.parametrize("depth", [(), ("--depth", "1")])
def test_the_first_question_in_a_clone_needs_no_facts(root, cache, verify, depth):
    write(root, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    git(root, "commit", "-qam", "second")
    there = clone(root, *depth)
    taken = take(export(root), there, cache, verify=verify)
    assert taken.compared == taken.files == len(clean(root).facts)
    store = CountingFacts(cache)
    snapshot = index(there, cache, store).refresh()
    assert store.asked == 0
    assert content(snapshot) == content(clean(there))


@pytest.mark.parametrize("edit", EDITS)
def test_a_checkout_that_differs_is_read_where_it_differs(root, cache, edit):
    there = clone(root)
    take(export(root), there, cache)
    EDITS[edit](there)
    again = index(there, cache)
    assert content(again.refresh()) == content(clean(there))
    again.keep()
    write(there, {"web/b.ts": FILES["web/b.ts"] + "one()\n", "b/b.go": "package b\n\ntype I interface{ N() }\n"})
    assert content(index(there, cache).refresh()) == content(clean(there))


def test_the_commit_itself_is_known_after_an_import(root, cache):
    there = clone(root)
    take(export(root), there, cache)
    store = CountingFacts(cache)
    tree = CommitTree(there, None, "HEAD")
    snapshot = Index(there, store, MAX, graphs=GraphStore(cache), tree=tree).refresh()
    assert store.asked == 0
    assert content(snapshot) == content(Index(there, NoFacts(), MAX, tree=tree).refresh())


def test_a_folder_of_a_repository_is_a_project(root, cache):
    there = clone(root)
    data = export(root / "shop")
    assert "is of the folder 'shop', and the project is the whole repository" in refusal(data, there, cache)
    assert "is of the whole repository, and the project is the folder 'shop'" in refusal(
        export(root), there / "shop", cache
    )
    take(data, there / "shop", cache)
    store = CountingFacts(cache)
    assert content(index(there / "shop", cache, store).refresh()) == content(clean(there / "shop"))


def test_another_commit_is_the_one_that_is_stored(root, cache):
    first = export(root)
    write(root, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    git(root, "commit", "-qam", "second")
    there = clone(root)
    assert export(root, "HEAD~1") == first
    take(first, there, cache)
    assert content(index(there, cache).refresh()) == content(clean(there))


def test_a_commit_that_is_absent_is_named(root, cache):
    there = clone(root)
    write(root, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    git(root, "commit", "-qam", "second")
    commit = CommitTree(root, None, "HEAD").commit
    with pytest.raises(Refused) as refused:
        take(export(root), there, cache)
    assert refused.value.problem == f"is of commit {commit}, which is not in this repository"
    assert refused.value.remedy == f"Fetch it: git fetch origin {commit}"


_EXPORT = """
import sys
from pathlib import Path
from tests.code.test_portable import export
sys.stdout.buffer.write(export(Path(sys.argv[1])))
"""


@pytest.mark.slow
def test_the_same_commit_gives_the_same_bytes_in_each_process_and_checkout(root, cache):
    """Sets are ordered differently in each process; facts may be stored already, and other files lie on disk."""
    there = clone(root)
    write(there, {"web/c.ts": "export const c = 1\n"})
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    made = subprocess.run([sys.executable, "-c", _EXPORT, root], env=environment, stdout=subprocess.PIPE, check=True)
    index(root, cache).refresh()
    stored = exported(CommitTree(there, None, "HEAD"), SqliteFacts(cache), MAX, NoProgress()).data
    assert made.stdout == export(root) == stored


def test_a_clone_without_contents_is_told_to_fetch_them(root, cache):
    git(root, "config", "uploadpack.allowFilter", "true")
    there = clone(root, "--filter=blob:none", "--no-checkout")
    with pytest.raises(Refused) as refused:
        take(export(root), there, cache)
    assert "git fetch --refetch" in refused.value.remedy


def test_another_limit_is_refused(root, cache):
    assert f"CODEREF_MAX_FILE_BYTES={MAX - 1}, and here it is {MAX}" in refusal(export(root, most=MAX - 1), root, cache)


def reframed(data: bytes, change: Callable[[Any], object], **header: Any) -> bytes:
    """An index with another body or header, whose checksum is right."""
    before, packed = opened(data)
    body = msgspec.msgpack.decode(inflated(before, packed, 2**30))
    change(body)
    encoded = msgspec.msgpack.encode(body)
    return framed(msgspec.structs.replace(before, **{"body_bytes": len(encoded), **header}), encoded)


HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "extractor": ({"extractor": 1}, r"was made by bearings \S+ \(extractor 1, code"),
    "code": ({"code": b"x" * 16}, r"code 78787878\), and this is \S+ \(extractor"),
    "grammars": ({"grammars": {"tree-sitter": "0.1"}}, r"was made with tree-sitter 0\.1 \(here "),
    "commit": ({"commit": "HEAD"}, "has no readable header"),
    "option": ({"commit": "--all"}, "has no readable header"),
    "revision": ({"revision": "x"}, "lists other files than commit"),
    "files": ({"files": 1}, "lists other files than commit"),
    "a bomb": ({"body_bytes": 2**40}, "no index of these files has more than"),
    "too small": ({"body_bytes": 1}, "has no readable body"),
    "negative": ({"body_bytes": -1}, "has no readable header"),
    "folder": ({"folder": "../.."}, "is of the folder"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_another_version_and_senseless_headers_are_refused(root, cache, case):
    header, problem = HEADERS[case]
    with pytest.raises(Refused, match=problem):
        take(reframed(export(root), lambda _: None, **header), root, cache)
    assert files_of(cache) == []


def test_what_is_no_index_is_refused(root, cache):
    data = export(root)
    assert refusal(b"", root, cache) == refusal(b"PK\3\4" + data, root, cache) == "is no index of bearings"
    assert refusal(data.replace(b"index 1", b"index 7", 1), root, cache) == (
        "has format 7, and this version reads format 1"
    )


def test_a_bomb_is_not_inflated(root, cache):
    """The header admits less than the body holds."""
    before, _ = opened(export(root))
    head = msgspec.msgpack.encode(msgspec.structs.replace(before, body_bytes=100_000))
    rest = len(head).to_bytes(4, "big") + head + compressed(bytes(2**28))
    assert refusal(b"bearings index 1\0" + checksum(rest) + rest, root, cache) == "has no readable body"


def place(body: Any, path: str) -> Any:
    """A file's row in a body."""
    return next(row for row in body[1] if row[0] == path)


def facts_of(body: Any, path: str) -> Any:
    return place(body, path)[1]


def put(row: Any, where: tuple[Any, ...], value: Any) -> None:
    for step in where[:-1]:
        row = row[step]
    row[where[-1]] = value


def dotted(body: Any, path: str, *where: int, value: Any) -> None:
    put(place(body, path), where, value)


LIES: dict[str, Callable[[Any], object]] = {
    "no body": lambda body: body.clear(),
    "nothing": lambda body: put(body, (slice(0, 3),), [[], [], []]),
    "a file less": lambda body: body[1].pop(),
    "a file twice": lambda body: body[1].append(body[1][-1]),
    "files in disorder": lambda body: body[1].reverse(),
    "facts of another file": lambda body: dotted(body, "web/a.ts", 1, value=facts_of(body, "web/b.ts")),
    "another path": lambda body: dotted(body, "web/a.ts", 1, 0, value="web/b.ts"),
    "another language": lambda body: dotted(body, "web/a.ts", 1, 1, value="python"),
    "no language": lambda body: dotted(body, "web/a.ts", 1, 1, value="klingon"),
    "too many lines": lambda body: dotted(body, "web/a.ts", 1, 2, value=100),
    "a wrong type": lambda body: dotted(body, "web/a.ts", 1, 2, value="2"),
    "no symbols": lambda body: dotted(body, "web/a.ts", 1, 3, value=[]),
    "a symbol behind the end": lambda body: dotted(body, "web/a.ts", 1, 3, 1, 4, value=3),
    "another name": lambda body: dotted(body, "web/a.ts", 1, 3, 1, 1, value="three"),
    "a module of another name": lambda body: dotted(body, "web/a.ts", 1, 3, 0, 1, value="web/b.ts"),
    "a second module": lambda body: dotted(body, "web/a.ts", 1, 3, 1, 2, value="module"),
    "a mark in a name": lambda body: dotted(body, "web/a.ts", 1, 3, 1, 1, value="one\0001"),
    "a symbol with a file": lambda body: dotted(body, "web/a.ts", 1, 3, 1, 0, value="web/b.ts"),
    "its own parent": lambda body: dotted(body, "web/a.ts", 1, 4, 1, 1, value=1),
    "a parent that is none": lambda body: dotted(body, "web/a.ts", 1, 4, 1, 1, value=99),
    "a circle of scopes": lambda body: dotted(body, "web/a.ts", 1, 5, 1, 1, value=1),
    "a scope of nothing": lambda body: dotted(body, "web/a.ts", 1, 5, 1, 2, value=99),
    "a binding of nothing": lambda body: dotted(body, "web/a.ts", 1, 6, 0, 0, value=99),
    "an import less": lambda body: dotted(body, "web/b.ts", 1, 9, value=[]),
    "a call of nothing": lambda body: dotted(body, "web/a.ts", 1, 11, 0, 3, value=-2),
    "more than the facts": lambda body: facts_of(body, "web/a.ts").append(1),
    "an edge less": lambda body: place(body, "web/b.ts")[2][1].pop(),
    "an edge to nowhere": lambda body: dotted(body, "web/b.ts", 2, 0, 1, value="web/a.ts\0nowhere"),
    "an edge from nowhere": lambda body: dotted(body, "web/b.ts", 2, 0, 0, value="web/b.ts#nowhere:1"),
    "an edge to another one": lambda body: place(body, "web/b.ts")[2][0].__setitem__(
        place(body, "web/b.ts")[2][0].index("web/a.ts\0one"), "web/a.ts\0two"
    ),
    "an edge behind the end": lambda body: dotted(body, "web/b.ts", 2, 1, 0, 3, value=99),
    "an edge of no kind": lambda body: dotted(body, "web/b.ts", 2, 1, 0, 2, value=99),
    "an edge by a negative number": lambda body: dotted(body, "web/b.ts", 2, 1, 0, 1, value=-1),
    "an edge with a huge number": lambda body: dotted(body, "web/b.ts", 2, 1, 0, 1, value=2**63),
    "nothing consulted": lambda body: dotted(body, "web/b.ts", 3, value=[]),
    "consulted what is not named": lambda body: dotted(body, "web/b.ts", 3, value=[99_999]),
    "consulted by a negative number": lambda body: dotted(body, "web/b.ts", 3, value=[-1]),
    "consulted no number": lambda body: dotted(body, "web/b.ts", 3, value=["web/a.ts"]),
    "names in disorder": lambda body: body[0].reverse(),
    "a name that is no text": lambda body: body[0].append(1),
    "lookups in disorder": lambda body: body[2].reverse(),
    "a lookup less": lambda body: body[2].remove(["web/b.ts", "./a", "ecmascript"]),
    "a lookup of no family": lambda body: body[2].append(["zzz/", "x", "klingon"]),
    "a lookup of nobody": lambda body: body[2].append(["zzz", "x", "ecmascript"]),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("verify", [False, True])
def test_a_lie_in_a_compared_file_refuses_the_whole_index(root, cache, lie, verify):
    data = export(root)
    changed = reframed(data, LIES[lie])
    assert changed != data
    assert refusal(changed, root, cache, verify=verify)
    assert content(index(root, cache).refresh()) == content(clean(root))


def test_facts_that_contradict_those_that_are_stored_are_compared(root, cache):
    """Whether they are drawn or not."""
    index(root, cache).refresh()
    lie = reframed(export(root), lambda body: dotted(body, "web/a.ts", 1, 3, 1, 8, value="one():"))
    for _ in range(3):
        assert "says of 'web/a.ts' what is not found in it here" in refusal(lie, root, cache, least=0)
    assert take(lie, root, cache / "empty", least=0).compared == 0, "nothing tells it there"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_refused(tmp_path, data):
    root, file = tmp_path / "project", tmp_path / "file"
    if not root.exists():
        repository(root.resolve(), MORE)
        file.write_bytes(export(root))
    sound = file.read_bytes()
    where = data.draw(st.integers(0, len(sound) - 1))
    damage = data.draw(st.sampled_from(["cut", "turned", "doubled", "longer"]))
    broken = {
        "cut": sound[:where],
        "turned": sound[:where] + bytes([sound[where] ^ 1 << data.draw(st.integers(0, 7))]) + sound[where + 1 :],
        "doubled": sound + sound[where:],
        "longer": sound + b"\0",
    }[damage]
    refusal(broken, root, tmp_path / "cache")


QUESTIONS = (
    Scan(), Query(query_type="calls-me", element="one"), Query(query_type="depends-on", element="Basket"), AskMap(),
    AskUnused(), Explore(question="one"), Explore(question="GET /users/1"), Catalogued(),
)  # fmt: skip


def mutated(body: Any, chance: random.Random) -> None:
    """Changes some values of a body, most of them in facts, to others of the same or another type."""
    parts = [part for row in body[1] for part in (row[1], row[1], row[2])]
    for _ in range(chance.choice([1, 1, 2, 5])):
        holder = body if chance.random() < 0.05 else chance.choice(parts)
        while steps := [value for value in holder if isinstance(value, list) and value]:
            if holder is not body and chance.random() < 0.1:
                break
            holder = chance.choice(steps)
        number = chance.randrange(len(holder))
        other = holder[chance.randrange(len(holder))]
        match holder[number]:
            case bool() | None:
                changes: list[Any] = [None, True, False, 0, "x", []]
            case int(value):
                changes = [value + 1, value - 1, -1, 0, 10**6, 2**63, "1"]
            case str(value):
                changes = [value[:-1], value + "x", "", other, "web/a.ts", "web/a.ts\0one", 0]
            case list(value):
                changes = [[], value[:-1], [*value, *value[-1:]], other, None, value[::-1]]
        holder[number] = copy.deepcopy(chance.choice(changes))


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32))
def test_a_changed_index_that_nothing_was_compared_of_is_refused_or_answers(tmp_path, seed):
    """Not even a file that no check can tell from a true one lets a question fail."""
    root, file = tmp_path / "project", tmp_path / "file"
    if not root.exists():
        repository(root.resolve(), MORE)
        file.write_bytes(export(root))
    changed = reframed(file.read_bytes(), lambda body: mutated(body, random.Random(seed)))
    cache = tmp_path / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    try:
        take(changed, root, cache, least=0)
    except Refused:
        assert files_of(cache) == []
        return
    session = Session(root, SqliteFacts(cache), MAX, GraphStore(cache))
    for question in QUESTIONS:
        session.answer(question, NoProgress())
    while session.prepare():
        pass
    session.keep()


_IMPORT = """
import sys
from pathlib import Path
from bearings.code.index.portable.importing import imported
from bearings.progress import NoProgress
data = Path(sys.argv[1]).read_bytes()
print("ready", flush=True)
imported(data, Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), NoProgress())
"""


@pytest.mark.slow
def test_an_import_that_is_killed_leaves_what_was_stored(root, cache, tmp_path):
    there = clone(root)
    file = tmp_path / "file"
    file.write_bytes(export(root))
    commit = CommitTree(there, None, "HEAD").commit
    for number in range(5):
        command = [sys.executable, "-c", _IMPORT, file, there, cache, str(MAX)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            threading.Event().wait(0.03 * number)
            process.kill()
        is_whole = GraphStore(cache).load(there, MAX, commit) is not None
        assert is_whole == graph_path(cache, there, commit).exists()
        assert content(index(there, cache).refresh()) == content(clean(there))
    take(file.read_bytes(), there, cache)
    assert GraphStore(cache).load(there, MAX, commit) is not None


def test_a_cache_that_cannot_be_written_is_said(root, tmp_path):
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(WriteFailed, match="the cache can't be written"):
        take(export(root), root, tmp_path / "cache")


def test_a_header_says_what_an_index_is_of(root):
    header, _ = opened(export(root / "shop"))
    assert isinstance(header, Header)
    assert (header.folder, header.files, header.max_file_bytes) == ("shop", 3, MAX)
    assert list(header.grammars) == ["tree-sitter", "tree-sitter-python"]


PAIR = {
    "a.ts": "const two = () => ({ three: () => 3 })\nexport const one = two()\n",
    "b.ts": "import { one } from './a'\nexport const b = () => one.three()\n",
}


def led_astray(body: Any) -> None:
    """The constant is the result of a call that is not there; no number outside an expression tells."""
    facts = facts_of(body, "a.ts")
    for shape in facts[4]:
        if shape[5] is not None:
            shape[5][1] = 1_000_000


@pytest.mark.slow
def test_facts_that_stop_the_resolver_are_refused_or_dropped(tmp_path, cache):
    root = repository(tmp_path.resolve() / "pair", PAIR)
    data = export(root)
    lie = reframed(data, led_astray)
    assert lie != data
    problems = {refusal(lie, root, cache, least=1) for _ in range(40)}  # each of the files is drawn
    assert problems == {"says of 'a.ts' what is not found in it here"}
    take(lie, root, cache, least=0)
    write(root, {"b.ts": PAIR["b.ts"] + "\n"})
    session = Session(root, SqliteFacts(cache), MAX, GraphStore(cache))
    [hop] = session.answer(Query(query_type="calls-me", element="three"), NoProgress()).value.results
    assert hop.from_ == "b.ts#b:2"


def test_more_than_there_is_room_for_is_refused(root, cache):
    long = reframed(export(root), lambda body: dotted(body, "web/a.ts", 1, 3, 1, 6, value="x" * 70_000))
    assert "says more of 'web/a.ts' than there is room for" in refusal(long, root, cache)
    lookups = [[f"{number:06}/", "", ""] for number in range(5_000)]
    many = reframed(export(root), lambda body: put(body, (2,), lookups))
    assert refusal(many, root, cache) == "has more lookups than there is room for"


def test_stored_facts_that_are_damaged_are_replaced(root, cache):
    key = key_of("web/a.ts", Language.TYPESCRIPT, digest_of(MORE["web/a.ts"].encode()), EXTRACTOR_VERSION)
    SqliteBlobs(cache).put({key: b"no facts"})
    assert take(export(root), root, cache, least=0).compared == 1
    assert [*SqliteFacts(cache).get([key])] == [key]
