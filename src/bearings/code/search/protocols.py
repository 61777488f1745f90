"""Finds the protocols and interfaces that a class fits by its members, without naming them: guesses.

class Ringer(Protocol): def ring(self): …     class Gong: def ring(self): …     `ringer.ring()` may run Gong.ring

An interface is looked for by the name of the method, when it is asked for: no edge is stored. One that many classes fit
says little of any of them.
"""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import MEMBERS, Symbol, SymbolKind
from bearings.code.search.members import relatives
from bearings.code.search.signatures import head_of

_MOST_FITTING: Final = 8
_MOST_ALONE: Final = 3
"""The most classes that fit an interface, and one with a single member."""
_MOST_FILES: Final = 60
_MOST_TYPES: Final = 500
"""A name that more files or types declare is too common to say anything."""
_OPTIONAL: Final = re.compile(r"(?:readonly\s+)?[\w$]+\?")
_FUNCTION: Final = re.compile(r"=>|\bCallable\b")


class Fit(NamedTuple):
    """The member of an interface that a method fits, and the number of classes that fit the interface."""

    member: Symbol
    classes: int


def fitted(snapshot: Snapshot, method: Symbol) -> list[Fit]:
    """The members of interfaces that a method may be called through, because its class has all their members."""
    named = _declared(snapshot, method) if method.kind is SymbolKind.METHOD else {}
    owner = snapshot.graph.symbols.get(method.parent)
    if not named or owner is None or owner.kind is not SymbolKind.CLASS or _is_interface(owner):
        return []
    fits = []
    owners = {id_: symbol for id_ in named if (symbol := snapshot.graph.symbols.get(id_)) is not None}
    for id_, interface in owners.items():
        if not _is_interface(interface) or not _accepts(named[id_], method):
            continue
        required = _required(snapshot, interface)
        if not has_members(snapshot, owner, required):
            continue
        heirs = {id_, *(heir.id for heir in relatives(snapshot, id_, upwards=False))}
        most = _MOST_ALONE if len(required) == 1 else _MOST_FITTING
        others = (
            other
            for key, other in owners.items()
            if key not in heirs and other.kind is SymbolKind.CLASS and not _is_interface(other)
            if _accepts(named[id_], named[key]) and has_members(snapshot, other, required)
        )
        fitting = list(islice(others, most + 1))
        if owner in fitting and len(fitting) <= most:
            fits.append(Fit(named[id_], len(fitting)))
    return fits


def fitting(snapshot: Snapshot, member: Symbol) -> list[Symbol]:
    """The methods that a member of an interface may run, because their classes fit the interface."""
    owner = snapshot.graph.symbols.get(member.parent)
    if owner is None or not _is_interface(owner):
        return []
    methods = _declared(snapshot, member).values()
    return [one for one in methods if any(fit.member.id == member.id for fit in fitted(snapshot, one))]


def _declared(snapshot: Snapshot, method: Symbol) -> Mapping[str, Symbol]:
    """The members with the name of a method by the ids of their types; none if no interface has one."""
    spec = spec_of(method.file)
    if spec is None or not spec.interface_head:
        return {}
    known, graph, name = _known(snapshot), snapshot.graph, method.name
    if name not in known:
        files = graph.declaring(name)
        if files is None:
            return {}
        symbols = [one for file in files[:_MOST_FILES] for one in graph.outline(file)]
        named = {one.parent: one for one in symbols if one.name == name and one.kind in MEMBERS}
        types = map(graph.symbols.get, named)
        is_rare = len(files) <= _MOST_FILES and len(named) <= _MOST_TYPES
        is_asked = is_rare and any(type_ is not None and _is_interface(type_) for type_ in types)
        known[name] = named if is_asked else {}
    return known[name]


@lru_cache(maxsize=1)
def _known(snapshot: Snapshot) -> dict[str, Mapping[str, Symbol]]:
    """What `_declared` gave for each name."""
    del snapshot
    return {}


def _is_interface(symbol: Symbol) -> bool:
    """Whether a class fits a type by its members alone."""
    spec = spec_of(symbol.file)
    return (
        spec is not None and bool(spec.interface_head) and re.match(spec.interface_head, symbol.signature) is not None
    )


def _accepts(member: Symbol, method: Symbol) -> bool:
    """Whether a method takes the arguments that a member of an interface takes."""
    if method.signature.startswith(("private ", "protected ")):
        return False
    if member.kind is SymbolKind.PROPERTY:
        return _FUNCTION.search(member.signature) is not None
    asked, has = head_of(member.signature, member.name), head_of(method.signature, method.name)
    if asked is None or has is None:
        return False
    needed = sum(one.is_required for one in has.parameters)
    is_open = any(one.is_open_ended for one in (*asked.parameters, *has.parameters))
    return is_open or needed <= len(asked.parameters)


def _required(snapshot: Snapshot, interface: Symbol) -> Collection[str]:
    """The names of the members that a class must have for an interface, those of its bases included."""
    return {
        member.name
        for type_ in (interface, *relatives(snapshot, interface.id, upwards=True))
        for member in snapshot.graph.within(type_.file).values()
        if member.parent == type_.id and member.kind in MEMBERS and not _OPTIONAL.match(member.signature)
    }


def has_members(snapshot: Snapshot, owner: Symbol, names: Collection[str]) -> bool:
    """Whether a class has or inherits members of all these names."""
    missing = [name for name in names if not snapshot.graph.members(owner, name)]
    above = relatives(snapshot, owner.id, upwards=True) if missing else ()
    return all(any(snapshot.graph.members(type_, name) for type_ in above) for name in missing)
