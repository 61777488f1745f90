"""A file whose facts the resolver can't bear is given up alone, and replies that it may have shortened name it."""

import itertools
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bearings.code.facts.store import NoFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.graph.lookup_tables import Tables
from bearings.code.graph.project_graph import Graph
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import digest_of
from bearings.code.project.working_tree import WorkingTree
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.query import QueryType
from bearings.code.questions.rename import Rename
from bearings.code.questions.symbol import Describe
from bearings.code.questions.unused import AskUnused
from bearings.code.resolve.context import AnswerCache
from bearings.code.resolve.file_summary import summary_of
from bearings.code.resolve.giving_up import TooManySteps
from bearings.code.resolve.resolver import Resolver
from bearings.code.resolve.stored_uses import numbered_uses, uses_of
from bearings.code.search.left_out import left_out_note, left_out_rows
from bearings.code.search.targets import find_element
from bearings.code.service import CodeService
from bearings.errors import ElementNotFound
from tests.code.asked import query
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import write

MAX = 2_000
SOURCES = {
    "aim.py": "def aim():\n    return 1\n",
    "good.py": "from aim import aim\ndef good():\n    return aim()\n",
    "spoilt.py": "from aim import aim\nfrom good import good\ndef spoilt():\n    good()\n    return aim()\n",
    "large.py": "from aim import aim\naim()\n" + "x = 1\n" * MAX,
}


def parsed(path: str, text: str) -> FileFacts:
    return parse_file(path, Language.PYTHON, text.encode())


def spoilt(path: str, text: str) -> FileFacts:
    """Facts of which a use lies in a scope that is none, as no parser should make them."""
    facts = parsed(path, text)
    return replace(facts, sites=(*facts.sites[:-1], replace(facts.sites[-1], scope=9_999)))


class Spoiling(MemoryFacts):
    """A store that knows the facts of one file as no parser makes them."""

    def __init__(self) -> None:
        super().__init__()
        text = SOURCES["spoilt.py"]
        key = key_of("spoilt.py", Language.PYTHON, digest_of(text.encode()), EXTRACTOR_VERSION)
        self.put({key: spoilt("spoilt.py", text)})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", SOURCES)


def resolved() -> tuple[dict[str, FileFacts], Resolver]:
    facts = {path: spoilt(path, text) if path == "spoilt.py" else parsed(path, text) for path, text in SOURCES.items()}
    resolver = Resolver()
    resolver.update(facts, ProjectFiles(frozenset(facts)))
    return facts, resolver


def snapshot_at(root: Path) -> Snapshot:
    """A snapshot with a file that is too large, one whose parse was given up, and one whose resolution was."""
    facts, resolver = resolved()
    facts = {path: file for path, file in facts.items() if path != "large.py"}
    tower = f"from aim import aim\nx = {'(' * 1_100}aim(){')' * 1_100}\n"
    facts["tower.py"] = parsed("tower.py", tower)
    write(root, {"tower.py": tower})
    resolver.update(facts, ProjectFiles(frozenset(facts)))
    graph = Graph(Tables(facts, resolver.uses))
    unread = (Skipped("large.py", SkipReason.TOO_LARGE), Skipped("note.txt", SkipReason.TOO_LARGE))
    return Snapshot(WorkingTree(root), "", facts, ProjectFiles(frozenset(facts)), graph, unread)


def test_the_other_files_are_resolved_and_the_log_names_the_file(caplog):
    with caplog.at_level(logging.WARNING):
        facts, resolver = resolved()
    assert [record.getMessage().partition(": given up: IndexError")[0] for record in caplog.records] == ["spoilt.py"]
    assert {path for path in facts if resolver.uses[path].given_up} == {"spoilt.py"}
    users = {edge.file for path in facts for edge in resolver.uses[path].edges if edge.target == "aim.py\0aim"}
    assert users == {"good.py", "large.py"}


def test_a_file_that_was_given_up_is_stored_as_such():
    uses = resolved()[1].uses["spoilt.py"]
    assert uses_of("spoilt.py", numbered_uses(uses)) == uses
    assert uses.given_up
    assert summary_of(parsed("spoilt.py", ""), *uses).unresolved


def test_an_edit_of_what_it_had_consulted_resolves_it_again():
    facts, resolver = resolved()
    project = ProjectFiles(frozenset(facts))
    memory = resolver.memory()
    assert memory is not None
    assert {"aim.py", "good.py"} <= memory.consulted["spoilt.py"]
    assert "spoilt.py" in resolver.update({**facts, "aim.py": parsed("aim.py", "def aim2(): ...\n")}, project)
    resolver.update({**facts, "spoilt.py": parsed("spoilt.py", SOURCES["spoilt.py"])}, project)
    assert not resolver.uses["spoilt.py"].given_up


def test_stored_facts_that_the_resolver_cannot_bear_are_read_again(root):
    snapshot = Index(root, Spoiling(), 5 * MAX).refresh()
    assert [left.path for left in snapshot.skipped] == ["large.py"]
    assert "spoilt.py#spoilt:3" in {edge.source for edge in snapshot.graph.edges_to("aim.py#aim:1")}


def test_the_error_about_an_unknown_name_names_a_large_file_that_holds_it(tmp_path):
    tree = write(tmp_path.resolve(), {"a.py": "def call(): ...\n", "big.py": "def launch(): ...\n" * MAX})
    snapshot = Index(tree, NoFacts(), MAX).refresh()
    with pytest.raises(ElementNotFound) as caught:
        find_element(snapshot, "launch")
    assert f"too large: big.py, {MAX} lines, holds the word; CODEREF_MAX_FILE_BYTES" in caught.value.hint
    with pytest.raises(ElementNotFound) as caught:
        find_element(snapshot, "land")
    assert "big.py" not in caught.value.hint


LINES = st.sampled_from(
    [
        "from a import *",
        "from b import f",
        "from c import f as g",
        "def f(): return g()",
        "def g(): return f()",
        "f()",
        "# spoilt",
        "",
    ]
)
EDITS = st.lists(st.tuples(st.sampled_from("abc"), st.lists(LINES, max_size=4)), max_size=8)


def facts_of(path: str, text: str) -> FileFacts:
    return spoilt(path, f"{text}\nf()") if "# spoilt" in text else parsed(path, text)


@given(EDITS)
@settings(deadline=None)
def test_after_edits_the_same_files_are_given_up_as_in_a_clean_build(edits):
    facts: dict[str, FileFacts] = {}
    resolver = Resolver()
    for name, lines in edits:
        facts = {**facts, f"{name}.py": facts_of(f"{name}.py", "\n".join(lines))}
        project = ProjectFiles(frozenset(facts))
        resolver.update(facts, project)
        anew = Resolver()
        anew.update(facts, project)
        assert {path: resolver.uses[path] for path in facts} == {path: anew.uses[path] for path in facts}
        assert {path for path in facts if resolver.uses[path].given_up} == {
            path for path, file in facts.items() if any(site.scope == 9_999 for site in file.sites)
        }


def test_what_was_left_out_is_named_where_it_holds_the_word(root):
    snapshot = snapshot_at(root)
    assert {left.path: left.reason for left in snapshot.skipped} == {
        "large.py": SkipReason.TOO_LARGE,
        "note.txt": SkipReason.TOO_LARGE,
        "spoilt.py": SkipReason.UNRESOLVED,
        "tower.py": SkipReason.GIVEN_UP,
    }
    assert left_out_note(snapshot, snapshot.graph.symbols["aim.py#aim:1"]) == (
        f"too large: large.py, {MAX + 2} lines, holds the word; given up: spoilt.py, 5 lines, holds the word; "
        "given up: tower.py, 2 lines, holds the word; CODEREF_MAX_FILE_BYTES takes larger files"
    )
    assert left_out_note(snapshot, snapshot.graph.symbols["spoilt.py#spoilt:3"]) == (
        "given up: spoilt.py, 5 lines, holds the word"
    )
    assert list(left_out_rows(snapshot, snapshot.graph.symbols["good.py#good:2"])) == [
        ("spoilt.py", 2, "the file was left out (given up), and may use it")
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_replies_name_what_was_left_out_and_edits_are_refused(root, anyio_backend):
    del anyio_backend
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=5 * MAX))
    told = f"too large: large.py, {MAX + 2} lines, holds the word; CODEREF_MAX_FILE_BYTES takes larger files"
    kinds: tuple[QueryType, ...] = ("calls-me", "depends-on-me", "calls")
    try:
        for kind in kinds:
            assert told in ((await query(service, root, kind, "aim.py#aim")).note or "")
        assert told in ((await service.reply_to(str(root), AskImpact(element="aim.py#aim"))).note or "")
        assert told in ((await service.reply_to(str(root), Describe(element="aim.py#aim"))).note or "")
        assert "too large: large.py" in ((await service.reply_to(str(root), AskUnused())).note or "")
        assert "large.py" not in ((await query(service, root, "calls-me", "good.py#good")).note or "")
        renamed = await service.reply_to(str(root), Rename(element="aim.py#aim", new_name="goal"))
        refused = {row.file: row.why for row in renamed.refused}
        assert refused["large.py"] == "the file was left out (too large), and may use it"
    finally:
        await service.aclose()


@pytest.mark.slow
def test_steps_are_counted_for_each_file_and_open_questions_are_left():
    answers = AnswerCache()

    def ask() -> None:
        while answers.enter():
            answers.leave()

    answers.consulted.add("outer.py")
    answers.ask("question")
    answers.consulted.add("inner.py")
    with pytest.raises(TooManySteps, match="steps"):
        ask()
    assert answers.abandon() == {"outer.py", "inner.py"}
    answers.begin()
    assert answers.enter()
    answers.leave()
    assert answers.is_outermost is False
    assert answers.gathered() == frozenset()


def chain(paths: Sequence[str]) -> dict[str, FileFacts]:
    links = itertools.pairwise(paths)
    inner = {f"{path}.py": parsed(f"{path}.py", f"from {to} import aim\n") for path, to in links}
    return {**inner, f"{paths[-1]}.py": parsed(f"{paths[-1]}.py", "def aim(): ...\n")}


@pytest.mark.slow
def test_a_file_that_depends_on_very_many_depends_on_all():
    paths = [f"n{at}" for at in range(2_100)]
    facts = chain(paths)
    project, resolver = ProjectFiles(frozenset(facts)), Resolver()
    resolver.update(facts, project)
    memory = resolver.memory()
    assert memory is not None
    assert len(memory.consulted["n0.py"]) == 1
    assert len(memory.consulted["n2000.py"]) == 99
    changed = {**facts, "n2099.py": parsed("n2099.py", "def other(): ...\n")}
    assert "n0.py" in resolver.update(changed, project)
    assert [use.why for use in resolver.uses["n0.py"].outside] == []
    assert not any(edge.target.startswith("n2099.py\0") for edge in resolver.uses["n0.py"].edges)
