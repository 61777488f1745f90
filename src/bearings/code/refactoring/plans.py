"""A plan of edits, and what forbids one whatever is edited."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import HEIRS, Outside, Symbol, SymbolKind
from bearings.code.project.words import Search, Word
from bearings.code.refactoring.edits import Change
from bearings.code.refactoring.family import by_edges, is_member, kin_of, may_override, owner_of, together
from bearings.code.refactoring.specifiers import Specifiers
from bearings.code.search.composed_names import find_composed_names
from bearings.code.search.element_words import is_scanned
from bearings.code.search.members import outside_bases as outside_names
from bearings.errors import Unsupported

Row = tuple[str, int, str]
"""A place: a file, a line, and why it is not edited."""

_HARMLESS = frozenset(
    "object Exception BaseException ValueError TypeError RuntimeError KeyError LookupError Error ABC Protocol Generic "
    "NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag str int float tuple dict list set".split()
)
"""Bases outside of the project that call no member by a name of the project's choice."""
_MOST_FILES = 4
"""Files through which a base is imported."""


@dataclass(slots=True)
class Plan:
    """The changes of files with the number of places in each, and the places that are not edited, with reasons."""

    changes: list[Change] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    refused: list[Row] = field(default_factory=list)
    left: list[Row] = field(default_factory=list)
    note: str = ""


def spec_for(symbol: Symbol, action: str) -> LanguageSpec:
    """The spec of an element's language. Raises Unsupported if its elements can't be edited."""
    spec = spec_of(symbol.file)
    rules = spec.name_rules() if spec is not None and spec.name_rules is not None else None
    if spec is None or rules is None or (action == "remove" and rules.removal is None):
        problem = f"elements of {spec.label if spec else 'this language'} can't be {action}d"
        known = [one for one in SPECS.values() if one.name_rules is not None]
        labels = [one.label for one in known if action != "remove" or (one.name_rules and one.name_rules().removal)]
        raise Unsupported(problem, f"{action.capitalize()} in {', '.join(dict.fromkeys(labels))} only.")
    return spec


def outside_bases(snapshot: Snapshot, family: Mapping[str, Symbol]) -> Iterator[Row]:
    """The bases outside of the project, whose code may call a member by its name, or give it its name."""
    for member in family.values():
        if by_edges(member.file) is not None:
            yield from _bases_above(snapshot, member)
            if is_scanned(snapshot, member):
                yield member.file, member.line, "code of its class, or of a related one, looks members up by text"
            continue
        if not is_member(snapshot, member):
            continue
        if _may_serve(snapshot, member):
            yield member.file, member.line, "the standard library calls methods of this name"
        is_field = member.kind is SymbolKind.PROPERTY
        # class Cart(Model): a library's base may call `save` by its name.
        for row in snapshot.graph.outside_by_source.get(member.parent, ()):
            base = row.name.rpartition(".")[2]
            is_harmful = base == member.name if is_field else _may_have(snapshot, row, member)
            if row.kind in HEIRS and is_harmful:
                yield row.file, row.line, f"its class extends {row.name}, which is outside of the project"


def _may_have(snapshot: Snapshot, base: Outside, member: Symbol) -> bool:
    """Whether a base may declare a member, or call it by its name: not a class of the library without such a member."""
    spec, path, name = spec_of(base.file), base.file, base.name
    is_harmful = name.rpartition(".")[2] not in _HARMLESS
    if base.why != "builtin" or spec is None or spec.library_members is None:
        return is_harmful
    for _ in range(_MOST_FILES):  # from .types import Mapping; there: from collections import OrderedDict as Mapping
        head, dot, rest = name.partition(".")
        row = next((row for row in snapshot.facts[path].imports if row.local == head), None)
        module = row.module if row is not None else "builtins"
        name = f"{row.name.strip('*')}{dot}{rest}".strip(".") if row is not None else name
        if (file := Specifiers(snapshot).meant(path, module)) not in snapshot.facts:
            members = spec.library_members()(f"{module}.{name}")
            return is_harmful if members is None else member.name in members
        path = file
    return is_harmful


def _bases_above(snapshot: Snapshot, member: Symbol) -> Iterator[Row]:
    """The bases outside of the project that may declare a member, of a language whose names edges tell."""
    rules = by_edges(member.file)
    if rules is not None and member.kind is SymbolKind.METHOD and member.name in rules.bases["Object"]:
        yield member.file, member.line, f"the language or its library calls {member.name}"
    if rules is None or not may_override(member):
        return
    kin = kin_of(snapshot, member)
    if not kin:
        yield member.file, member.line, "its class has no name, and extends a type outside of the project"
    for owner in [snapshot.graph.symbols[id_] for id_ in sorted(kin)]:
        for base in outside_names(snapshot, owner):
            if base not in rules.bases or member.name in rules.bases[base]:
                yield owner.file, owner.line, f"its class extends {base}, which is outside of the project"


def by_frameworks(snapshot: Snapshot, family: Mapping[str, Symbol]) -> Iterator[Row]:
    """The classes that a framework may find by their names, and methods that it may call by theirs, or their classes'.

    Those of languages in which edges tell names.
    """
    for member in family.values():
        spec, owner = spec_of(member.file), snapshot.graph.symbols.get(member.parent)
        if spec is None or by_edges(member.file) is None:
            continue
        is_method = owner is not None and may_override(member) and member.kind is SymbolKind.METHOD
        named = owner if is_method else member if member.kind is SymbolKind.CLASS else None
        is_found = named is not None and spec.found_by_name and re.match(spec.found_by_name, named.name)
        if is_found or (is_method and spec.hooks and re.match(spec.hooks, member.name)):
            yield member.file, member.line, f"a framework may {'call' if is_method else 'find'} it by its name"


def _may_serve(snapshot: Snapshot, member: Symbol) -> bool:
    """Whether a type has all methods of an interface of the language's library, or is an interface with one of them."""
    spec = spec_of(member.file)
    sets = spec.name_rules().library if spec is not None and spec.name_rules is not None else ()
    if member.kind is not SymbolKind.METHOD or not any(member.name in names for names in sets):
        return False
    owner = owner_of(member)
    beside = [one for path in together(snapshot, member.file) for one in snapshot.facts[path].symbols]
    have = {one.name for one in beside if owner_of(one) == owner}
    is_interface = any(one.qualified_name == owner and one.kind is SymbolKind.INTERFACE for one in beside)
    return any(member.name in names and (is_interface or names <= have) for names in sets)


def read_at_run_time(snapshot: Snapshot, symbol: Symbol) -> str:
    """A sentence on the libraries of a project that may read the name of a property."""
    rules = by_edges(symbol.file)
    if rules is None or symbol.kind is not SymbolKind.PROPERTY or not re.search(rules.mapped, symbol.signature):
        return ""
    files = [path for path in snapshot.facts if spec_of(path) is spec_of(symbol.file)]
    search = Search(snapshot.tree, files, [*map(Word, rules.mappers)])
    found = sorted({hit.word for file in search.files() for hit in file.hits})
    return f"Code that has {', '.join(found)} may read its name at run time." if found else ""


def composing(snapshot: Snapshot, family: Mapping[str, Symbol]) -> Iterator[Row]:
    """The places that may compose the name of an element at run time."""
    for place in set(find_composed_names(snapshot, family.values()).values()):
        yield place.file, place.line, f"names with {place.part} are composed here"
