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

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bearings.code.expressions import last_name, root_of
from bearings.code.file_facts import CallSite, FileFacts, Trait
from bearings.code.framework_facts import INJECTED, PROVIDED, SENT, FrameworkCall
from bearings.code.languages import spec_of
from bearings.code.models import BY_NAME, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.nominal.types import SHARED
from bearings.code.resolve.referent import MODULE, OUTSIDE, Referent
from bearings.code.resolve.referents import CLASSES, EXTERNAL, module_at
from bearings.code.resolve.rules.by_name.candidates import Groups
from bearings.code.resolve.rules.by_name.choice import SELVES, Choice
from bearings.code.resolve.rules.by_name.modules import FAMILY, is_declared
from bearings.code.resolve.rules.by_name.names import (
    EXTENDS,
    IMPORTS,
    KINDS,
    LETTERS,
    LOCAL,
    NAME,
    NO_CODE,
    base_names,
    called_name,
    name_cell,
)
from bearings.code.resolve.rules.by_name.packed_entries import PackedEntries
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.strategy import Completion, ProjectTable, Strategy
from bearings.code.symbol_keys import MARK, keys_of

if TYPE_CHECKING:
    from bearings.code.resolve.nominal.uses import Meaning, NominalUses

_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_READS = frozenset({EdgeKind.CALL, EdgeKind.REFERENCE})
_ENDPOINT, _REFERENCE = SymbolKind.ENDPOINT, EdgeKind.REFERENCE
_PROVIDER = "+"
"""Stands for the letter of a kind in an entry that says who provides a type: in the cell of the type's name."""
_HANDLED = "handler"


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
        self._entries = PackedEntries(NAME)

    def covers(self, path: str) -> bool:
        """See ProjectTable: files of languages by declaration."""
        return is_declared(path)

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell.endswith(NAME)

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
            sign = EXTENDS if shape.traits & Trait.EXTENSION else ""
            data = [LETTERS[symbol.kind] + sign + LOCAL * is_local, *base_names(shape)]
            yield name_cell(path, symbol.name), key, " ".join(data)
        yield from _provided(path, file)
        if file.exports:
            modules = [f"{each.name}={each.module}".removeprefix("*=") for each in file.exports]
            data = [LETTERS[SymbolKind.MODULE] + IMPORTS, *modules]
            yield name_cell(path, SHARED), f"{path}{MARK}{SHARED}", " ".join(data)

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
        rows = [(key, data.split(" ")) for _, (_, key, data) in self.in_cell(cell) if data[0] != _PROVIDER]
        return [(key, letter, bases) for key, (letter, *bases) in rows if letter[1:] != IMPORTS]

    def providers(self, cell: str) -> list[tuple[str, str, str]]:
        """Who provides the type of a cell: key, the type's whole name, and the class that a registration names."""
        rows = [(key, data.split(" ")) for _, (_, key, data) in self.in_cell(cell) if data[0] == _PROVIDER]
        return [(key, whole, made) for key, (_, whole, made) in rows]

    def cell(self, path: str, name: str) -> str:
        """See Declaring."""
        return name_cell(path, name)

    def classes(self, path: str, name: str) -> Sequence[str]:
        """See Declaring."""
        return self.classes_in(name_cell(path, name))

    def functions(self, path: str, name: str) -> Sequence[str]:
        """See Declaring."""
        return self.functions_in(name_cell(path, name))

    def functions_in(self, cell: str) -> list[str]:
        """The keys of the functions in the cell of a name, as far as it is filled."""
        return [key for _, (_, key, data) in self.in_cell(cell) if KINDS.get(data[0]) is SymbolKind.FUNCTION]

    def classes_in(self, cell: str) -> list[str]:
        """The keys of the classes in the cell of a name, as far as it is filled."""
        return [key for _, (_, key, data) in self.in_cell(cell) if KINDS.get(data[0]) in CLASSES]

    def extensions(self, path: str, name: str) -> Sequence[str]:
        """See Declaring."""
        return self.extensions_in(name_cell(path, name))

    def extensions_in(self, cell: str) -> list[str]:
        """The keys of the methods in the cell of a name that are called through their first argument."""
        return [key for _, (_, key, data) in self.in_cell(cell) if data[1:2] == EXTENDS]

    def shared_imports(self, path: str) -> Sequence[tuple[str, Sequence[str]]]:
        """See Declaring."""
        rows = self.in_cell(name_cell(path, SHARED))
        return [(file, data.split(" ")[1:]) for file, (_, _, data) in rows if data[1:2] == IMPORTS]

    def names_type_or_value(self, cell: str) -> bool:
        """Whether a name is one of a type or of a variable."""
        return any(data[0] in NO_CODE for _, (_, _, data) in self.in_cell(cell))


def before_names(path: str) -> bytes:
    """A pattern for what stands before the name of an element that a file declares; empty: anything may."""
    spec = spec_of(path)
    rules = semantics_of(spec.language).nominal if spec is not None else None
    return rules.before_names if rules is not None else b""


def _provided(path: str, file: FileFacts) -> Iterator[Entry]:
    """An entry for each type that something of a file provides, or that a registration in it is about."""
    keys = keys_of(file) if file.framework_calls else ()
    for call in file.framework_calls:
        if call.by == PROVIDED and call.callee is not None:
            whole = call.callee if type(call.callee) is str else str(root_of(call.callee))
            made = "" if type(call.callee) is str else last_name(call.callee)
            key = keys[call.target if call.target >= 0 else call.source]
            yield name_cell(path, whole.rpartition(".")[2]), key, f"{_PROVIDER} {whole} {made}"


def _kind(site: CallSite, source: Symbol) -> EdgeKind:
    """The kind of an edge: an endpoint refers to its handler, which is found as a callee."""
    return EdgeKind.REFERENCE if source.kind is _ENDPOINT else site.kind


class ByName(Completion):
    """The uses by name of one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, table: NameTable) -> None:
        self.modules = modules
        self._facts = facts
        self._table = table
        self.groups = Groups(table.named, table.names_type_or_value)
        self._nominal: dict[int, NominalUses] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion: all uses of such a file are found here."""
        del uses
        return _File(self, self._facts[file]).uses()

    def shed(self, but: Collection[str]) -> None:
        """See Completion."""
        self.groups.shed()
        for nominal in self._nominal.values():
            nominal.shed(but)

    def give_up(self) -> frozenset[str]:
        """See Completion."""
        return frozenset[str]().union(*(nominal.answers.abandon() for nominal in self._nominal.values()))

    def providers(self, cell: str) -> list[tuple[str, str, str]]:
        """See NameTable."""
        return self._table.providers(cell)

    def nominal(self, facts: FileFacts) -> "NominalUses | None":
        """The meanings of uses by declared types; None in a language without them."""
        rules = semantics_of(facts.language).nominal
        if rules is not None and id(rules) not in self._nominal:
            from bearings.code.resolve.nominal.uses import NominalUses

            self._nominal[id(rules)] = NominalUses(self._facts, self._table, rules)
        return self._nominal[id(rules)] if rules is not None else None

    def imported(self, facts: FileFacts, module: str) -> Referent:
        """The file that a file imports."""
        found = self.modules.find(facts.path, module, FAMILY)
        nominal = self.nominal(facts) if found.kind == OUTSIDE else None
        file = nominal.imported(facts.path, module) if nominal is not None else ""
        return module_at(file) if file else found

    def uses_of(self, file: str, is_wanted: Callable[[CallSite], bool]) -> FileUses:
        """The imports of a file, and some of its other uses."""
        return _File(self, self._facts[file]).uses(is_wanted)[0]


class _File:
    """The uses of one file."""

    def __init__(self, by_name: ByName, facts: FileFacts) -> None:
        self._by_name = by_name
        self._facts = facts
        self._path = facts.path
        self._edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self._outside: list[Outside] = []
        self._choice = Choice(by_name.groups, facts)
        self._import_lines = {entry.line for entry in facts.imports}

    def uses(self, is_wanted: Callable[[CallSite], bool] | None = None) -> tuple[FileUses, frozenset[str]]:
        """The uses, and the cells that they depend on."""
        symbols, scopes = self._facts.symbols, self._facts.scopes
        nominal = self._by_name.nominal(self._facts)
        if nominal is not None:
            nominal.begin()
        self._add_imports()
        for number, site in enumerate(self._facts.sites):
            if is_wanted is None or is_wanted(site):
                source = symbols[scopes[site.scope].symbol]
                meaning = nominal.meaning(self._path, number) if nominal is not None else None
                if meaning is not None:
                    self._add_meaning(site, source, meaning)
                elif callee := called_name(self._facts.sites, site):
                    self._add_site(site, callee, source)
        for call in self._facts.framework_calls:
            named = call.callee or symbols[max(0, call.target)].name
            if is_wanted is None or is_wanted(CallSite(EdgeKind.REFERENCE, named, call.line, call.scope)):
                self._add_framework_call(call)
        if nominal is not None:
            for site in self._facts.mentions:
                meaning = nominal.access(self._path, site) if is_wanted is None or is_wanted(site) else None
                if meaning is not None:
                    self._add_meaning(site, symbols[self._facts.scopes[site.scope].symbol], meaning)
        consulted = nominal.answers.gathered() if nominal is not None else frozenset[str]()
        return FileUses(tuple(self._edges.values()), tuple(self._outside)), consulted.union(self._choice.consulted)

    def _add_meaning(self, site: CallSite, source: Symbol, meaning: "Meaning") -> None:
        is_read = meaning.is_field and site.kind in _READS and site.line not in self._import_lines
        is_passed = site.kind is EdgeKind.READ and not meaning.is_field  # a method as a value
        kind = EdgeKind.READ if is_read else _REFERENCE if is_passed else _kind(site, source)
        for target in meaning.targets:
            self._add_edge(source.id, target, kind, site.line, meaning.confidence, meaning.reason)
        if not meaning.targets and site.kind in _CALLS and (callee := called_name(self._facts.sites, site)):
            why = EXTERNAL.reason
            self._outside.append(Outside(source.id, callee.lstrip("."), site.kind, self._path, site.line, why))

    def _add_framework_call(self, call: FrameworkCall) -> None:
        """Adds the edges of an endpoint to its handler, and of what gets an object to the classes that provide it."""
        source = self._facts.symbols[call.source]
        if call.by in (INJECTED, SENT) and type(call.callee) is str:
            kind, reason = (EdgeKind.CALL, f"handler of {call.callee}") if call.by == SENT else (_REFERENCE, INJECTED)
            rows = self._by_name.providers(self._choice.cell(call.callee.rpartition(".")[2]))
            keys, is_sure = self._choice.providers(rows, call.callee, is_near=call.by == SENT)
            reason += f": one of {len(keys)}" if len(keys) > 1 else ""
            confidence = Confidence.STRONG if is_sure else Confidence.HEURISTIC
            for key in keys:
                self._add_edge(source.id, key, kind, call.line, confidence, reason)
        elif source.kind is _ENDPOINT:
            key = keys_of(self._facts)[call.target]
            self._add_edge(source.id, key, _REFERENCE, call.line, Confidence.EXACT, _HANDLED)

    def _add_imports(self) -> None:
        module = self._facts.symbols[0].id
        for entry in self._facts.imports:
            imported = self._by_name.imported(self._facts, entry.module)
            if imported.kind == MODULE and imported.file != self._path:
                self._choice.imported.add(imported.file)
                self._add_edge(module, imported.file, EdgeKind.IMPORT, entry.line, Confidence.STRONG, "import")
            elif imported.kind == OUTSIDE:
                why = imported.reason
                self._outside.append(Outside(module, entry.module, EdgeKind.IMPORT, self._path, entry.line, why))

    def _add_site(self, site: CallSite, callee: str, source: Symbol) -> None:
        kind = site.kind if site.kind in (EdgeKind.CALL, EdgeKind.REFERENCE) else "class"
        receiver, dot, name = callee.rpartition(".")
        around = self._around(site) if source.kind is _ENDPOINT else source
        container = around.qualified_name.rpartition(".")[0]
        is_itself = bool(dot) and name == source.name and kind == EdgeKind.CALL and receiver not in SELVES
        is_itself = is_itself and receiver != container.rpartition(".")[2]
        excluded = f"{self._path}\0{source.qualified_name}" if is_itself else ""
        chosen, why = self._choice.meaning(callee, kind, container, excluded)
        is_only = self._choice.names_are_global and not dot and kind == EdgeKind.CALL and len(chosen) == 1 and not why
        confidence = Confidence.STRONG if is_only else Confidence.HEURISTIC
        for candidate in chosen:
            self._add_edge(source.id, candidate.key, _kind(site, source), site.line, confidence, BY_NAME)
        if why and site.kind in _CALLS:
            self._outside.append(Outside(source.id, callee.lstrip("."), site.kind, self._path, site.line, why))

    def _around(self, site: CallSite) -> Symbol:
        """The element in which an endpoint is registered."""
        scopes = self._facts.scopes
        return self._facts.symbols[scopes[max(0, scopes[site.scope].parent)].symbol]

    def _add_edge(
        self, source: str, target: str, kind: EdgeKind, line: int, confidence: Confidence, reason: str
    ) -> None:
        key = (source, target, kind, line)
        if key not in self._edges:
            self._edges[key] = Edge(source, target, kind, self._path, line, confidence, reason)
