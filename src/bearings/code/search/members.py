"""Members of elements, and overriding."""

from collections.abc import Iterator

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import EdgeKind, Symbol, SymbolKind

CONTAINERS = frozenset({SymbolKind.MODULE, SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.SCHEMA, SymbolKind.ENUM})
"""Kinds that include their members: to use a method is to use its class."""

_HEIRS = frozenset({EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})
_STANDS_IN = frozenset({EdgeKind.IMPLEMENTS})
"""Edges from one method to another, as in Go, whose types don't contain their methods."""


def with_members(snapshot: Snapshot, symbol: Symbol) -> dict[str, Symbol]:
    """The symbol and, if it is a container, all its members, by id."""
    own = symbol.id
    if symbol.kind not in CONTAINERS:
        return {own: symbol}
    here = snapshot.graph.within(symbol.file)
    if symbol.kind is SymbolKind.MODULE:
        return dict(here)
    prefix = symbol.qualified_name + "."
    return {
        id_: other
        for id_, other in here.items()
        if id_ == own
        or (other.qualified_name.startswith(prefix) and symbol.line <= other.line <= symbol.end_line)
        # Go declares methods outside of their type: `func (c Cart) Add()`.
        or (other.parent == own and other.kind is SymbolKind.METHOD)
    }


Bases = dict[str, list[Symbol]]
"""The classes and interfaces that each class inherits from, by its id, as far as they were looked up."""


def overridden(snapshot: Snapshot, symbol: Symbol, known: Bases | None = None) -> list[Symbol]:
    """The members of base classes and interfaces that a member overrides or implements.

    `known` is filled: a caller that asks about many members of a snapshot passes the same one.
    """
    return list(_namesakes(snapshot, symbol, {} if known is None else known, up=True))


def overriding(snapshot: Snapshot, symbol: Symbol) -> list[Symbol]:
    """The members of subclasses that override or implement a member."""
    return list(_namesakes(snapshot, symbol, {}, up=False))


def _namesakes(snapshot: Snapshot, symbol: Symbol, known: Bases, *, up: bool) -> Iterator[Symbol]:
    graph = snapshot.graph
    edges_of = graph.edges_from if up else graph.edges_to
    # Go: the edge leads from the method `func (Real) Run()` itself to Runner.Run.
    for edge in edges_of(symbol.id, _STANDS_IN) if symbol.kind is SymbolKind.METHOD else ():
        other = graph.symbols.get(edge.target if up else edge.source)
        if other is not None:
            yield other
    if symbol.kind is SymbolKind.CONSTRUCTOR:  # a constructor is never called through another class
        return
    owner = symbol.parent
    if owner not in known:
        known[owner] = _relatives(snapshot, owner, up=up)
    for relative in known[owner]:
        yield from graph.members(relative, symbol.name)


def _relatives(snapshot: Snapshot, owner: str, *, up: bool) -> list[Symbol]:
    """The classes and interfaces above or below a container, at any distance; none for another symbol."""
    graph = snapshot.graph
    container = graph.symbols.get(owner)
    if container is None or container.kind not in CONTAINERS or container.kind is SymbolKind.MODULE:
        return []
    relatives: list[Symbol] = []
    waiting, seen = [owner], {owner}
    while waiting:
        here = waiting.pop()
        edges = graph.edges_from(here, _HEIRS) if up else graph.edges_to(here, _HEIRS)
        for there in [edge.target if up else edge.source for edge in edges]:
            relative = graph.symbols.get(there)
            if relative is not None and there not in seen:
                seen.add(there)
                waiting.append(there)
                relatives.append(relative)
    return relatives
