"""Languages by declaration on demand: each cell of the table of names is filled from the files that hold the name.

A use has the name of the element that it means, so its files are those as well.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bearings.code.expressions import last_name, root_of
from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.framework_facts import PROVIDED
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.resolve.demand.way import Limits, Sources, Way
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.nominal.types import SHARED
from bearings.code.resolve.referents import CLASSES
from bearings.code.resolve.rules.by_name.modules import is_meant_by_class
from bearings.code.resolve.rules.by_name.names import name_cell, name_in, short_name
from bearings.code.resolve.rules.by_name.table import NameTable, before_names
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.symbol_keys import keys_of

_WORD: Final = re.compile(r"~?([^\W\d]\w*)[?!=]?")
"""A name of one word, with the signs that C++ and Ruby allow around it."""
_DECLARABLE: Final = re.compile(r"[^-\\\\(),<>|]+")
"""What may be the name of a class or function: comments of PHP have types such as `class-string`."""
_OPERATOR: Final = "operator"
_OF_FOLDERS: Final = frozenset({"mod"})
"""Stems of the files that Rust imports by the name of their folder."""
_IMPORTS: Final = rb"(?i)\b(?:(?:include|require)(?:_once|_relative)?|import|use|using|mod|load|autoload)\b"
_CLASS: Final = rb"\b(?:class|interface|enum|record|struct|trait|object|typealias|delegate\s[^;(){}=]*?)\s+"
"""What precedes the name of a class where it is declared, on the same line."""
_EXTENSION: Final = rb"\s*(?:<[^;(){}]*>)?\s*\(\s*(?:\[[^\];{}]*\]\s*)*this\s"
"""What follows the name of a method that is called through its first argument."""
_SHARED: Final = rb"\bglobal\s+"
"""What precedes `using` where a file imports something for all files."""
_ALIAS: Final = rb"\busing\s+\w+\s*="
"""What gives a class another name in a file, or in all files."""
_FUNCTION: Final = rb"\bfunction\s+&?\s*"
"""What precedes the name of a function of a package where it is declared."""
_REGISTERS: Final = rb"\b(?:Try)?Add(?:Scoped|Singleton|Transient)\b|\b(?:bind|singleton|scoped)(?:If)?\s*\("
"""What registers a class as the one that provides a type: see languages/shared/injections.py."""
_BASES: Final = frozenset({EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})


class NamedUses(Way):
    """See Way: files whose uses lead to elements of the same name."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, sources: Sources, limits: Limits) -> None:
        self._sources = sources
        self._limits = limits
        self._modules = modules
        self._facts = facts
        self._uses = _HeldTable(facts, self, sources, limits).completion(facts, modules)

    def holders(self, name: str) -> Collection[str]:
        """See Way. Raises NeedsIndex for a name that a source may write in another way, such as one with spaces."""
        word = _WORD.fullmatch(name)
        files = set(self._sources.holding_part(word[1] if word is not None else _first_word(name)))
        if name.startswith(_OPERATOR):  # `operator bool` is `operatorbool`
            files.update(self._sources.holding_part(_OPERATOR))
        holders = [path for path in files if self._sources.resolved_by(path) is ResolvedBy.NAMES]
        if word is None and holders:
            raise NeedsIndex(name)
        return holders

    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """See Way."""
        if symbol.kind is SymbolKind.ENDPOINT:  # it is used by its URL
            raise NeedsIndex(symbol.name)
        if symbol.kind is SymbolKind.MODULE:
            return dict.fromkeys(self._importers(symbol.file), frozenset[str]())
        users = dict.fromkeys(self._holders_of(symbol, symbol.name), frozenset((symbol.name,)))
        others = [(name, name) for name in self._provided(symbol, key, users)]
        short = short_name(symbol.file, symbol.name)
        others += [(short, short)] if short not in ("", symbol.name) else []
        owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
        if owner and is_meant_by_class(symbol.file, symbol.name):
            others.append((owner, symbol.name))
        for path, name, is_shared in self._aliases(symbol, users):
            users[path] |= {name}
            others += [(name, name)] if is_shared else []
        for held, name in others:
            for path in self._holders_of(symbol, held):
                users[path] = users.get(path, frozenset()) | {name}
        return users

    def _holders_of(self, symbol: Symbol, name: str) -> list[str]:
        """The files that hold a name, in languages that share names with a symbol's."""
        cell = name_cell(symbol.file, name)
        return [path for path in self.holders(name) if name_cell(path, name) == cell]

    def _aliases(self, symbol: Symbol, holders: Collection[str]) -> Iterator[tuple[str, str, bool]]:
        """The files that give a class another name, with that name, and whether it is for all files."""
        for path in self._sources.matching(_ALIAS, holders) if symbol.kind in CLASSES else ():
            self._limits.check_time()
            shared = {row.name for row in self._facts[path].exports}
            for row in self._facts[path].imports:
                if row.local not in ("", symbol.name) and row.module.rpartition(".")[2] == symbol.name:
                    yield path, row.local, row.local in shared

    def _provided(self, symbol: Symbol, key: str, holders: Collection[str]) -> set[str]:
        """The names of the types that a class or a method provides, by itself or by registrations."""
        rows, keys = self._facts[symbol.file].framework_calls, keys_of(self._facts[symbol.file])
        own = [row for row in rows if row.by == PROVIDED and row.target >= 0 and keys[row.target] == key]
        if symbol.kind in CLASSES:
            for path in self._sources.matching(_REGISTERS, holders):
                self._limits.check_time()
                registered = (row for row in self._facts[path].framework_calls if row.by == PROVIDED and row.callee)
                own += [row for row in registered if row.target < 0 and last_name(row.callee) == symbol.name]
        return {str(root_of(row.callee)) if row.target < 0 else last_name(row.callee) for row in own if row.callee}

    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """See Way."""
        return self._uses.uses_of(path, lambda site: _last(site) in names)

    def uses(self, path: str) -> FileUses:
        """See Way."""
        return self._uses.uses_of(path, lambda _: True)

    def bases(self, path: str) -> FileUses:
        """See Way."""
        return self._uses.uses_of(path, lambda site: site.kind in _BASES)

    def give_up(self) -> None:
        """See Way."""
        self._uses.give_up()

    def _importers(self, path: str) -> Iterator[str]:
        """The files that import a file: they name its stem, or its folder."""
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        for word in (stem, folder.rpartition("/")[2]) if stem in _OF_FOLDERS else (stem,):
            pattern = _IMPORTS + rb"[^;]*?" + re.escape(word.encode("utf-8", "replace"))
            holders = self._sources.matching(pattern, self._sources.holding_part(word))
            self._limits.check(holders)
            for importer in holders:
                if self._sources.resolved_by(importer) is ResolvedBy.NAMES:
                    self._limits.check_time()
                    facts = self._facts[importer]
                    if any(self._uses.imported(facts, entry.module).file == path for entry in facts.imports):
                        yield importer


class _HeldTable(NameTable):
    """A NameTable whose cells are filled when they are asked for."""

    def __init__(self, facts: Mapping[str, FileFacts], way: NamedUses, sources: Sources, limits: Limits) -> None:
        super().__init__()
        self._facts = facts
        self._holders = way.holders
        self._sources = sources
        self._limits = limits
        self._read_files: set[str] = set()

    def named(self, cell: str) -> list[tuple[str, str, list[str]]]:
        """See NameTable: of the files that hold the name, those that may declare it."""
        before = dict[bytes, list[str]]()
        for path in self._unread(cell):
            before.setdefault(before_names(path), []).append(path)
        name = name_in(cell)
        self._fill(
            path
            for pattern, files in before.items()
            for path in (self._sources.between(pattern, name, b"", files) if pattern else files)
        )
        return super().named(cell)

    def providers(self, cell: str) -> list[tuple[str, str, str]]:
        """See NameTable."""
        self._fill(self._unread(cell))
        return super().providers(cell)

    def _fill(self, paths: Iterable[str]) -> None:
        files = sorted(paths)
        self._limits.check(files)
        for path in files:
            self._take(path)

    def classes(self, path: str, name: str) -> Sequence[str]:
        """See Declaring: of the files that hold the name, those that declare a class of it."""
        return self.classes_in(self._declared(path, name, _CLASS, b""))

    def extensions(self, path: str, name: str) -> Sequence[str]:
        """See Declaring: of the files that hold the name, those that may declare such a method of it."""
        return self.extensions_in(self._declared(path, name, b"", _EXTENSION))

    def shared_imports(self, path: str) -> Sequence[tuple[str, Sequence[str]]]:
        """See Declaring."""
        for each in sorted(self._sources.between(_SHARED, "using", b"", self._unread(name_cell(path, SHARED)))):
            self._take(each)
        return super().shared_imports(path)

    def functions(self, path: str, name: str) -> Sequence[str]:
        """See Declaring: of the files that hold the name, those that declare a function of it."""
        return self.functions_in(self._declared(path, name, _FUNCTION, b""))

    def _declared(self, path: str, name: str, before: bytes, after: bytes) -> str:
        """The cell of a name, once the files are read that hold it between these patterns."""
        cell = name_cell(path, name)
        if _DECLARABLE.fullmatch(name):
            for each in sorted(self._sources.between(before, name, after, self._unread(cell))):
                self._take(each)
        return cell

    def names_type_or_value(self, cell: str) -> bool:
        """See NameTable: reads files until one has it, first those that are called like it."""
        name = name_in(cell)
        files = self._unread(cell)
        self._limits.check(files)
        for path in sorted(files, key=lambda path: (f"/{name}." not in path, path)):
            if super().names_type_or_value(cell):
                return True
            self._take(path)
        return super().names_type_or_value(cell)

    def _unread(self, cell: str) -> list[str]:
        name = name_in(cell)
        return [path for path in self._holders(name) if path not in self._read_files and name_cell(path, name) == cell]

    def _take(self, path: str) -> None:
        self._limits.check_time()
        self.update((path,), self._facts)
        self._read_files.add(path)


def _first_word(name: str) -> str:
    """The first word of a name such as `#total` or `my-el`, which other languages have. Raises NeedsIndex."""
    word = re.search(r"[^\W\d]\w*", name)
    if word is None:
        raise NeedsIndex(name)
    return word[0]


def _last(site: CallSite) -> str:
    return last_name(site.callee)
