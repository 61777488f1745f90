"""Go's packages: the files of a folder with the same package clause, and their declarations."""

from collections.abc import Mapping
from sys import intern

from bearings.code.file_facts import Binding, BindingKind, FileFacts, Import, Trait
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
            self._generics = {}
            for row in self.facts.bindings:
                if row.kind is BindingKind.TYPE_PARAMETER:
                    self._generics.setdefault(row.scope, []).append(row.name)
        return self._generics.get(scope, [])


class GoPackage:
    """The declarations of a package's files. `sources` are the cells that answers from it depend on."""

    def __init__(self, facts: Mapping[str, FileFacts], folder: str, name: str, sources: frozenset[str]) -> None:
        self._facts = facts
        self.folder = folder
        self.name = name
        self.sources = sources
        self.files: list[str] = []
        self.names: dict[str, list[Declared]] = {}
        self.methods: dict[str, dict[str, list[Declared]]] = {}
        self._firsts: dict[int, dict[str, Declared]] = {}
        self._chosen: dict[tuple[object, ...], Declared] = {}

    def add(self, facts: FileFacts) -> None:
        """Adds a file."""
        path = intern(facts.path)
        self.files.append(path)
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if symbol.kind is SymbolKind.METHOD and not shape.traits & Trait.ABSTRACT:
                owner, _, name = symbol.qualified_name.rpartition(".")
                self.methods.setdefault(owner, {}).setdefault(name, []).append((path, index))
            elif shape.parent == 0 and symbol.kind not in _NO_NAMES and symbol.qualified_name not in NAMELESS:
                self.names.setdefault(symbol.qualified_name, []).append((path, index))

    def choose(self, declarations: list[Declared] | None, asker: str) -> Declared | None:
        """Chooses among declarations: the asker's own, else one for the same system, else one for Linux, amd64."""
        if not declarations:
            return None
        if len(declarations) == 1:
            return declarations[0]
        firsts = self._firsts.get(id(declarations))
        if firsts is None:
            firsts = self._firsts[id(declarations)] = dict(reversed([(one[0], one) for one in declarations]))
        if asker in firsts:
            return firsts[asker]
        mine, own, is_test = system_of(asker), self._facts[asker].build, asker.endswith("_test.go")
        key = (id(declarations), mine, own, is_test)
        if key not in self._chosen:
            self._chosen[key] = min(firsts.values(), key=lambda one: self._order(one, mine, own, is_test=is_test))
        return self._chosen[key]

    def _order(self, one: Declared, mine: str, own: str, *, is_test: bool) -> tuple[object, ...]:
        """How far a declaration is from an asker for the system `mine` with the build constraint `own`."""
        system, constraint = system_of(one[0]), self._facts[one[0]].build
        return (
            bool(mine or own) and (system, constraint) != (mine, own),
            bool(mine) and not set(system.split("_")) <= set(mine.split("_")),
            not is_built(one[0], constraint),
            one[0].endswith("_test.go") != is_test,
            one,
        )


class GoPackages:
    """The packages of a project, each read at its first use. An answer depends on all files of the package."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, memo: AnswerCache) -> None:
        self._facts = facts
        self._modules = modules
        self._answers = memo
        self._folders: dict[str, dict[str, GoPackage]] = {}
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
        package = self._in(file.rpartition("/")[0])[self._facts[file].package]
        self._answers.consulted |= package.sources
        return package

    def at(self, folder: str) -> GoPackage | None:
        """The package of a folder, as others import it; None if no file of it was parsed."""
        packages = self._in(folder).values()

        def rank(package: GoPackage) -> tuple[int, bool, str]:
            sources = [file for file in package.files if not file.endswith("_test.go")]
            return len(sources), package.name != "main", package.name

        named = [package for package in packages if not package.name.endswith("_test")]
        best = max(named or packages, key=rank, default=None)
        self._answers.consulted |= best.sources if best is not None else {files_cell(folder)}
        return best

    def imported(self, file: str, entry: Import) -> Referent:
        """The referent of an import: a PACKAGE, or an outside one."""
        return self._modules.find(file, entry.module, _FAMILY)

    def names(self, file: str) -> Mapping[str, Import]:
        """A file's imports by their local names: those of the packages' own clauses, if known."""
        known = self._names.get(file)
        if known is None:
            known = self._names[file] = self._answers.apart(lambda: self._read_names(file))
        self._answers.consulted |= known[1]
        return known[0]

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

    def _in(self, folder: str) -> dict[str, GoPackage]:
        """The packages of a folder by their names: the one that is imported, its tests', and perhaps a program."""
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = {}
            listed = self._modules.find(files_cell(folder), "", _FAMILY).files
            sources = frozenset((*listed, files_cell(folder)))
            for path in listed:
                facts = self._facts.get(path)
                if facts is not None:
                    name = facts.package
                    if name not in known:
                        known[name] = GoPackage(self._facts, folder, name, sources)
                    known[name].add(facts)
        return known
