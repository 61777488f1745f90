"""The outcome of edits: the elements that run the edited code, and the tests to run after them."""

import difflib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.refactoring.edits import Change
from bearings.code.search.reach import Reached, users
from bearings.code.search.reaching_tests import TEST_DEPTH, by_file, commands_for, tests_reaching

_STEPS = 3
"""Steps in which elements count as reached, as in coderef_impact."""
_NEAR_ONLY = "Without an index, only tests that name the edited code are looked for."


class Outcome(NamedTuple):
    """How many elements run the edited code, the test files that do, the nearest first, and the commands for these."""

    reached: int | None = None
    tests: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    note: str = ""


def outcome(snapshot: Snapshot, symbol: Symbol, changes: Iterable[Change]) -> Outcome:
    """Return what edits of an element and its uses reach, by the graph before them."""
    edited = {one.id: one for change in changes for one in _edited(snapshot, change)}
    # Imports are edits of a module. Code at the top of a file has no other element.
    edited = {id_: one for id_, one in edited.items() if one.kind is not SymbolKind.MODULE} or edited
    tests = [_test(one, 0) for one in edited.values() if is_test(one.file)]
    reached, note = None, _NEAR_ONLY
    if snapshot.graph.is_whole:
        reached, note = len(users(snapshot, edited, max_depth=_STEPS)), ""
        tests += tests_reaching(snapshot, edited, TEST_DEPTH)
    else:
        sources = (snapshot.graph.symbols.get(edge.source) for edge in snapshot.graph.edges_to(symbol.id))
        tests += [
            Reached(one, 1, one.file, one.line, "", EdgeKind.CALL) for one in sources if one and is_test(one.file)
        ]
    files = tuple(row.file for row in by_file(tests))
    return Outcome(reached, files, commands_for(snapshot, files), note)


def _test(symbol: Symbol, depth: int) -> Reached:
    return Reached(symbol, depth, symbol.file, symbol.line, "", EdgeKind.CALL)


def _edited(snapshot: Snapshot, change: Change) -> Iterable[Symbol]:
    """The innermost elements around the edited lines of a file."""
    path = change.was or change.path
    lines = _lines(change) if path in snapshot.facts else []
    innermost: dict[int, Symbol] = {}
    for symbol in snapshot.graph.outline(path):
        for line in lines[bisect_left(lines, symbol.line) : bisect_right(lines, symbol.end_line)]:
            innermost[line] = symbol
    return innermost.values()


def _lines(change: Change) -> list[int]:
    """The former lines that are edited, and those after which lines are added, in order."""
    old, new = (change.before or b"").splitlines(), (change.after or b"").splitlines()
    if len(old) == len(new):
        return [number for number, (one, two) in enumerate(zip(old, new, strict=True), 1) if one != two]
    matched = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    edited = ((first, last) for tag, first, last, *_ in matched if tag != "equal")
    return [line for first, last in edited for line in range(first + 1, max(first + 1, last) + 1)]
