"""Elements that lost their last known user, or the last test that reaches them."""

from collections.abc import Iterable, Iterator, Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import USES, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.changes.before import Before
from bearings.code.search.reach import BEHAVIOUR, levels, without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH

_MOST = 500
"""Elements that are looked at."""

_STEPS = 3
"""Steps from a use that is gone along which a test may have reached an element."""


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
    pairs = [(former, now) for former, now in _candidates(was, _STEPS) if former.kind is not SymbolKind.PROPERTY]
    tested = _tested(was.snapshot, [former.id for former, _ in pairs])
    pairs = [pair for pair in pairs if pair[0].id in tested]
    tested = _tested(was.after, [now.id for _, now in pairs])
    return _ids(now for _, now in pairs if now.id not in tested)


def _candidates(was: Before, steps: int) -> list[tuple[Symbol, Symbol]]:
    """Elements that lost a user in the changed files, and what these use: the former and the present symbol of each."""
    graph = was.snapshot.graph
    sources = sorted({symbol.id for file in was.files for symbol in graph.outline(file)})
    targets = [target for id_ in sources for target in _no_longer_used(was, id_)]
    seen: dict[str, None] = {}
    for _ in range(steps):
        level = list(dict.fromkeys(target for target in targets if target not in seen))
        level = level[: max(0, _MOST - len(seen))]
        seen.update(dict.fromkeys(level))
        targets = [edge.target for id_ in sorted(level) for edge in without_guesses(graph.edges_from(id_, USES))]
    pairs = []
    for id_ in seen:
        former, now = graph.symbols.get(id_), was.now(id_)
        if former and now and former.kind is not SymbolKind.MODULE and not is_test(now.file):
            pairs.append((former, now))
    return pairs


def _no_longer_used(was: Before, id_: str) -> Iterator[str]:
    """The elements that a former element used and the present one does not."""
    now = was.now(id_)
    used = {edge.target for edge in without_guesses(was.after.graph.edges_from(now.id, USES))} if now else set()
    for edge in without_guesses(was.snapshot.graph.edges_from(id_, USES)):
        target = was.now(edge.target)
        if target is None or target.id not in used:
            yield edge.target


_GIVEN = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE})


def _is_used(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether another element uses it; an import alone is no use, nor is a value that is only given to it."""
    # `self.total = 0` writes a property that nothing reads: that is no use of it.
    graph, kinds = snapshot.graph, USES - {EdgeKind.WRITE} if symbol.kind in _GIVEN else USES
    return any(
        edge.source != symbol.id and not _is_inside(graph.symbols.get(edge.source), symbol)
        for edge in without_guesses(graph.edges_to(symbol.id, kinds))
    )


def _is_named(was: Before, former: Symbol, name: str) -> bool:
    """Whether a former user still has a use of that name, which leads nowhere: it may be the same use."""
    graph = was.after.graph
    users_now = (was.now(edge.source) for edge in without_guesses(was.snapshot.graph.edges_to(former.id, USES)))
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


def _tested(snapshot: Snapshot, ids: Sequence[str]) -> set[str]:
    """The elements that a test reaches. Each user is looked up once, with a bit for each element that it reaches."""
    seen = {id_: 1 << place for place, id_ in enumerate(ids)}
    frontier, tested = dict(seen), 0
    for _ in range(TEST_DEPTH):
        level: dict[str, int] = {}
        for id_, reaching in frontier.items():
            reaching &= ~tested
            for hit in next(levels(snapshot, [id_], BEHAVIOUR, max_depth=1)) if reaching else ():
                user = hit.symbol.id
                gained = reaching & ~seen.get(user, 0)
                seen[user] = seen.get(user, 0) | gained
                if is_test(hit.symbol.file):
                    tested |= gained
                elif gained:
                    level[user] = level.get(user, 0) | gained
        frontier = level
    return {id_ for place, id_ in enumerate(ids) if tested >> place & 1}


def _ids(symbols: Iterable[Symbol]) -> list[str]:
    return [one.id for one in sorted(set(symbols), key=lambda one: (one.file, one.line, one.id))]
