"""After any edits, the edges of a project equal those of a clean build: for languages that need no manifests."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.memory import Memory
from bearings.code.resolve.resolver import Resolver
from tests.soak import SOAK

Edits = st.SearchStrategy[tuple[str, str | None]]
"""Paths, each with its new text; None removes the file."""
State = Callable[[dict[str, str], dict[str, FileFacts]], tuple[dict[str, FileFacts], ProjectFiles]]
"""From files and the facts of before to facts and the project."""


def state(
    tree: dict[str, str], known: dict[str, FileFacts], language: Language
) -> tuple[dict[str, FileFacts], ProjectFiles]:
    """Facts, the same objects for files that did not change, and the project around them."""
    facts = {}
    for path, text in sorted(tree.items()):
        now = parse_file(path, language, text.encode())
        facts[path] = known[path] if known.get(path) == now else now
    return facts, ProjectFiles(frozenset(facts), {})


def _giving(memory: Memory) -> Callable[[], Memory]:
    return lambda: memory


def check_any_edits(files: tuple[str, ...], texts: st.SearchStrategy[str], language: Language) -> None:
    """Write and remove files of one language."""
    edit = st.tuples(st.sampled_from(files), st.none() | texts)
    check_sequences(edit, {}, lambda tree, known: state(tree, known, language), 1_000 if SOAK else 60)


def check_sequences(edit: Edits, start: dict[str, str], state_of: State, most: int) -> None:
    """Write and remove files, now and then with a resolver that goes on from its memory; `most` sequences of edits."""

    @settings(max_examples=most, deadline=None)
    @given(st.lists(st.tuples(edit, st.booleans()), min_size=2, max_size=14))
    def check(edits):
        tree = dict(start)
        facts: dict[str, FileFacts] = {}
        resolver = Resolver()
        for (path, text), resumes in edits:
            if text is None:
                tree.pop(path, None)
            else:
                tree[path] = text
            facts, project = state_of(tree, facts)
            resolver.update(facts, project)
            clean = Resolver()
            clean.update(facts, project)
            for file in facts:
                assert resolver.uses[file][:2] == clean.uses[file][:2]
                assert not clean.uses[file].given_up
            memory = resolver.memory()
            if resumes and memory is not None:
                resolver = Resolver.resumed(facts, project, resolver.uses.copy(), _giving(memory))

    check()


def check_edit(around: dict[str, str], path: str, text: str | None, language: Language) -> None:
    """Write or remove one file of a tree."""
    facts, project = state(around, {}, language)
    resolver, clean = Resolver(), Resolver()
    resolver.update(facts, project)
    edited = {**around, path: text} if text else {name: one for name, one in around.items() if name != path}
    facts, project = state(edited, facts, language)
    resolver.update(facts, project)
    clean.update(facts, project)
    assert {file: resolver.uses[file][:2] for file in facts} == {file: clean.uses[file][:2] for file in facts}
