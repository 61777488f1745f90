"""The tests that reach an element, by the graph. No test is run."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from bearings.code.file_facts import MarkKind
from bearings.code.grouping import grouped
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLS, HEIRS, IMPORTS, STARTED, TYPES, Edge, EdgeKind, SymbolKind
from bearings.code.replies.tests import TestFile
from bearings.code.search.cases import is_case
from bearings.code.search.reach import BEHAVIOUR, Reached, users, without_imported_names

TEST_DEPTH = 6
"""The most steps from a test to a tested element: with more, nearly everything reaches everything."""

_RUNS = BEHAVIOUR - HEIRS
"""Uses that run their target."""

_REPLACES = frozenset({EdgeKind.REFERENCE, EdgeKind.WRITE})
_NAMED = 5
_MOST_RUN = 12
"""The most files on one command line."""
_NEAR = 10
"""Lines of decorators between the one that replaces something and what it decorates."""


def tests_reaching(snapshot: Snapshot, start: Iterable[str], depth: int) -> list[Reached]:
    """Elements of test files that run `start` within `depth` steps, nearest first.

    Naming a type, or its properties, is no test of it, nor is what replaces an element, or the module around it.
    """
    start = list(start)
    members = [id_ for id_ in start if not _is_of_type(snapshot, id_)]
    reached = without_mocks(snapshot, start, users(snapshot, members, BEHAVIOUR, max_depth=depth))
    tests = [
        hit for hit in reached if is_test(hit.symbol.file) and hit.kind not in HEIRS and hit.symbol.kind not in TYPES
    ]
    found = {hit.symbol.file: hit for hit in reached if hit.symbol.kind is SymbolKind.MODULE}
    modules = {file: hit for file, hit in found.items() if hit.kind in CALLS}
    if not tests and not modules:
        asked = (snapshot.graph.symbols[id_] for id_ in members if id_ in snapshot.graph.symbols)
        own = {
            symbol.file: Reached(symbol, 0, symbol.file, 1, "", EdgeKind.IMPORT)
            for symbol in asked
            if symbol.kind is SymbolKind.MODULE
        }
        modules = found | own
    known = {hit.symbol.file for hit in tests}
    return tests + [hit for hit in _loading(snapshot, modules, depth) if hit.symbol.file not in known]


def without_mocks(snapshot: Snapshot, ids: Iterable[str], reached: Iterable[Reached]) -> list[Reached]:
    """What reaches some elements, without the tests that put other values in their place: these never run them."""
    mocks = replacing(snapshot, ids)
    return [hit for hit in reached if mocks.isdisjoint((hit.symbol.id, hit.symbol.parent, hit.symbol.file))]


def replacing(snapshot: Snapshot, ids: Iterable[str]) -> set[str]:
    """The tests that put another value in the place of one of some elements, and the files that replace its module.

    A replacement in a nameless function is left out: it may hold for one test of several in the file.
    """
    graph, found = snapshot.graph, set[str]()
    for id_ in ids:
        symbol = graph.symbols.get(id_)
        if symbol is None or symbol.kind is SymbolKind.MODULE:
            continue
        edges = [edge for edge in graph.edges_to(id_, _REPLACES) if edge.is_replacement and is_test(edge.file)]
        found.update(source for edge in edges if (source := _decorated(snapshot, edge)) != edge.file)
        found.update(edge.file for edge in graph.edges_to(symbol.file, IMPORTS) if edge.is_replacement)
    return found


def _decorated(snapshot: Snapshot, edge: Edge) -> str:
    """The source of an edge; for a decorator, which runs in the module, the function or class below it."""
    facts, lines = snapshot.facts[edge.file], (edge.line, edge.line - 1)
    marks = (mark for mark in facts.marks if mark.kind is MarkKind.DECORATOR and mark.line in lines)
    if edge.source != edge.file or next(marks, None) is None:
        return edge.source
    below = [symbol for symbol in facts.symbols if edge.line < symbol.line <= edge.line + _NEAR]
    return min(below, key=lambda symbol: symbol.line).id if below else edge.source


def _loading(snapshot: Snapshot, modules: Mapping[str, Reached], depth: int) -> Iterator[Reached]:
    """The test files that load modules, directly or indirectly: these run what their top level calls."""
    symbols, seen, frontier = snapshot.graph.symbols, set(modules), dict(modules)
    while frontier:
        level: dict[str, Reached] = {}
        snapshot.graph.expect(frontier, IMPORTS)
        for file, hit in frontier.items():
            for other, line in loaded_by(snapshot, file) if hit.depth < depth else ():
                if other not in seen and other in symbols:
                    why = f"loads {file}"
                    level.setdefault(other, Reached(symbols[other], hit.depth + 1, other, line, why, EdgeKind.IMPORT))
        yield from (hit for file, hit in level.items() if is_test(file))
        seen |= level.keys()
        frontier = level


def loaded_by(snapshot: Snapshot, file: str) -> Iterator[tuple[str, int]]:
    """The files that import one, with the line, those that import what it stands in for, and tests that run with it."""
    spec = spec_of(file)
    mocks = f"{spec.mocks_folder}/" if spec is not None and spec.mocks_folder else ""
    for path in dict.fromkeys((file, file.replace(mocks, "", 1) if mocks else file)):
        if path in snapshot.facts:
            edges = without_imported_names(snapshot.graph.edges_to(path, IMPORTS))
            yield from ((edge.file, edge.line) for edge in edges if not edge.is_replacement)
    start = spec.tests_loading(file, snapshot.project.manifests) if spec is not None and spec.tests_loading else ""
    if start:
        yield from ((path, 1) for path in snapshot.facts if is_test(path) and re.match(start, path))


def _is_of_type(snapshot: Snapshot, id_: str) -> bool:
    """Whether a symbol is a property of a type, which has no value of its own."""
    symbols = snapshot.graph.symbols
    parent = symbols.get(symbols[id_].parent) if id_ in symbols else None
    return parent is not None and parent.kind in TYPES and symbols[id_].kind is SymbolKind.PROPERTY


def by_file(reached: Sequence[Reached]) -> tuple[TestFile, ...]:
    """The tests by file, the nearest file first, with its nearest tests.

    Helpers are left out, and files of fixtures, which run no test of their own, unless there is nothing else.
    """
    found = grouped((test.symbol.file, test) for test in reached)
    files = {file: inside for file, inside in found.items() if not is_shared(file)} or found
    rows = []
    for file, inside in files.items():
        cases = [test for test in inside if is_case(test.symbol)]
        held = {test.symbol.id for test in cases}
        named = [test for test in cases if test.symbol.parent not in held] or inside
        rows.append(
            TestFile(
                file=file,
                depth=min(test.depth for test in inside),
                tests=tuple(test.symbol.id for test in named[:_NAMED]),
                total=len(named),
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.depth, -row.total, row.file)))


def commands_for(snapshot: Snapshot, files: Iterable[str]) -> tuple[str, ...]:
    """A command for the first test files of each group, in their order; none for languages without a known runner."""
    groups = grouped((spec.group, path) for path in files if (spec := spec_of(path)) is not None)
    commands = {spec.group: spec.test_command for spec in SPECS.values() if spec.test_command is not None}
    return tuple(
        command(groups[group][:_MOST_RUN], snapshot.project.manifests)
        for group, command in commands.items()
        if group in groups
    )


def is_shared(path: str) -> bool:
    """Whether the file's fixtures are visible to all tests beside and below it."""
    spec = spec_of(path)
    return spec is not None and path.rpartition("/")[2] == spec.fixture_file


@lru_cache(maxsize=1)
def reached_by_tests(snapshot: Snapshot) -> frozenset[str]:
    """All elements that tests run, within `TEST_DEPTH` steps."""
    graph = snapshot.graph
    run: dict[str, list[str]] = {}
    read: set[str] = set()
    frontier = [id_ for path in snapshot.facts if is_test(path) for id_ in graph.within(path)]
    seen = set(frontier)
    for _ in range(TEST_DEPTH):
        files = {graph.symbols[id_].file for id_ in frontier} - read
        for edge, target in graph.links(files):
            if (edge.kind in _RUNS or edge.reason == STARTED) and not (edge.is_guess or edge.is_replacement):
                run.setdefault(edge.source, []).append(target)
        read |= files
        frontier = list({target for id_ in frontier for target in run.get(id_, ())} - seen)
        seen.update(frontier)
    return frozenset(seen)
