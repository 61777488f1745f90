"""Members of elements, and overriding."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bearings.code.file_facts import Shape
from bearings.code.grouping import grouped
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import CALLS, EMBEDDED, HEIRS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.resolve.lineage import lineage
from bearings.code.type_expressions import TypeReference

CONTAINERS = frozenset({SymbolKind.MODULE, SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.SCHEMA, SymbolKind.ENUM})
"""Kinds that include their members: to use a method is to use its class."""

_MERGED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
_OVERLOADED = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_IMPORT = frozenset({EdgeKind.IMPORT})
_EXTENDED = frozenset({EdgeKind.EXTENDS})
_STANDS_IN = frozenset({EdgeKind.IMPLEMENTS})
"""Edges from one method to another, as in Go, whose types don't contain their methods."""


def places(snapshot: Snapshot, symbol: Symbol) -> list[Symbol]:
    """The definitions that are one element with a symbol, itself among them, the longest first.

    These are overloads of a function, and a method's declaration in a header with its definition. Calls by name lead
    to all of them, and those by types to all that may fit. Where declarations merge, they are those of one name.
    """
    spec = spec_of(symbol.file)
    if spec is not None and spec.declarations_merge:
        return sorted(_merged(snapshot, symbol), key=_longest_first)
    if symbol.kind not in _OVERLOADED or spec is None or not spec.is_declared:
        return [symbol]
    files = [symbol.file]
    if spec.declares_apart and symbol.kind is not SymbolKind.FUNCTION:
        imported = {edge.target for edge in snapshot.graph.edges_from(symbol.file, _IMPORT)}
        files += [
            path for path in imported | snapshot.graph.importers(symbol.file) if _stem(path) == _stem(symbol.file)
        ]
    found = [one for path in dict.fromkeys(files) for one in snapshot.graph.within(path).values()]
    found = [one for one in found if one.qualified_name == symbol.qualified_name and one.kind is symbol.kind]
    return sorted(found, key=_longest_first)


def _longest_first(symbol: Symbol) -> tuple[int, str, int]:
    return symbol.line - symbol.end_line, symbol.file, symbol.line


def _merged(snapshot: Snapshot, symbol: Symbol) -> list[Symbol]:
    """The declarations of a class or interface, or of a member in these: `interface Box { tap(): void }` beside it."""
    graph, merged = snapshot.graph, _layout(snapshot, symbol.file).merged
    if symbol.kind in _MERGED:
        return merged.get(symbol.qualified_name, [symbol])
    owner = graph.symbols.get(symbol.parent)
    owners = merged.get(owner.qualified_name, ()) if owner is not None and owner.kind in _MERGED else ()
    others = [one for each in owners if each is not owner for one in graph.members(each, symbol.name)]
    return [symbol, *others]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def with_members(snapshot: Snapshot, symbol: Symbol) -> dict[str, Symbol]:
    """The symbol, its other places and, if it is a container, all its members, by id."""
    own = symbol.id
    if symbol.kind not in CONTAINERS:
        return {own: symbol} | {one.id: one for one in places(snapshot, symbol)}
    if symbol.kind is SymbolKind.MODULE:
        return dict(snapshot.graph.within(symbol.file))
    prefix = symbol.qualified_name + "."
    lines, by_line, methods, _ = _layout(snapshot, symbol.file)
    members: list[Symbol] = []
    for place in places(snapshot, symbol):
        inside = by_line[bisect_left(lines, place.line) : bisect_right(lines, place.end_line)]
        members += [other for other in inside if other.id == place.id or other.qualified_name.startswith(prefix)]
        # Go declares methods outside of their type: `func (c Cart) Add()`.
        members += methods.get(place.id, ())
    return {other.id: other for other in members}


class Once:
    """Tells the first of the edges that a line has to several places of an element, such as overloads."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, EdgeKind, str, int, str]] = set()

    def is_first(self, edge: Edge) -> bool:
        """Whether no other edge of the same line to the same element was seen."""
        spec = spec_of(edge.file)
        if spec is None or not spec.is_declared:
            return True
        name = edge.target.partition("#")[2].rpartition(":")[0]
        key = edge.source, edge.kind, edge.file, edge.line, name
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new


class _Layout(NamedTuple):
    """A file's symbols by line, with these lines, its methods by the id of their container, and its merged types."""

    lines: Sequence[int]
    symbols: Sequence[Symbol]
    methods: dict[str, list[Symbol]]
    merged: dict[str, list[Symbol]]


@lru_cache(maxsize=2)
def _layout(snapshot: Snapshot, file: str) -> _Layout:
    symbols = sorted(snapshot.graph.within(file).values(), key=lambda symbol: symbol.line)
    methods = grouped((symbol.parent, symbol) for symbol in symbols if symbol.kind is SymbolKind.METHOD)
    types = grouped((symbol.qualified_name, symbol) for symbol in symbols if symbol.kind in _MERGED)
    return _Layout([symbol.line for symbol in symbols], symbols, methods, types)


def is_handler(symbol: Symbol, owner: Symbol) -> bool:
    """Whether an element is assigned to a member of an object that is no element: `socket.onopen = () => …`.

    Its owner is the element around the assignment.
    """
    place = symbol.qualified_name.removeprefix(f"{owner.qualified_name}.")
    return "." in place and ".prototype." not in place


Bases = dict[str, list[Symbol]]
"""The classes and interfaces that each class inherits from, by its id, as far as they were looked up."""


def overridden(snapshot: Snapshot, symbol: Symbol, bases_of: Bases | None = None) -> list[Symbol]:
    """The members of base classes and interfaces that a member overrides or implements.

    `bases_of` is filled: a caller that asks about many members of a snapshot passes the same one.
    """
    return list(_namesakes(snapshot, symbol, {} if bases_of is None else bases_of, upwards=True))


def overriding(snapshot: Snapshot, symbol: Symbol) -> list[Symbol]:
    """The members of subclasses that override or implement a member."""
    return list(_namesakes(snapshot, symbol, {}, upwards=False))


def _namesakes(snapshot: Snapshot, symbol: Symbol, bases_of: Bases, *, upwards: bool) -> Iterator[Symbol]:
    graph = snapshot.graph
    edges_of = graph.edges_from if upwards else graph.edges_to
    # Go: the edge leads from the method `func (Real) Run()` itself to Runner.Run.
    for edge in edges_of(symbol.id, _STANDS_IN) if symbol.kind is SymbolKind.METHOD else ():
        other = graph.symbols.get(edge.target if upwards else edge.source)
        if other is not None:
            yield other
    if symbol.kind is SymbolKind.CONSTRUCTOR:  # a constructor is never called through another class
        return
    owner = symbol.parent
    if owner not in bases_of:
        bases_of[owner] = relatives(snapshot, owner, upwards=upwards, override=True)
    for relative in bases_of[owner]:
        yield from graph.members(relative, symbol.name)


def constructions(snapshot: Snapshot, symbol: Symbol, kinds: Collection[EdgeKind]) -> Iterator[Edge]:
    """The uses, of these kinds, of the classes whose construction runs a member: `Cart()` has an edge to Cart alone."""
    for class_id in constructed(snapshot, symbol):
        yield from snapshot.graph.edges_to(class_id, CALLS.intersection(kinds))


def constructed(snapshot: Snapshot, symbol: Symbol) -> Iterator[str]:
    """The classes whose construction runs a member: its own, and those below that inherit it."""
    spec = spec_of(symbol.file)
    is_run = spec is not None and symbol.name in spec.run_by_construction
    if not (is_run or symbol.kind is SymbolKind.CONSTRUCTOR) or symbol.parent not in snapshot.graph.symbols:
        return
    yield symbol.parent
    for heir in relatives(snapshot, symbol.parent, upwards=False):
        if _provider(snapshot, heir, symbol.name) == symbol.id:
            yield heir.id


def _provider(snapshot: Snapshot, owner: Symbol, name: str) -> str:
    """The id of the member of a name that a class has or inherits; empty if a base outside may give it another one."""
    graph = snapshot.graph
    for id_ in lineage(owner.id, lambda below: [edge.target for edge in graph.edges_from(below, _EXTENDED)]):
        own = graph.members(graph.symbols[id_], name) if id_ in graph.symbols else ()
        if own:
            return own[0].id
        if any(use.kind is EdgeKind.EXTENDS for use in graph.outside_by_source.get(id_, ())):
            return ""
    return ""


def relatives(snapshot: Snapshot, owner: str, *, upwards: bool, override: bool = False) -> list[Symbol]:
    """The types above or below a type, at any distance, objects of interfaces and what returns such included.

    With `override` without those that a struct of Go embeds: its methods hide theirs, and override none.
    """
    graph = snapshot.graph
    container = graph.symbols.get(owner)
    if container is None or container.kind is SymbolKind.MODULE:
        return []
    relatives: list[Symbol] = []
    waiting, seen = [owner], {owner}
    while waiting:
        current = waiting.pop()
        edges = graph.edges_from(current, HEIRS) if upwards else graph.edges_to(current, HEIRS)
        for edge in edges:
            relative_id = edge.target if upwards else edge.source
            if override and edge.reason == EMBEDDED and graph.symbols[edge.source].kind is SymbolKind.CLASS:
                continue
            relative = graph.symbols.get(relative_id)
            if relative is not None and relative_id not in seen:
                seen.add(relative_id)
                waiting.append(relative_id)
                relatives.append(relative)
    return relatives


def outside_bases(snapshot: Snapshot, symbol: Symbol) -> Iterator[str]:
    """The names of types from outside that a class extends or implements, in a language with declared types."""
    graph, shape = snapshot.graph, shape_of(snapshot, symbol)
    inside = {graph.symbols[edge.target].name for edge in graph.edges_from(symbol.id, HEIRS)}
    for base in (*(base.value for base in shape.bases), *shape.implements):
        name = base.name if isinstance(base, TypeReference) else base
        if isinstance(name, str) and name.rpartition(".")[2] not in inside:
            yield name.rpartition(".")[2]


def shape_of(snapshot: Snapshot, symbol: Symbol) -> Shape:
    """The shape of an element."""
    facts = snapshot.facts[symbol.file]
    index = next((index for index, one in enumerate(facts.symbols) if one.id == symbol.id), 0)
    return facts.shapes[index]
