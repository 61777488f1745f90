"""Selection of test files for a change, in order.

The graph gives the reasons, in this order: the file changed itself; it runs or overrides a changed element; it
instantiates a class with a changed element or with a member that leads to one, which may run it without an edge
(through a framework's callback, or a method found by name); it imports a changed file directly; it can't be loaded any
more. Within a reason the words of the change decide. Files that import changed files only through others are counted,
and proposed if there are no other files.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from bearings.code.analyses.members import CONTAINERS, overriding
from bearings.code.analyses.reach import BEHAVIOUR, CALLS, FUNCTIONS, HEIRS, Reached, importing, users
from bearings.code.analyses.test_reach import by_file, is_case
from bearings.code.analyses.word_overlap import likeness, words_in
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.replies.changes import ProposedTests

_IMPORT_DEPTH = 4
_LEADING_DEPTH = 4
_MAKING_DEPTH = 3
_HEIRS_DEPTH = 3
_MAX_READ = 400
_MAX_TEXT = 1_000_000
_UNLIKE = 0.05
"""The least word overlap, relative to the best, for files whose only reason is an instantiation."""

_CHANGED, _RUNS, _MAY_RUN = range(3)


class Selection(NamedTuple):
    """The files, the best first, and the number of others that import a changed file directly or indirectly."""

    tests: tuple[ProposedTests, ...]
    further: int


class _Row(NamedTuple):
    """A file with its reason: the rank, the text, and whether it suffices without word overlap."""

    group: int
    proposal: ProposedTests
    is_enough: bool = True


def selection(
    snapshot: Snapshot,
    hits: Sequence[Reached],
    starts: Collection[str],
    files: Collection[str],
    broken: Collection[str],
    words: Collection[str],
) -> Selection:
    """The tests for changes of the elements `starts` in `files`.

    `hits`: elements of tests that run them; `broken`: files that import removed elements; `words` of the changed lines.
    """
    rows: dict[str, _Row] = {}
    for row in (
        *_running([*hits, *_overriding(snapshot, starts)]),
        *_unloadable(snapshot, broken),
        *_making(snapshot, starts),
    ):
        rows.setdefault(row.proposal.file, row)
    for row in [row for file, row in rows.items() if _is_shared(file)]:
        for below in _automatic(snapshot, row):
            if not (known := rows.get(below.proposal.file)) or not known.is_enough:
                rows[below.proposal.file] = below
    imported = _importing(snapshot, files)
    for row in imported:
        if row.proposal.depth <= 1:
            rows.setdefault(row.proposal.file, row)
    ordered = _ordered(snapshot, [row for row in rows.values() if _is_run(snapshot, row.proposal.file)], words)
    others = [row.proposal for row in imported if row.proposal.file not in {proposal.file for proposal in ordered}]
    if not ordered:
        ordered = [proposal for proposal in others if proposal.depth == others[0].depth]
        others = others[len(ordered) :]
    return Selection(tuple(ordered), len(others))


def _ordered(snapshot: Snapshot, rows: Sequence[_Row], words: Collection[str]) -> list[ProposedTests]:
    """Order by reason, then words, then distance."""
    near = sorted(rows, key=lambda row: (row.group, row.proposal.depth, row.proposal.file))[:_MAX_READ]
    fit = likeness(words, {row.proposal.file: words_in([_text(snapshot, row.proposal.file)]) for row in near})
    least = _UNLIKE * max(fit.values(), default=0.0)
    enough = [row for row in rows if row.is_enough or fit.get(row.proposal.file, least) >= least]
    enough.sort(key=lambda row: (row.group, -fit.get(row.proposal.file, 0.0), row.proposal.depth, row.proposal.file))
    return [row.proposal for row in enough]


def _text(snapshot: Snapshot, path: str) -> str:
    source = read_from(snapshot.tree, path, _MAX_TEXT)
    return source.data.decode("utf-8", "replace") if isinstance(source, Source) else ""


def _running(hits: Iterable[Reached]) -> Iterator[_Row]:
    """Files that changed, or from which edges lead to a change."""
    nearest: dict[str, Reached] = {}
    for hit in hits:
        if hit.symbol.id not in nearest or hit.depth < nearest[hit.symbol.id].depth:
            nearest[hit.symbol.id] = hit
    ordered = sorted(nearest.values(), key=lambda hit: (hit.depth, hit.symbol.file, hit.symbol.line))
    for row in by_file(ordered):
        why = f"runs what changed, the nearest in {row.depth} steps" if row.depth else "changed"
        yield _Row(_RUNS if row.depth else _CHANGED, _proposed(row.file, row.tests, row.total, row.depth, why))


def _overriding(snapshot: Snapshot, starts: Iterable[str]) -> Iterator[Reached]:
    """Members of classes in tests that override a changed one."""
    for symbol in filter(None, map(snapshot.graph.symbols.get, starts)):
        for other in overriding(snapshot, symbol):
            if is_test(other.file):
                yield Reached(other, 1, other.file, other.line, f"overrides {symbol.name}", EdgeKind.EXTENDS)


def _making(snapshot: Snapshot, starts: Collection[str]) -> Iterator[_Row]:
    """Files that instantiate a class with a changed member, or with a member that leads to one, or a subclass of it."""
    symbols = snapshot.graph.symbols
    leading = [*starts, *(hit.symbol.id for hit in users(snapshot, starts, BEHAVIOUR, max_depth=_LEADING_DEPTH))]
    owners = (symbols.get(symbol.parent) for symbol in map(symbols.get, leading) if symbol is not None)
    holders = {
        owner.id: 0
        for owner in owners
        if owner is not None and owner.kind in CONTAINERS and owner.kind is not SymbolKind.MODULE
    }
    heirs = [hit.symbol.id for hit in users(snapshot, holders, HEIRS, max_depth=_HEIRS_DEPTH)]
    made = _in_tests(users(snapshot, [*holders, *heirs], CALLS | HEIRS, max_depth=1))
    by_makers = _in_tests(users(snapshot, [hit.symbol.id for hit in made], CALLS, max_depth=_MAKING_DEPTH))
    why: dict[str, str] = {}
    for hit in (*made, *by_makers):
        why.setdefault(hit.symbol.file, f"{hit.why}, which may run what changed")
    for row in by_file([*made, *(hit._replace(depth=hit.depth + 1) for hit in by_makers)]):
        yield _Row(_MAY_RUN, _proposed(row.file, row.tests, row.total, row.depth, why[row.file]), is_enough=False)


def _in_tests(hits: Iterable[Reached]) -> list[Reached]:
    return [hit for hit in hits if is_test(hit.symbol.file)]


def _importing(snapshot: Snapshot, files: Iterable[str]) -> list[_Row]:
    """Test files that import one of some files, directly or indirectly; the nearest first."""
    found = _spread(files, lambda path: {edge.file for edge in importing(snapshot, path)}, snapshot)
    rows = []
    for path, depth in found.items():
        if is_test(path) and _is_run(snapshot, path):
            why = f"imports a changed file in {depth} steps" if depth else "changed"
            group = _MAY_RUN if depth else _CHANGED
            rows.append(_Row(group, _proposed(path, (), _cases(snapshot, path), depth, why)))
    return sorted(rows, key=lambda row: (row.proposal.depth, row.proposal.file))


def _unloadable(snapshot: Snapshot, broken: Iterable[str]) -> Iterator[_Row]:
    """Test files that load, directly or indirectly, a file that imports a removed element."""
    for path, depth in _spread(broken, lambda path: _loading(snapshot, path), snapshot).items():
        if is_test(path):
            why = f"can't be loaded in {depth} steps" if depth else "asks for something that is gone"
            yield _Row(_RUNS, _proposed(path, (), _cases(snapshot, path), depth + 1, why))


def _loading(snapshot: Snapshot, path: str) -> set[str]:
    """Files that load a file: they import it or anything below its package, or are below a conftest.py."""
    found = {edge.file for edge in importing(snapshot, path)}
    folder, _, name = path.rpartition("/")
    spec = spec_of(path)
    if spec is not None and name == spec.package_file:
        package = folder.split("/")
        asks = (file for file, facts in snapshot.facts.items() if any(_is_in(i.module, package) for i in facts.imports))
        found.update(asks)
    elif _is_shared(path):
        below = f"{folder}/" if folder else ""
        found.update(file for file in snapshot.facts if file.startswith(below) and is_test(file))
    return found


def _is_in(module: str, package: Sequence[str]) -> bool:
    """Whether a dotted name is a package or inside it; leading folders of the package may be missing in the name."""
    parts = module.split(".")
    return any(parts[:count] == package[-count:] for count in range(1, min(len(parts), len(package)) + 1))


def _spread(start: Iterable[str], following: Callable[[str], set[str]], snapshot: Snapshot) -> dict[str, int]:
    """Files with the fewest steps to each."""
    seen = {path: 0 for path in start if path in snapshot.facts}
    frontier = list(seen)
    for depth in range(1, _IMPORT_DEPTH + 1):
        frontier = sorted({there for path in frontier for there in following(path)} - seen.keys())
        seen.update((path, depth) for path in frontier)
    return seen


def _automatic(snapshot: Snapshot, shared: _Row) -> Iterator[_Row]:
    """All tests below a conftest.py with an autouse fixture."""
    if "autouse" in _text(snapshot, shared.proposal.file):
        folder = shared.proposal.file.removesuffix(shared.proposal.file.rpartition("/")[2])
        for path in snapshot.facts:
            if path.startswith(folder) and is_test(path):
                why = f"is below {shared.proposal.file}, whose fixtures it may use without asking"
                yield _Row(_MAY_RUN, _proposed(path, (), _cases(snapshot, path), shared.proposal.depth + 1, why))


def _is_shared(path: str) -> bool:
    """Whether the file's fixtures are visible to all tests beside and below it."""
    spec = spec_of(path)
    return spec is not None and path.rpartition("/")[2] == spec.fixture_file


def _cases(snapshot: Snapshot, path: str) -> int:
    return sum(is_case(symbol) for symbol in snapshot.facts[path].symbols[1:])


def _is_run(snapshot: Snapshot, path: str) -> bool:
    """Whether a test runner collects the file: it holds tests, not only fixtures."""
    spec, name = spec_of(path), path.rpartition("/")[2]
    if spec is None or not spec.collected or re.match(spec.collected, name):
        return True
    return not _is_shared(path) and any(
        is_case(symbol) and (symbol.kind in FUNCTIONS or symbol.kind is SymbolKind.CLASS)
        for symbol in snapshot.facts[path].symbols[1:]
    )


def _proposed(file: str, tests: Sequence[str], total: int, depth: int, why: str) -> ProposedTests:
    return ProposedTests(file=file, tests=tests, total=total, depth=depth, why=why)
