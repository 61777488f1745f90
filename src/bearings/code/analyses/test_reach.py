"""Which tests reach an element, by the graph: no test is run for it."""

import re
from collections.abc import Iterable, Sequence

from bearings.code.analyses.reach import BEHAVIOUR, Reached, users
from bearings.code.answers.risk import TestFile
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.project import is_test

TEST_DEPTH = 6
"""Steps from a test to what it tests: beyond these nearly everything reaches everything."""

_NAMED = 5
_CASE = re.compile(r"[Tt]est|(?:Benchmark|Example|Fuzz)(?![a-z])")
_TYPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


def tests_reaching(snapshot: Snapshot, start: Iterable[str]) -> list[Reached]:
    """Elements of test files that run `start`, nearest first. A test that only names a type tests nothing."""
    members = list(start)
    return [
        reached
        for reached in users(snapshot, members, BEHAVIOUR, max_depth=TEST_DEPTH)
        if is_test(reached.symbol.file) and _runs(reached)
    ]


def _runs(reached: Reached) -> bool:
    return reached.kind not in (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS) and reached.symbol.kind not in _TYPES


def by_file(reached: Sequence[Reached]) -> tuple[TestFile, ...]:
    """The tests by file, the nearest file first; of each the nearest tests. What only helps tests is not named."""
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
    """Whether an element of a test file is a test, and not what helps one: by its name, or as the file's own code."""
    return symbol.kind is SymbolKind.MODULE or _CASE.match(symbol.name) is not None
