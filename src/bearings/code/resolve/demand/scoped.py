"""Languages of scopes on demand: closes the files that may use an element (escapes.py), then resolves these."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, ProjectFiles, Symbol, SymbolKind
from bearings.code.resolve.demand.ambient import AmbientNames
from bearings.code.resolve.demand.composed import composing
from bearings.code.resolve.demand.escapes import NAMELESS, WHOLE, Names, escapes
from bearings.code.resolve.demand.specifiers import INLINE, patterns_of, specifiers_of
from bearings.code.resolve.demand.way import Likely, Limits, Sources, TooMuch, Way
from bearings.code.resolve.edges.uses import Scoped
from bearings.code.resolve.edges.wanted import FileNames
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE
from bearings.code.resolve.referents import CALLABLE, CLASSES
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.symbol_tags import TAGGED, declared_parts, tag_of

_SELVES: Final = frozenset({"cls", "self", "this", "super", "__class__"})
"""Expressions that mean a class, or its constructor, in its own file or in a subclass's."""
_OF_OBJECT: Final = rb"\b__class__\s*\("
_IS_CALLED: Final = rb"\s*\((?:[^()]|\([^()]*\))*+\)\s*\("
"""The texts of a file that constructs an object of another one's class: `x.__class__()`, `type(x)()`."""
_MAY_TAKE_FIELDS: Final = rb"case[ \t](?<=\scase[ \t])[^\n]*[\w.]\s*\("
"""As `_TAKES_FIELDS`, but in prose, too: it begins with a literal, which the search is quick to find."""
_TAKES_FIELDS: Final = rb"(?m)^[ \t]*case\b[^\n]*[\w.]\s*\(\s*[^)\s]"
"""The text of a pattern that takes fields of an object without their names."""
_CALLED: Final = CALLABLE | CLASSES | {SymbolKind.CONSTRUCTOR}
_GIVEN_BY_MAKERS: Final = CALLABLE | {SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.CONSTANT}
"""Kinds of elements that only a call of what returns them results in; to a class, its objects lead, too."""
_SEEN: Final = frozenset({SymbolKind.MODULE, SymbolKind.PROPERTY, SymbolKind.METHOD})
"""Kinds of elements that are seen through a value."""
_MODULES: Final = WHOLE.union(("*", ""))
"""The imported names that stand for a whole module, or for all that it exports as a whole."""
_NO_NAMES: Final[frozenset[str]] = frozenset()
_OF_METACLASSES: Final = frozenset({"__new__", "__init__"})
"""Methods that the definition of a class calls, without any name of them, if they are in its metaclass."""
_BY_ATTRIBUTES: Final = frozenset({"__get__", "__set__", "__getattr__", "__getattribute__"})
"""Methods that the uses of any attribute may call."""


class Closure(NamedTuple):
    """The names of an element by which any file may use it, and further ones that single files give it."""

    names: Names
    names_in: Mapping[str, frozenset[str]]


class ScopedUses(Way):
    """See Way: files whose names are found through scopes and imports."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        modules: Modules,
        ambient: AmbientNames,
        sources: Sources,
        limits: Limits,
    ) -> None:
        self._facts = facts
        self._manifests = project.manifests
        self._modules = modules
        self._ambient = ambient
        self._sources = sources
        self._limits = limits
        self._strategy = Scoped(facts, modules)

    def holders(self, name: str) -> Collection[str]:
        """See Way."""
        return [path for path in self._sources.holding(name) if self._is_scoped(path)]

    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """See Way."""
        del key
        # An endpoint is used by its URL, keys in brackets are values, a special method is used by an operator.
        if self._is_implied(symbol):
            raise TooMuch(symbol.id)
        if symbol.kind is SymbolKind.ENDPOINT or "]" in symbol.name:
            raise NeedsIndex(symbol.id)
        closure = self._closed_module(symbol.file) if symbol.kind is SymbolKind.MODULE else self._closed(symbol)
        files = self._files_of(closure, symbol)
        if symbol.kind is SymbolKind.PROPERTY and semantics_of(self._facts[symbol.file].language).has_special_methods:
            cases = self._sources.matching(_MAY_TAKE_FIELDS, self.holders("case"))
            files.update(filter(self._is_scoped, self._sources.matching(_TAKES_FIELDS, cases)))
        if semantics_of(self._facts[symbol.file].language).has_special_methods and symbol.kind is not SymbolKind.MODULE:
            files.update(filter(self._is_scoped, composing(symbol, self._sources)))
        if symbol.kind in (SymbolKind.CLASS, SymbolKind.CONSTRUCTOR):
            files.update(filter(self._is_scoped, self._constructing(self._facts[symbol.file].language)))
        return {path: self._names_in(path, closure, symbol) for path in files}

    def likely(self, symbol: Symbol) -> Likely:
        """See Way: its own file, and those that hold a word by which others import that; or the name of its class."""
        if self._is_implied(symbol):
            holders = self.holders(symbol.qualified_name.rpartition(".")[0].rpartition(".")[2])
            others = frozenset(filter(self._is_scoped, self._facts)).difference(holders)
            names = frozenset({NAMELESS if symbol.name in _BY_ATTRIBUTES else symbol.name})
            return Likely(dict.fromkeys(holders, names), others)
        name = _used_name(symbol)
        holders = self.holders(name)
        words = {re.escape(word.encode("utf-8", "replace")) for word, _ in specifiers_of(symbol.file, self._manifests)}
        any_word = rb"(?<![\w$])(?:" + rb"|".join(sorted(words - {b""})) + rb")(?![\w$])"
        importing = {symbol.file, *self._sources.matching(any_word, holders)}
        closure = Closure(Names(frozenset({name})), {})
        users = {path: self._names_in(path, closure, symbol) for path in holders if path in importing}
        return Likely(users, frozenset(holders).difference(users))

    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """See Way."""
        if NAMELESS in names:
            return self.uses(path)
        return self._strategy.uses_of(path, FileNames(self._facts[path], names))

    def uses(self, path: str) -> FileUses:
        """See Way."""
        return self._strategy.uses(path)[0]

    def bases(self, path: str) -> FileUses:
        """See Way."""
        return FileUses(self._strategy.bases(path), ())

    def give_up(self) -> None:
        """See Way."""
        self._strategy.give_up()

    def _is_implied(self, symbol: Symbol) -> bool:
        semantics = semantics_of(self._facts[symbol.file].language)
        if symbol.name not in _OF_METACLASSES or not semantics.has_special_methods:
            is_member = semantics.has_special_methods or symbol.kind is SymbolKind.METHOD
            return is_member and symbol.name in semantics.implied_calls
        return self._strategy.is_of_metaclass(symbol)

    def _is_scoped(self, path: str) -> bool:
        return self._sources.resolved_by(path) is ResolvedBy.SCOPES

    def _names_in(self, path: str, closure: Closure, symbol: Symbol) -> frozenset[str]:
        names = closure.names.all | closure.names_in.get(path, _NO_NAMES)
        names |= {"()"} if symbol.kind not in _GIVEN_BY_MAKERS else {f"{name}()" for name in closure.names.makers}
        if symbol.kind is SymbolKind.CONSTRUCTOR:
            names |= {symbol.name}
        return names | _SELVES if symbol.kind in (SymbolKind.CLASS, SymbolKind.CONSTRUCTOR) else names

    def _files_of(self, closure: Closure, symbol: Symbol, *, passing: bool = False) -> set[str]:
        """The files that may use the element; `passing`: also those that may give an object with it another name."""
        names = closure.names
        holders = {path for name in names.own | names.makers for path in self._sources.holding(name)}
        for name in names.tables - names.own - names.makers:
            files = self._sources.holding(name)
            holders.update(self._sources.matching(_taken_from(name), files) if files else ())
        if names.properties:
            having = {path for name in names.objects for path in self._sources.holding(name)}
            both = {path for name in names.properties for path in self._sources.holding(name) if path in having}
            holders |= having if passing else both
        files = {path for path in holders | closure.names_in.keys() | {symbol.file} if self._is_scoped(path)}
        self._limits.check(files)
        return files

    def _closed(self, symbol: Symbol) -> Closure:
        """Applies the rules to the files that hold a name until they give no further one."""
        name = frozenset({_used_name(symbol)})
        if symbol.kind is SymbolKind.PROPERTY and self._may_have_hyphens(symbol.file):
            written = semantics_of(self._facts[symbol.file].language).template_attributes
            name |= {tag_of(symbol.name), written.get(symbol.name, symbol.name)}
        if symbol.exported and symbol.parent == symbol.file:
            name |= self._ambient.of_file(symbol.file)
        names, names_in = (Names(_NO_NAMES), {symbol.file: name}) if self._is_local(symbol) else (Names(name), {})
        read: dict[str, Names] = {}
        wholes: set[str] = set()
        while True:
            before = names, dict(names_in)
            for path in sorted(self._files_of(Closure(names, names_in), symbol, passing=True)):
                own = names.union(Names(names_in.get(path, _NO_NAMES)))
                if read.get(path) == own:
                    continue
                read[path] = own
                self._limits.check_time()
                given = escapes(self._facts[path], own, is_called=symbol.kind in _CALLED)
                names = names.union(given.names)
                if given.is_whole and path not in wholes:
                    wholes.add(path)
                    for importer, local in self._importers(path):
                        names_in[importer] = names_in.get(importer, _NO_NAMES) | {local}
            if before == (names, names_in):
                return Closure(names, names_in)

    def _may_have_hyphens(self, path: str) -> bool:
        """Whether a template may write a property that a file declares with hyphens."""
        end = semantics_of(self._facts[path].language).templates_with_hyphens
        return bool(end) and any(other.endswith(end) for other in self._facts)

    def _constructing(self, language: Language) -> Collection[str]:
        """The files that construct an object of another one's class, in some language."""
        files = self._sources.matching(_OF_OBJECT, self._sources.holding("__class__"))
        function = semantics_of(language).class_function
        if not function:
            return files
        # Of any language: facts would tell it, by a parse of each file. No `\b` in the pattern: that takes longer.
        return {*files, *self._sources.matching(function.encode() + _IS_CALLED, self.holders(function))}

    def _is_local(self, symbol: Symbol) -> bool:
        """Whether only its own file sees an element by its name: at the top of an ES module that does not export it."""
        facts = self._facts[symbol.file]
        names = {export.name for export in facts.exports}
        is_module = "=" not in names and bool(facts.imports or names)
        semantics = semantics_of(facts.language)
        # <Box ref="box" />: box.value.open() calls a function of Box.vue.
        components = tuple(filter(None, (semantics.templates_with_hyphens, *semantics.components_take_exports)))
        if semantics.modules_offer_all_names or symbol.file.endswith(components):
            return False
        return is_module and not symbol.exported and symbol.parent == symbol.file and symbol.kind not in _SEEN

    def _closed_module(self, path: str) -> Closure:
        """The closure of a module: the specifiers by which files import it, and the names that they give it."""
        semantics = semantics_of(self._facts[path].language)
        for specifier in semantics.configured_modules.values():
            if self._is_module(path, specifier, path, semantics.family):
                raise NeedsIndex("a module that configuration names")
        names_in: dict[str, frozenset[str]] = {}
        for name in self._ambient.of_file(path):
            for user in self.holders(name):
                names_in[user] = names_in.get(user, _NO_NAMES) | {name}
        # Python's specifiers are no strings.
        for word, _, holders in self._importing(path, by_words=semantics.modules_offer_all_names):
            self._limits.check(holders)
            for importer in filter(self._is_scoped, holders):
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
        has_patterns = "import" in semantics_of(self._facts[path].language).import_functions
        for word, pattern in (*specifiers_of(path, self._manifests), *(patterns_of(path) if has_patterns else ())):
            holders = self._sources.holding(word) if word else None
            files = holders if holders is not None and by_words else self._sources.matching(pattern, holders)
            yield word, pattern, files

    def _importers(self, path: str) -> Iterator[tuple[str, str]]:
        """The files that import a module as a whole, each with the name that it gives it, if any."""
        tagged = [declared_parts(row.name) for row in self._facts[path].exports if row.name.startswith(TAGGED)]
        declared = {module for module, name in tagged if module and name}
        for _, pattern, importers in (*self._importing(path), *self._importing_declared(declared)):
            for importer in self._sources.matching(INLINE + pattern, importers):
                yield importer, NAMELESS
            for importer in filter(self._is_scoped, importers):
                facts = self._facts[importer]
                family = semantics_of(facts.language).family
                rows = [(entry.module, entry.local) for entry in facts.imports if entry.name in _MODULES]
                rows += [(row.module, "default") for row in facts.exports if row.module and row.local in WHOLE]
                for specifier, local in rows:
                    if specifier in declared or self._is_module(importer, specifier, path, family):
                        yield importer, local

    def _importing_declared(self, modules: Collection[str]) -> Iterator[tuple[str, bytes, Collection[str]]]:
        """The files that may import a module that is declared without a file."""
        for module in modules:
            pattern = rb"['\"]" + re.escape(module.encode("utf-8", "replace")) + rb"['\"]"
            yield module, pattern, self._sources.matching(pattern)


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
