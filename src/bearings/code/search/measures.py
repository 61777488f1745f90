"""The measures of a snapshot's functions, by element."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from bearings.code.file_facts import Measure
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol


@lru_cache(maxsize=1)
def all_measures(snapshot: Snapshot) -> Mapping[str, tuple[Symbol, Measure]]:
    """Every function's measure, and every module's that has one, by the element's id."""
    return {
        (symbol := facts.symbols[measure.symbol]).id: (symbol, measure)
        for facts in snapshot.facts.values()
        for measure in facts.measures
    }


def measures_of(snapshot: Snapshot, members: Iterable[str]) -> Iterator[Measure]:
    """The measures of some elements, without those that have none."""
    known = all_measures(snapshot)
    return (known[member][1] for member in members if member in known)
