"""Go's packages: the files of a folder with the same package clause, and their declarations.

store/open_linux.go      package store; func open() …     chosen for a caller in a file for Linux, or for any system
store/open_windows.go    package store; func open() …     chosen for a caller in a file for Windows
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from sys import intern
from typing import Final, Protocol

from bearings.code.file_facts import Binding, BindingKind, FileFacts, Import, Trait
from bearings.code.grouping import grouped
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import AnswerCache
from bearings.code.resolve.modules.cells import files_cell
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import PACKAGE, Referent
from bearings.code.resolve.rules.go.builds import is_built, system_of
from bearings.code.resolve.rules.go.semantics import GO
from bearings.code.symbol_keys import keys_of

Declared = tuple[str, int]
"""A file, and the index of one of its symbols."""
NAMELESS = frozenset({"_", "init"})
"""Names that no code can use."""

_FAMILY = GO.family
_NO_NAMES = frozenset({SymbolKind.ENDPOINT, SymbolKind.MODULE})
_NEVER: Final = "ignore"
"""The build constraint of programs that are run by hand."""
_NO_METHODS: Final[Mapping[str, list[Declared]]] = {}
_COMMENTS = rb"(?:\s|;|//[^\n]*\n|/\*.*?\*/)*+"
CLAUSE: Final = rb"(?s)(?:\xef\xbb\xbf)?" + _COMMENTS + rb"package\b" + _COMMENTS + rb"([\w\x80-\xff]+)"
"""The start of a file up to the name of its package."""


class GoSources(Protocol):
    """The sources of a project's files, which are parsed when something in them is asked for."""

    def clause(self, path: str) -> str:
        """The name of the package that a file belongs to."""
        ...

    def declaring(self, name: str, files: Collection[str]) -> Collection[str]:
        """Those of some files that may declare a name of their package."""
        ...

    def extending(self, type_: str, files: Collection[str]) -> Collection[str]:
        """Those of some files that may declare methods of a type."""
        ...


class GoView:
    """The tables of one file."""

    __slots__ = ("_generics", "_keys", "facts", "ids", "imports", "members", "rows", "stars")

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._keys: list[str] | None = None
        self._generics: dict[int, list[str]] | None = None
        self.ids = [intern(symbol.id) for symbol in facts.symbols]
        self.rows: dict[tuple[int, str], Binding] = {}
        for row in facts.bindings:
            self.rows.setdefault((row.scope, row.name), row)
        self.members: dict[int, dict[str, int]] = {}
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if shape.parent > 0:
                self.members.setdefault(shape.parent, {}).setdefault(symbol.qualified_name.rpartition(".")[2], index)
        self.imports = {entry.local: entry for entry in facts.imports if entry.local}
        self.stars = [entry for entry in facts.imports if entry.name == "*" and not entry.local]

    @property
    def keys(self) -> list[str]:
        """The key of each symbol."""
        if self._keys is None:
            self._keys = keys_of(self.facts)
        return self._keys

    def lookup(self, scope: int, name: str) -> Binding | None:
        """The row of a name in a scope or in one around it."""
        scopes = self.facts.scopes
        while scope >= 0:
            row = self.rows.get((scope, name))
            if row is not None:
                return row
            scope = scopes[scope].parent
        return None

    def generics(self, scope: int) -> list[str]:
        """The type parameters that a scope declares, in order; a method's begin with its receiver's."""
        if self._generics is None:
            parameters = (row for row in self.facts.bindings if row.kind is BindingKind.TYPE_PARAMETER)
            self._generics = grouped((row.scope, row.name) for row in parameters)
        return self._generics.get(scope, [])


class GoPackage:
    """The declarations of a package's files. `sources` are the cells that answers from it depend on.

    With `texts`, a file is read when a name is asked for that it may declare.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        folder: str,
        name: str,
        sources: frozenset[str],
        texts: GoSources | None = None,
    ) -> None:
        self._facts = facts
        self.folder = folder
        self.name = name
        self.sources = sources
        self.files: list[str] = []
        self._names: dict[str, list[Declared]] = {}
        self._methods: dict[str, dict[str, list[Declared]]] = {}
        self._firsts: dict[int, dict[str, Declared]] = {}
        self._chosen: dict[tuple[object, ...], Declared] = {}
        self._texts = texts
        self._unread: set[str] = set()
        self._asked: set[str] = set()

    def add(self, path: str, facts: FileFacts | None) -> None:
        """Adds a file; without its facts, it is read later."""
        path = intern(path)
        self.files.append(path)
        if facts is not None:
            self._read(path, facts)
        else:
            self._unread.add(path)

    def named(self, name: str) -> list[Declared] | None:
        """The declarations of a name."""
        if self._texts is not None and name not in self._asked:
            self._read_all(self._texts.declaring(name, self._unread))
            self._asked.add(name)
        return self._names.get(name)

    def methods_of(self, type_: str) -> Mapping[str, list[Declared]]:
        """The methods that are declared for a type, by their names."""
        if self._texts is not None and f".{type_}" not in self._asked:
            self._read_all(self._texts.extending(type_, self._unread))
            self._asked.add(f".{type_}")
        return self._methods.get(type_, _NO_METHODS)

    def count_types(self) -> int:
        """The number of types with methods."""
        self._read_all(self._unread)
        return len(self._methods)

    def _read_all(self, paths: Collection[str]) -> None:
        for path in sorted(paths):
            self._read(path, self._facts[path])
            self._unread.discard(path)

    def _read(self, path: str, facts: FileFacts) -> None:
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if symbol.kind is SymbolKind.METHOD and not shape.traits & Trait.ABSTRACT:
                owner, _, name = symbol.qualified_name.rpartition(".")
                self._methods.setdefault(owner, {}).setdefault(name, []).append((path, index))
            elif shape.parent == 0 and symbol.kind not in _NO_NAMES and symbol.qualified_name not in NAMELESS:
                self._names.setdefault(symbol.qualified_name, []).append((path, index))

    def choose(self, declarations: list[Declared] | None, asker: str) -> Declared | None:
        """Chooses among declarations: the asking file's own, else one for its system, else one for Linux, amd64."""
        if not declarations:
            return None
        if len(declarations) == 1:
            return declarations[0]
        firsts = self._firsts.get(id(declarations))
        if firsts is None:
            firsts = self._firsts[id(declarations)] = {}
            for declaration in declarations:
                firsts.setdefault(declaration[0], declaration)
        if asker in firsts:
            return firsts[asker]
        own_system, own_build, is_test = system_of(asker), self._facts[asker].build, asker.endswith("_test.go")
        key = (id(declarations), own_system, own_build, is_test)
        if key not in self._chosen:
            rank = partial(self._order, own_system=own_system, own_build=own_build, is_test=is_test)
            self._chosen[key] = min(firsts.values(), key=rank)
        return self._chosen[key]

    def variants(self, chosen: Declared) -> Sequence[Declared]:
        """The declarations of other builds that a name means as well, in a file that is of every build."""
        facts = self._facts[chosen[0]]
        symbol, shape = facts.symbols[chosen[1]], facts.shapes[chosen[1]]
        if symbol.kind in _NO_NAMES:
            return ()
        owner, _, name = symbol.qualified_name.rpartition(".")
        is_method = symbol.kind is SymbolKind.METHOD and not shape.traits & Trait.ABSTRACT
        named = self.methods_of(owner).get(name) if is_method else self.named(name) if not shape.parent else None
        if not named or len(named) == 1:
            return ()
        others = {other[0]: other for other in named if other[0] != chosen[0] and self._facts[other[0]].build != _NEVER}
        return [*others.values()]

    def _order(self, declaration: Declared, own_system: str, own_build: str, *, is_test: bool) -> tuple[object, ...]:
        """A sort key, the best declaration first, for a file with this system and build constraint."""
        system, constraint = system_of(declaration[0]), self._facts[declaration[0]].build
        return (
            bool(own_system or own_build) and (system, constraint) != (own_system, own_build),
            bool(own_system) and not set(system.split("_")) <= set(own_system.split("_")),
            not is_built(declaration[0], constraint),
            declaration[0].endswith("_test.go") != is_test,
            declaration,
        )


class GoPackages:
    """The packages of a project, each read at its first use. An answer depends on all files of the package."""

    def __init__(
        self, facts: Mapping[str, FileFacts], modules: Modules, memo: AnswerCache, sources: GoSources | None
    ) -> None:
        self._facts = facts
        self._sources = sources
        self._modules = modules
        self._answers = memo
        self._folders: dict[str, dict[str, GoPackage]] = {}
        self._of_file: dict[str, GoPackage] = {}
        self._of_folder: dict[str, GoPackage | None] = {}
        self.views: dict[str, GoView] = {}
        self._names: dict[str, tuple[dict[str, Import], frozenset[str]]] = {}

    def view(self, file: str) -> GoView:
        """The tables of a file."""
        view = self.views.get(file)
        if view is None:
            view = self.views[file] = GoView(self._facts[file])
        return view

    def package_of(self, file: str) -> GoPackage:
        """The package that a file belongs to."""
        package = self._of_file.get(file)
        if package is None:
            package = self._of_file[file] = self._packages_in(file.rpartition("/")[0])[self._clause(file)]
        self._answers.consulted |= package.sources
        return package

    def variants(self, chosen: Declared) -> Sequence[Declared]:
        """See GoPackage: of what an answer has led to, so that it depends on the package already."""
        package = self._of_file.get(chosen[0])
        return (package or self.package_of(chosen[0])).variants(chosen)

    def at(self, folder: str) -> GoPackage | None:
        """The package of a folder, as others import it; None if no file of it was parsed."""
        if folder not in self._of_folder:
            self._of_folder[folder] = self._imported_from(folder)
        best = self._of_folder[folder]
        self._answers.consulted |= best.sources if best is not None else {files_cell(folder)}
        return best

    def _imported_from(self, folder: str) -> GoPackage | None:
        packages = self._packages_in(folder).values()

        def rank(package: GoPackage) -> tuple[int, bool, str]:
            sources = [file for file in package.files if not file.endswith("_test.go")]
            return len(sources), package.name != "main", package.name

        named = [package for package in packages if not package.name.endswith("_test")]
        return max(named or packages, key=rank, default=None)

    def imported(self, file: str, entry: Import) -> Referent:
        """The referent of an import: a PACKAGE, or an outside one."""
        return self._modules.find(file, entry.module, _FAMILY)

    def names(self, file: str) -> Mapping[str, Import]:
        """A file's imports by their local names: those of the packages' own clauses, if known."""
        cached = self._names.get(file)
        if cached is None:
            cached = self._names[file] = self._answers.apart(lambda: self._read_names(file))
        self._answers.consulted |= cached[1]
        return cached[0]

    def _read_names(self, file: str) -> dict[str, Import]:
        view = self.view(file)
        names = dict(view.imports)
        for local, entry in view.imports.items():
            if entry.name or entry.module == "C":
                continue
            referent = self.imported(file, entry)
            package = self.at(referent.file) if referent.kind == PACKAGE else None
            if package is not None and package.name and package.name != local:
                del names[local]
                names[package.name] = entry
        return names

    def _packages_in(self, folder: str) -> dict[str, GoPackage]:
        """The packages of a folder by their names: the one that is imported, its tests', and perhaps a program."""
        packages = self._folders.get(folder)
        if packages is None:
            packages = self._folders[folder] = {}
            paths = self._modules.find(files_cell(folder), "", _FAMILY).files
            sources = frozenset((*paths, files_cell(folder)))
            for path in paths:
                if path in self._facts:
                    facts = self._facts[path] if self._sources is None else None
                    name = facts.package if facts is not None else self._clause(path)
                    if name not in packages:
                        packages[name] = GoPackage(self._facts, folder, name, sources, self._sources)
                    packages[name].add(path, facts)
        return packages

    def _clause(self, path: str) -> str:
        return self._sources.clause(path) if self._sources is not None else self._facts[path].package
