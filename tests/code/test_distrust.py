"""A fault in what is stored costs time, never an answer: also one that no checksum finds."""

import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from bearings.code.engine.session import Session
from bearings.code.facts.store import SqliteFacts, key_of
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.models import Language
from bearings.code.project.sources import digest_of
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan
from bearings.errors import InvalidInput
from bearings.progress import NoProgress
from tests.code.test_change_detection import MAX, clean, content
from tests.code.test_snapshot import FILES
from tests.code.trees import git, repository, write

QUESTION = Query(query_type="calls-me", element="one")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", FILES)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def session(root: Path, cache: Path) -> Session:
    return Session(root, SqliteFacts(cache), MAX, GraphStore(cache))


def hops(session: Session) -> object:
    found = session.answer(QUESTION, NoProgress()).value.results
    assert found
    return found


def spoil(cache: Path, path: str, **changes: Any) -> None:
    """Stores facts of a file whose numbers lead nowhere, as no source gives them."""
    key = key_of(path, Language.TYPESCRIPT, digest_of(FILES[path].encode()), EXTRACTOR_VERSION)
    store = SqliteFacts(cache)
    facts = store.get([key])[key]
    store.put({key: msgspec.structs.replace(facts, **(changes or {"shapes": (), "scopes": facts.scopes[:1]}))})


def kept(root: Path, cache: Path) -> None:
    index = Index(root, SqliteFacts(cache), MAX, graphs=GraphStore(cache))
    index.refresh()
    index.keep()


@pytest.mark.slow
def test_a_question_that_fails_on_stored_facts_is_answered_from_the_sources(root, cache, caplog):
    kept(root, cache)
    right = hops(session(root, cache))
    spoil(cache, "web/b.ts")
    write(root, {"web/a.ts": FILES["web/a.ts"] + "export const x = 1\n"})
    spoiled = session(root, cache)
    with caplog.at_level(logging.WARNING):
        assert hops(spoiled) == right
    assert "its sources are read again" in caplog.text
    spoiled.keep()
    caplog.clear()
    assert content(Index(root, SqliteFacts(cache), MAX, graphs=GraphStore(cache)).refresh()) == content(clean(root))
    assert hops(session(root, cache)) == right
    assert not caplog.text, "what was wrong is replaced"


def test_facts_without_a_snapshot_are_not_trusted_either(root, cache):
    kept(root, cache)
    spoil(cache, "web/b.ts")
    again = Session(root, SqliteFacts(cache), MAX, GraphStore(cache / "empty"))
    assert hops(again)


@pytest.mark.slow
def test_the_snapshot_of_another_worktree_goes_with_its_fault(root, cache):
    kept(root, cache)
    git(root, "worktree", "add", "-q", "-b", "other", str(root.parent / "other"))
    other = root.parent / "other"
    spoil(cache, "web/b.ts")
    write(other, {"web/a.ts": FILES["web/a.ts"] + "export const x = 1\n"})
    assert GraphStore(cache).has(root)
    assert hops(session(other, cache))
    assert not GraphStore(cache).has(root)


class Failing(Scan, frozen=True, kw_only=True):
    """A question that fails on any facts."""


def fails(*_: object) -> None:
    raise ZeroDivisionError


def test_a_question_that_fails_on_fresh_facts_fails(root, cache, monkeypatch):
    monkeypatch.setitem(sys.modules, f"{__name__}.compute", SimpleNamespace(compute=fails))
    kept(root, cache)
    first = session(root, cache)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            first.answer(Failing(), NoProgress())
    with pytest.raises(InvalidInput):
        first.answer(Query(query_type="calls-me", element=""), NoProgress())
    assert hops(first)


def test_stored_facts_of_which_no_cache_can_be_filled_are_dropped(root, cache, caplog):
    kept(root, cache)
    spoil(cache, "web/b.ts", symbols=())
    spoiled = session(root, cache)
    spoiled.preload(NoProgress())
    with caplog.at_level(logging.WARNING):
        while spoiled.prepare():
            pass
    assert "its sources are read again" in caplog.text
    assert hops(spoiled)
    while spoiled.prepare():
        pass
    spoiled.keep()
    assert content(Index(root, SqliteFacts(cache), MAX, graphs=GraphStore(cache)).refresh()) == content(clean(root))
