"""Functions that no test reaches through the graph: the most used and the most complex first."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import Symbol
from bearings.code.questions.patterns.direct_users import DirectUsers
from bearings.code.replies.patterns import TestGap
from bearings.code.search.capabilities import lacks
from bearings.code.search.elsewhere import named_in_tests
from bearings.code.search.measures import all_measures
from bearings.code.search.reach import BEHAVIOUR, FUNCTIONS, HEIRS
from bearings.code.search.reaching_tests import TEST_DEPTH

_RUNS = BEHAVIOUR - HEIRS
"""Uses that run their target."""


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


@lru_cache(maxsize=1)
def gaps(snapshot: Snapshot) -> tuple[Sequence[TestGap], int]:
    """The gaps, the riskiest first, and the number of functions outside tests."""
    reached = reached_by_tests(snapshot)
    measures = all_measures(snapshot)
    functions = dict(_functions(snapshot, measures))
    direct = DirectUsers(snapshot)
    found = [
        TestGap(
            element=id_,
            users=direct.count(symbol),
            cognitive_complexity=measures[id_][1].cognitive if id_ in measures else None,
        )
        for id_, symbol in functions.items()
        if id_ not in reached
    ]
    found.sort(key=lambda gap: (-(gap.users + 1) * ((gap.cognitive_complexity or 0) + 1), gap.element))
    return found, len(functions)


def _functions(snapshot: Snapshot, measures: Collection[str]) -> Iterator[tuple[str, Symbol]]:
    """The functions outside tests that could be reached by an edge, with their ids; those with a measure."""
    for path in snapshot.facts:
        if not is_test(path) and not lacks(path, Capability.EDGES):
            is_unmeasured = lacks(path, Capability.MEASURES)
            for id_, symbol in snapshot.graph.within(path).items():
                if symbol.kind in FUNCTIONS and (is_unmeasured or id_ in measures):
                    yield id_, symbol


def with_mentions(snapshot: Snapshot, found: Sequence[TestGap]) -> list[TestGap]:
    """The gaps with lines of tests that hold their names: a test may reach them without an edge."""
    symbols = snapshot.graph.symbols
    lines = named_in_tests(snapshot, [symbols[gap.element] for gap in found])
    rows = ((gap, lines[gap.element]) for gap in found)
    return [replace(gap, mentions=row.places, first=row.first) for gap, row in rows]
