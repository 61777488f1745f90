"""A project at a glance, from its manifests, folders, graph and conventions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec.structs import replace

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import Language, Symbol
from bearings.code.project.names import is_aside
from bearings.code.questions.context import AskContext
from bearings.code.questions.context.answer import KeyElement, LanguageShare, Sections
from bearings.code.questions.context.architecture import architecture
from bearings.code.questions.context.conventions import conventions, test_patterns
from bearings.code.questions.context.entry_points import entrances
from bearings.code.questions.context.packages import packages
from bearings.code.questions.map.ranking import is_shown, weights
from bearings.code.search.capabilities import lacks
from bearings.code.search.elsewhere import mentioned, unread_files
from bearings.code.search.endpoints import frameworks_not_understood
from bearings.code.search.language_names import languages_named
from bearings.code.search.own_imports import own_imports
from bearings.code.search.reach import without_imported_names
from bearings.code.search.view import WholeGraph

_KEYS = 40
_OF_FILE = 5
"""The most key elements of one file, so that other files get a place."""


def compute(question: AskContext, view: WholeGraph) -> Sections:
    """The sections, for files in the languages of the question."""
    return context(view.snapshot, frozenset(languages_named(question.languages or ())))


def context(snapshot: Snapshot, languages: frozenset[Language]) -> Sections:
    """The answer for files in these languages; empty: all."""
    known = _known(snapshot, languages)
    shown = [snapshot.graph.symbols[key.element] for key in known.key_elements]
    unused = mentioned(
        snapshot, [symbol for symbol, key in zip(shown, known.key_elements, strict=True) if not key.users]
    )
    keys = [
        replace(key, mentions=unused[key.element].places) if key.element in unused else key
        for key in known.key_elements
    ]
    missing = frameworks_not_understood(snapshot)
    return replace(known, key_elements=tuple(keys), unread=unread_files(snapshot), not_understood=missing)


@lru_cache(maxsize=1)
def _known(snapshot: Snapshot, languages: frozenset[Language]) -> Sections:
    """The part of the answer that changes only with the snapshot, so that it can be cached."""
    facts = {path: file for path, file in snapshot.facts.items() if not languages or file.language in languages}
    return Sections(
        packages=packages(snapshot.project.manifests),
        languages=_languages(facts),
        architecture=architecture(snapshot, facts),
        entry_points=entrances(snapshot, facts),
        key_elements=_keys(snapshot, facts),
        test_patterns=test_patterns(facts),
        conventions=conventions(facts),
        not_understood=(),
        unread=(),
        own_imports=own_imports(snapshot),
    )


def _languages(facts: Mapping[str, FileFacts]) -> tuple[LanguageShare, ...]:
    files = Counter(file.language for file in facts.values())
    lines: Counter[Language] = Counter()
    for file in facts.values():
        lines[file.language] += file.lines
    return tuple(LanguageShare(language=name, files=files[name], lines=count) for name, count in lines.most_common())


def _keys(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[KeyElement, ...]:
    """The elements with the highest rank outside tests."""
    rank = weights(snapshot)
    ranked = sorted(
        (
            symbol
            for path in facts
            if not (is_test(path) or is_aside(path))
            for symbol in snapshot.graph.within(path).values()
            if is_shown(symbol.kind) and rank.get(symbol.id)
        ),
        key=lambda symbol: (-rank[symbol.id], symbol.file, symbol.line),
    )
    shown = list(_spread(ranked))
    users = {
        symbol.id: len(
            {
                edge.source
                for edge in without_imported_names(snapshot.graph.edges_to(symbol.id))
                if not is_test(edge.file)
            }
        )
        for symbol in shown
    }
    return tuple(
        KeyElement(
            element=symbol.id,
            type=symbol.kind,
            signature=symbol.signature[:160],
            doc=symbol.doc[:160],
            users=None if lacks(symbol.file, Capability.EDGES) else users[symbol.id],
        )
        for symbol in shown
    )


def _spread(ranked: Iterable[Symbol]) -> Iterator[Symbol]:
    """The first elements, with at most a few from each file."""
    taken: Counter[str] = Counter()
    for symbol in ranked:
        if taken[symbol.file] < _OF_FILE:
            taken[symbol.file] += 1
            yield symbol
        if taken.total() >= _KEYS:
            return
