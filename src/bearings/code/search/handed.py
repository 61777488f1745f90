"""Guesses uses of functions and objects that are passed on without a type of their own, from the text around a call.

hooks{before: one}       `h.before()` may run `one`: a field holds it
Stage(Voice())           `speaker.say()` may run Voice.say in `def __init__(self, speaker)`, if Stage is made here alone
speaker: Speaker         `speaker.say()` may run Voice.say, if Speaker, a class above Voice, has no `say`
templateUrl: "a.html"    `(click)="save()"` in a.html calls `save` of the component that follows
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple, TypeAlias

from bearings.code.expressions import Typed, site_of
from bearings.code.file_facts import BindingKind, Shape
from bearings.code.grouping import grouped
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.line_conventions import InPages
from bearings.code.models import WRITTEN_CALLS, Confidence, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.words import Search, Word
from bearings.code.search.call_arguments import texts_in
from bearings.code.search.element_words import lines_in
from bearings.code.search.members import constructions, overridden, relatives, shape_of
from bearings.code.search.protocols import has_members
from bearings.code.search.reach import without_guesses
from bearings.code.search.signatures import head_of
from bearings.code.type_expressions import ObjectType, TypeExpression, type_names

_MOST_NAMED: Final = 20
"""Uses of a function as a value, and calls of a name on an unknown object, that are looked into."""
_MOST_FILES: Final = 500
"""Files that name a type whose values are looked into."""
_ABOVE: Final = 20
"""Lines before a function that may say that pages name it."""
_IN_PAGES: Final = frozenset({SymbolKind.ENDPOINT, SymbolKind.FUNCTION, SymbolKind.CLASS})
_DEEPEST: Final = 4
_HEAD: Final = 40
_MOST_CHARACTERS: Final = 8_000
"""Lines before a class that may name the file of its template, and their characters."""
_CALLED: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPE: Final = frozenset({EdgeKind.TYPE})
_MADE: Final = re.compile(r"(?:new\s+)?(?:[\w$]+\.)*([\w$]+)\s*\(.*\)", re.DOTALL)
_SELVES: Final = frozenset({"self", "this"})
_VALUES: Final = frozenset({BindingKind.LOCAL, BindingKind.SYMBOL})

_Uses: TypeAlias = Iterator[tuple[Symbol, Edge]]


def calls_of_fields(snapshot: Snapshot, function: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The calls of fields that a function is assigned to, each with the field."""
    graph = snapshot.graph
    named = graph.edges_to(function.id, {EdgeKind.REFERENCE}) if function.kind in _CALLED else []
    assigned = re.compile(rf"([\w$]+)\s*(?:=|:)\s*(?:[\w$]+\.)*{re.escape(function.name)}(?![\w$(.])")
    fields: dict[str, Symbol] = {}
    for edge in named if len(named) <= _MOST_NAMED else ():
        names = {found[1] for found in assigned.finditer(_text(snapshot, edge.file, edge.line - 1, edge.line))}
        for write in graph.edges_from(edge.source, {EdgeKind.WRITE}) if names else ():
            field = graph.symbols.get(write.target) if write.line == edge.line else None
            if field is not None and field.kind is SymbolKind.PROPERTY and field.name in names:
                fields[field.id] = field
    for field in fields.values():
        for call in without_guesses(graph.edges_to(field.id, WRITTEN_CALLS & set(kinds))):
            yield field, call


def calls_of_parameters(snapshot: Snapshot, method: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The calls of a method on a parameter without a type, each with its function, which gets such an object."""
    graph = snapshot.graph
    if method.kind is not SymbolKind.METHOD or EdgeKind.CALL not in kinds:
        return
    sites = [site for site in graph.unresolved(method) if site.kind is EdgeKind.CALL]
    for site in sites if len(sites) <= _MOST_NAMED else ():
        within, receiver = graph.symbols.get(site.source), site.name.removesuffix(f".{method.name}")
        origin = _origin(snapshot, within, receiver, site.line) if within is not None else None
        if origin is None or not origin.parameter or origin.type is not None:
            continue
        if _gets(snapshot, origin.element, origin.parameter, method.parent):
            guess = Edge(site.source, method.id, site.kind, site.file, site.line, Confidence.HEURISTIC, "handed on")
            yield origin.element, guess


def uses_by_types(snapshot: Snapshot, method: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The uses of a method on values whose type is a class above its own that lacks it, each with that class."""
    for base in relatives(snapshot, method.parent, upwards=True)[:_MOST_NAMED]:
        files = _files_with_values(snapshot, base, method.name)
        for file in files if len(files) <= _MOST_FILES else ():
            facts = snapshot.facts[file]
            for use in (*facts.sites, *facts.mentions):
                kind = EdgeKind.REFERENCE if use.kind is EdgeKind.READ else use.kind
                value, dot, name = use.callee.rpartition(".") if isinstance(use.callee, str) else ("", "", "")
                if not dot or name != method.name or kind not in kinds:
                    continue
                within = facts.symbols[facts.scopes[use.scope].symbol]
                origin = _origin(snapshot, within, value, use.at)
                if origin is not None and _is_of(snapshot, origin, base):
                    yield base, Edge(within.id, method.id, kind, file, use.at, Confidence.HEURISTIC, "by its type")


def calls_by_shape(snapshot: Snapshot, method: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The calls of a method on values of an interface without a name that its type fits, each with the function around.

    `func shut(x interface{ Close() error })`: `x.Close()` may run Close of every type that has it.
    """
    graph, owner, spec = snapshot.graph, snapshot.graph.symbols.get(method.parent), spec_of(method.file)
    if owner is None or spec is None or not spec.implicit_interfaces or EdgeKind.CALL not in kinds:
        return
    for site in graph.unresolved(method):
        within, value = graph.symbols.get(site.source), site.name.removesuffix(f".{method.name}")
        origin = _origin(snapshot, within, value, site.line) if within is not None else None
        names = {one.name for one in origin.type.members} if origin and isinstance(origin.type, ObjectType) else set()
        if within is not None and method.name in names and has_members(snapshot, owner, names):
            yield (
                within,
                Edge(site.source, method.id, site.kind, site.file, site.line, Confidence.HEURISTIC, "by shape"),
            )


def _files_with_values(snapshot: Snapshot, type_: Symbol, member: str) -> list[str]:
    """The files that may name a type, and a member of its values."""
    graph = snapshot.graph
    if graph.is_whole:
        return sorted({edge.file for edge in graph.edges_to(type_.id, _TYPE)})
    return sorted({*graph.holding(member)} & {*graph.holding(type_.name)} & snapshot.facts.keys())


def uses_in_template(snapshot: Snapshot, member: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The uses of a member of a component in the file of its template, each with the component."""
    owner, spec = snapshot.graph.symbols.get(member.parent), spec_of(member.file)
    if owner is None or owner.kind is not SymbolKind.CLASS or spec is None or spec.names_in_template is None:
        return
    head = _text(snapshot, owner.file, max(owner.line - _HEAD, 0), owner.line)[-_MOST_CHARACTERS:]
    found = re.search(spec.template_path, head)
    path = normpath(join(dirname(owner.file), found[1])) if found is not None else ""
    for name, line, is_called in _template(snapshot, owner.file, path).get(member.name, ()):
        kind = EdgeKind.CALL if is_called and name == member.name else EdgeKind.READ
        if kind in kinds:
            yield owner, Edge(owner.id, member.id, kind, path, line, Confidence.STRONG, "in the template")


def uses_in_pages(snapshot: Snapshot, element: Symbol, kinds: Collection[EdgeKind]) -> _Uses:
    """The places in pages that name an element, with its module, and those that name its routes, with the route."""
    graph, spec, module = snapshot.graph, spec_of(element.file), snapshot.graph.symbols.get(element.file)
    if spec is None or spec.in_pages is None or element.kind not in _IN_PAGES or module is None:
        return
    above = [] if element.kind is SymbolKind.ENDPOINT else graph.edges_to(element.id, {EdgeKind.REFERENCE})
    sources = map(graph.symbols.get, dict.fromkeys(edge.source for edge in above))
    routes = [one for one in sources if one is not None and one.kind is SymbolKind.ENDPOINT]
    for named, owner in ((element, module), *((one, one) for one in routes)):
        is_route = named.kind is SymbolKind.ENDPOINT
        kind = EdgeKind.REQUEST if is_route else EdgeKind.CALL
        start, end = (0, None) if is_route else (max(named.line - _ABOVE, 0), named.line - 1)
        text = _text(snapshot, named.file, start, end)
        found = spec.in_pages(named.file, text if is_route else text[-_MOST_CHARACTERS:], named.signature)
        for file, line in _places_in_pages(snapshot, spec.pages, found) if found is not None and kind in kinds else ():
            yield owner, Edge(owner.id, element.id, kind, file, line, Confidence.STRONG, "named in a page")


def _places_in_pages(snapshot: Snapshot, pages: str, named: InPages) -> Iterator[tuple[str, int]]:
    paths = [path for path in snapshot.project.paths if re.search(pages, path)]
    word = max(re.findall(r"\w+", named.name), key=len)
    for file in Search(snapshot.tree, paths, [Word(word)]).files():
        if re.search(named.needed, file.text):
            lines = file.text.split("\n")
            yield from ((file.path, hit.line) for hit in file.hits if re.search(named.pattern, lines[hit.line - 1]))


@lru_cache(maxsize=1)
def _template(snapshot: Snapshot, file: str, path: str) -> Mapping[str, Sequence[tuple[str, int, bool]]]:
    """What the template of a component in `file` names, by the first part: names, lines, whether each is called."""
    spec = spec_of(file)
    if spec is None or spec.names_in_template is None or path not in snapshot.project.paths:
        return {}
    return grouped((use[0].partition(".")[0], use) for use in spec.names_in_template(_text(snapshot, path)))


def _text(snapshot: Snapshot, file: str, start: int = 0, end: int | None = None) -> str:
    """The lines of a file between two offsets."""
    return b"\n".join(lines_in(snapshot, file)[start:end]).decode("utf-8", "replace")


class _Origin(NamedTuple):
    """Where a value comes from: a field, or the function with its name and the parameter, if it is one; its type."""

    element: Symbol
    parameter: str
    type: TypeExpression | None


def _is_of(snapshot: Snapshot, origin: _Origin, class_: Symbol) -> bool:
    """Whether the type of a value names a class."""
    if class_.name not in {name.rpartition(".")[2] for name in type_names(origin.type)}:
        return False
    sources = (origin.element.id, origin.element.parent)
    return any(edge.target == class_.id for id_ in sources for edge in snapshot.graph.edges_from(id_, _TYPE))


def _origin(snapshot: Snapshot, within: Symbol, value: str, line: int, depth: int = 0) -> _Origin | None:
    """The origin of a value on a line of a function, which names a parameter, a local variable or a field."""
    if depth > _DEEPEST or within.file not in snapshot.facts:
        return None
    facts = snapshot.facts[within.file]
    first, dot, rest = value.partition(".")
    inner = next((facts.shapes[at].inner for at, one in enumerate(facts.symbols) if one.id == within.id), -1)
    # Names of locals of Go end in a number: `store$1`.
    named = [row for row in facts.bindings if row.scope == inner and row.name.partition("$")[0] == first]
    if dot:
        owner = snapshot.graph.symbols.get(within.parent)
        is_self = first in _SELVES or any(owner is not None and owner.name in type_names(row.type) for row in named)
        fields = snapshot.graph.members(owner, rest) if owner is not None and is_self else ()
        shape = shape_of(snapshot, fields[0]) if len(fields) == 1 else Shape()
        if shape.type is not None:
            return _Origin(fields[0], "", shape.type)
        writes = [one for one in facts.mentions if one.kind is EdgeKind.WRITE and one.callee == value]
        if len(writes) != 1 or not isinstance(shape.value, str):
            return None
        setter = facts.symbols[facts.scopes[shape.scope].symbol]
        return _origin(snapshot, setter, shape.value, fields[0].line, depth + 1)
    rows = [row for row in named if row.line <= line]
    if not rows:
        return None
    is_parameter, held = rows[-1].kind is BindingKind.PARAMETER, rows[-1].value
    type_ = held.type if isinstance(held, Typed) else rows[-1].type
    if is_parameter or type_ is not None:
        return _Origin(within, value if is_parameter else "", type_)
    return _origin(snapshot, within, held, rows[-1].line, depth + 1) if isinstance(held, str) else None


def _gets(snapshot: Snapshot, function: Symbol, parameter: str, class_id: str) -> bool:
    """Whether the only call of a function gives a parameter an object of a class."""
    graph, spec = snapshot.graph, spec_of(function.file)
    head = head_of(function.signature, function.name)
    names = [one.name for one in head.parameters] if head is not None else []
    if parameter not in names or spec is None or overridden(snapshot, function):
        return False
    calls = [*graph.edges_to(function.id, WRITTEN_CALLS), *constructions(snapshot, function, WRITTEN_CALLS)]
    if len(calls) != 1 or calls[0].is_guess or graph.edges_to(function.id, {EdgeKind.REFERENCE}):
        return False
    call, lines = calls[0], _text(snapshot, calls[0].file).split("\n")
    texts = texts_in(lines, call.line, [graph.symbols[call.target].name], comment=spec.comment) or []
    if len(texts) != 1:
        return False
    at, prefix = names.index(parameter), re.compile(rf"{re.escape(parameter)}\s*=\s*")
    named = [one[found.end() :] for one in texts[0] if spec.keyword_arguments and (found := prefix.match(one))]
    placed = texts[0][at : at + 1] if not any(one.startswith(("*", "...")) for one in texts[0][: at + 1]) else []
    return any(_is_object(snapshot, one, call, graph.symbols[class_id]) for one in named or placed)


def _is_object(snapshot: Snapshot, argument: str, call: Edge, class_: Symbol) -> bool:
    """Whether an argument is an object of a class: made there, or the only value of a name of the file."""
    made = {(edge.file, edge.line) for edge in snapshot.graph.edges_to(class_.id, WRITTEN_CALLS)}
    if found := _MADE.fullmatch(argument):
        return found[1] == class_.name and (call.file, call.line) in made
    facts = snapshot.facts[call.file]
    rows = [row for row in facts.bindings if row.name == argument and row.kind in _VALUES]
    values = [facts.shapes[row.target].value if row.kind is BindingKind.SYMBOL else row.value for row in rows]
    sites = [facts.sites[site] for value in values if (site := site_of(value)) >= 0]
    return len(rows) == len(sites) == 1 and (call.file, sites[0].line) in made
