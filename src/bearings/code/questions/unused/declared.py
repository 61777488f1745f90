"""Elements that are alive without a use in languages with declared types: libraries and frameworks use them."""

import re
from functools import lru_cache

from bearings.code.file_facts import Trait
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.unused.registers import is_stored
from bearings.code.resolve.referents import CLASSES
from bearings.code.search.element_words import is_decorated
from bearings.code.search.members import outside_bases, relatives, shape_of, with_members

CONVENTION = "called by convention"
STORED = "values that a call may store"
ANNOTATED = "annotated, so that a framework may use them"
BELOW_LIBRARIES = "of classes below those of libraries, which may use them"
ACCESSORS = "accessors, which frameworks call by the name of a property"

_is_accessor = re.compile(r"(?:get|set|is)[A-Z_]").match
_PLAIN_BASES = frozenset({"Object", "Serializable", "Cloneable"})
"""Types of the standard library that call no method of those below."""
_ERROR = re.compile(r"(?:Exception|Error|Throwable)$")
"""Such classes, which nothing finds by what they extend."""
_TYPES = CLASSES | {SymbolKind.INTERFACE}


def why_alive_by_types(snapshot: Snapshot, symbol: Symbol) -> str:
    """Why an element may be alive although nothing names it; empty if nothing speaks for that."""
    if is_decorated(snapshot, symbol):
        return ANNOTATED
    if symbol.kind in _TYPES:
        return _why_class(snapshot, symbol)
    owner, traits = snapshot.graph.symbols.get(symbol.parent), shape_of(snapshot, symbol).traits
    is_of_class = owner is not None and owner.kind in CLASSES and owner.kind is not SymbolKind.INTERFACE
    if owner is None or not is_of_class or _runs_by_name(symbol):
        return CONVENTION  # of an interface, which a library may call, or of a class without a name
    if symbol.kind is not SymbolKind.METHOD and is_stored(snapshot, symbol):
        return STORED
    if symbol.kind is not SymbolKind.METHOD:
        return ANNOTATED if is_decorated(snapshot, owner) else CONVENTION if owner.kind is SymbolKind.ENUM else ""
    if traits & Trait.PRIVATE:
        return ""
    if _is_accessor(symbol.name):
        return ACCESSORS
    is_below = not traits & Trait.STATIC and _library_bases(snapshot, owner.id)
    return BELOW_LIBRARIES if is_below else ""


def _why_class(snapshot: Snapshot, symbol: Symbol) -> str:
    """The same for a class: what a framework runs is inside, or it may find the class by what that extends."""
    inside = [one for one in with_members(snapshot, symbol).values() if one.id != symbol.id]
    if any(one.kind not in _TYPES and (_runs_by_name(one) or is_decorated(snapshot, one)) for one in inside):
        return CONVENTION
    bases = _library_bases(snapshot, symbol.id)
    return BELOW_LIBRARIES if any(not _ERROR.search(base) for base in bases) else ""


def _runs_by_name(symbol: Symbol) -> bool:
    """Whether the language or its library runs a member by its name."""
    spec = spec_of(symbol.file)
    return spec is not None and bool(spec.hooks) and re.match(spec.hooks, symbol.name) is not None


@lru_cache(maxsize=256)
def _library_bases(snapshot: Snapshot, id_: str) -> frozenset[str]:
    """The names of types from outside that a class, or one above it, extends or implements."""
    types = (snapshot.graph.symbols[id_], *relatives(snapshot, id_, upwards=True))
    return frozenset(name for one in types for name in outside_bases(snapshot, one)) - _PLAIN_BASES
