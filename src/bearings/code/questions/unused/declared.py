"""Elements that are alive without a use in languages with declared types: libraries and frameworks use them."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from bearings.code.file_facts import Trait
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.models import HEIRS, Language, Symbol, SymbolKind
from bearings.code.project.words import Search, Word
from bearings.code.questions.unused.registers import is_stored
from bearings.code.resolve.referents import CLASSES
from bearings.code.search.element_words import is_called_unnamed, is_decorated, is_handed_out, is_scanned
from bearings.code.search.members import outside_bases, relatives, shape_of, with_members

CONVENTION = "called by convention"
STORED = "values that a call may store"
ANNOTATED = "annotated, so that a framework may use them"
BELOW_LIBRARIES = "of classes below those of libraries, which may use them"
ACCESSORS = "accessors, which frameworks call by the name of a property"
EXTENDING = "classes of methods that may be called on values of other types"
FOUND = "of classes that may be found by what they extend"

_is_accessor = re.compile(r"(?:get|set|is)[A-Z_]").match
_is_adder = re.compile(r"(?:add|remove|has)[A-Z_]").match
_PLAIN_BASES = frozenset({"Object", "Serializable", "Cloneable", "JsonSerializable", "Countable", "Stringable"})
"""Types of the standard library that call no method of those below."""
_ERROR = re.compile(r"(?:Exception|Error|Throwable)$")
"""Such classes, which nothing finds by what they extend."""
_TYPES = CLASSES | {SymbolKind.INTERFACE}


def why_alive_by_types(snapshot: Snapshot, symbol: Symbol) -> str:
    """Why an element may be alive although nothing names it; empty if nothing speaks for that."""
    if is_decorated(snapshot, symbol) or is_handed_out(snapshot, symbol):
        return ANNOTATED
    spec, package = SPECS[snapshot.facts[symbol.file].language], snapshot.facts[symbol.file].package
    if spec.library_packages and re.match(spec.library_packages, package):
        return CONVENTION
    if symbol.kind in _TYPES:
        return _why_class(snapshot, symbol)
    owner, traits = snapshot.graph.symbols.get(symbol.parent), shape_of(snapshot, symbol).traits
    if _runs_by_name(symbol) or is_called_unnamed(symbol) or is_scanned(snapshot, symbol):
        return CONVENTION
    if owner is not None and owner.kind is SymbolKind.MODULE:
        return ""
    is_of_class = owner is not None and owner.kind in CLASSES and owner.kind is not SymbolKind.INTERFACE
    if owner is None or not is_of_class:
        return CONVENTION  # of an interface, which a library may call, or of a class without a name
    if symbol.kind is not SymbolKind.METHOD and is_stored(snapshot, symbol):
        return STORED
    is_field = symbol.kind is not SymbolKind.METHOD
    if symbol.kind is SymbolKind.PROPERTY and symbol.exported:
        return ACCESSORS
    if is_field and (is_decorated(snapshot, owner) or owner.kind is SymbolKind.ENUM):
        return CONVENTION if owner.kind is SymbolKind.ENUM else ANNOTATED
    if traits & Trait.PRIVATE or (is_field and not spec.late_binding):
        mixed = (name for name in outside_bases(snapshot, owner) if name not in owner.signature)
        return BELOW_LIBRARIES if spec.late_binding and any(mixed) else ""
    is_attached = snapshot.graph.members(owner, f"{symbol.name[len('Get') :]}Property")  # GetColumn, ColumnProperty
    is_added = _is_adder(symbol.name) and _is_run(snapshot, owner)
    if not is_field and (_is_accessor(symbol.name) or is_attached or is_added):
        return ACCESSORS
    if not is_field and _is_found(owner):
        return CONVENTION
    known, is_late = _known_bases(symbol), spec.late_binding or not traits & Trait.STATIC
    bases = _library_bases(snapshot, owner.id, of_heirs=True) if is_late else ()
    return BELOW_LIBRARIES if any(base not in known or symbol.name in known[base] for base in bases) else ""


def _why_class(snapshot: Snapshot, symbol: Symbol) -> str:
    """The same for a class: what a framework runs is inside, or it may find the class by what that extends."""
    inside = [one for one in with_members(snapshot, symbol).values() if one.id != symbol.id]
    if _is_found(symbol) or any(one.kind not in _TYPES and _is_run(snapshot, one) for one in inside):
        return CONVENTION
    language = snapshot.facts[symbol.file].language
    extending = (one.name for one in inside if shape_of(snapshot, one).traits & Trait.EXTENSION)
    if _are_members(snapshot, language, frozenset(extending)):
        return EXTENDING
    bases = _library_bases(snapshot, symbol.id, of_heirs=False) - _known_bases(symbol).keys()
    if any(not _ERROR.search(base) for base in bases):
        return BELOW_LIBRARIES
    direct = [edge.target for edge in snapshot.graph.edges_from(symbol.id, HEIRS)]
    above = relatives(snapshot, symbol.id, upwards=True)
    is_of_interface = any(one.kind is SymbolKind.INTERFACE for one in above)
    is_late, package = SPECS[language].late_binding, snapshot.facts[symbol.file].package
    if is_late and (is_of_interface or any(_has_loose_heirs(snapshot, one.id) for one in above)):
        return FOUND
    if is_late and package and _is_composed(snapshot, language, package.rpartition(".")[2]):
        return CONVENTION
    return FOUND if direct and _are_members(snapshot, language, SPECS[language].idioms().finds_types) else ""


@lru_cache(maxsize=256)
def _has_loose_heirs(snapshot: Snapshot, id_: str) -> bool:
    """Whether several classes below one are used nowhere, so that code may find them by their folder or name."""
    heirs = relatives(snapshot, id_, upwards=False)
    loose = (one for one in heirs if not any(edge.source != one.id for edge in snapshot.graph.edges_to(one.id)))
    return len(list(islice(loose, 2))) > 1


def _known_bases(symbol: Symbol) -> Mapping[str, frozenset[str]]:
    """The types of the library whose methods are known, which call no other one of those below."""
    spec = spec_of(symbol.file)
    rules = spec.name_rules().by_edges if spec is not None and spec.name_rules is not None else None
    return rules.bases if rules is not None else {}


@lru_cache(maxsize=64)
def _is_composed(snapshot: Snapshot, language: Language, folder: str) -> bool:
    """Whether code composes names of the classes of a namespace: a text holds the last part of that and a value."""
    composed = re.compile(rf"\b{re.escape(folder)}\\{{1,2}}(?:['\"$%]|{{\$)")
    files = [path for path, facts in snapshot.facts.items() if facts.language is language]
    return any(composed.search(file.text) for file in Search(snapshot.tree, files, [Word(folder)]).files())


@lru_cache(maxsize=64)
def _are_members(snapshot: Snapshot, language: Language, names: frozenset[str]) -> bool:
    """Whether code of a language names a member by one of some names."""
    named = re.compile(rf"\.\s*(?:{'|'.join(names)})\b")
    files = [path for path, facts in snapshot.facts.items() if facts.language is language]
    search = Search(snapshot.tree, files, [Word(name) for name in names])
    return bool(names) and any(named.search(file.text) for file in search.files())


def _is_run(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the language, its library or a framework runs or takes an element by its name or annotations."""
    return _runs_by_name(symbol) or is_decorated(snapshot, symbol) or is_handed_out(snapshot, symbol)


def _runs_by_name(symbol: Symbol) -> bool:
    """Whether the language or its library runs a member by its name, or the member is part of a type from outside."""
    spec, name, head = spec_of(symbol.file), symbol.name, symbol.signature
    if spec is None or f".{name}" in head.partition("(")[0]:  # void IPriced.Price()
        return spec is not None
    by_head = spec.hook_head and re.match(spec.hook_head, head)
    return bool(by_head or (spec.hooks and re.match(spec.hooks, name)))


def _is_found(owner: Symbol) -> bool:
    """Whether frameworks find a class by its name."""
    spec = spec_of(owner.file)
    return spec is not None and bool(spec.found_by_name) and re.match(spec.found_by_name, owner.name) is not None


@lru_cache(maxsize=256)
def _library_bases(snapshot: Snapshot, id_: str, *, of_heirs: bool) -> frozenset[str]:
    """The names of types from outside that a class, or one above it, extends or implements; or one below it does."""
    own = snapshot.graph.symbols[id_]
    types = [own, *(relatives(snapshot, id_, upwards=False) if of_heirs else ())]
    above = {one.id: one for heir in types for one in (heir, *relatives(snapshot, heir.id, upwards=True))}
    return frozenset(name for one in above.values() for name in outside_bases(snapshot, one)) - _PLAIN_BASES
