"""Finds calls of what is handed on without a type: guesses, from the text of a line and the edges from it.

hooks{before: one}       `h.before()` may run `one`: a field holds it
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.search.element_words import lines_in
from bearings.code.search.reach import without_guesses

_MOST_NAMED: Final = 20
"""Uses of a function as a value that are looked into."""
_CALLED: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.NEW})


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
