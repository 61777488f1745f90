"""The measures of a snapshot's functions, by element."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from bearings.code.file_facts import FileFacts, Measure
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind


@lru_cache(maxsize=1)
def all_measures(snapshot: Snapshot) -> Mapping[str, tuple[Symbol, Measure]]:
    """Every function's measure, and every module's that has one, by the element's id."""
    return _by_id(snapshot.facts.values())


def most_complex(snapshot: Snapshot) -> list[tuple[Symbol, Measure]]:
    """The functions outside tests, the most complex first."""
    rows = [
        row
        for row in all_measures(snapshot).values()
        if row[0].kind is not SymbolKind.MODULE and not is_test(row[0].file)
    ]
    return sorted(rows, key=lambda row: (-row[1].cognitive, -row[1].cyclomatic, row[0].id))


def measures_of(snapshot: Snapshot, members: Mapping[str, Symbol]) -> Iterator[Measure]:
    """The measures of some elements, by id, without those that have none."""
    files = dict.fromkeys(symbol.file for symbol in members.values())
    known = _by_id(snapshot.facts[file] for file in files)
    return (known[member][1] for member in members if member in known)


def _by_id(facts: Iterable[FileFacts]) -> dict[str, tuple[Symbol, Measure]]:
    return {(symbol := one.symbols[row.symbol]).id: (symbol, row) for one in facts for row in one.measures}
