"""Reverse reachability: follows uses backwards, also through overridden methods and constructors."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLED, CALLS, HEIRS, IMPORTS, MEMBERS, STARTED, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.replies.affected import Affected, Severity
from bearings.code.search.cases import is_case
from bearings.code.search.members import constructions, is_handler, overridden
from bearings.code.search.protocols import fitted
from bearings.code.search.provided import provided

ACCESSES = frozenset({EdgeKind.READ, EdgeKind.WRITE})
BEHAVIOUR = CALLS | HEIRS | ACCESSES | {EdgeKind.REFERENCE, EdgeKind.REQUEST}
"""Uses that pass on a change of behaviour; an import alone does not."""

FUNCTIONS = CALLED | {SymbolKind.DECORATOR}
"""Kinds that are assumed to run the definitions inside them."""


class Reached(NamedTuple):
    """A symbol, its distance in steps, and the use that leads to it."""

    symbol: Symbol
    depth: int
    file: str
    line: int
    why: str
    kind: EdgeKind

    def affected(self, severity: Severity) -> Affected:
        """The part of a reply for a symbol that a change affects."""
        return Affected(
            element=self.symbol.id,
            type=self.symbol.kind,
            file=self.file,
            line=self.line,
            depth=self.depth,
            why=self.why,
            severity=severity,
            test=is_test(self.symbol.file),
            _is_case=is_case(self.symbol),
        )


def users(
    snapshot: Snapshot, start: Iterable[str], kinds: frozenset[EdgeKind] = BEHAVIOUR, *, max_depth: int
) -> list[Reached]:
    """All users of `start` within `max_depth` steps, nearest first, each symbol once, without guesses."""
    return [reached for level in levels(snapshot, start, kinds, max_depth=max_depth) for reached in level]


def levels(
    snapshot: Snapshot, start: Iterable[str], kinds: frozenset[EdgeKind] = BEHAVIOUR, *, max_depth: int
) -> Iterator[list[Reached]]:
    """The users of `start`, as `users` has them, step by step: for a caller that stops at the first of some kind."""
    frontier = list(dict.fromkeys(start))
    seen = set(frontier)
    for depth in range(1, max_depth + 1):
        level = []
        snapshot.graph.expect(frontier, kinds)
        for id_ in frontier:
            for reached in _one_step(snapshot, id_, kinds, depth):
                if reached.symbol.id not in seen:
                    seen.add(reached.symbol.id)
                    level.append(reached)
        level.sort(key=lambda reached: (reached.symbol.file, reached.symbol.line, reached.symbol.id))
        yield level
        frontier = [reached.symbol.id for reached in level]
        if not frontier:
            break


def _one_step(snapshot: Snapshot, id_: str, kinds: frozenset[EdgeKind], depth: int) -> Iterator[Reached]:
    graph = snapshot.graph
    symbol = graph.symbols.get(id_)
    if symbol is None:
        return
    runs = IMPORTS.isdisjoint(kinds)  # a replacement names the element, and does not run it
    for edge in without_guesses(graph.edges_to(id_, kinds)):
        if runs and edge.is_replacement:
            continue
        yield from _reached(snapshot, edge, depth, f"{VERB[edge.kind]} {symbol.name}")
    # `Cart()` has an edge to the class alone, and runs its constructor.
    for edge in without_guesses(constructions(snapshot, symbol, kinds)):
        yield from _reached(snapshot, edge, depth, f"constructs {graph.symbols[edge.target].name}")
    # `shape.area()` has an edge to Shape.area, and may run Square.area, which overrides it.
    if symbol.kind in MEMBERS:
        for above in overridden(snapshot, symbol):
            for edge in without_guesses(graph.edges_to(above.id, CALLS & kinds)):
                yield from _reached(
                    snapshot, edge, depth, f"calls {above.qualified_name}, which may be {symbol.qualified_name}"
                )
        for fit in fitted(snapshot, symbol):
            others = f", as one of {fit.classes}" if fit.classes > 1 else ""
            why = f"calls {fit.member.qualified_name}, which {symbol.qualified_name} fits{others}"
            for edge in without_guesses(graph.edges_to(fit.member.id, CALLS & kinds)):
                yield from _reached(snapshot, edge, depth, why)
        for base in provided(snapshot, symbol):
            why = f"calls {base.qualified_name}, for which {symbol.qualified_name} is provided"
            for edge in without_guesses(graph.edges_to(base.id, CALLS & kinds)):
                yield from _reached(snapshot, edge, depth, why)
    # What starts a worker runs the module that it names.
    if runs and symbol.kind is SymbolKind.MODULE:
        for edge in graph.edges_to(id_, IMPORTS):
            if edge.reason == STARTED:
                yield from _reached(snapshot, edge, depth, f"starts {symbol.file}")
    # The script of a component in a file of its own runs when the component is rendered.
    if symbol.kind is SymbolKind.MODULE and is_embedded(symbol.file):
        for inner in snapshot.facts[symbol.file].symbols:
            if inner.kind is SymbolKind.COMPONENT and inner.exported:
                for edge in without_guesses(graph.edges_to(inner.id, kinds)):
                    yield from _reached(snapshot, edge, depth, f"{VERB[edge.kind]} {inner.name}")
    # def outer(): def inner(): … – a caller of the outer function is taken to run the inner one, too.
    outer = graph.symbols.get(symbol.parent)
    if outer is not None and (outer.kind in FUNCTIONS or is_handler(symbol, outer)):
        yield Reached(outer, depth, symbol.file, symbol.line, f"holds {symbol.name}", EdgeKind.CALL)


def _reached(snapshot: Snapshot, edge: Edge, depth: int, why: str) -> Iterator[Reached]:
    source = snapshot.graph.symbols.get(edge.source)
    if source is not None:
        yield Reached(source, depth, edge.file, edge.line, why, edge.kind)


def without_guesses(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges without guesses."""
    return (edge for edge in edges if not edge.is_guess)


def without_imported_names(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges without guesses and names of imports, beside each of which stands an edge to the module."""
    return (edge for edge in without_guesses(edges) if not edge.is_name_of_import)


def written_edges(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges of `without_imported_names` that the source spells out: no implicit implementation of an interface."""
    for edge in without_imported_names(edges):
        spec = spec_of(edge.file) if edge.kind is EdgeKind.IMPLEMENTS else None
        if spec is None or not spec.implicit_interfaces:
            yield edge


def importing(snapshot: Snapshot, file: str) -> Iterator[Edge]:
    """The edges by which other files import a file or its elements."""
    for symbol in snapshot.facts[file].symbols if file in snapshot.facts else ():
        yield from (
            edge for edge in without_imported_names(snapshot.graph.edges_to(symbol.id, IMPORTS)) if edge.file != file
        )


VERB = {
    EdgeKind.CALL: "calls",
    EdgeKind.NEW: "constructs",
    EdgeKind.JSX: "renders",
    EdgeKind.IMPORT: "imports",
    EdgeKind.EXPORT: "re-exports",
    EdgeKind.EXTENDS: "extends",
    EdgeKind.IMPLEMENTS: "implements",
    EdgeKind.REFERENCE: "refers to",
    EdgeKind.TYPE: "names the type",
    EdgeKind.READ: "reads",
    EdgeKind.WRITE: "writes",
    EdgeKind.REQUEST: "requests",
}
"""The verb for each kind of use."""
