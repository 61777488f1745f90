"""Functions that no test reaches through the graph: the most used and the most complex first."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import CALLS, MEMBERS, Symbol
from bearings.code.questions.patterns import TestGap
from bearings.code.search.capabilities import lacks
from bearings.code.search.elsewhere import named_in_tests
from bearings.code.search.measures import all_measures
from bearings.code.search.members import Bases, constructed, overridden
from bearings.code.search.reach import BEHAVIOUR, FUNCTIONS
from bearings.code.search.reaching_tests import reached_by_tests


@lru_cache(maxsize=1)
def gaps(snapshot: Snapshot) -> tuple[Sequence[TestGap], int]:
    """The gaps, the riskiest first, and the number of functions outside tests."""
    reached = reached_by_tests(snapshot)
    measures = all_measures(snapshot)
    functions = dict(_functions(snapshot, measures))
    direct = DirectUsers(snapshot)
    untested = [
        TestGap(
            element=id_,
            users=direct.count(symbol),
            cognitive_complexity=measures[id_][1].cognitive if id_ in measures else None,
        )
        for id_, symbol in functions.items()
        if id_ not in reached
    ]
    untested.sort(key=lambda gap: (-(gap.users + 1) * ((gap.cognitive_complexity or 0) + 1), gap.element))
    return untested, len(functions)


def _functions(snapshot: Snapshot, measures: Collection[str]) -> Iterator[tuple[str, Symbol]]:
    """The functions outside tests that could be reached by an edge, with their ids; those with a measure."""
    for path in snapshot.facts:
        if not is_test(path) and not lacks(path, Capability.EDGES):
            is_unmeasured = lacks(path, Capability.MEASURES)
            for id_, symbol in snapshot.graph.within(path).items():
                if symbol.kind in FUNCTIONS and (is_unmeasured or id_ in measures):
                    yield id_, symbol


def with_mentions(snapshot: Snapshot, gaps_shown: Sequence[TestGap]) -> list[TestGap]:
    """The gaps with lines of tests that hold their names: a test may reach them without an edge."""
    symbols = snapshot.graph.symbols
    lines = named_in_tests(snapshot, [symbols[gap.element] for gap in gaps_shown])
    rows = ((gap, lines[gap.element]) for gap in gaps_shown)
    return [replace(gap, mentions=row.places, first=row.first) for gap, row in rows]


class DirectUsers:
    """Counts what `reach.users` finds at depth 1, for many elements: one pass over all edges, not a search for each.

    Calls through interfaces that a class does not name are left out.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._bases: Bases = {}
        self._callers: dict[str, list[str]] = {}
        self._others: dict[str, list[str]] = {}
        for edge, target in snapshot.graph.links():
            if edge.kind in BEHAVIOUR and not (edge.is_guess or edge.is_replacement):
                table = self._callers if edge.kind in CALLS else self._others
                table.setdefault(target, []).append(edge.source)

    def count(self, symbol: Symbol) -> int:
        """The number of elements that use a symbol, without itself."""
        own = symbol.id
        users = {*self._callers.get(own, ()), *self._others.get(own, ())}
        for class_id in constructed(self._snapshot, symbol):
            users.update(self._callers.get(class_id, ()))
        if symbol.kind in MEMBERS:
            for above in overridden(self._snapshot, symbol, self._bases):
                users.update(self._callers.get(above.id, ()))
        outer = self._snapshot.graph.symbols.get(symbol.parent) if symbol.inside else None
        if outer is not None and outer.kind in FUNCTIONS:
            users.add(outer.id)
        return len(users - {own})
