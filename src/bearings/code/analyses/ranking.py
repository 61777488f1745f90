"""How central each element is: PageRank (Page, Brin, Motwani, Winograd 1999) over who uses what.

An element matters if what matters uses it. Tests vote for nothing, nor do examples and benchmarks: they use everything.
A vote inside a file counts for little, as otherwise a file of types that name each other would be the centre of all.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache

from bearings.code.analyses.reach import certain
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project import is_aside, is_test
from bearings.code.refresh import Snapshot

_DAMPING = 0.85
_SHARED = 0.5
_PRIVATE = 0.3
_INSIDE = 0.15
"""What a vote for an element of one's own file counts; the rest of it goes to nobody in particular."""
_ROUNDS = 12
"""Enough for the order of the first hundred to stand still; the rest is never shown."""


@lru_cache(maxsize=1)
def ranks(snapshot: Snapshot) -> Mapping[str, float]:
    """Every element's rank in the whole project, by id; they sum to 1."""
    return _ranked(snapshot, frozenset())


def ranks_around(snapshot: Snapshot, focus: Collection[str]) -> Mapping[str, float]:
    """Ranks as seen from some elements: what they use and what uses them, step by step."""
    return _ranked(snapshot, frozenset(focus))


def _ranked(snapshot: Snapshot, focus: frozenset[str]) -> dict[str, float]:
    ids = list(snapshot.graph.symbols)
    if not ids:
        return {}
    place = {id_: index for index, id_ in enumerate(ids)}
    targets = _targets(snapshot, place, both_ways=bool(focus))
    start = [0.0] * len(ids)
    chosen = [place[id_] for id_ in focus if id_ in place] or range(len(ids))
    for index in chosen:
        start[index] = 1 / len(chosen)
    rank = start
    for _ in range(_ROUNDS):
        following = [0.0] * len(ids)
        lost = 0.0
        for index, there in enumerate(targets):
            lost += rank[index]
            share = rank[index] / len(there) if there else 0.0
            for target, weight in there:
                following[target] += share * weight
                lost -= share * weight
        rank = [
            _DAMPING * (value + lost * start[index]) + (1 - _DAMPING) * start[index]
            for index, value in enumerate(following)
        ]
    return dict(zip(ids, rank, strict=True))


def _targets(snapshot: Snapshot, place: Mapping[str, int], *, both_ways: bool) -> list[list[tuple[int, float]]]:
    """Whom each element votes for, each once, with what the vote counts."""
    votes: list[dict[int, float]] = [{} for _ in place]
    voters = {id_: place.get(_voter(symbol)) for id_, symbol in snapshot.graph.symbols.items()}
    mute = frozenset() if both_ways else {file for file in snapshot.facts if is_test(file) or is_aside(file)}
    if len(mute) == len(snapshot.facts):
        mute = frozenset()
    for edge in certain(snapshot.graph.resolution.edges):
        source, target = voters.get(edge.source), place.get(edge.target)
        if source is None or target is None or source == target or edge.file in mute:
            continue
        is_inside = not both_ways and edge.target.partition("#")[0] == edge.file
        votes[source][target] = _INSIDE if is_inside else 1.0
        if both_ways:
            votes[target][source] = 1.0
    return [list(there.items()) for there in votes]


def _voter(symbol: Symbol) -> str:
    """Who votes for what a symbol uses: a property has no voice of its own."""
    return symbol.parent if symbol.kind is SymbolKind.PROPERTY and symbol.parent else symbol.id


def worth(snapshot: Snapshot, rank: Mapping[str, float]) -> dict[str, float]:
    """Ranks as a reader weighs them: members that are used count for what holds them, too; what is private counts less.

    What every element has by itself counts for nothing: a class would matter for the number of its members.
    """
    found = dict(rank)
    floor = min(rank.values(), default=0.0)
    for id_, value in rank.items():
        parent = snapshot.graph.symbols[id_].parent
        if parent in found:
            found[parent] += _SHARED * (value - floor)
    for id_ in found:
        symbol = snapshot.graph.symbols[id_]
        if not symbol.exported or symbol.name.startswith("_"):
            found[id_] *= _PRIVATE
    return found


def is_shown(kind: SymbolKind) -> bool:
    """Whether an element of this kind says anything in a list of the most central ones."""
    return kind not in (SymbolKind.MODULE, SymbolKind.PROPERTY, SymbolKind.VARIABLE)
