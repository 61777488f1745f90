"""What changed since a commit, what that reaches, and which tests to run in which order.

Tests that changed themselves come first; then those that reach a changed element through the graph, the nearest first;
then those whose files import a changed file, which the graph knows no better way to. A test that fails because of the
changes should be among them, near the top.
"""

from collections.abc import Iterable, Sequence

from bearings.code.analyses.differences import Difference, Pair, Version, differences
from bearings.code.analyses.fixtures import SHARED
from bearings.code.analyses.reach import BEHAVIOUR, Reached, certain, users
from bearings.code.analyses.running import commands
from bearings.code.analyses.testing import TEST_DEPTH, by_file, is_case
from bearings.code.answers.changes import ChangedElement, Changes, ProposedTests
from bearings.code.answers.risk import Affected
from bearings.code.languages import language_of
from bearings.code.models import EdgeKind, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.project import History, Source, is_test, read_source
from bearings.code.refresh import Snapshot

_IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
_IMPORT_DEPTH = 4
_MAX_REACHED = 1_000


def changes(snapshot: Snapshot, base: str, max_depth: int, max_bytes: int) -> Changes:
    """The answer. Raises InvalidInput for a base that names no commit, Unsupported where there is no repository."""
    history = History(snapshot.root)
    commit = history.commit(base)
    pairs, others = _pairs(snapshot, history, commit, max_bytes)
    found = differences(pairs)
    starts = {one.symbol.id: _starts(snapshot, one) for one in found}
    reached = {id_: _tests(snapshot, start) for id_, start in starts.items()}
    spread = users(snapshot, {here for start in starts.values() for here in start}, BEHAVIOUR, max_depth=max_depth)
    changed_files = [change.new or change.old for change, _, _ in pairs]
    tests = _ordered(snapshot, [hit for hits in reached.values() for hit in hits], changed_files)
    rows = tuple(_element(one, reached[one.symbol.id]) for one in found)
    return Changes(
        base=base,
        commit=commit,
        files_changed=len(pairs) + len(others),
        other_files=tuple(others),
        changed=rows,
        reached=tuple(_affected(hit) for hit in spread if hit.symbol.id not in starts)[:_MAX_REACHED],
        tests=tests,
        untested=tuple(
            row.element for row in rows if not row.tests and not is_test(row.element) and row.type in _TESTABLE
        ),
        run=commands(snapshot, tests),
        note="" if pairs or others else f"the working tree is as it was at {base}",
    )


_TESTABLE = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.COMPONENT, SymbolKind.HOOK}
)


def _pairs(snapshot: Snapshot, history: History, commit: str, max_bytes: int) -> tuple[list[Pair], list[str]]:
    """Changed files that are code, with both versions; the paths of all others."""
    listed = history.changes(commit)
    code = [change for change in listed if language_of(change.new or change.old)]
    contents = history.contents(commit, [change.old for change in code if change.old])
    pairs: list[Pair] = []
    for change in code:
        old = None
        language = language_of(change.old) if change.old in contents else None
        if language is not None:
            source = contents[change.old]
            old = Version.of(parse_file(change.old, language, source), source)
        pairs.append((change, old, _now(snapshot, change.new, max_bytes)))
    return pairs, sorted(change.new or change.old for change in listed if not language_of(change.new or change.old))


def _now(snapshot: Snapshot, path: str, max_bytes: int) -> Version | None:
    facts = snapshot.facts.get(path)
    source = read_source(snapshot.root, path, max_bytes) if facts is not None else None
    return Version.of(facts, source.data) if facts is not None and isinstance(source, Source) else None


def _starts(snapshot: Snapshot, one: Difference) -> list[str]:
    """Where the search for who is reached begins: the element; for one that is gone, whoever still names it."""
    if one.status != "removed":
        return [one.symbol.id]
    return sorted({site.source for site in snapshot.graph.unresolved_by_name.get(one.symbol.name, ())})


def _tests(snapshot: Snapshot, start: Sequence[str]) -> list[Reached]:
    """Elements of tests that run it, itself among them."""
    symbols = snapshot.graph.symbols
    own = [symbols[here] for here in start if here in symbols and is_test(here)]
    found = [Reached(symbol, 0, symbol.file, symbol.line, "changed", EdgeKind.CALL) for symbol in own]
    return found + [hit for hit in users(snapshot, start, BEHAVIOUR, max_depth=TEST_DEPTH) if is_test(hit.symbol.file)]


def _ordered(snapshot: Snapshot, hits: Iterable[Reached], changed_files: Sequence[str]) -> tuple[ProposedTests, ...]:
    """The tests, most direct first: by depth, then by how many of the changes a file reaches."""
    nearest: dict[str, Reached] = {}
    counts: dict[str, int] = {}
    for hit in hits:
        counts[hit.symbol.file] = counts.get(hit.symbol.file, 0) + 1
        if hit.symbol.id not in nearest or hit.depth < nearest[hit.symbol.id].depth:
            nearest[hit.symbol.id] = hit
    ordered = sorted(nearest.values(), key=lambda hit: (hit.depth, hit.symbol.file, hit.symbol.line))
    rows = [row for row in by_file(ordered) if _is_run(row.file)]
    rows.sort(key=lambda row: (row.depth, -counts[row.file], row.file))
    proposed = [
        ProposedTests(
            file=row.file,
            tests=row.tests,
            total=row.total,
            depth=row.depth,
            why="changed" if row.depth == 0 else f"runs what changed, the nearest in {row.depth} steps",
        )
        for row in rows
    ]
    named = {row.file for row in proposed}
    return (*proposed, *(row for row in _importing(snapshot, changed_files) if row.file not in named))


def _is_run(path: str) -> bool:
    """Whether a test runner collects the file itself: a conftest.py is run by the tests beside it."""
    return not path.endswith(SHARED)


def _importing(snapshot: Snapshot, changed_files: Iterable[str]) -> list[ProposedTests]:
    """Test files that import a changed file, directly or by others; those below a conftest.py that does, too.

    At the same distance those named like a changed file come first, then those with the most tests.
    """
    seen = {path: 0 for path in changed_files if path in snapshot.facts}
    frontier = list(seen)
    for depth in range(1, _IMPORT_DEPTH + 1):
        following = []
        for path in frontier:
            for importer in _importers(snapshot, path):
                if importer not in seen:
                    seen[importer] = depth
                    following.append(importer)
        frontier = following
    for path, depth in list(seen.items()):
        if path.endswith(SHARED):
            folder = path.removesuffix(SHARED)
            below = (other for other in snapshot.facts if other.startswith(folder) and is_test(other))
            for other in below:
                seen[other] = min(seen.get(other, depth + 1), depth + 1)
    cases = {path: sum(is_case(symbol) for symbol in snapshot.facts[path].symbols[1:]) for path in seen}
    stems = {_stem(path) for path in changed_files}
    rows = sorted(
        (depth, _stem(path) not in stems, -cases[path], path)
        for path, depth in seen.items()
        if is_test(path) and _is_run(path)
    )
    return [
        ProposedTests(
            file=path,
            tests=(),
            total=cases[path],
            depth=depth,
            why=f"imports a changed file in {depth} steps" if depth else "changed",
        )
        for depth, _, _, path in rows
    ]


def _stem(path: str) -> str:
    """A file's name without what makes it a test: test_sessions.py and sessions.py are about the same."""
    name = path.rpartition("/")[2].partition(".")[0]
    return name.removeprefix("test_").removesuffix("_test").removesuffix("s")


def _importers(snapshot: Snapshot, path: str) -> set[str]:
    return {
        edge.file
        for symbol in snapshot.facts[path].symbols
        for edge in certain(snapshot.graph.edges_to(symbol.id, _IMPORTS))
    }


def _element(one: Difference, tests: Sequence[Reached]) -> ChangedElement:
    return ChangedElement(
        element=one.symbol.id,
        type=one.symbol.kind,
        status=one.status,
        lines=one.lines,
        was=one.was,
        signature_changed=one.signature_changed,
        tests=len({hit.symbol.id for hit in tests if is_case(hit.symbol)}),
    )


def _affected(hit: Reached) -> Affected:
    return Affected(
        element=hit.symbol.id,
        type=hit.symbol.kind,
        file=hit.file,
        line=hit.line,
        depth=hit.depth,
        why=hit.why,
        severity="major" if hit.depth == 1 else "minor",
        test=is_test(hit.symbol.file),
    )
