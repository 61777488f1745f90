"""A project at a glance, from its manifests, its folders, its graph and its habits."""

from collections import Counter
from collections.abc import Mapping

from bearings.code.analyses.conventions import conventions, test_patterns
from bearings.code.analyses.manifests import packages, scripts_of
from bearings.code.analyses.ranking import is_shown, ranks, worth
from bearings.code.analyses.reach import certain
from bearings.code.answers.overview import Context, Entry, Folder, KeyElement, LanguageShare
from bearings.code.models import FileFacts, Language, SymbolKind
from bearings.code.project import is_test
from bearings.code.refresh import Snapshot

_KEYS = 40
_FOLDERS = 25
_ENTRIES = 25
_USES = 6
_ENOUGH = 6
"""Folders from which on they tell an architecture; below that one looks a level deeper."""

_DEEPEST = 5
_NAMED = {"main": "is called main", "cli": "is called cli", "create_app": "makes the application"}


def context(snapshot: Snapshot, languages: frozenset[Language]) -> Context:
    """The answer, of files in these languages; empty: all."""
    facts = {path: file for path, file in snapshot.facts.items() if not languages or file.language in languages}
    return Context(
        packages=packages(snapshot.project.manifests),
        languages=_languages(facts),
        architecture=_architecture(snapshot, facts),
        entry_points=_entries(snapshot, facts),
        key_elements=_keys(snapshot, facts),
        test_patterns=test_patterns(facts),
        conventions=conventions(facts),
    )


def _languages(facts: Mapping[str, FileFacts]) -> tuple[LanguageShare, ...]:
    files = Counter(file.language for file in facts.values())
    lines: Counter[Language] = Counter()
    for file in facts.values():
        lines[file.language] += file.lines
    return tuple(LanguageShare(language=name, files=files[name], lines=count) for name, count in lines.most_common())


def _architecture(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[Folder, ...]:
    """Folders at the depth where there are enough of them to tell parts apart, the biggest first."""
    own = [path for path in facts if not is_test(path)]
    depth = next(
        (depth for depth in range(1, _DEEPEST) if len({_folder(path, depth) for path in own}) >= _ENOUGH), _DEEPEST
    )
    sizes = Counter(_folder(path, depth) for path in own)
    elements: Counter[str] = Counter()
    for path in own:
        elements[_folder(path, depth)] += len(facts[path].symbols) - 1
    uses: dict[str, Counter[str]] = {}
    for edge in certain(snapshot.graph.resolution.edges):
        target = snapshot.graph.symbols[edge.target].file if edge.target in snapshot.graph.symbols else edge.file
        if edge.file in facts and target in facts and not is_test(edge.file) and not is_test(target):
            here, there = _folder(edge.file, depth), _folder(target, depth)
            if here != there:
                uses.setdefault(here, Counter())[there] += 1
    return tuple(
        Folder(
            path=folder,
            files=count,
            elements=elements[folder],
            uses=tuple(f"{name} ({number})" for name, number in uses.get(folder, Counter()).most_common(_USES)),
        )
        for folder, count in sizes.most_common(_FOLDERS)
    )


def _folder(path: str, depth: int) -> str:
    """The first folders of a path; a file in fewer stands for itself."""
    parts = path.split("/")
    return "/".join(parts[:depth]) + ("/" if len(parts) > depth else "")


def _entries(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[Entry, ...]:
    """Commands of the manifests, modules that are run, endpoints, functions that are named for it."""
    found = dict.fromkeys(scripts_of(snapshot.project.manifests), "is a command of the package")
    for path, file in facts.items():
        if is_test(path):
            continue
        if path.endswith("__main__.py"):
            found.setdefault(path, "is run by python -m")
        for symbol in file.symbols[1:]:
            if symbol.kind is SymbolKind.ENDPOINT:
                found.setdefault(symbol.id, f"is an endpoint: {symbol.name}")
            elif symbol.parent == path and symbol.name in _NAMED and symbol.kind is SymbolKind.FUNCTION:
                found.setdefault(symbol.id, _NAMED[symbol.name])
    return tuple(Entry(element=element, why=why) for element, why in list(found.items())[:_ENTRIES])


def _keys(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[KeyElement, ...]:
    """The elements with the highest rank outside tests."""
    rank = worth(snapshot, ranks(snapshot))
    ranked = sorted(
        (
            symbol
            for path, file in facts.items()
            if not is_test(path)
            for symbol in file.symbols
            if is_shown(symbol.kind) and rank.get(symbol.id)
        ),
        key=lambda symbol: (-rank[symbol.id], symbol.file, symbol.line),
    )
    return tuple(
        KeyElement(
            element=symbol.id,
            type=symbol.kind,
            signature=symbol.signature[:160],
            doc=symbol.doc[:160],
            users=len({edge.source for edge in certain(snapshot.graph.edges_to(symbol.id)) if not is_test(edge.file)}),
        )
        for symbol in ranked[:_KEYS]
    )
