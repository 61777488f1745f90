"""What the index of a project and answers without one say of every element."""

from collections.abc import Iterator, Mapping

from bearings.code.file_facts import FileFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.resolve.demand.resolver import NeedsIndex
from bearings.code.symbol_keys import keys_of


def elements(facts: Mapping[str, FileFacts]) -> Iterator[tuple[Symbol, str]]:
    """Every symbol with its key."""
    for path in facts:
        yield from zip(facts[path].symbols, keys_of(facts[path]), strict=True)


def differing(whole: Snapshot, demand: UnindexedProject) -> list[str]:
    """The elements whose uses or bases differ, and the files whose importers do: with the index, and without."""
    try:
        graph = demand.refresh().graph
    except NeedsIndex:
        return []
    found = []
    for symbol, _ in elements(whole.facts):
        for ask in ("edges_to", "edges_from"):
            try:
                edges = getattr(graph, ask)(symbol.id)
            except NeedsIndex:
                continue
            if edges != getattr(whole.graph, ask)(symbol.id):
                found.append(f"{ask} {symbol.id}")
        if graph.find(symbol.id) != [symbol]:
            found.append(f"find {symbol.id}")
    for path in whole.facts:
        try:
            importers = graph.importers(path)
        except NeedsIndex:
            continue
        if importers != whole.graph.importers(path):
            found.append(f"importers {path}")
    return found
