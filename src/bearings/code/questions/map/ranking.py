"""The centrality of elements: PageRank (Page, Brin, Motwani, Winograd 1999) over uses.

An element is central if central elements use it. Tests, examples and benchmarks have no votes: they use everything. A
vote within a file counts little; otherwise a file of types that name each other would lead. A Go type does not vote for
interfaces that it implements without naming them; otherwise `String()` would lead every list.
"""

import math
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Edge, Symbol, SymbolKind
from bearings.code.project.names import is_aside
from bearings.code.search.reach import ACCESSES, written_edges

_DAMPING = 0.85
_SHARED = 0.5
_PRIVATE = 0.3
_INSIDE = 0.15
"""The weight of a vote within a file; the rest is spread evenly."""
_ROUNDS = 12
"""Iterations: enough for a stable order of the first hundred, and no more are shown."""
_LEAST = 2e-4
"""The share of rank below which nothing is passed on to neighbours."""


@lru_cache(maxsize=1)
def weights(snapshot: Snapshot) -> Mapping[str, float]:
    """The weight of every element for a reader of the whole project, by id."""
    return worth(snapshot, ranks(snapshot))


def ranks_around(snapshot: Snapshot, focus: Collection[str]) -> Mapping[str, float]:
    """Ranks relative to some elements, through uses in both directions. Distant elements have no rank.

    Personalised PageRank by local pushes (Andersen, Chung, Lang 2006), which visits only elements with a rank.
    """
    near: dict[str, list[str]] = {}
    rank: defaultdict[str, float] = defaultdict(float)
    rest = dict.fromkeys(focus, 1 / max(1, len(focus)))
    queue = deque(rest)
    while queue:
        here = queue.popleft()
        there = near[here] if here in near else near.setdefault(here, _neighbours(snapshot, here))
        left = rest[here]
        if left < _LEAST * max(1, len(there)):
            continue
        rest[here] = 0.0
        rank[here] += (1 - _DAMPING) * left
        for other in there:
            before = rest.get(other, 0.0)
            rest[other] = before + _DAMPING * left / len(there)
            if before < _LEAST <= rest[other]:
                queue.append(other)
    for here, left in rest.items():
        rank[here] += (1 - _DAMPING) * left
    return dict(rank)


def _neighbours(snapshot: Snapshot, here: str) -> list[str]:
    """The elements that an element uses, and its users, each once."""
    graph = snapshot.graph
    used = [edge.target for edge in written_edges(graph.edges_from(here))]
    users = [graph.symbols.get(edge.source) for edge in written_edges(graph.edges_to(here))]
    neighbours = dict.fromkeys([*used, *(_voter(user) for user in users if user is not None)])
    return [other for other in neighbours if other != here and other in graph.symbols]


def ranks(snapshot: Snapshot) -> Mapping[str, float]:
    """Every element's rank in the whole project, by id; they sum to 1."""
    ids = list(snapshot.graph.symbols)
    if not ids:
        return {}
    targets = _targets(snapshot, {id_: index for index, id_ in enumerate(ids)})
    start = 1 / len(ids)
    rank = [start] * len(ids)
    for _ in range(_ROUNDS):
        following = [0.0] * len(ids)
        lost = 0.0
        for index, there in enumerate(targets):
            lost += rank[index]
            share = rank[index] / len(there) if there else 0.0
            for target, weight in there:
                following[target] += share * weight
                lost -= share * weight
        rank = [_DAMPING * (value + lost * start) + (1 - _DAMPING) * start for value in following]
    return dict(zip(ids, rank, strict=True))


def _targets(snapshot: Snapshot, place: Mapping[str, int]) -> list[list[tuple[int, float]]]:
    """The elements that each element votes for, with the weight of the vote."""
    votes: list[dict[int, float]] = [{} for _ in place]
    voters = {id_: place.get(_voter(symbol)) for id_, symbol in _symbols(snapshot).items()}
    mute = {file for file in snapshot.facts if is_test(file) or is_aside(file)}
    if len(mute) == len(snapshot.facts):
        mute = set()
    for edge in _counted(snapshot):
        source, target = voters.get(edge.source), place.get(edge.target)
        if source is not None and target is not None and source != target and edge.file not in mute:
            # A file of types that name each other would lead if its votes counted fully.
            votes[source][target] = _INSIDE if edge.target.partition("#")[0] == edge.file else 1.0
    return [list(there.items()) for there in votes]


def _counted(snapshot: Snapshot) -> Iterator[Edge]:
    """The uses that make an element central. Those of fields are left out: they would rank what has many of them."""
    return (edge for edge in written_edges(snapshot.graph.resolution.edges) if edge.kind not in ACCESSES)


def _symbols(snapshot: Snapshot) -> dict[str, Symbol]:
    """All symbols by id, looked up a file at a time."""
    return {id_: symbol for path in snapshot.facts for id_, symbol in snapshot.graph.within(path).items()}


def _voter(symbol: Symbol) -> str:
    """The voter for a symbol's uses: a property votes through its parent."""
    return symbol.parent if symbol.kind is SymbolKind.PROPERTY and symbol.parent else symbol.id


def worth(snapshot: Snapshot, rank: Mapping[str, float]) -> dict[str, float]:
    """Ranks, weighted for a reader: up for use in many files, down for private elements.

    Used members add to their parent's weight. The base rank that every element has is subtracted; otherwise a class
    would gain by the number of its members.
    """
    weights_by_id = dict(rank)
    floor = min(rank.values(), default=0.0)
    symbols = _symbols(snapshot)
    files = _files_of_users(snapshot)
    for id_, value in rank.items():
        parent = symbols[id_].parent
        if parent in weights_by_id:
            weights_by_id[parent] += _SHARED * (value - floor)
            files.setdefault(parent, set()).update(files.get(id_, ()))
    for id_, symbol in symbols.items():
        weights_by_id[id_] *= math.log2(2 + len(files.get(id_, ())))
        if not symbol.exported or symbol.name.startswith("_"):
            weights_by_id[id_] *= _PRIVATE
    return weights_by_id


def _files_of_users(snapshot: Snapshot) -> dict[str, set[str]]:
    """The other files that use each element, without tests, examples and the like."""
    files: dict[str, set[str]] = {}
    beside = {file for file in snapshot.facts if is_test(file) or is_aside(file)}
    for edge in _counted(snapshot):
        if edge.file not in beside and edge.target.partition("#")[0] != edge.file:
            files.setdefault(edge.target, set()).add(edge.file)
    return files


def is_shown(kind: SymbolKind) -> bool:
    """Whether elements of this kind are useful in a list of the most central ones."""
    return kind not in (SymbolKind.MODULE, SymbolKind.PROPERTY, SymbolKind.VARIABLE)
