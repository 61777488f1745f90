"""A file whose facts the resolver can't bear is given up alone, and replies that it may have shortened name it."""

import itertools
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bearings.code.engine.in_process import InProcessEngine
from bearings.code.facts.store import FactStore, MemoryFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import digest_of
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.rename import Rename
from bearings.code.questions.symbol import Describe
from bearings.code.questions.unused import AskUnused
from bearings.code.resolve import Resolver
from bearings.code.resolve.again import Again
from bearings.code.resolve.answer_cache import AnswerCache
from bearings.code.resolve.giving_up import TooManySteps
from bearings.code.service import CodeService
from tests.code.asked import query
from tests.code.test_change_detection import content
from tests.code.trees import write

MAX = 2_000
SOURCES = {
    "aim.py": "def aim():\n    return 1\n",
    "good.py": "from aim import aim\ndef good():\n    return aim()\n",
    "spoilt.py": "from aim import aim\nfrom good import good\ndef spoilt():\n    good()\n    return aim()\n",
    "large.py": "from aim import aim\naim()\n" + "# more\n" * MAX,
}
MENDED = "from aim import aim\naim()\n"


def parsed(path: str, text: str) -> FileFacts:
    return parse_file(path, Language.PYTHON, text.encode())


def spoilt(path: str, text: str) -> FileFacts:
    """Facts of which a use lies in a scope that is none, as no parser should make them."""
    facts = parsed(path, text)
    return replace(facts, sites=(*facts.sites[:-1], replace(facts.sites[-1], scope=9_999)))


class Spoiling(MemoryFacts):
    """A store that knows the facts of one file as no parser makes them."""

    def __init__(self, path: str = "spoilt.py", text: str = SOURCES["spoilt.py"]) -> None:
        super().__init__()
        key = key_of(path, Language.PYTHON, digest_of(text.encode()), EXTRACTOR_VERSION)
        self.put({key: spoilt(path, text)})


def index(root: Path, cache: Path, store: FactStore) -> Index:
    return Index(root, store, 5 * MAX, graphs=GraphStore(cache))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", SOURCES)


def test_the_other_files_are_resolved_and_the_log_names_the_file(root, tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        snapshot = index(root, tmp_path, Spoiling()).refresh()
    assert [record.getMessage().partition(": given up: IndexError")[0] for record in caplog.records] == ["spoilt.py"]
    assert [(edge.source, edge.line) for edge in snapshot.graph.edges_to("aim.py#aim:1")] == [
        ("good.py", 1),
        ("good.py#good:2", 3),
    ]
    assert "spoilt.py#spoilt:3" in snapshot.graph.symbols
    assert Skipped("spoilt.py", SkipReason.UNRESOLVED) in snapshot.skipped


def test_the_next_process_knows_it_and_an_edit_of_what_it_used_resolves_it_again(root, tmp_path):
    store = Spoiling()
    first = index(root, tmp_path, store)
    before = content(first.refresh())
    first.keep()
    second = index(root, tmp_path, store)
    assert content(second.refresh()) == before
    assert "aim.py" in second.resolution()[1].consulted["spoilt.py"]
    write(root, {"aim.py": "\n" + SOURCES["aim.py"]})
    assert content(second.refresh()) == content(index(root, tmp_path / "other", store).refresh())
    write(root, {"spoilt.py": MENDED})
    snapshot = second.refresh()
    assert [left.path for left in snapshot.skipped] == ["large.py"]
    assert content(snapshot) == content(index(root, tmp_path / "another", store).refresh())


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
        anew = Again(facts, project).uses(list(facts))[0]
        assert {path: resolver.uses[path] for path in facts} == {path: uses for path, (uses, _) in anew.items()}
        assert {path for path in facts if resolver.uses[path].given_up} == {
            path for path, file in facts.items() if any(site.scope == 9_999 for site in file.sites)
        }


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_replies_name_what_was_left_out_and_edits_are_refused(root, anyio_backend):
    del anyio_backend
    service = CodeService(InProcessEngine(store=Spoiling(), max_file_bytes=5 * MAX))
    large = f"too large: large.py, {MAX + 2} lines, holds the word; CODEREF_MAX_FILE_BYTES takes larger files"
    told = f"{large.partition(';')[0]}; given up: spoilt.py, 5 lines, holds the word; {large.partition('; ')[2]}"
    try:
        for kind in ("calls-me", "depends-on-me", "calls"):
            assert told in ((await query(service, root, kind, "aim.py#aim")).note or "")
        assert told in ((await service.reply_to(str(root), AskImpact(element="aim.py#aim"))).note or "")
        assert told in ((await service.reply_to(str(root), Describe(element="aim.py#aim"))).note or "")
        assert "spoilt.py" in ((await service.reply_to(str(root), AskUnused())).note or "")
        assert "large.py" not in ((await query(service, root, "calls-me", "good.py#good")).note or "")
        renamed = await service.reply_to(str(root), Rename(element="aim.py#aim", new_name="goal"))
        refused = {row.file: row.why for row in renamed.refused}
        assert refused["spoilt.py"] == "the file was left out (given up), and may use it"
        assert refused["large.py"] == "the file was left out (too large), and may use it"
    finally:
        await service.aclose()


def test_steps_are_counted_for_each_file_and_open_questions_are_left():
    memo = AnswerCache()

    def ask() -> None:
        while memo.enter():
            memo.leave()

    memo.consulted.add("outer.py")
    memo.open("question")
    memo.consulted.add("inner.py")
    with pytest.raises(TooManySteps, match="steps"):
        ask()
    assert memo.abandon() == {"outer.py", "inner.py"}
    memo.begin()
    assert memo.enter()
    memo.leave()
    assert memo.is_outermost is False
    assert memo.gathered() == frozenset()


def chain(paths: Sequence[str]) -> dict[str, FileFacts]:
    links = itertools.pairwise(paths)
    inner = {f"{path}.py": parsed(f"{path}.py", f"from {to} import aim\n") for path, to in links}
    return {**inner, f"{paths[-1]}.py": parsed(f"{paths[-1]}.py", "def aim(): ...\n")}


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
