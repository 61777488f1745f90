"""The tests that reach an element, by the graph. No test is run."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.replies.tests import TestFile
from bearings.code.search.reach import BEHAVIOUR, HEIRS, Reached, users

TEST_DEPTH = 6
"""The most steps from a test to a tested element: with more, nearly everything reaches everything."""

_RUNS = BEHAVIOUR - HEIRS
"""Uses that run their target."""

_NAMED = 5
_CASE = re.compile(r"[Tt]est|(?:Benchmark|Example|Fuzz)(?![a-z])")
_TYPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


def tests_reaching(snapshot: Snapshot, start: Iterable[str], depth: int) -> list[Reached]:
    """Elements of test files that run `start` within `depth` steps, nearest first.

    Naming a type, or its properties, is no test of it.
    """
    members = [id_ for id_ in start if not _is_of_type(snapshot, id_)]
    return [
        reached
        for reached in users(snapshot, members, BEHAVIOUR, max_depth=depth)
        if is_test(reached.symbol.file) and reached.kind not in HEIRS and reached.symbol.kind not in _TYPES
    ]


def _is_of_type(snapshot: Snapshot, id_: str) -> bool:
    """Whether a symbol is a property of a type, which has no value of its own."""
    symbols = snapshot.graph.symbols
    parent = symbols.get(symbols[id_].parent) if id_ in symbols else None
    return parent is not None and parent.kind in _TYPES and symbols[id_].kind is SymbolKind.PROPERTY


def by_file(reached: Sequence[Reached]) -> tuple[TestFile, ...]:
    """The tests by file, the nearest file first, with its nearest tests. Helpers are left out."""
    files: dict[str, list[Reached]] = {}
    for test in reached:
        files.setdefault(test.symbol.file, []).append(test)
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


def is_case(symbol: Symbol) -> bool:
    """Whether an element of a test file is a test and no helper: by its name, or as top-level code."""
    return symbol.kind is SymbolKind.MODULE or _CASE.match(symbol.name) is not None


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
            if edge.kind in _RUNS and not edge.is_guess:
                run.setdefault(edge.source, []).append(target)
        read |= files
        frontier = list({target for id_ in frontier for target in run.get(id_, ())} - seen)
        seen.update(frontier)
    return frozenset(seen)
