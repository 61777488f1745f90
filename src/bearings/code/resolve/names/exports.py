"""Exports of modules and imports of files: through re-exports, stars, `module.exports`, packages.

A walk is a generator that asks for the exports of other modules: it yields questions and is sent the answers. Walks
wait for each other on a stack of their own, so that a chain of re-exports may be as long as the project has files.
"""

from collections.abc import Generator, Sequence
from typing import Final, TypeAlias

from bearings.code.expressions import site_of
from bearings.code.file_facts import Binding, BindingKind, Export, Import
from bearings.code.models import SymbolKind
from bearings.code.resolve.modules.cells import OWN_NAME, cell_of
from bearings.code.resolve.modules.folders import shared
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.names.stars import Stars
from bearings.code.resolve.parts import Ambient, Known
from bearings.code.resolve.referents import (
    EXTERNAL,
    FOR_PLATFORM,
    MISSING,
    UNRESOLVED,
    UNSURE,
    Referent,
    ReferentKind,
    is_builtin,
)
from bearings.code.symbol_tags import TAGGED
from bearings.code.type_expressions import FunctionType

_IMPORT: Final = BindingKind.IMPORT
_WRAPPED = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.COMPONENT, SymbolKind.HOOK, SymbolKind.CLASS})

_Question: TypeAlias = tuple[str, str, bool]
"""A file, the name of an export, and whether types count. The name `=` asks for the module as a whole."""
_Walk: TypeAlias = Generator[_Question, Referent | None, Referent | None]

_MOST_NAMESAKES = 5
_MOST_ROWS = 20
"""The most files with a name that is used without an import: of a name that more have, none is meant in particular."""


class Exports(Stars):
    """The tables of all files, and the modules among them. Caches every answer."""

    def __init__(self, known: Known, modules: Modules) -> None:
        super().__init__(known)
        self._modules: Final = modules

    def module(self, importer: str, specifier: str) -> Referent:
        """The module that a specifier names; MISSING also if it exists but was not parsed."""
        found = self._modules.find(importer, specifier, self._views[importer].semantics.family)
        if found.kind == ReferentKind.MODULE:
            files = found.files
            if files[:1] == UNSURE or files[:1] == FOR_PLATFORM:
                found, files = found._replace(files=()), ()
            self._memo.consulted.update(files or (found.where,))
            return found if found.where in self._views.facts else MISSING
        return found

    def likely(self, importer: str, specifier: str) -> tuple[str, ...]:
        """The files that a specifier may name by its path alone; empty if a rule resolves it."""
        files = self._modules.find(importer, specifier, self._views[importer].semantics.family).files
        return files[1:] if files[:1] == UNSURE else ()

    def variants(self, path: str) -> tuple[str, ...]:
        """The files that stand for a file on other platforms, and the file; empty for most."""
        found = self._modules.variants(path, self._views[path].semantics.family)
        self._memo.consulted |= set(found)
        return found

    def imported(self, file: str, entry: Import, *, types: bool = False) -> Referent | None:
        """The referent of an import's local name."""
        return self._walked(self._imported(file, entry, types))

    def _imported(self, file: str, entry: Import, types: bool) -> _Walk:
        if self._views[file].semantics.package_files:
            return (yield from self._imported_of_package(file, entry))
        module = self.module(file, entry.module)
        if module.kind != ReferentKind.MODULE or entry.name in ("*", ""):
            virtual = self._of_virtual(file, entry, types=types) if module.kind == ReferentKind.OUTSIDE else None
            return virtual or module
        if entry.name == "=":
            return (yield module.where, "=", False) or module
        found = yield module.where, entry.name, types
        for other in self.variants(module.where) if found is None or found.kind == ReferentKind.OUTSIDE else ():
            variant = yield other, entry.name, types
            if variant is not None and variant.kind != ReferentKind.OUTSIDE:
                return variant
        return found

    def _imported_of_package(self, file: str, entry: Import) -> _Walk:
        if not entry.name:
            return self.module(file, entry.module.partition(".")[0])
        module = self.module(file, entry.module)
        if entry.name == "*":
            return module
        if module.kind == ReferentKind.PACKAGE:
            return self.submodule(module, entry.name) or EXTERNAL
        if module.kind == ReferentKind.OUTSIDE:
            specifier = self._views[file].semantics.configured_modules.get(f"{entry.module}.{entry.name}")
            made = self.module(file, specifier) if specifier is not None else module
            return made if made.kind == ReferentKind.MODULE else module
        own = self.submodule(module, entry.name) if module.where == file else None
        return own or (yield module.where, entry.name, False)

    def of_any(self, module: Referent, name: str) -> list[Referent]:
        """The exports of a name from each of the modules that configuration puts in the place of one."""
        found = [self.export(file, name) for file in module.files if file in self._views.facts]
        return list(dict.fromkeys(one for one in found if one is not None and one.kind != ReferentKind.OUTSIDE))

    def submodule(self, module: Referent, name: str) -> Referent | None:
        """A module in a package's folder, or in one of the folders that a package is spread over."""
        folder = module.where
        if module.kind == ReferentKind.MODULE:
            if not folder.endswith(self._views[folder].semantics.package_files):
                return None
            folder = folder.rpartition("/")[0]
        elif module.files:
            parts = [self._in_folder(part, name) for part in (folder, *module.files)]
            found = sorted((part for part in parts if part is not None), key=lambda part: part.kind)
            is_spread = bool(found) and found[0].kind == ReferentKind.PACKAGE
            others = tuple(part.where for part in found[1:]) if is_spread else ()
            return found[0]._replace(files=others) if found else None
        return self._in_folder(folder, name)

    def _in_folder(self, folder: str, name: str) -> Referent | None:
        """A module or package in a folder."""
        found = self._modules.below(folder, name)
        self._memo.consulted |= (
            {cell_of(folder), found.where} if found.kind == ReferentKind.MODULE else {cell_of(folder)}
        )
        there = found.kind == ReferentKind.PACKAGE or found.where in self._views.facts
        return found if there else None

    def _of_virtual(self, file: str, entry: Import, *, types: bool) -> Referent | None:
        """The referent of an import from a module that exports the names which files see without an import."""
        if entry.module not in self._views[file].semantics.virtual_modules or not self.sees_ambient(file):
            return None
        found = self.ambient(file, entry.name, types=types).referents
        return found[0] if len(found) == 1 else None

    def sees_ambient(self, file: str) -> bool:
        """Whether a file may see names without a declaration or an import."""
        return bool(self._modules.names) and self._views[file].semantics.has_ambient_names

    def ambient(self, file: str, name: str, *, types: bool = False) -> Ambient:
        """The meaning by the project's conventions of a name that a file does not declare; of several the nearest."""
        view = self._views[file]
        alone = not view.facts.imports and all(name.startswith(TAGGED) for name in view.exports)
        for cell, reason in self._modules.cells(file, name, view.semantics.family, alone=alone):
            self._memo.consulted.add(cell)
            found: dict[str, Referent] = {}
            rows = sorted(
                self._modules.names.get(cell, ()), key=lambda row: (-shared(row[0], file), row[1][1] != name, row)
            )
            for where, (_, own_name, how) in rows[:_MOST_NAMESAKES] if len(rows) <= _MOST_ROWS else ():
                self._memo.consulted.add(where)
                named = name if own_name == "*" else own_name
                referent = self._ambient_in(where, named, how, types=types) if where != file else None
                if referent is not None and referent.kind != ReferentKind.OUTSIDE:
                    found.setdefault(where, referent)
            if found:
                return Ambient(tuple(dict.fromkeys(found.values())), reason)
        return Ambient()

    def _ambient_in(self, where: str, name: str, how: str, *, types: bool) -> Referent | None:
        if how == OWN_NAME:  # whose declaration may name it again: `var Game = Game || {}` in two scripts
            question = (OWN_NAME, where, name, types)
            cached = self._memo.look(question)
            if cached is not None:
                return cached.value
            self._memo.open(question)
            return self._memo.close(self._flow.name(where, 0, name, 0, types=types))
        found = self.export(where, name, types=types)
        return Referent(ReferentKind.MODULE, where) if found is None and name == "default" else found

    def whole(self, module: Referent) -> Referent | None:
        """The referent of `module.exports = x` or `export = x`; None if the module has neither."""
        return self.export(module.where, "=") if "=" in self._views[module.where].exports else None

    def _whole(self, file: str) -> _Walk:
        rows = self._views[file].exports.get("=", ())
        own = [row for row in rows if not row.wrapped]
        found = (yield from self._offered(file, own[-1], own[-1].line)) if own else None
        return self._unless_known(found, file, rows)

    def _unless_known(self, found: Referent | None, file: str, rows: Sequence[Export]) -> Referent | None:
        """The referent of an export; if nothing is known of it, the function or class that its call wraps."""
        if found is not None and found.kind != ReferentKind.OUTSIDE and not self._is_any_function(found):
            return found
        for row in rows:
            inner = self._walked(self._offered(file, row, row.line)) if row.wrapped else None
            is_symbol = inner is not None and inner.kind == ReferentKind.SYMBOL
            if inner is not None and is_symbol and self._kind(inner) in _WRAPPED:
                return inner
        return found

    def _is_any_function(self, referent: Referent) -> bool:
        """Whether a referent is a function without a symbol, of which only the type is known, and no result."""
        if referent.kind != ReferentKind.OBJECT or not isinstance(referent.type, FunctionType):
            return False
        given = self._calls.called(referent)
        return given is None or given.kind == ReferentKind.OUTSIDE

    def _kind(self, referent: Referent) -> SymbolKind:
        return self._views[referent.where].facts.symbols[referent.symbol].kind

    def _offered(self, file: str, row: Export, line: int, types: bool = False) -> _Walk:
        """The referent of an export without a module."""
        if (assigned := _assigned(row)) is not None:
            return self._members.own(file, 0, assigned, types=types)
        view = self._views[file]
        entry = view.inline.get(site_of(row.local))
        if type(row.local) is str:
            bound = view.lookup(0, row.local, line, types=types)
            entry = view.facts.imports[bound.target] if bound is not None and bound.kind is _IMPORT else None
        if entry is not None:
            return (yield from self._imported(file, entry, types))
        return self._flow.expression(file, 0, row.local, line, types=types)

    def export(self, file: str, name: str, *, types: bool = False) -> Referent | None:
        """The referent that a module exports under a name, through re-exports and stars; None if unknown."""
        question = (file, name, types)
        cached = self._memo.look(question)
        if cached is not None:
            return cached.value
        self._memo.open(question)
        return self._memo.close(self._walked(self._walk(question)))

    def _walk(self, question: _Question) -> _Walk:
        file, name, types = question
        if self._views[file].semantics.modules_offer_all_names:
            return self._bound(file, name)
        return self._whole(file) if name == "=" else self._export(file, name, types)

    def _walked(self, walk: _Walk) -> Referent | None:
        """The result of a walk. Questions that it yields are answered from the cache, or by walks on top of it."""
        walks, answer, memo = [walk], None, self._memo
        while True:
            try:
                question = walks[-1].send(answer)
            except StopIteration as end:
                walks.pop()
                if not walks:
                    result: Referent | None = end.value
                    return result
                answer = memo.close(end.value)
                continue
            cached = memo.look(question)
            answer = cached.value if cached is not None else None
            if cached is None:
                memo.open(question)
                walks.append(self._walk(question))

    def _export(self, file: str, name: str, types: bool) -> _Walk:
        view = self._views[file]
        rows = view.exports.get(name, ())
        for row in rows:
            if row.wrapped:
                continue
            if row.module:
                module = self.module(file, row.module)
                if row.local == "*" or type(row.local) is not str or module.kind != ReferentKind.MODULE:
                    return module
                return (yield module.where, row.local, types)
            found = yield from self._offered(file, row, 0, types)
            if found is None and type(row.local) is str:
                found = self._members.own(file, 0, row.local, types=types)
            found = self._unless_known(found, file, rows)
            if found is not None:
                return found
        whole = (yield file, "=", False) if "=" in view.exports else None
        if whole is not None and whole.kind == ReferentKind.MODULE and not whole.files and name != "default":
            return (yield whole.where, name, False)
        if whole is not None:
            return whole if name == "default" else self._members.member(whole, name)
        for starred in self.stars(file, name) if name != "default" else ():
            found = yield starred, name, types
            if found is not None:
                return found
        is_commonjs = name == "default" and any(
            _assigned(row) is not None for rows in view.exports.values() for row in rows
        )
        return Referent(ReferentKind.MODULE, file) if is_commonjs else None

    def _bound(self, file: str, name: str) -> _Walk:
        """The referent of a name at a module's top, or a module below it."""
        view = self._views[file]
        row = view.lookup(0, name, 0)
        if row is not None:
            found = yield from self._named(file, row)
            return (yield from self._settled(file, row, found)) or UNRESOLVED
        submodule = self.submodule(Referent(ReferentKind.MODULE, file), name)
        if submodule is not None:
            return submodule
        for module in self.stars(file, name):
            found = yield module, name, False
            if found is not None and not name.startswith("_"):
                return found
        return None

    def _named(self, file: str, row: Binding) -> _Walk:
        """The referent of a row of a binding table."""
        if row.kind is _IMPORT:
            return (yield from self._imported(file, self._views[file].facts.imports[row.target], False))
        return self._flow.binding(file, row)

    def settled(self, file: str, row: Binding, found: Referent | None) -> Referent | None:
        """See ExportsPart."""
        return self._walked(self._settled(file, row, found))

    def _settled(self, file: str, row: Binding, found: Referent | None) -> _Walk:
        is_lost = found is None or (found.kind == ReferentKind.OUTSIDE and not is_builtin(found))
        view = self._views[file]
        if is_lost and row.scope == 0 and view.semantics.earlier_definitions_stand_in:
            for other in view.rows_of(row.scope, row.name):
                if other is not row and other.kind in (BindingKind.SYMBOL, _IMPORT):
                    earlier = yield from self._named(file, other)
                    if earlier is not None and earlier.kind != ReferentKind.OUTSIDE:
                        return earlier
        return found


def _assigned(row: Export) -> str | None:
    """The name of the symbol that an assignment to `exports.name` declares; None for another export."""
    is_own = type(row.local) is str and row.local.startswith("exports.")
    return row.local[len("exports.") :] if type(row.local) is str and is_own else None
