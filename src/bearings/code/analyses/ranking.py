"""How central each element is: PageRank (Page, Brin, Motwani, Winograd 1999) over who uses what.

An element matters if what matters uses it. Tests vote for nothing: they use everything.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache

from bearings.code.analyses.reach import certain
from bearings.code.models import SymbolKind
from bearings.code.project import is_test
from bearings.code.refresh import Snapshot

_DAMPING = 0.85
_SHARED = 0.5
_PRIVATE = 0.3
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
            if there:
                share = rank[index] / len(there)
                for target in there:
                    following[target] += share
            else:
                lost += rank[index]
        rank = [
            _DAMPING * (value + lost * start[index]) + (1 - _DAMPING) * start[index]
            for index, value in enumerate(following)
        ]
    return dict(zip(ids, rank, strict=True))


def _targets(snapshot: Snapshot, place: Mapping[str, int], *, both_ways: bool) -> list[list[int]]:
    """Whom each element votes for, each once."""
    votes: list[set[int]] = [set() for _ in place]
    for edge in certain(snapshot.graph.resolution.edges):
        source, target = place.get(edge.source), place.get(edge.target)
        if source is None or target is None or source == target or (not both_ways and is_test(edge.file)):
            continue
        votes[source].add(target)
        if both_ways:
            votes[target].add(source)
    return [list(there) for there in votes]


def worth(snapshot: Snapshot, rank: Mapping[str, float]) -> dict[str, float]:
    """Ranks as a reader weighs them: members count for what holds them, too, and what is private counts less."""
    found = dict(rank)
    for id_, value in rank.items():
        parent = snapshot.graph.symbols[id_].parent
        if parent in found:
            found[parent] += _SHARED * value
    for id_ in found:
        symbol = snapshot.graph.symbols[id_]
        if not symbol.exported or symbol.name.startswith("_"):
            found[id_] *= _PRIVATE
    return found


def is_shown(kind: SymbolKind) -> bool:
    """Whether an element of this kind says anything in a list of the most central ones."""
    return kind not in (SymbolKind.MODULE, SymbolKind.PROPERTY, SymbolKind.VARIABLE)
