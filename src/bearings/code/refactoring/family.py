"""The elements that must keep one name."""

from collections.abc import Callable, Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import EMBEDDED, EdgeKind, Symbol, SymbolKind
from bearings.code.search.members import overridden, overriding
from bearings.code.search.reach import MEMBERS

_OWNERS = frozenset(
    {SymbolKind.MODULE, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.CONSTRUCTOR}
)
"""Kinds whose inner elements are names of a scope. Elements of other kinds are members."""


def family(snapshot: Snapshot, symbol: Symbol) -> dict[str, Symbol]:
    """The element with all that must keep its name, by id.

    These are overloads and variants, what it overrides, and what overrides it, and fields that are named by their type.
    """
    members: dict[str, Symbol] = {}
    waiting = [symbol]
    while waiting:
        here = waiting.pop()
        if here.id in members:
            continue
        members[here.id] = here
        waiting += [
            other
            for path in together(snapshot, here.file)
            for other in snapshot.facts[path].symbols
            if other.qualified_name == here.qualified_name and _is_beside(other, here)
        ]
        waiting += _embedded(snapshot, here)
        if is_member(snapshot, here):
            waiting += [*overridden(snapshot, here), *overriding(snapshot, here), *_of_metaclass(snapshot, here)]
    return members


def together(snapshot: Snapshot, path: str) -> list[str]:
    """The files that share the names at their top with a file: itself, or those of its package."""
    spec = spec_of(path)
    if spec is None or not spec.imports_folders:
        return [path]
    folder, package = path.rpartition("/")[0], snapshot.facts[path].package
    return [
        other
        for other in snapshot.facts
        if other.rpartition("/")[0] == folder and spec_of(other) is spec and snapshot.facts[other].package == package
    ]


def owner_of(symbol: Symbol) -> str:
    """The qualified name of the element around; empty at the top of a file."""
    return symbol.qualified_name.rpartition(".")[0]


def _is_beside(one: Symbol, other: Symbol) -> bool:
    """Whether two elements have the same container, or variants of it in two files."""
    if one.file == other.file:
        return one.inside == other.inside
    return one.inside.partition(":")[0] == other.inside.partition(":")[0]


def _embedded(snapshot: Snapshot, symbol: Symbol) -> Iterator[Symbol]:
    """The fields that a type gives its name by being embedded, and the type of such a field."""
    graph = snapshot.graph
    for edge in graph.edges_to(symbol.id, {EdgeKind.EXTENDS}):
        # type Page struct { Base }: the field Base has the name of its type.
        if edge.reason == EMBEDDED:
            yield from graph.members(graph.symbols[edge.source], symbol.name)
    for edge in graph.edges_from(symbol.parent, {EdgeKind.EXTENDS}) if symbol.kind is SymbolKind.PROPERTY else ():
        if edge.reason == EMBEDDED and graph.symbols[edge.target].name == symbol.name:
            yield graph.symbols[edge.target]


def declared_by_writing(
    snapshot: Snapshot, members: Mapping[str, Symbol], is_once: Callable[[str, int], bool]
) -> dict[str, Symbol]:
    """The elements that a write to a member declares, by id: `box.a = () => 1`, `const box: Box = { a() {} }`.

    `is_once` tells whether the name is once on a line of a file; otherwise it may declare another element.
    """
    declared = {}
    for member in members.values():
        for edge in snapshot.graph.edges_to(member.id, {EdgeKind.WRITE}):
            here = [
                one for one in snapshot.graph.outline(edge.file) if (one.line, one.name) == (edge.line, member.name)
            ]
            if len(here) == 1 and here[0].id not in members and not edge.is_guess and is_once(edge.file, edge.line):
                declared[here[0].id] = here[0]
    return declared


def _of_metaclass(snapshot: Snapshot, member: Symbol) -> Iterator[Symbol]:
    """The members of the name in a class that the head of the owner names beside its bases, as a metaclass."""
    owner = snapshot.graph.symbols.get(member.parent)
    for edge in snapshot.graph.edges_from(owner.id, {EdgeKind.REFERENCE}) if owner is not None else ():
        if owner is not None and edge.file == owner.file and edge.line == owner.line:
            yield from (
                other
                for other in snapshot.graph.outline(edge.target.partition("#")[0])
                if other.parent == edge.target and other.name == member.name
            )


def is_member(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether an element is named through another one: a method, a property, a value of an enum."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    return symbol.kind in MEMBERS or (owner is not None and owner.kind not in _OWNERS)
