"""Resolves the uses of one element: closes the files that may have some (escapes.py), then resolves these.

Each edge is the one that resolving the whole project gives. What only that can tell raises NeedsIndex.
"""

import math
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from bearings.code.file_facts import FileFacts
from bearings.code.models import Edge, Outside, ProjectFiles, Symbol, SymbolKind
from bearings.code.resolve.demand.escapes import NAMELESS, WHOLE, Names, escapes
from bearings.code.resolve.demand.specifiers import INLINE, specifiers_of
from bearings.code.resolve.edges.uses import Scoped
from bearings.code.resolve.edges.wanted import FileNames
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE
from bearings.code.resolve.referents import CALLABLE, CLASSES
from bearings.code.resolve.rules.ecmascript.ambient import (
    BEGINS_AS_MODULE,
    REGISTER_WORDS,
    REGISTERS,
    TYPES_ENDING,
    AmbientTable,
    behind,
    declaring,
    registering,
)
from bearings.code.resolve.rules.ecmascript.conventions import TAGS, ambient_cell, name_in
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.symbol_tags import tag_of

_SELVES: Final = frozenset({"cls", "self", "this", "super"})
"""Expressions that mean a class, or its constructor, in its own file or in a subclass's."""
_CALLED: Final = CALLABLE | CLASSES | {SymbolKind.CONSTRUCTOR}
_MODULES: Final = WHOLE.union(("*", ""))
"""The imported names that stand for a whole module, or for all that it exports as a whole."""
_HEADS: Final = tuple(
    word.encode() + rb"\s"
    for word in (
        "def class function func fn fun interface type enum struct trait record object protocol namespace module macro "
        "const let var val static public private protected readonly async get set void int define"
    ).split()
)
"""Words before the name in a definition, in any language."""
_NO_NAMES: Final[frozenset[str]] = frozenset()


class NeedsIndex(Exception):
    """Only the index of the whole project can answer."""


class TooMuch(NeedsIndex):
    """An answer from the files that may hold it takes too long."""


class Sources(Protocol):
    """The sources of all files, of which few are read."""

    def is_scoped(self, path: str) -> bool:
        """Whether there is such a file, in a language whose names are found through scopes and imports."""
        ...

    def may_read(self, files: Collection[str]) -> bool:
        """Whether so many files may be read for one element."""
        ...

    def holding(self, word: str) -> Collection[str]:
        """The files that hold a word."""
        ...

    def words(self, files: Collection[str] | None = None) -> frozenset[str]:
        """All words of ASCII in some files, or in all."""
        ...

    def matching(
        self, pattern: bytes, files: Collection[str] | None = None, *, at_start: bool = False
    ) -> Collection[str]:
        """The files, of some or of all, whose text matches a pattern, or begins with it."""
        ...


class Closure(NamedTuple):
    """The names of an element by which any file may use it, and further ones that single files give it."""

    names: Names
    names_in: Mapping[str, frozenset[str]]


class DemandResolver:
    """Resolves what is asked for, one element after the other, over one state of a project.

    `facts` are read when they are asked for.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        sources: Sources,
    ) -> None:
        self._facts = facts
        self._sources = sources
        self._manifests = project.manifests
        ambient = AmbientTable()
        ambient.settle(project)
        if ambient.imports_by_folder:
            raise NeedsIndex("names that files see without an import")
        covered = {path for path in facts if ambient.covers(path)}
        by_text = {path for path in covered if ambient.covers_by_text(path)}
        holders = by_text.intersection(path for word in REGISTER_WORDS for path in sources.holding(word))
        registers = frozenset(sources.matching(REGISTERS, holders))
        names = _AmbientNames(ambient, facts, sources, frozenset(covered - by_text), registers)
        self._modules = Modules(project, names)
        self._strategy = Scoped(facts, self._modules)
        self._closures: dict[str, Closure] = {}
        self._partial_uses: dict[str, tuple[frozenset[str], FileUses]] = {}
        self._seconds = self._until = self._end = math.inf
        self._takes_part = False
        self.left: set[str] = set()

    def begin(self, seconds: float) -> None:
        """Begins with another question, which may take so much processor time: then NeedsIndex is raised."""
        self._seconds = seconds
        self._until = self._end = time.process_time() + seconds
        self._takes_part = False
        self.left = set()

    def take_part(self) -> None:
        """From now on, as much time again: what takes longer is not raised, `left` gets the files that are not told."""
        self._takes_part = True
        self._until = time.process_time() + self._seconds / 2  # the other half is for the uses
        self._end = self._until + self._seconds / 2

    def edges_to(self, symbol: Symbol, key: str) -> list[Edge]:
        """The edges to an element, in the order of the files; their targets are keys. Raises NeedsIndex."""
        names = self._names_by_file(symbol, key)
        return [edge for uses in self._resolved(names) for edge in uses.edges if edge.target == key]

    def expect(self, symbols: Mapping[str, Symbol]) -> None:
        """Resolves the uses of several elements, by key, together: each file once. Raises NeedsIndex."""
        names: dict[str, frozenset[str]] = {}
        for key, symbol in symbols.items():
            for path, some in self._names_by_file(symbol, key).items():
                names[path] = names.get(path, _NO_NAMES) | some
        if not self._takes_part:
            self.check(names)
        for _ in self._resolved(names):
            pass

    def _resolved(self, names: Mapping[str, frozenset[str]]) -> Iterator[FileUses]:
        """The uses of these names in each file, in order, until the time is up."""
        files = sorted(names)
        for number, path in enumerate(files):
            try:
                yield self._uses(path, names[path])
            except TooMuch:
                if not self._takes_part:
                    raise
                self.left.update(files[number:])
                return

    def _names_by_file(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """The files that may use an element, with the names that it may have there."""
        try:
            closure = self._closure(symbol, key)
            files = self._files_of(closure, symbol)
        except TooMuch:
            if not self._takes_part or symbol.kind is SymbolKind.MODULE:
                raise
            # Its likeliest users: its own file, and those that hold a word by which others import that.
            closure = Closure(Names(frozenset({_used_name(symbol)})), {})
            holders = set(filter(self._sources.is_scoped, self._sources.holding(_used_name(symbol))))
            words = (word for word, _ in specifiers_of(symbol.file, self._manifests) if word)
            files = holders.intersection({symbol.file}.union(*map(self._sources.holding, words)))
            self.left |= holders - files
        return {path: self._names_in(path, closure, symbol) for path in files}

    def defining(self, name: str) -> Sequence[str]:
        """The files whose text seems to define a name: `def total`, `class Total`, `total(rows) {`."""
        is_method = behind(name, rb"[\s*]") + rb"[ \t]*(?:<[^>\n]*>)?\([^;\n]*\{[ \t]*(?:\n|$)"
        return sorted(self._sources.matching(behind(name, *_HEADS) + rb"|" + is_method, self._sources.holding(name)))

    def sites(self, name: str) -> list[Outside]:
        """The uses that lead outside the project or nowhere, of everything that has this name or comes from it."""
        files = [path for path in self._sources.holding(name) if self._sources.is_scoped(path)]
        self.check(files)
        return [use for path in sorted(files) for use in self._uses(path, frozenset({name})).outside]

    def bases(self, path: str) -> Sequence[Edge]:
        """The edges from the types of a file to what they extend and implement. Raises NeedsIndex."""
        if not self._sources.is_scoped(path):
            raise NeedsIndex(path)
        try:
            return self._attempted(path, lambda: FileUses(self._strategy.bases(path), ())).edges
        except TooMuch:
            if not self._takes_part:
                raise
            self.left.add(path)
            return ()

    def whole_uses(self, path: str) -> FileUses:
        """All uses in a file but its requests and mounts, which need the endpoints of all files. Raises NeedsIndex."""
        if not self._sources.is_scoped(path):
            raise NeedsIndex(path)
        return self._attempted(path, lambda: self._strategy.uses(path)[0])

    def has_requests(self, path: str) -> bool:
        """Whether a file has uses beside `whole_uses`."""
        facts = self._facts[path]
        return bool(facts.requests) or any(mount.module and mount.line for mount in facts.mounts)

    def _attempted(self, path: str, resolve: Callable[[], FileUses]) -> FileUses:
        self._check_time(self._end)
        uses = attempt(path, resolve, None)
        if uses is None:
            self._strategy.give_up()
            return FileUses((), (), given_up=True)
        return uses

    def _check_time(self, until: float) -> None:
        if time.process_time() > until:
            raise TooMuch("too many files")

    def _uses(self, path: str, names: frozenset[str]) -> FileUses:
        """The uses in a file that may mean something of these names, and perhaps others."""
        if NAMELESS in names:
            return self._attempted(path, lambda: self._strategy.uses(path)[0])
        known, uses = self._partial_uses.get(path, (_NO_NAMES, None))
        if uses is None or not names <= known:
            wanted = FileNames(self._facts[path], names)
            uses = self._attempted(path, lambda: self._strategy.uses_of(path, wanted))
            self._partial_uses[path] = names, uses
        return uses

    def _names_in(self, path: str, closure: Closure, symbol: Symbol) -> frozenset[str]:
        names = closure.names.all | closure.names_in.get(path, _NO_NAMES)
        if symbol.kind is SymbolKind.CONSTRUCTOR:
            names |= {symbol.name}
        return names | _SELVES if symbol.kind in (SymbolKind.CLASS, SymbolKind.CONSTRUCTOR) else names

    def _files_of(self, closure: Closure, symbol: Symbol) -> set[str]:
        """The files that may use the element."""
        names = closure.names
        holders = {path for name in names.own | names.makers for path in self._sources.holding(name)}
        for name in names.tables - names.own - names.makers:
            files = self._sources.holding(name)
            holders.update(self._sources.matching(_taken_from(name), files) if files else ())
        files = {path for path in holders | closure.names_in.keys() | {symbol.file} if self._sources.is_scoped(path)}
        self.check(files)
        return files

    def check(self, files: Collection[str]) -> None:
        """Raises NeedsIndex if so many files may not be read, or no further one."""
        self._check_time(self._end)
        if not self._sources.may_read(files):
            raise TooMuch(f"{len(files)} files")

    def _closure(self, symbol: Symbol, key: str) -> Closure:
        closure = self._closures.get(key)
        if closure is None:
            is_endpoint = symbol.kind is SymbolKind.ENDPOINT  # it is used by its URL
            if not self._sources.is_scoped(symbol.file) or is_endpoint or _is_unnamed(symbol.name):
                raise NeedsIndex(symbol.id)
            is_module = symbol.kind is SymbolKind.MODULE
            closure = self._closures[key] = self._closed_module(symbol.file) if is_module else self._closed(symbol)
        return closure

    def _closed(self, symbol: Symbol) -> Closure:
        """Applies the rules to the files that hold a name until they give no further one."""
        names = Names(frozenset({_used_name(symbol)}))
        names_in: dict[str, frozenset[str]] = {}
        read: dict[str, Names] = {}
        wholes: set[str] = set()
        while True:
            before = names, dict(names_in)
            for path in sorted(self._files_of(Closure(names, names_in), symbol)):
                own = names.union(Names(names_in.get(path, _NO_NAMES)))
                if read.get(path) == own:
                    continue
                read[path] = own
                self._check_time(self._until)
                given = escapes(self._facts[path], own, is_called=symbol.kind in _CALLED)
                names = names.union(given.names)
                if given.is_whole and path not in wholes:
                    wholes.add(path)
                    for importer, local in self._importers(path):
                        names_in[importer] = names_in.get(importer, _NO_NAMES) | {local}
            if before == (names, names_in):
                return Closure(names, names_in)

    def _closed_module(self, path: str) -> Closure:
        """The closure of a module: the specifiers by which files import it, and the names that they give it."""
        semantics = semantics_of(self._facts[path].language)
        for specifier in semantics.configured_modules.values():
            if self._is_module(path, specifier, path, semantics.family):
                raise NeedsIndex("a module that configuration names")
        names_in: dict[str, frozenset[str]] = {}
        # Python's specifiers are no strings.
        for word, _, holders in self._importing(path, by_words=semantics.modules_offer_all_names):
            self.check(holders)
            for importer in filter(self._sources.is_scoped, holders):
                facts = self._facts[importer]
                family = semantics_of(facts.language).family
                rows = [(entry.module, entry.name, entry.local) for entry in facts.imports]
                rows += [(row.module, row.name, "") for row in facts.exports if row.module]
                for specifier, name, local in rows:
                    if name == word or self._is_module(importer, specifier, path, family):
                        names_in[importer] = names_in.get(importer, _NO_NAMES).union((specifier, name, local)) - {""}
        return Closure(Names(_NO_NAMES), names_in)

    def _is_module(self, importer: str, specifier: str, path: str, family: str) -> bool:
        """Whether a specifier may name a module: alone, among others, or as the variant of one for a platform."""
        module = self._modules.find(importer, specifier, family)
        if path == module.file or path in module.files:
            return True
        return module.kind == MODULE and path in self._modules.variants(module.file, family)

    def _importing(self, path: str, *, by_words: bool = False) -> Iterator[tuple[str, bytes, Collection[str]]]:
        """By each word and pattern of specifiers.py, the files that may import one; `by_words`: by the word alone."""
        for word, pattern in specifiers_of(path, self._manifests):
            holders = self._sources.holding(word) if word else None
            files = holders if holders is not None and by_words else self._sources.matching(pattern, holders)
            yield word, pattern, files

    def _importers(self, path: str) -> Iterator[tuple[str, str]]:
        """The files that import a module as a whole, each with the name that it gives it, if any."""
        for _, pattern, importers in self._importing(path):
            for importer in self._sources.matching(INLINE + pattern, importers):
                yield importer, NAMELESS
            for importer in filter(self._sources.is_scoped, importers):
                facts = self._facts[importer]
                family = semantics_of(facts.language).family
                rows = [(entry.module, entry.local) for entry in facts.imports if entry.name in _MODULES]
                rows += [(row.module, "default") for row in facts.exports if row.module and row.local in WHOLE]
                for specifier, local in rows:
                    if self._is_module(importer, specifier, path, family):
                        yield importer, local


class _AmbientNames(Mapping[str, Collection[tuple[str, Entry]]]):
    """The cells of an AmbientTable, each filled when it is asked for: from the files that may hold its name."""

    def __init__(
        self,
        table: AmbientTable,
        facts: Mapping[str, FileFacts],
        sources: Sources,
        sharing: frozenset[str],
        registers: frozenset[str],
    ) -> None:
        self._table = table
        self._facts = facts
        self._sources = sources
        sharing -= set(sources.matching(BEGINS_AS_MODULE, sharing, at_start=True))
        in_types = frozenset(path for path in sharing if path.endswith(TYPES_ENDING))
        self._groups = {"types": in_types, "script": sharing - in_types, TAGS: registers}
        self._words = {scope: sources.words(files) for scope, files in self._groups.items()}
        self._read: set[str] = set()

    def __getitem__(self, cell: str) -> Collection[tuple[str, Entry]]:
        name = name_in(cell)
        scope = next(scope for scope in self._groups if cell == ambient_cell(scope, name))
        if scope != TAGS:
            files = self._matching(scope, name, declaring(name, in_types=scope == "types"))
        else:  # `MyEl`, `my-el`, `myEl`
            spellings = name, tag_of(name), name[:1].lower() + name[1:]
            files = {path for one in spellings for path in self._matching(scope, one, registering(one))}
        self._table.update(sorted(files - self._read), self._facts)
        self._read |= files
        return self._table.names()[cell]

    def _matching(self, scope: str, name: str, pattern: bytes) -> set[str]:
        is_absent = _is_word(name) and name not in self._words[scope]
        return set() if is_absent else set(self._sources.matching(pattern, self._groups[scope]))

    def __iter__(self) -> Iterator[str]:
        raise NeedsIndex("all names that files see without an import")

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))


def _is_word(name: str) -> bool:
    """Whether `Sources.words` has such a name, if the text has it."""
    return name.isascii() and name.isidentifier()


def _taken_from(table: str) -> bytes:
    """A pattern for the text of a file that takes something out of a table, or gives it another name."""
    name = re.escape(table.encode("utf-8", "replace"))
    takes = rb"\s*(?:\?\.)?\s*(?:\[|\.\s*(?:values|items|get|forEach|map|flatMap|filter|some|every|find)\b)"
    is_named = rb"(?:=|\bin|\bof|\bas|,|\{|:)\s*(?:[\w$]+\s*\.\s*)*" + name + rb"(?![\w$])(?!\s*[.(])"
    return rb"(?<![\w$])" + name + takes + rb"|" + is_named


def _used_name(symbol: Symbol) -> str:
    """The name by which an element is used in its own file."""
    if symbol.kind is SymbolKind.CONSTRUCTOR and "." in symbol.qualified_name:
        return symbol.qualified_name.split(".")[-2]  # a class is constructed by its own name
    return symbol.name


def _is_unnamed(name: str) -> bool:
    """Whether uses of such a name may not write it: `cart()` runs `__call__`, and keys in brackets are values."""
    return name == "__call__" or "]" in name
