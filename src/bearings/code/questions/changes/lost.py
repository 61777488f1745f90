"""Elements that lost their last known user, or the last test that reaches them."""

from collections.abc import Iterable
from itertools import islice

from bearings.code.graph.project_graph import ALL_KINDS
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.questions.changes.before import Before
from bearings.code.search.reach import BEHAVIOUR, IMPORTS, levels, without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH

_MOST = 500
"""Elements that are looked at."""

_STEPS = 3
"""Steps from changed files along which a test may have reached an element."""


def without_users(was: Before) -> list[str]:
    """The present ids of elements that had a user and have none, by file and line."""
    lost = [
        now
        for former, now in _candidates(was, 1)
        if _is_used(was.snapshot, former) and not _is_used(was.after, now) and not _is_named(was, former, now.name)
    ]
    return _ids(lost)


def without_tests(was: Before) -> list[str]:
    """The present ids of elements that a test reached and none reaches."""
    lost = [
        now
        for former, now in _candidates(was, _STEPS)
        if former.kind is not SymbolKind.PROPERTY
        and _is_tested(was.snapshot, former)
        and not _is_tested(was.after, now)
    ]
    return _ids(lost)


def _candidates(was: Before, steps: int) -> list[tuple[Symbol, Symbol]]:
    """Former and present symbol of what the changed files used, themselves or through other elements."""
    graph = was.snapshot.graph
    level = {symbol.id for file in was.files for symbol in graph.outline(file)}
    seen: dict[str, None] = {}
    for _ in range(steps):
        targets = dict.fromkeys(
            edge.target
            for id_ in sorted(level)
            for edge in without_guesses(graph.edges_from(id_, _USES))
            if edge.target not in seen
        )
        seen.update(islice(targets.items(), max(0, _MOST - len(seen))))
        level = targets.keys() & seen.keys()
    pairs = []
    for id_ in seen:
        former, now = graph.symbols.get(id_), was.now(id_)
        if former and now and former.kind is not SymbolKind.MODULE and not is_test(now.file):
            pairs.append((former, now))
    return pairs


_USES: frozenset[EdgeKind] = ALL_KINDS - IMPORTS
_GIVEN = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE})


def _is_used(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether another element uses it; an import alone is no use, nor is a value that is only given to it."""
    # `self.total = 0` writes a property that nothing reads: that is no use of it.
    graph, kinds = snapshot.graph, _USES - {EdgeKind.WRITE} if symbol.kind in _GIVEN else _USES
    return any(
        edge.source != symbol.id and not _is_inside(graph.symbols.get(edge.source), symbol)
        for edge in without_guesses(graph.edges_to(symbol.id, kinds))
    )


def _is_named(was: Before, former: Symbol, name: str) -> bool:
    """Whether a former user still has a use of that name, which leads nowhere: it may be the same use."""
    graph = was.after.graph
    users_now = (was.now(edge.source) for edge in without_guesses(was.snapshot.graph.edges_to(former.id, _USES)))
    return any(
        use.name.rpartition(".")[2] == name
        for user in users_now
        if user is not None
        for use in graph.outside_by_source.get(user.id, ())
    )


def _is_inside(source: Symbol | None, symbol: Symbol) -> bool:
    return (
        source is not None
        and source.file == symbol.file
        and source.qualified_name.startswith(f"{symbol.qualified_name}.")
    )


def _is_tested(snapshot: Snapshot, symbol: Symbol) -> bool:
    reached = levels(snapshot, [symbol.id], BEHAVIOUR, max_depth=TEST_DEPTH)
    return any(is_test(hit.symbol.file) for level in reached for hit in level)


def _ids(symbols: Iterable[Symbol]) -> list[str]:
    return [one.id for one in sorted(set(symbols), key=lambda one: (one.file, one.line, one.id))]
