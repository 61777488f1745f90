"""The elements that must keep one name."""

import re
from collections.abc import Callable, Iterator, Mapping

from bearings.code.file_facts import BindingKind, Trait
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.occurrences import ByEdges
from bearings.code.models import EMBEDDED, MEMBERS, EdgeKind, Symbol, SymbolKind
from bearings.code.search.members import overridden, overriding, places, relatives, shape_of
from bearings.code.type_expressions import TypeReference

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
            if other.qualified_name == here.qualified_name and _is_beside(other, here) and are_alike(other, here)
        ]
        waiting += _embedded(snapshot, here)
        if by_edges(here.file) is not None:
            waiting += _related(snapshot, here)
        elif is_member(snapshot, here):
            waiting += [*places(snapshot, here), *overridden(snapshot, here), *overriding(snapshot, here)]
            waiting += _of_metaclass(snapshot, here)
    return members


def by_edges(path: str) -> ByEdges | None:
    """How edges tell what names mean in the language of a file; None if scopes do."""
    spec = spec_of(path)
    return spec.name_rules().by_edges if spec is not None and spec.name_rules is not None else None


def are_alike(one: Symbol, other: Symbol) -> bool:
    """Whether two elements can't have the same name in one place, as a field and a method of Java can."""
    rules = by_edges(other.file)
    return rules is None or all((one.kind in space) == (other.kind in space) for space in rules.spaces)


def _related(snapshot: Snapshot, symbol: Symbol) -> Iterator[Symbol]:
    """The constructors and parts of a type; what overrides a member, or is overridden, also for a type below."""
    if may_override(symbol):
        kin = kin_of(snapshot, symbol)
        for other in snapshot.graph.called(symbol.name):
            if may_override(other) and are_alike(other, symbol) and declaring_type(snapshot, other) in kin:
                yield other
    elif symbol.kind is not SymbolKind.METHOD:
        yield from _parts(snapshot, symbol)
        within = snapshot.graph.within(symbol.file).values()
        made = (one for one in within if one.kind is SymbolKind.CONSTRUCTOR and one.name == symbol.name)
        yield from (one for one in made if one.parent == symbol.id)


def may_override(symbol: Symbol) -> bool:
    """Whether an element is a method or the like that overrides others by its name."""
    rules = by_edges(symbol.file)
    if rules is None or symbol.kind not in rules.overriding or not (symbol.inside or symbol.kind is SymbolKind.METHOD):
        return False  # a constant at the top of a file
    return not re.search(rules.alone, symbol.signature)


def kin_of(snapshot: Snapshot, member: Symbol) -> set[str]:
    """The type that declares a member, the types below it, and all those above these, each with all its parts."""
    symbols, own = snapshot.graph.symbols, _own_types(snapshot, member)
    heirs = [symbols[id_] for id_ in own] + [one for id_ in own for one in relatives(snapshot, id_, upwards=False)]
    below = {part.id for one in heirs for part in _parts(snapshot, one)}
    above = (one for id_ in below for one in relatives(snapshot, id_, upwards=True))
    return below | {part.id for one in above for part in _parts(snapshot, one)}


def _own_types(snapshot: Snapshot, member: Symbol) -> set[str]:
    """The type that declares a member, in all its parts; empty for none of the project."""
    type_ = snapshot.graph.symbols.get(declaring_type(snapshot, member))
    return {part.id for part in _parts(snapshot, type_)} if type_ is not None else set()


def _parts(snapshot: Snapshot, type_: Symbol) -> list[Symbol]:
    """The declarations of a type, of which some may be in other files."""
    facts = snapshot.facts
    if not shape_of(snapshot, type_).traits & Trait.PARTIAL:
        return [type_]
    named = (one for one in snapshot.graph.called(type_.name) if one.qualified_name == type_.qualified_name)
    package = facts[type_.file].package
    others = [one for one in named if one.kind is type_.kind and facts[one.file].package == package]
    return [one for one in others if shape_of(snapshot, one).traits & Trait.PARTIAL]


def declaring_type(snapshot: Snapshot, member: Symbol) -> str:
    """The id of the type of a member; for a class without a name of the one above it, empty if that is outside."""
    facts, graph = snapshot.facts[member.file], snapshot.graph
    scope = shape_of(snapshot, member).scope
    nameless = (row for row in facts.bindings if row.scope == scope and row.kind is BindingKind.TYPE)
    row = next((row for row in nameless if row.name == "new"), None)
    if row is None:
        return member.parent
    name = (row.type.name if isinstance(row.type, TypeReference) else str(row.type)).rpartition(".")[2]
    around = graph.symbols.get(member.parent)
    outer = graph.symbols.get(around.parent) if around is not None else None
    if outer is not None and outer.name == name:  # enum Op { ADD { int run() { … } } }
        return outer.id
    edges = (edge for one in (around, outer) if one is not None for edge in graph.edges_from(one.id, {EdgeKind.NEW}))
    named = [edge for edge in edges if edge.line <= row.line and graph.symbols[edge.target].name == name]
    return max(named, key=lambda edge: edge.line).target if named else ""


def rivals(snapshot: Snapshot, member: Symbol, new: str) -> Iterator[Symbol]:
    """The elements of a name that a member can't share with them, in a language whose names edges tell."""
    rules = by_edges(member.file)
    kin = kin_of(snapshot, member) if may_override(member) else _own_types(snapshot, member) - {member.file}
    for other in snapshot.graph.called(new):
        is_top = not (other.inside or member.inside)
        is_beside = is_top and snapshot.facts[other.file].package == snapshot.facts[member.file].package
        is_taken = (rules is not None and rules.shares_names) or are_alike(other, member)
        if is_taken and (is_beside or declaring_type(snapshot, other) in kin):
            yield other


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
    """Whether an element is named through another one: a method, a property, a value of an enum.

    In a language whose names edges tell, all elements count as members.
    """
    owner = snapshot.graph.symbols.get(symbol.parent)
    if by_edges(symbol.file) is not None:
        return True
    return symbol.kind in MEMBERS or (owner is not None and owner.kind not in _OWNERS)
