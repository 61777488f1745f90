"""Resolves languages by declaration: uses lead to elements of the same name, `heuristic`, the nearest first.

Any file may declare a name, so names are looked up in a table of the whole project. A use depends on the cell of its
name (see incremental.py), not on files. This module asks a language's spec, never which language it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from posixpath import dirname
from sys import intern

from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.languages import SPECS, language_of
from bearings.code.models import BY_NAME, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.by_name.modules import FAMILY, is_declared
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.referents import CLASSES, ReferentKind
from bearings.code.resolve.strategy import Completion, Entry, ProjectTable
from bearings.code.symbol_keys import keys_of

_MOST = 5
_MOST_OVERLOADS = 20
"""Elements of one name at the same distance, overloads included, to which a use of the name may lead."""
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.VARIABLE})
_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_SELVES = frozenset({"self", "this", "Self", "static"})
_ABOVE = frozenset({"super", "base", "parent"})


_NAME = "/.name/"


def name_cell(path: str, name: str) -> str:
    """The cell of a name in a file's language."""
    language = language_of(path)
    family = (SPECS[language].family or language) if language is not None else ""
    return intern(f"{family}/{name}{_NAME}")


class NameTable(ProjectTable):
    """The elements of a project by their names."""

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
        """See ProjectTable: for each element the cell of its name, its key and its kind."""
        return _entries(facts[path])

    def named(self, cell: str) -> list[tuple[str, str]]:
        """The keys and kinds of the elements of a name."""
        return [(key, kind) for _, (_, key, kind) in self.in_cell(cell)]


def _entries(facts: FileFacts) -> Iterator[Entry]:
    for symbol, key in zip(facts.symbols[1:], keys_of(facts)[1:], strict=True):
        yield name_cell(facts.path, symbol.name), key, str(symbol.kind)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An element that a name may mean: its key, file and kind, and its container's qualified name and last part."""

    key: str
    file: str
    owner: str
    kind: SymbolKind


class ByName(Completion):
    """The uses by name of one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, table: NameTable) -> None:
        self.modules = modules
        self._facts = facts
        self._table = table
        self._known: dict[str, list[_Candidate]] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion: all uses of such a file are found here."""
        del uses
        return _File(self, self._facts[file]).uses()

    def named(self, cell: str) -> list[_Candidate]:
        """The elements of a name."""
        known = self._known.get(cell)
        if known is None:
            known = self._known[cell] = [_candidate(key, SymbolKind(kind)) for key, kind in self._table.named(cell)]
        return known


def _candidate(key: str, kind: SymbolKind) -> _Candidate:
    file, name, *_ = key.split("\0")
    return _Candidate(key, file, name.rpartition(".")[0], kind)


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

    def uses(self) -> tuple[FileUses, frozenset[str]]:
        """The uses, and the cells that they depend on."""
        self._imports()
        symbols = self._facts.symbols
        for site in self._facts.sites:
            if type(site.callee) is str:
                self._site(site, site.callee, symbols[self._facts.scopes[site.scope].symbol])
        return FileUses(tuple(self._edges.values()), tuple(self._outside)), frozenset(self._consulted)

    def _imports(self) -> None:
        module = self._facts.symbols[0].id
        for entry in self._facts.imports:
            found = self._by_name.modules.find(self._path, entry.module, FAMILY)
            if found.kind == ReferentKind.MODULE and found.where != self._path:
                self._imported.add(found.where)
                self._edge(module, found.where, EdgeKind.IMPORT, entry.line, Confidence.STRONG, "import")
            elif found.kind == ReferentKind.OUTSIDE:
                self._outside.append(
                    Outside(module, entry.module, EdgeKind.IMPORT, self._path, entry.line, found.where)
                )

    def _site(self, site: CallSite, callee: str, source: Symbol) -> None:
        of, _, name = callee.rpartition(".")
        found = self._fitting(self._named(name), site.kind, source)
        found = self._nearest(self._of(found, of, source)) if found else found
        places = {(candidate.file, candidate.owner) for candidate in found}
        if 0 < len(places) <= _MOST and len(found) <= _MOST_OVERLOADS:
            for candidate in found:
                self._edge(source.id, candidate.key, site.kind, site.line, Confidence.HEURISTIC, BY_NAME)
        elif site.kind in _CALLS:
            why = "ambiguous" if found else "external"
            self._outside.append(Outside(source.id, callee, site.kind, self._path, site.line, why))

    def _named(self, name: str) -> list[_Candidate]:
        cell = name_cell(self._path, name)
        self._consulted.add(cell)
        return self._by_name.named(cell)

    def _fitting(self, found: list[_Candidate], kind: EdgeKind, source: Symbol) -> list[_Candidate]:
        """The elements of kinds that the use may mean: a call means no value, a type means a class."""
        if kind is EdgeKind.CALL:
            return [candidate for candidate in found if candidate.kind not in _VALUES]
        if kind is EdgeKind.REFERENCE:
            return [candidate for candidate in found if candidate.kind in CLASSES or candidate.kind in _VALUES]
        return [candidate for candidate in found if candidate.kind in CLASSES and candidate.key != source.id]

    def _of(self, found: list[_Candidate], of: str, source: Symbol) -> list[_Candidate]:
        """The elements in the container that the use names, if it names one."""
        own = source.qualified_name.rpartition(".")[0]
        if not of or of in _SELVES:
            return [candidate for candidate in found if candidate.owner and candidate.owner == own] or found
        if of in _ABOVE:
            return [candidate for candidate in found if candidate.owner != own]
        members = [candidate for candidate in found if candidate.owner.rpartition(".")[2] == of]
        if of[:1].isupper():  # inherited, or of a type outside the project
            return members or (found if self._named(of) else [])
        members = members or [candidate for candidate in found if self._is_in(candidate, of)]
        return members or [candidate for candidate in found if candidate.owner] or found

    def _is_in(self, candidate: _Candidate, of: str) -> bool:
        """Whether an element stands alone in a file of this name: a module."""
        parts = candidate.file.rpartition(".")[0].split("/")
        return not candidate.owner and of in parts[-2:]

    def _nearest(self, found: list[_Candidate]) -> list[_Candidate]:
        """The elements of the same file; else of the same folder or of imported files; else all."""
        here = [candidate for candidate in found if candidate.file == self._path]
        near = [c for c in found if c.file in self._imported or dirname(c.file) == self._folder]
        return here or near or found

    def _edge(self, source: str, target: str, kind: EdgeKind, line: int, sure: Confidence, reason: str) -> None:
        key = (source, target, kind, line)
        if key not in self._edges:
            self._edges[key] = Edge(source, target, kind, self._path, line, sure, reason)
