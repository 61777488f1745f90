"""Resolves languages by declaration: uses lead to elements of the same name, `heuristic`, the nearest first.

cart.total()           each `total` of the same file; without one, of the same folder or an imported file; then of any
Cart::total(), Cart.total()    first the `total` in an element `Cart`

Any file may declare a name, so names are looked up in a table of the whole project. A use depends on the cell of its
name (see modules/cells.py), not on files. This module asks a language's spec, never which language it is.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass
from posixpath import dirname
from sys import intern

from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.languages import SPECS, language_of
from bearings.code.models import BY_NAME, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, OUTSIDE
from bearings.code.resolve.referents import CLASSES
from bearings.code.resolve.rules.by_name.modules import FAMILY, is_declared
from bearings.code.resolve.rules.by_name.packed_entries import PackedEntries
from bearings.code.resolve.strategy import Completion, ProjectTable, Strategy
from bearings.code.symbol_keys import keys_of

_MOST = 5
_MOST_OVERLOADS = 20
"""Elements of one name at the same distance, overloads included, to which a use of the name may lead."""
_MOST_GROUPS = 20_000
"""Names whose elements are held: some forty megabytes."""
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.VARIABLE})
_KINDS = {chr(ord("A") + number): kind for number, kind in enumerate(SymbolKind)}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_SELVES = frozenset({"self", "this", "Self", "static"})
_BASES = frozenset({"super", "base", "parent"})


_NAME = "/.name/"


def name_in(cell: str) -> str:
    """The name of a cell."""
    return cell.removesuffix(_NAME).partition("/")[2]


def name_cell(path: str, name: str) -> str:
    """The cell of a name in a file's language."""
    language = language_of(path)
    family = (SPECS[language].family or language) if language is not None else ""
    return intern(f"{family}/{name}{_NAME}")


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
        """See ProjectTable: for each element the cell of its name, its key and the letter of its kind."""
        file = facts[path]
        for symbol, key in zip(file.symbols[1:], keys_of(file)[1:], strict=True):
            yield name_cell(path, symbol.name), key, _LETTERS[symbol.kind]

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

    def named(self, cell: str) -> list[tuple[str, SymbolKind]]:
        """The keys and kinds of the elements of a name."""
        return [(key, _KINDS[letter]) for _, (_, key, letter) in self.in_cell(cell)]

    def has(self, cell: str) -> bool:
        """Whether there is an element of a name."""
        return bool(self.in_cell(cell))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An element that a name may mean: its key, file and kind, its container's qualified name, its place among all."""

    key: str
    file: str
    owner: str
    kind: SymbolKind
    place: int


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
        """Whether there is an element other than the one with the key `excluded`."""
        return any(candidate.key != excluded for candidate in self.all)


_Property = Callable[[_Candidate], Iterable[str]]
_NO_ELEMENTS = _Group(())


def _file(candidate: _Candidate) -> Iterable[str]:
    return (candidate.file,)


def _folder(candidate: _Candidate) -> Iterable[str]:
    return (dirname(candidate.file),)


def _owner(candidate: _Candidate) -> Iterable[str]:
    return (candidate.owner,)


def _owner_name(candidate: _Candidate) -> Iterable[str]:
    return (candidate.owner.rpartition(".")[2],)


def _module_words(candidate: _Candidate) -> Iterable[str]:
    """The words by which an element that stands alone in its file is qualified."""
    return () if candidate.owner else set(candidate.file.rpartition(".")[0].split("/")[-2:])


def _owned(candidate: _Candidate) -> Iterable[str]:
    return ("owned",) if candidate.owner else ()


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
        self._existing: dict[str, bool] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion: all uses of such a file are found here."""
        del uses
        return _File(self, self._facts[file]).uses()

    def shed(self) -> None:
        """See Completion."""
        if len(self._groups) > _MOST_GROUPS:
            self._groups.clear()
            self._existing.clear()

    def uses_of(self, file: str, is_wanted: Callable[[CallSite], bool]) -> FileUses:
        """The imports of a file, and some of its other uses."""
        return _File(self, self._facts[file]).uses(is_wanted)[0]

    def has(self, cell: str) -> bool:
        """Whether there is an element of a name."""
        if cell not in self._existing:
            self._existing[cell] = self._table.has(cell)
        return self._existing[cell]

    def named(self, cell: str) -> _Group:
        """The elements of a name."""
        group = self._groups.get(cell)
        if group is None:
            candidates = []
            for index, (key, kind) in enumerate(self._table.named(cell)):
                file, name, *_ = key.split("\0")
                candidates.append(_Candidate(key, file, name.rpartition(".")[0], kind, index))
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
        self._targets: dict[tuple[str, str, str, str], list[_Candidate]] = {}

    def uses(self, is_wanted: Callable[[CallSite], bool] | None = None) -> tuple[FileUses, frozenset[str]]:
        """The uses, and the cells that they depend on."""
        self._add_imports()
        symbols = self._facts.symbols
        for site in self._facts.sites:
            if type(site.callee) is str and (is_wanted is None or is_wanted(site)):
                self._add_site(site, site.callee, symbols[self._facts.scopes[site.scope].symbol])
        return FileUses(tuple(self._edges.values()), tuple(self._outside)), frozenset(self._consulted)

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
        key = callee, kind, source.qualified_name.rpartition(".")[0], source.id if kind == "class" else ""
        candidates = self._targets.get(key)
        if candidates is None:
            candidates = self._targets[key] = self._candidates(*key)
        is_few = len(candidates) <= _MOST_OVERLOADS and len({(one.file, one.owner) for one in candidates}) <= _MOST
        if candidates and is_few:
            for candidate in candidates:
                self._add_edge(source.id, candidate.key, site.kind, site.line, Confidence.HEURISTIC, BY_NAME)
        elif site.kind in _CALLS:
            why = "ambiguous" if candidates else "external"
            self._outside.append(Outside(source.id, callee, site.kind, self._path, site.line, why))

    def _elements_named(self, name: str) -> _Group:
        return self._by_name.named(self._cell(name))

    def _cell(self, name: str) -> str:
        cell = name_cell(self._path, name)
        self._consulted.add(cell)
        return cell

    def _candidates(self, callee: str, kind: str, container: str, excluded: str) -> list[_Candidate]:
        """The elements that a use of a kind may mean in `container`, without the one with key `excluded`.

        These are the members of the container that its qualifier names if there are any, and of these the nearest.
        """
        qualifier, _, name = callee.rpartition(".")
        group = self._elements_named(name).by(_use_kinds, kind)
        if qualifier in _BASES:
            return self._nearest(group, excluded, container)
        if not qualifier or qualifier in _SELVES:
            members = group.by(_owner, container) if container else _NO_ELEMENTS
        else:
            members = group.by(_owner_name, qualifier)
            if not members.has(excluded) and qualifier[:1].isupper():  # inherited, or of a type outside the project
                group = group if self._by_name.has(self._cell(qualifier)) else _NO_ELEMENTS
            elif not members.has(excluded):
                members = group.by(_module_words, qualifier)
                members = members if members.has(excluded) else group.by(_owned, "owned")
        return self._nearest(members if members.has(excluded) else group, excluded)

    def _nearest(self, group: _Group, excluded: str, left_out: str | None = None) -> list[_Candidate]:
        """The elements of the same file; else of the same folder or of imported files; else all.

        Those of the container `left_out` are left out; where there are too many, some of them may stay.
        """

        def remaining(nearby: Iterable[_Candidate]) -> list[_Candidate]:
            return [one for one in nearby if one.owner != left_out and one.key != excluded]

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
