"""Finds calls of what is handed on without a type: guesses, from the text around a call and the names of a file.

hooks{before: one}       `h.before()` may run `one`: a field holds it
Stage(Voice())           `speaker.say()` may run Voice.say in `def __init__(self, speaker)`, if Stage is made here alone
"""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from bearings.code.expressions import site_of
from bearings.code.file_facts import BindingKind, FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import Confidence, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.search.call_arguments import texts_in
from bearings.code.search.element_words import lines_in
from bearings.code.search.members import constructions, overridden
from bearings.code.search.reach import without_guesses
from bearings.code.search.signatures import head_of

_MOST_NAMED: Final = 20
"""Uses of a function as a value, and calls of a name on an unknown object, that are looked into."""
_DEEPEST: Final = 4
_CALLED: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_MADE: Final = re.compile(r"(?:new\s+)?[\w$.]+\s*\(.*\)", re.DOTALL)
_SELVES: Final = frozenset({"self", "this"})
_VALUES: Final = frozenset({BindingKind.LOCAL, BindingKind.SYMBOL})


class _Parameter(NamedTuple):
    function: Symbol
    name: str


def calls_of_fields(snapshot: Snapshot, function: Symbol, kinds: Collection[EdgeKind]) -> Iterator[tuple[Symbol, Edge]]:
    """The calls of fields that a function is assigned to, each with the field."""
    graph = snapshot.graph
    named = graph.edges_to(function.id, {EdgeKind.REFERENCE}) if function.kind in _CALLED else []
    assigned = re.compile(rf"([\w$]+)\s*(?:=|:)\s*(?:[\w$]+\.)*{re.escape(function.name)}(?![\w$(.])")
    fields: dict[str, Symbol] = {}
    for edge in named if len(named) <= _MOST_NAMED else ():
        text = b"".join(lines_in(snapshot, edge.file)[edge.line - 1 : edge.line]).decode("utf-8", "replace")
        names = {found[1] for found in assigned.finditer(text)}
        for write in graph.edges_from(edge.source, {EdgeKind.WRITE}) if names else ():
            field = graph.symbols.get(write.target) if write.line == edge.line else None
            if field is not None and field.kind is SymbolKind.PROPERTY and field.name in names:
                fields[field.id] = field
    for field in fields.values():
        for call in without_guesses(graph.edges_to(field.id, _CALLS & set(kinds))):
            yield field, call


def calls_of_parameters(
    snapshot: Snapshot, method: Symbol, kinds: Collection[EdgeKind]
) -> Iterator[tuple[Symbol, Edge]]:
    """The calls of a method on a parameter without a type, each with its function, which gets such an object."""
    graph = snapshot.graph
    if method.kind is not SymbolKind.METHOD or EdgeKind.CALL not in kinds:
        return
    sites = [site for site in graph.unresolved_by_name.get(method.name, ()) if site.kind is EdgeKind.CALL]
    for site in sites if len(sites) <= _MOST_NAMED else ():
        within, receiver = graph.symbols.get(site.source), site.name.removesuffix(f".{method.name}")
        parameter = _parameter(snapshot, within, receiver, site.line) if within is not None else None
        if parameter is not None and _gets(snapshot, parameter, method.parent):
            reason = f"handed to {parameter.function.qualified_name}"
            yield (
                parameter.function,
                Edge(site.source, method.id, site.kind, site.file, site.line, Confidence.HEURISTIC, reason),
            )


def _parameter(snapshot: Snapshot, within: Symbol, value: str, line: int, depth: int = 0) -> _Parameter | None:
    """The parameter without a type that a value is, in a function on a line: itself, by a local name, by a field."""
    if depth > _DEEPEST or within.file not in snapshot.facts:
        return None
    facts = snapshot.facts[within.file]
    first, dot, rest = value.partition(".")
    if dot:
        owner = snapshot.graph.symbols.get(within.parent)
        fields = snapshot.graph.members(owner, rest) if owner is not None and first in _SELVES else ()
        writes = [one for one in facts.mentions if one.kind is EdgeKind.WRITE and one.callee == value]
        for index, symbol in enumerate(facts.symbols) if len(fields) == 1 and len(writes) == 1 else ():
            held = facts.shapes[index].value
            if symbol.id == fields[0].id and isinstance(held, str):
                setter = facts.symbols[facts.scopes[facts.shapes[index].scope].symbol]
                return _parameter(snapshot, setter, held, symbol.line, depth + 1)
        return None
    inner = next((facts.shapes[at].inner for at, one in enumerate(facts.symbols) if one.id == within.id), -1)
    rows = [row for row in facts.bindings if row.scope == inner and row.name == value and row.line <= line]
    if not rows or rows[-1].type is not None:
        return None
    if rows[-1].kind is BindingKind.PARAMETER:
        return _Parameter(within, value)
    held = rows[-1].value
    return _parameter(snapshot, within, held, rows[-1].line, depth + 1) if isinstance(held, str) else None


def _gets(snapshot: Snapshot, parameter: _Parameter, class_id: str) -> bool:
    """Whether the only call of a function gives a parameter an object of a class."""
    function, graph, spec = parameter.function, snapshot.graph, spec_of(parameter.function.file)
    head = head_of(function.signature, function.name)
    names = [one.name for one in head.parameters] if head is not None else []
    if parameter.name not in names or spec is None or overridden(snapshot, function):
        return False
    calls = [*graph.edges_to(function.id, _CALLS), *constructions(snapshot, function, _CALLS)]
    if len(calls) != 1 or calls[0].is_guess or graph.edges_to(function.id, {EdgeKind.REFERENCE}):
        return False
    call = calls[0]
    called = graph.symbols[call.target].name
    lines = [line.decode("utf-8", "replace") for line in lines_in(snapshot, call.file)]
    texts = texts_in(lines, call.line, [called], comment=spec.comment) or []
    if len(texts) != 1:
        return False
    at, prefix = names.index(parameter.name), re.compile(rf"{re.escape(parameter.name)}\s*=\s*")
    named = [one[found.end() :] for one in texts[0] if spec.keyword_arguments and (found := prefix.match(one))]
    placed = texts[0][at : at + 1] if not any(one.startswith(("*", "...")) for one in texts[0][: at + 1]) else []
    return any(_is_object(snapshot, one, call, class_id) for one in named or placed)


def _is_object(snapshot: Snapshot, argument: str, call: Edge, class_id: str) -> bool:
    """Whether an argument is an object of a class: made there, or a name that was given one."""
    made = {(edge.file, edge.line) for edge in snapshot.graph.edges_to(class_id, _CALLS)}
    if _MADE.fullmatch(argument):
        class_ = snapshot.graph.symbols[class_id].name
        return (call.file, call.line) in made and re.match(
            rf"(?:new\s+)?(?:[\w$]+\.)*{class_}\s*\(", argument
        ) is not None
    lines = _made_at(snapshot.facts[call.file], argument)
    return len(lines) == 1 and (call.file, lines[0]) in made


def _made_at(facts: FileFacts, name: str) -> list[int]:
    """The lines of the calls that give a name its value in a file; 0 for another value."""
    rows = [row for row in facts.bindings if row.name == name and row.kind in _VALUES]
    values = [facts.shapes[row.target].value if row.kind is BindingKind.SYMBOL else row.value for row in rows]
    sites = [site_of(value) for value in values]
    return [facts.sites[site].line if site >= 0 else 0 for site in sites]
