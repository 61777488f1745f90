"""Go on demand: a use has the name of what it means, but that of a type behind an alias, and of an interface.

    type Sum = Total                         Total is constructed as `Sum{}`
    type Store interface { Open() error }    implemented by a type with a method Open, or that embeds such a type

Packages and interfaces are read by the file, when a name is asked for that the file holds.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from posixpath import dirname
from typing import Final, NamedTuple

from bearings.code.expressions import Expression, split
from bearings.code.file_facts import FileFacts, Shape, Trait
from bearings.code.models import ProjectFiles, Symbol, SymbolKind
from bearings.code.resolve.demand.way import Limits, Sources, Way
from bearings.code.resolve.edges.wanted import WrittenNames
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import PACKAGE
from bearings.code.resolve.referents import CLASSES
from bearings.code.resolve.rules.go.implements import GoImplementations, GoInterfaces, based_on, is_interface_cell
from bearings.code.resolve.rules.go.modules import paths_of
from bearings.code.resolve.rules.go.packages import CLAUSE
from bearings.code.resolve.rules.go.semantics import GO
from bearings.code.resolve.rules.go.uses import PRINTED, ByPackages
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.symbol_keys import keys_of
from bearings.code.type_expressions import TypeExpression, type_names

_LINE: Final = rb"(?:^|[{;]|\*/)\s*"
"""The start of a field, a method of an interface, or a declaration in a group."""
_LIST: Final = rb"(?:\w+\s*,\s*)*"
_PARAMETERS: Final = rb"(?:\s*\[[^\n]*\])?"
_TYPE: Final = rb"\s*[~*]?\s*(?:\w+\s*\.\s*)?"
_END: Final = rb"(?=[ \t\r]*(?:$|[\[`\"};)|]|//|/\*))"
_GROUPS: Final = rb"(?:type|var|const)\s*(?:\(|\s[\w\s,]*,\s*\n)"
"""What begins a group of declarations, or a list of more than a line."""


class _Place(NamedTuple):
    """Where a name stands: what precedes it in its line, and what follows."""

    before: bytes = b""
    after: bytes = b""


_DOT_IMPORTS: Final = [(quote, _Place(rb"(?:^|[;(]|\bimport)\s*\.\s*")) for quote in ('"', "`")]
_DECLARED: Final = _Place(rb"\b(?:func\s+|(?:type|var|const)(?:\s+|\s*\(\s*)" + _LIST + rb")", rb"(?!\s*\.)")
_IN_GROUP: Final = _Place(_LINE + _LIST, rb"(?!\s*\.)")
"""A declaration in a group, which the line of a statement or a field may look like."""
_RECEIVER: Final = _Place(rb"\bfunc\s*\(\s*(?:\w+\s+)?\*?\s*", rb"\s*[\[)]")
_METHOD: Final = _Place(rb"\)\s*", rb"\s*\(")
_ABSTRACT: Final = _Place(_LINE, rb"\s*\(")
_EMBEDDED: Final = _Place(rb"(?:" + _LINE + rb"|\btype\s+\w+" + _PARAMETERS + rb"\s*=?)" + _TYPE, _END)
"""What embeds a name, or defines a type by it."""
_DEFINING: Final = _Place(_LINE + rb"\w+" + _PARAMETERS + rb"\s*=?" + _TYPE, _END)
"""Such a definition in a group of types, which a field may look like."""
_ALIASED: Final = _Place(rb"=" + _TYPE)
_INTERFACE: Final = _Place(after=_PARAMETERS + rb"\s*=?\s*interface\b")
_TAKEN: Final = _Place(rb"\.\s*|" + _LINE)
"""A member of something: after a dot, which may end the line before."""
_KEY: Final = _Place(after=rb"\s*:")
_ARGUMENTS: Final = rb"(?:\s*\[[^\n]*\])?\s*\{"
_UNKEYED: Final = _Place(after=_ARGUMENTS + rb"(?!\s*(?:\}|\w+\s*:))")
_LISTED: Final = _Place(rb"\]" + _TYPE, _ARGUMENTS)
"""Literals whose elements may have no keys: of a struct, and of a list or map of structs."""
_PRINTING: Final = rb"[\"`](?:fmt|log)[\"`]"
"""The import of a package that prints."""
_IMPORTED: Final = _Place(rb"[\"`/]", rb"[\"`]")


class GoUses(Way):
    """See Way: files of Go."""

    def __init__(
        self, facts: Mapping[str, FileFacts], project: ProjectFiles, modules: Modules, sources: Sources, limits: Limits
    ) -> None:
        self._facts = facts
        self._manifests = project.manifests
        self._modules = modules
        self._sources = sources
        self._limits = limits
        self._strategy = ByPackages(facts, modules, self)
        self._interfaces = _HeldInterfaces(self._reading)
        self._implementations = GoImplementations(facts, modules, self._interfaces, self)
        self._clauses: dict[str, str] = {}

    def clause(self, path: str) -> str:
        """See GoSources."""
        if path not in self._clauses:
            found = self._sources.start(path, CLAUSE)
            self._clauses[path] = found.decode("utf-8", "replace") if found else self._facts[path].package
        return self._clauses[path]

    def declaring(self, name: str, files: Collection[str]) -> Collection[str]:
        """See GoSources."""
        holders = self._held(name, files)
        grouped = self._sources.matching(_GROUPS, self._among(holders, name, _IN_GROUP))
        return self._among(holders, name, _DECLARED).union(grouped)

    def extending(self, type_: str, files: Collection[str]) -> Collection[str]:
        """See GoSources."""
        return self._among(self._held(type_, files), type_, _RECEIVER)

    def holders(self, name: str) -> Collection[str]:
        """See Way."""
        return [path for path in self._sources.holding(name) if self._is_packaged(path)]

    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """See Way."""
        if symbol.kind is SymbolKind.ENDPOINT:  # it is used by its URL
            raise NeedsIndex(symbol.id)
        if symbol.kind is SymbolKind.MODULE:
            return dict(self._importers(dirname(symbol.file)))
        facts = self._facts[symbol.file]
        index = keys_of(facts).index(key)
        shape, name = facts.shapes[index], symbol.qualified_name.rpartition(".")[2]
        names = {name} | (self._aliases(name) if symbol.kind in CLASSES else set())
        users: dict[str, frozenset[str]] = {}
        for each in names:
            users.update(dict.fromkeys(self._naming(each, symbol, is_member=shape.parent > 0), frozenset(names)))
        implementing: Collection[str] = ()
        if symbol.kind is SymbolKind.INTERFACE:
            cells = self._cells({name}, [symbol.file])
            implementing = self._implementing(symbol.file, index)
        elif symbol.kind is SymbolKind.METHOD and shape.traits & Trait.ABSTRACT:
            owner = facts.symbols[shape.parent].name
            cells = self._cells(*self._embedding({owner}, {symbol.file}))
            implementing = self._with(name, _METHOD)
        elif symbol.kind is SymbolKind.PROPERTY and facts.symbols[shape.parent].kind is SymbolKind.CLASS:
            owners, _ = self._embedding({facts.symbols[shape.parent].name}, {symbol.file})
            for owner in owners:  # `Point{1, 2}` does not name it
                for path in self._with(owner, _UNKEYED, _LISTED):
                    users[path] = users.get(path, frozenset()).union(names, owners)
        if symbol.kind is SymbolKind.METHOD and name in PRINTED:
            for path in self._sources.matching(_PRINTING, {*self.holders("fmt"), *self.holders("log")}):
                users[path] = users.get(path, frozenset()).union(PRINTED)
        for path in implementing:
            users[path] = users.get(path, frozenset()).union(cells)
        return users

    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """See Way."""
        cells = frozenset(filter(is_interface_cell, names))
        uses = FileUses((), ())
        if names > cells:
            wanted = WrittenNames(names - cells)
            self._add_locals(wanted.names, self._facts[path])
            uses = self._strategy.uses_of(path, wanted)
        if cells:
            uses = uses._replace(edges=(*uses.edges, *self._implementations.edges_into(path, cells)))
        return uses

    def uses(self, path: str) -> FileUses:
        """See Way."""
        return self._implementations.added(path, self._strategy.uses(path)[0])[0]

    def bases(self, path: str) -> FileUses:
        """See Way."""
        return self._implementations.added(path, self._strategy.bases(path))[0]

    def give_up(self) -> None:
        """See Way."""
        self._strategy.give_up()
        self._implementations.give_up()

    def _is_packaged(self, path: str) -> bool:
        return self._sources.resolved_by(path) is ResolvedBy.PACKAGES

    def _naming(self, name: str, symbol: Symbol, *, is_member: bool) -> Collection[str]:
        """The files that may use a name: of its package, or that take it out of something, or with a dot import."""
        folder, holders = dirname(symbol.file), self.holders(name)
        outside = [path for path in holders if dirname(path) != folder]
        found = {path for path in holders if dirname(path) == folder}
        places = [(name, _TAKEN), *([(name, _KEY)] if is_member else _DOT_IMPORTS)]
        return found.union(*(self._among(outside, word, place) for word, place in places))

    def _held(self, word: str, files: Collection[str]) -> Collection[str]:
        holders = self._sources.holding(word)
        return [path for path in files if path in holders]

    def _with(self, name: str, *places: _Place) -> frozenset[str]:
        """The files that hold a name in one of some places."""
        return self._among(self.holders(name), name, *places)

    def _among(self, files: Collection[str], name: str, *places: _Place) -> frozenset[str]:
        self._limits.check_time()
        return frozenset[str]().union(
            *(self._sources.between(place.before, name, place.after, files) for place in places)
        )

    def _reading(self, name: str) -> Iterator[tuple[str, Mapping[str, FileFacts]]]:
        """The files that may declare an interface by the name of a method, or of an embedded interface after `+`."""
        word = name.removeprefix("+")
        for path in sorted(self._with(word, _ABSTRACT if word == name else _EMBEDDED)):
            self._limits.check_time()
            yield path, self._facts

    def _aliases(self, name: str) -> set[str]:
        """The aliases of a type, and theirs."""
        known, latest = {name}, {name}
        while latest:
            found = set[str]()
            for each in latest:
                for path in self._with(each, _ALIASED):
                    found.update(
                        symbol.name
                        for symbol, shape in self._types(path)
                        if shape.traits & Trait.ALIAS and _first(shape.type) == each
                    )
            latest = found - known
            known |= latest
        return known

    def _add_locals(self, names: set[str], facts: FileFacts) -> None:
        """Adds the locals of a file that have one of some names, or are another name of it: `run := build`."""
        names.update([row.name for row in facts.bindings if row.name.partition("$")[0] in names])
        values = [(row.name, last) for row in facts.bindings if (last := _last(row.value)) and "$" in row.name]
        size = -1
        while size != len(names):
            size = len(names)
            names.update([name for name, last in values if last in names])

    def _types(self, path: str) -> Iterator[tuple[Symbol, Shape]]:
        self._limits.check_time()
        facts = self._facts[path]
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=True):
            if symbol.kind in CLASSES:
                yield symbol, shape

    def _embedding(self, names: Collection[str], files: Collection[str]) -> tuple[set[str], set[str]]:
        """The types that embed one of some names, or are defined by it, and theirs: all names, and their files."""
        known, latest, found = set(names), set(names), set(files)
        while latest:
            more = set[str]()
            for each in latest:
                grouped = self._sources.matching(_GROUPS, self._with(each, _DEFINING))
                for path in self._with(each, _EMBEDDED).union(grouped):
                    for symbol, shape in self._types(path):
                        bases = [base.type for base in shape.bases]
                        if any(_first(type_) == each for type_ in (*bases, shape.type)):
                            more.add(symbol.name)
                            found.add(path)
            latest = more - known
            known |= latest
            self._limits.check(found)
        return known, found

    def _cells(self, names: Collection[str], files: Collection[str]) -> frozenset[str]:
        """The cells in which interfaces of some names stand, and those of the interfaces that lead to them."""
        cells = set[str]()
        names, paths = set(names), set(files)
        while True:
            self._interfaces.read_files(sorted(paths), self._facts)
            new = {cell for path in paths for cell in self._interfaces.cells_of(path, names)} - cells
            cells |= new
            names = {name for name in map(based_on, new) if name}
            if not names:
                return frozenset(cells)
            paths = {path for name in names for path in self._with(name, _INTERFACE)}

    def _implementing(self, file: str, index: int) -> Collection[str]:
        """The files that declare a type which may implement an interface: it has, or embeds, one of its methods."""
        methods = self._implementations.methods_of(file, index)
        if not methods:
            return ()
        declaring = {name: self._with(name, _METHOD, _ABSTRACT) for name in sorted(methods)}
        method = min(declaring, key=lambda name: len(declaring[name]))
        self._limits.check(declaring[method])
        types, found = set[str](), set[str]()
        for path in sorted(declaring[method]):
            self._limits.check_time()
            for symbol in self._facts[path].symbols:
                owner, _, name = symbol.qualified_name.rpartition(".")
                if symbol.kind is SymbolKind.METHOD and name == method:
                    types.add(owner.rpartition(".")[2])
                    found.update(self._implementations.files_of(path, owner))
        return self._embedding(types, found)[1]

    def _importers(self, folder: str) -> Iterator[tuple[str, frozenset[str]]]:
        """The files that import a package, each with the paths that name it."""
        words = {path.rpartition("/")[2] for path in (folder, *paths_of(folder, self._manifests))}
        for word in filter(None, words):
            for path in self._with(word, _IMPORTED):
                self._limits.check_time()
                modules = {entry.module for entry in self._facts[path].imports}
                named = [
                    module
                    for module in modules
                    if (found := self._modules.find(path, module, GO.family)).kind == PACKAGE and found.file == folder
                ]
                if named:
                    yield path, frozenset(named)


class _HeldInterfaces(GoInterfaces):
    """A GoInterfaces whose cells are filled when they are asked for."""

    def __init__(self, reading: Callable[[str], Iterator[tuple[str, Mapping[str, FileFacts]]]]) -> None:
        super().__init__()
        self._reading = reading
        self._read_files: set[str] = set()

    def named(self, name: str) -> list[tuple[str, str]]:
        """See GoInterfaces."""
        for path, facts in self._reading(name):
            self.read_files((path,), facts)
        return super().named(name)

    def read_files(self, paths: Collection[str], facts: Mapping[str, FileFacts]) -> None:
        """Reads files that were not read yet."""
        unread = [path for path in paths if path not in self._read_files]
        self.update(unread, facts)
        self._read_files.update(unread)


def _last(value: Expression | None) -> str:
    """The last name in a value, as `Total` in `cart.Total[int]`; empty for the result of a call."""
    if value is None:
        return ""
    root, steps = split(value)
    return [root.rpartition(".")[2] if type(root) is str else "", *(step for step in steps if type(step) is str)][-1]


def _first(type_: TypeExpression | None) -> str:
    """The last part of the first name in a type: of `*pkg.Cart[Item]`, Cart."""
    return next(type_names(type_), "").rpartition(".")[2]
