"""Resolves languages by declaration: uses lead to elements of the same name, `heuristic`, the nearest first.

total()           each `total` of the same file; without one, of the same folder or an imported file; then of any;
                  but first the members of the type around it, and of its bases
super.total()     the `total` in a base of the type around it
Cart::total()     the `total` in a type `Cart` or in its bases; none, if there is no such type
cart.total()      first the `total` in types that are called like `cart`, then in those that the file names; never the
                  function around it

Any file may declare a name, so names are looked up in a table of the whole project. A use depends on the cell of its
name (see modules/cells.py), not on files. This module asks a language's spec, never which language it is.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain, takewhile
from posixpath import dirname
from sys import intern

from bearings.code.expressions import Result, last_name, receiver
from bearings.code.file_facts import CallSite, FileFacts, Shape
from bearings.code.languages import SPECS, language_of, spec_of
from bearings.code.models import BY_NAME, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.nominal.uses import Meaning, NominalUses
from bearings.code.resolve.referent import MODULE, OUTSIDE
from bearings.code.resolve.referents import CALLABLE, CLASSES, EXTERNAL
from bearings.code.resolve.rules.by_name.modules import FAMILY, is_declared
from bearings.code.resolve.rules.by_name.packed_entries import PackedEntries
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.strategy import Completion, ProjectTable, Strategy
from bearings.code.symbol_keys import keys_of
from bearings.code.type_expressions import TypeReference

_MOST = 5
_MOST_OVERLOADS = 20
"""Elements of one name, overloads included, to which a use of the name may lead: those in the nearest places."""
_MOST_RANKED = 200
"""Elements of which the nearest are looked for."""
_MOST_UNNAMED = 2
"""Types to which a use may lead of those that its file does not name, in a language that names the types it uses."""
_MOST_GROUPS = 20_000
"""Names whose elements are held: some forty megabytes."""
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.VARIABLE})
_KINDS = {chr(ord("A") + number): kind for number, kind in enumerate(SymbolKind)}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_LOCAL = "-"
_NO_CODE = "".join(_LETTERS[kind] for kind in (*_VALUES, *CLASSES))
_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_SELVES = frozenset({"self", "this", "Self", "static"})
_LIBRARIES = frozenset({"std"})
_BASES = frozenset({"super", "base", "parent"})

_WORDS = re.compile(r"[^\W\d_][^\WA-Z\d_]*")
_SHORTEST_END = 3
"""Letters of a receiver that tell anything about the name of its type."""

_NAME = "/.name/"


def name_in(cell: str) -> str:
    """The name of a cell."""
    return cell.removesuffix(_NAME).partition("/")[2]


def name_cell(path: str, name: str) -> str:
    """The cell of a name in a file's language."""
    language = language_of(path)
    family = (SPECS[language].family or language) if language is not None else ""
    return intern(f"{family}/{name}{_NAME}")


def called_name(sites: Sequence[CallSite], site: CallSite) -> str:
    """The name of a use behind its receiver, `.get` behind one without a name; empty if the use has no name."""
    callee = site.callee
    if type(callee) is str:
        return callee
    name, left = last_name(callee), receiver(callee)
    if type(left) is Result and not sites[left.site].arguments:  # `shop().add` may mean a function of `shop`
        left = sites[left.site].callee
    return f"{left if type(left) is str else last_name(left)}.{name}" if name else ""


class NoUses(Strategy):
    """Finds no uses of a file alone: the table below finds them all, which needs the whole project."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        del facts, modules

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """See Strategy: no edges, no outside uses, no consulted files."""
        del path
        return FileUses((), ()), frozenset()


class NameTable(ProjectTable):
    """The elements of a project by their names."""

    def __init__(self) -> None:
        super().__init__()
        self._entries = PackedEntries(_NAME)

    def covers(self, path: str) -> bool:
        """See ProjectTable: files of languages by declaration."""
        return is_declared(path)

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell.endswith(_NAME)

    def completion(self, facts: Mapping[str, FileFacts], modules: Modules) -> "ByName":
        """See ProjectTable: all uses of such a file."""
        return ByName(facts, modules, self)

    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterator[Entry]:
        """See ProjectTable: for each element the cell of its name, its key, the letter of its kind and its bases.

        Behind the letter is a sign for one that no other file sees.
        """
        file = facts[path]
        spec = spec_of(path)
        has_locals = spec is not None and spec.global_functions
        for symbol, key, shape in zip(file.symbols[1:], keys_of(file)[1:], file.shapes[1:], strict=True):
            is_local = has_locals and not symbol.exported
            data = [_LETTERS[symbol.kind] + _LOCAL * is_local, *_bases(shape)]
            yield name_cell(path, symbol.name), key, " ".join(data)

    @property
    def size(self) -> int:
        """See ProjectTable."""
        return self._entries.size

    @property
    def paths(self) -> Collection[str]:
        """See ProjectTable."""
        return self._entries.paths

    def of_file(self, path: str) -> Collection[Entry]:
        """See ProjectTable."""
        return self._entries.of_file(path) if path in self._entries.paths else ()

    def in_cell(self, cell: str) -> list[tuple[str, Entry]]:
        """See ProjectTable."""
        return self._entries.in_cell(cell)

    def _put(self, path: str, now: frozenset[Entry]) -> set[str]:
        return self._entries.replace(path, now)

    def named(self, cell: str) -> list[tuple[str, str, list[str]]]:
        """The keys of the elements of a name, the letters of their kinds, as `read` gives them, and their bases."""
        rows = [(key, data.split(" ")) for _, (_, key, data) in self.in_cell(cell)]
        return [(key, letter, bases) for key, (letter, *bases) in rows]

    def cell(self, path: str, name: str) -> str:
        """See Declaring."""
        return name_cell(path, name)

    def classes(self, path: str, name: str) -> Sequence[str]:
        """See Declaring."""
        return self.classes_in(name_cell(path, name))

    def classes_in(self, cell: str) -> list[str]:
        """The keys of the classes in the cell of a name, as far as it is filled."""
        return [key for _, (_, key, data) in self.in_cell(cell) if _KINDS[data[0]] in CLASSES]

    def names_type_or_value(self, cell: str) -> bool:
        """Whether a name is one of a type or of a variable."""
        return any(data[0] in _NO_CODE for _, (_, _, data) in self.in_cell(cell))


def _bases(shape: Shape) -> Iterator[str]:
    """The names of a type's bases."""
    for base in (*(base.value for base in shape.bases), *shape.implements):
        name = base.name if type(base) is TypeReference else base
        if type(name) is str and name:
            yield name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An element that a name may mean: its key, file, container's qualified name, its place among all.

    `bases` are the names of its bases.
    """

    key: str
    file: str
    owner: str
    letter: str
    place: int
    bases: Sequence[str]

    @property
    def kind(self) -> SymbolKind:
        """What it is."""
        return _KINDS[self.letter[0]]

    @property
    def owner_name(self) -> str:
        """The name of its container."""
        return self.owner.rpartition(".")[2]

    @property
    def place_key(self) -> tuple[str, str]:
        """Its file and container, which its overloads share."""
        return self.file, self.owner

    def is_part_of(self, around: str) -> bool:
        """Whether it is the element with a key, or an overload of it."""
        return bool(around) and f"{self.key}\0".startswith(f"{around}\0")


class _Group:
    """Elements of one name, found by their file, folder, container, its last part, or the words of their module."""

    def __init__(self, candidates: Iterable[_Candidate]) -> None:
        self.all = list(candidates)
        self._tables: dict[_Property, dict[str, _Group]] = {}

    def by(self, property_: "_Property", value: str) -> "_Group":
        """The elements for which `property_` yields the value."""
        return self._table(property_).get(value, _NO_ELEMENTS)

    def values(self, property_: "_Property") -> KeysView[str]:
        """The values that `property_` yields for the elements."""
        return self._table(property_).keys()

    def _table(self, property_: "_Property") -> "dict[str, _Group]":
        """The elements by the values of a property; made once."""
        table = self._tables.get(property_)
        if table is None:
            rows: dict[str, list[_Candidate]] = {}
            for candidate in self.all:
                for key in property_(candidate):
                    rows.setdefault(key, []).append(candidate)
            table = self._tables[property_] = {key: _Group(candidates) for key, candidates in rows.items()}
        return table

    def has(self, excluded: str) -> bool:
        """Whether there is an element other than the one with the key `excluded` and its overloads."""
        return any(not candidate.is_part_of(excluded) for candidate in self.all)


_Property = Callable[[_Candidate], Iterable[str]]
_NO_ELEMENTS = _Group(())


def _file(candidate: _Candidate) -> Iterable[str]:
    return (candidate.file,)


def _folder(candidate: _Candidate) -> Iterable[str]:
    return (dirname(candidate.file),)


def _owner(candidate: _Candidate) -> Iterable[str]:
    return (candidate.owner,)


def _owner_name(candidate: _Candidate) -> Iterable[str]:
    return (candidate.owner_name,)


def _owner_lower(candidate: _Candidate) -> Iterable[str]:
    return (candidate.owner_name.lower(),)


def _owner_ends(candidate: _Candidate) -> Iterable[str]:
    return _ends(candidate.owner_name)


def _ends(name: str) -> list[str]:
    """The ends of a name that begin with a word of it, in lower case, the longest first: jsonReader, reader."""
    words = _WORDS.findall(name)
    ends = ("".join(words[start:]).lower() for start in range(len(words)))
    return [end for end in ends if len(end) >= _SHORTEST_END]


def _module_words(candidate: _Candidate) -> Iterable[str]:
    """The words by which an element that stands alone in its file is qualified."""
    return () if candidate.owner else set(candidate.file.rpartition(".")[0].split("/")[-2:])


def _is_owned(candidate: _Candidate) -> Iterable[str]:
    return ("owned" if candidate.owner else "free",)


def _shared(candidate: _Candidate) -> Iterable[str]:
    return ("free",) if not candidate.owner and not candidate.letter.endswith(_LOCAL) else ()


def _use_kinds(candidate: _Candidate) -> Iterable[str]:
    """The uses that may mean it: a call means no value, a type means a class."""
    is_value, is_class = candidate.kind in _VALUES, candidate.kind in CLASSES
    yield from (EdgeKind.CALL,) if not is_value else ()
    yield from (EdgeKind.REFERENCE,) if is_value or is_class else ()
    yield from ("class",) if is_class else ()


class ByName(Completion):
    """The uses by name of one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, table: NameTable) -> None:
        self.modules = modules
        self._facts = facts
        self._table = table
        self._groups: dict[str, _Group] = {}
        self._nominal: dict[int, NominalUses] = {}
        self._known: dict[str, bool] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion: all uses of such a file are found here."""
        del uses
        return _File(self, self._facts[file]).uses()

    def shed(self) -> None:
        """See Completion."""
        if len(self._groups) > _MOST_GROUPS:
            self._groups.clear()
            self._known.clear()
        for nominal in self._nominal.values():
            nominal.shed()

    def give_up(self) -> frozenset[str]:
        """See Completion."""
        return frozenset[str]().union(*(nominal.answers.abandon() for nominal in self._nominal.values()))

    def nominal(self, facts: FileFacts) -> NominalUses | None:
        """The meanings of uses by declared types; None in a language without them."""
        rules = semantics_of(facts.language).nominal
        if rules is not None and id(rules) not in self._nominal:
            self._nominal[id(rules)] = NominalUses(self._facts, self._table, rules)
        return self._nominal[id(rules)] if rules is not None else None

    def uses_of(self, file: str, is_wanted: Callable[[CallSite], bool]) -> FileUses:
        """The imports of a file, and some of its other uses."""
        return _File(self, self._facts[file]).uses(is_wanted)[0]

    def names_type_or_value(self, cell: str) -> bool:
        """Whether a name is one of a type or of a variable."""
        if cell not in self._known:
            self._known[cell] = self._table.names_type_or_value(cell)
        return self._known[cell]

    def named(self, cell: str) -> _Group:
        """The elements of a name."""
        group = self._groups.get(cell)
        if group is None:
            candidates = []
            for index, (key, letter, bases) in enumerate(self._table.named(cell)):
                file, name, *_ = key.split("\0")
                candidates.append(_Candidate(key, file, name.rpartition(".")[0], letter, index, bases))
            group = self._groups[cell] = _Group(candidates)
        return group


class _File:
    """The uses of one file."""

    def __init__(self, by_name: ByName, facts: FileFacts) -> None:
        self._by_name = by_name
        self._facts = facts
        self._path = facts.path
        self._folder = dirname(facts.path)
        self._consulted: set[str] = set()
        self._imported: set[str] = set()
        self._edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self._outside: list[Outside] = []
        self._meant: dict[tuple[str, str, str, str], tuple[list[_Candidate], str]] = {}
        self._named: dict[_Group, list[_Candidate]] = {}
        uses = [(site.kind, name) for site in facts.sites if (name := called_name(facts.sites, site))]
        self._types = {name.rpartition(".")[2] for kind, name in uses if kind != EdgeKind.CALL}
        self._types.update(name.rpartition(".")[0].rpartition(".")[2] for kind, name in uses if kind == EdgeKind.CALL)
        self._types.update(entry.local for entry in facts.imports)
        self._functions = {symbol.qualified_name for symbol in facts.symbols if symbol.kind in CALLABLE}
        self._own_bases: dict[str, list[str]] = {}
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=True):
            if symbol.kind in CLASSES:
                self._types.add(symbol.name)
                self._own_bases.setdefault(symbol.qualified_name, []).extend(_bases(shape))
        spec = spec_of(facts.path)
        self._names_types = spec is not None and spec.names_types
        self._names_are_global = spec is not None and spec.global_functions

    def uses(self, is_wanted: Callable[[CallSite], bool] | None = None) -> tuple[FileUses, frozenset[str]]:
        """The uses, and the cells that they depend on."""
        self._add_imports()
        symbols = self._facts.symbols
        nominal = self._by_name.nominal(self._facts)
        if nominal is not None:
            nominal.answers.begin()
        for number, site in enumerate(self._facts.sites):
            if is_wanted is None or is_wanted(site):
                source = symbols[self._facts.scopes[site.scope].symbol]
                meaning = nominal.meaning(self._path, number) if nominal is not None else None
                if meaning is not None:
                    self._add_meaning(site, source, meaning)
                elif callee := called_name(self._facts.sites, site):
                    self._add_site(site, callee, source)
        consulted = nominal.answers.gathered() if nominal is not None else frozenset[str]()
        return FileUses(tuple(self._edges.values()), tuple(self._outside)), consulted.union(self._consulted)

    def _add_meaning(self, site: CallSite, source: Symbol, meaning: Meaning) -> None:
        for target in meaning.targets:
            self._add_edge(source.id, target, site.kind, site.line, meaning.confidence, meaning.reason)
        if not meaning.targets and site.kind in _CALLS and (callee := called_name(self._facts.sites, site)):
            why = EXTERNAL.reason
            self._outside.append(Outside(source.id, callee.lstrip("."), site.kind, self._path, site.line, why))

    def _add_imports(self) -> None:
        module = self._facts.symbols[0].id
        for entry in self._facts.imports:
            imported = self._by_name.modules.find(self._path, entry.module, FAMILY)
            if imported.kind == MODULE and imported.file != self._path:
                self._imported.add(imported.file)
                self._add_edge(module, imported.file, EdgeKind.IMPORT, entry.line, Confidence.STRONG, "import")
            elif imported.kind == OUTSIDE:
                why = imported.reason
                self._outside.append(Outside(module, entry.module, EdgeKind.IMPORT, self._path, entry.line, why))

    def _add_site(self, site: CallSite, callee: str, source: Symbol) -> None:
        kind = site.kind if site.kind in (EdgeKind.CALL, EdgeKind.REFERENCE) else "class"
        receiver, dot, name = callee.rpartition(".")
        container = source.qualified_name.rpartition(".")[0]
        is_itself = bool(dot) and name == source.name and kind == EdgeKind.CALL and receiver not in _SELVES
        is_itself = is_itself and receiver != container.rpartition(".")[2]
        key = callee, kind, container, f"{self._path}\0{source.qualified_name}" if is_itself else ""
        meant = self._meant.get(key)
        if meant is None:
            meant = self._meant[key] = self._meaning(*key)
        chosen, why = meant
        is_only = self._names_are_global and not dot and kind == EdgeKind.CALL and len(chosen) == 1 and not why
        confidence = Confidence.STRONG if is_only else Confidence.HEURISTIC
        for candidate in chosen:
            self._add_edge(source.id, candidate.key, site.kind, site.line, confidence, BY_NAME)
        if why and site.kind in _CALLS:
            self._outside.append(Outside(source.id, callee.lstrip("."), site.kind, self._path, site.line, why))

    def _meaning(self, callee: str, kind: str, container: str, excluded: str) -> tuple[list[_Candidate], str]:
        """The elements to which a use leads, and why it may lead to others; empty if it does not."""
        group = self._elements_named(callee.rpartition(".")[2]).by(_use_kinds, kind)
        candidates = self._candidates(group, callee, kind, container, excluded) if group.all else None
        if candidates is None:
            return [], "external"
        chosen = self._first(candidates)
        return chosen, "ambiguous" if len(chosen) < max(1, len(candidates)) else ""

    def _first(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """The elements in the nearest places."""
        if len(candidates) <= _MOST or len(candidates) > _MOST_RANKED:
            return candidates if len(candidates) <= _MOST else []
        places: dict[tuple[str, str], list[_Candidate]] = {}
        for one in candidates:
            places.setdefault(one.place_key, []).append(one)
        here = self._folder.split("/")

        def distance(place: tuple[str, str]) -> tuple[int, int]:
            there = dirname(place[0]).split("/")
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
            return -shared, len(there)

        return [one for place in nsmallest(_MOST, places, key=distance) for one in places[place]][:_MOST_OVERLOADS]

    def _elements_named(self, name: str) -> _Group:
        return self._by_name.named(self._cell(name))

    def _cell(self, name: str) -> str:
        cell = name_cell(self._path, name)
        self._consulted.add(cell)
        return cell

    def _candidates(
        self, group: _Group, callee: str, kind: str, container: str, excluded: str
    ) -> list[_Candidate] | None:
        """The elements of a name that a use of a kind may mean in `container`, without the one with key `excluded`.

        None if it means something outside the project.
        """
        receiver, dot, _ = callee.rpartition(".")
        if receiver in _BASES and container:
            members = self._inherited(group, container)[0]
            if members.all or not self._classes(container).all:
                return self._nearest(members if members.all else group, left_out=container)
            return self._nearest(group.by(_is_owned, "free")) or None
        if dot and receiver not in _SELVES:
            return self._of_receiver(group, receiver, excluded)
        if kind == EdgeKind.CALL and self._names_are_global and not dot:
            return self._global(group) or None
        if kind == EdgeKind.CALL:
            return self._nearest(self._of_own_type(group, container, is_bare=not dot)) or None
        members = group.by(_owner, container) if container else group
        return self._nearest(members if members.has(excluded) else group, excluded)

    def _global(self, group: _Group) -> list[_Candidate]:
        """The functions of the program that a name means, or those that only its file sees, with what it includes."""
        for files in ((self._path,), sorted(group.values(_file) & self._imported)):
            if seen := [one for file in files for one in group.by(_file, file).all if not one.owner]:
                return seen
        return self._nearest(group.by(_shared, "free"))

    def _of_own_type(self, group: _Group, container: str, *, is_bare: bool) -> _Group:
        """The members of the type around a call, or of its bases; else functions, or what any type has."""
        owner = container
        while owner:
            members = group.by(_owner, owner)
            members = members if members.all or owner in self._functions else self._inherited(group, owner)[0]
            if members.all:
                return members
            owner = owner.rpartition(".")[0] if is_bare else ""
        free = group.by(_is_owned, "free") if is_bare else _NO_ELEMENTS
        return free if free.all else group

    def _inherited(self, group: _Group, owner: str) -> tuple[_Group, bool]:
        """The elements in the nearest bases of a type that have any, and whether the project has all bases before."""
        name = owner.rpartition(".")[2]
        seen, level, has_all = {name}, [name], True
        while level:
            own = self._own_bases.get(owner) if len(seen) == 1 else None
            bases = own or [base for name in level for one in self._classes(name).all for base in one.bases]
            level = [base for base in dict.fromkeys(bases) if base not in seen]
            seen.update(level)
            if found := [one for base in level for one in group.by(_owner_name, base).all]:
                return _Group(found), has_all
            has_all = has_all and all(self._classes(base).all for base in level)
        return _NO_ELEMENTS, has_all

    def _classes(self, name: str) -> _Group:
        return self._elements_named(name.rpartition(".")[2]).by(_use_kinds, "class")

    def _of_receiver(self, group: _Group, receiver: str, excluded: str) -> list[_Candidate] | None:
        """The elements that a receiver may have: as a type's name, or as a value that may be called like its type."""
        root, qualifier = receiver.partition(".")[0], receiver.rpartition(".")[2]
        if (members := group.by(_owner_name, qualifier)).has(excluded):
            return self._nearest(members, excluded)
        if root in _LIBRARIES or any(map(self._is_outside, {root, qualifier} - _SELVES)):
            return None
        if qualifier[:1].isupper() and self._classes(qualifier).all:
            members, has_all_bases = self._inherited(group, qualifier)
            if members.all or not has_all_bases:
                return self._nearest(members, excluded) or None
        ends = _ends(qualifier)
        for property_, end in chain([(_owner_lower, end) for end in ends], [(_owner_ends, end) for end in ends[:1]]):
            if (members := group.by(property_, end)).has(excluded):
                return self._named_here(members, excluded)
        if (members := group.by(_module_words, qualifier)).has(excluded):
            return self._nearest(members, excluded)
        return self._named_here(group.by(_is_owned, "owned"), excluded)

    def _is_outside(self, name: str) -> bool:
        """Whether a receiver is a type that the project does not have."""
        return name[:1].isupper() and not self._by_name.names_type_or_value(self._cell(name))

    def _named_here(self, group: _Group, excluded: str) -> list[_Candidate]:
        """The elements in types that this file names; else the nearest, if there are few: a library may be meant."""
        if group not in self._named:
            names = group.values(_owner_name) & self._types
            self._named[group] = [one for name in sorted(names) for one in group.by(_owner_name, name).all]
        named = self._named[group]
        if len(named) <= 2 * _MOST_RANKED:  # else there are too many anyway
            named = [one for one in named if not one.is_part_of(excluded)]
        if named:
            return named
        nearest = self._nearest(group, excluded)
        is_few = len(nearest) <= _MOST_OVERLOADS and len({one.place_key for one in nearest}) <= _MOST_UNNAMED
        return nearest if is_few or not self._names_types else []

    def _nearest(self, group: _Group, excluded: str = "", left_out: str | None = None) -> list[_Candidate]:
        """The elements of the same file; else of the same folder or of imported files; else all.

        Those of the container `left_out` are left out; where there are too many, some of them may stay.
        """

        def remaining(nearby: Iterable[_Candidate]) -> list[_Candidate]:
            return [one for one in nearby if one.owner != left_out and not one.is_part_of(excluded)]

        if in_file := remaining(group.by(_file, self._path).all):
            return in_file
        near = {candidate.place: candidate for candidate in group.by(_folder, self._folder).all}
        for file in group.values(_file) & self._imported:  # iterates over the shorter of the two
            near.update((candidate.place, candidate) for candidate in group.by(_file, file).all)
        if nearby := remaining(near[place] for place in sorted(near)):
            return nearby
        hidden = len(group.by(_owner, left_out).all) if left_out is not None else 0
        return group.all if len(group.all) - hidden > _MOST_OVERLOADS + 1 else remaining(group.all)

    def _add_edge(
        self, source: str, target: str, kind: EdgeKind, line: int, confidence: Confidence, reason: str
    ) -> None:
        key = (source, target, kind, line)
        if key not in self._edges:
            self._edges[key] = Edge(source, target, kind, self._path, line, confidence, reason)
