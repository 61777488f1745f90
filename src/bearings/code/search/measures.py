"""The measures of a snapshot's functions, by element."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from bearings.code.file_facts import FileFacts, Measure
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol


@lru_cache(maxsize=1)
def all_measures(snapshot: Snapshot) -> Mapping[str, tuple[Symbol, Measure]]:
    """Every function's measure, and every module's that has one, by the element's id."""
    return _by_id(snapshot.facts.values())


def measures_of(snapshot: Snapshot, members: Mapping[str, Symbol]) -> Iterator[Measure]:
    """The measures of some elements, by id, without those that have none."""
    files = dict.fromkeys(symbol.file for symbol in members.values())
    known = _by_id(snapshot.facts[file] for file in files)
    return (known[member][1] for member in members if member in known)


def _by_id(facts: Iterable[FileFacts]) -> dict[str, tuple[Symbol, Measure]]:
    return {(symbol := one.symbols[row.symbol]).id: (symbol, row) for one in facts for row in one.measures}
