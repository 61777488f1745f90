"""Finds the types and tokens in whose place a container gives objects of a class: guesses about who calls its members.

{ provide: Store, useClass: Disk }     `store.save()` may run Disk.save, whatever Disk extends
{ provide: CLOCK, useExisting: Sun }   the same of the type of a token, `CLOCK = new InjectionToken<Clock>("clock")`

They are looked for when the class is asked for: no edge is stored.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.symbol_keys import MARK, file_of

_MOST_BYTES: Final = 1_000_000
_MOST_FILES: Final = 60
_MOST: Final = 20
"""Registrations of a class in a file."""
_REFERENCE: Final = frozenset({EdgeKind.REFERENCE})
_TYPES: Final = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
_ARGUMENT: Final = re.compile(r"<\s*([\w$.]+)")


def provided(snapshot: Snapshot, member: Symbol) -> list[Symbol]:
    """The members of types that a method is run through, because a container gives an object of its class for them."""
    owner = snapshot.graph.symbols.get(member.parent) if member.kind is SymbolKind.METHOD else None
    if owner is None or owner.kind is not SymbolKind.CLASS:
        return []
    known = _known(snapshot)
    if owner.id not in known:
        known[owner.id] = _replaced(snapshot, owner)
    return [one for type_ in known[owner.id] for one in snapshot.graph.members(type_, member.name)]


@lru_cache(maxsize=1)
def _known(snapshot: Snapshot) -> dict[str, list[Symbol]]:
    """What `_replaced` gave for each class."""
    del snapshot
    return {}


def _replaced(snapshot: Snapshot, class_: Symbol) -> list[Symbol]:
    """The types that a class is provided for."""
    spec, types = spec_of(class_.file), dict[str, Symbol]()
    if spec is None or not spec.provides:
        return []
    pattern = re.compile(spec.provides % re.escape(class_.name))
    for file in _files(snapshot, class_, spec.providing):
        source = read_from(snapshot.tree, file, _MOST_BYTES)
        data = source.data if isinstance(source, Source) else b""
        text = data.decode("utf-8", "replace") if any(word.encode() in data for word in spec.providing) else ""
        for found in islice(pattern.finditer(text), _MOST):
            name, line = found[1].rpartition(".")[2], text.count("\n", 0, found.end()) + 1
            if any(one.id == class_.id for one in _named(snapshot, file, class_.name, line, line)):
                first = text.count("\n", 0, found.start(1)) + 1
                for token in _named(snapshot, file, name, first, first):
                    types.update((one.id, one) for one in _types_of(snapshot, token) if one.id != class_.id)
    return list(types.values())


def _files(snapshot: Snapshot, class_: Symbol, words: tuple[str, ...]) -> list[str]:
    """The files that may name a class in a registration."""
    graph = snapshot.graph
    if graph.is_whole:
        files = {edge.file for edge in graph.edges_to(class_.id, _REFERENCE)}
    else:
        files = {file for word in words for file in graph.holding(word)} & {*graph.holding(class_.name)}
    found = sorted(files & snapshot.facts.keys())
    return found if len(found) <= _MOST_FILES else []


def _types_of(snapshot: Snapshot, token: Symbol) -> Iterator[Symbol]:
    """A class or interface itself, or those that a token names as its type argument."""
    argument = _ARGUMENT.search(token.signature)
    if token.kind in _TYPES:
        yield token
    elif argument is not None:
        named = _named(snapshot, token.file, argument[1].rpartition(".")[2], token.line, token.end_line)
        yield from (one for one in named if one.kind in _TYPES)


def _named(snapshot: Snapshot, file: str, name: str, first: int, last: int) -> Iterator[Symbol]:
    """The elements that a name means on some lines of a file."""
    targets = {
        edge.target
        for edge in snapshot.graph.uses_in(file, {name}).edges
        if first <= edge.line <= last and edge.kind is not EdgeKind.IMPORT
    }
    for target in targets:
        qualified = target.partition(MARK)[2].partition(MARK)[0]
        outline = snapshot.graph.outline(file_of(target))
        yield from (one for one in outline if one.qualified_name == qualified and one.name == name)
