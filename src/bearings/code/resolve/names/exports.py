"""Exports of modules and imports of files: through re-exports, stars, `module.exports`, packages.

    export { build as make } from "./build"      `make` is the export `build` of ./build
    export * from "./tools"                      any other name may be an export of ./tools
    module.exports = build                       the module as a whole is `build`: the export `=`
    from package import tool                     a name at the top of package/__init__.py, or the module package/tool.py

A walk is a generator that finds the meaning of one export. It yields questions about exports of other modules and is
sent the answers. Walks wait for each other on a stack of their own instead of Python's, so that a chain of re-exports
may be as long as the project has files.
"""

from collections.abc import Generator, Sequence
from typing import Final, TypeAlias

from bearings.code.expressions import site_of
from bearings.code.file_facts import Binding, BindingKind, Export, Import
from bearings.code.installed import is_installed
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.modules.cells import OWN_NAME, cell_of
from bearings.code.resolve.modules.folders import shared
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.names.stars import Stars
from bearings.code.resolve.parts import Ambient
from bearings.code.resolve.referent import FOR_PLATFORM, MATCHING, MODULE, OBJECT, OUTSIDE, PACKAGE, UNSURE, Referent
from bearings.code.resolve.referents import (
    EXTERNAL,
    MISSING,
    UNRESOLVED,
    is_builtin,
    is_inside,
    is_module,
    is_symbol,
    module_at,
    symbol_at,
)
from bearings.code.resolve.rules.ecmascript.conventions import ambient_cell
from bearings.code.resolve.rules.python.related import RELATED
from bearings.code.symbol_tags import TAGGED, declared_name
from bearings.code.type_expressions import FunctionType

_IMPORT: Final = BindingKind.IMPORT
_WRAPPED_KINDS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.COMPONENT, SymbolKind.HOOK, SymbolKind.CLASS}
)

_Question: TypeAlias = tuple[str, str, bool]
"""A file, the name of an export, and whether types count. The name `=` asks for the module as a whole."""
_Walk: TypeAlias = Generator[_Question, Referent | None, Referent | None]

_MOST_NAMESAKES = 5
"""The most files in which to look up a name that is used without an import: the nearest files that declare it."""
_OF_DECLARED = {"default": ("default", "="), "=": ("=", "*")}
"""An imported name → the names that stand for it in a module that is declared."""
_MOST_ROWS = 20
"""A name that more files declare is not looked up: it means none of them in particular."""


class Exports(Stars):
    """The exports and imports of modules. The meaning of each export is cached."""

    def __init__(self, context: Context, modules: Modules) -> None:
        super().__init__(context, modules)

    def module(self, importer: str, specifier: str) -> Referent:
        """See ExportsPart."""
        module = self._modules.find(importer, specifier, self._views[importer].semantics.family)
        if module.kind != MODULE:
            return module
        files = module.files
        if files[:1] in (UNSURE, FOR_PLATFORM, MATCHING):  # `likely` and `variants` return these files
            module, files = module_at(module.file), ()
        self._answers.consulted.update(files or (module.file,))
        return module if module.file in self._views.facts else MISSING

    def likely(self, importer: str, specifier: str) -> tuple[str, ...]:
        """The files that a specifier may name by its path alone, or as a pattern; empty if a rule resolves it."""
        files = self._modules.find(importer, specifier, self._views[importer].semantics.family).files
        return files[1:] if files[:1] in (UNSURE, MATCHING) else ()

    def variants(self, path: str) -> tuple[str, ...]:
        """A file and the files that replace it on other platforms, such as `Nav.web.tsx`; empty for most."""
        files = self._modules.variants(path, self._views[path].semantics.family)
        self._answers.consulted |= set(files)
        return files

    def resolve_import(self, file: str, entry: Import, *, types: bool = False) -> Referent | None:
        """See ExportsPart."""
        return self._walk_result(self._imported(file, entry, types))

    def _imported(self, file: str, entry: Import, types: bool) -> _Walk:
        if self._views[file].semantics.package_files:
            return (yield from self._imported_of_package(file, entry))
        module = self.module(file, entry.module)
        if module.kind == OUTSIDE or (is_installed(module.file) and not is_installed(file)):
            virtual = self._of_virtual(file, entry, types=types)  # a project's own declaration counts first
            if virtual is not None:
                return virtual
        if module.kind != MODULE or entry.name in ("*", ""):
            return module
        if entry.name == "=":  # `import build = require("./build")`: `module.exports`, or the module itself
            return (yield module.file, "=", False) or module
        meaning = yield module.file, entry.name, types
        if is_inside(meaning):
            return meaning
        # `Nav.web.tsx` may lack an export of `Nav.native.tsx`.
        for other in self.variants(module.file):
            variant = yield other, entry.name, types
            if is_inside(variant):
                return variant
        return meaning if is_inside(meaning) or not is_installed(module.file) else EXTERNAL

    def _imported_of_package(self, file: str, entry: Import) -> _Walk:
        """See `_imported`, in a language whose modules offer all names, and whose folders are packages."""
        if not entry.name:  # `import os.path` binds `os`
            return self.module(file, entry.module.partition(".")[0])
        module = self.module(file, entry.module)
        if entry.name == "*":
            return module
        if module.kind == PACKAGE:
            return self.submodule(module, entry.name) or EXTERNAL
        if module.kind == OUTSIDE:  # `from django.conf import settings`: the modules that the project names for it
            specifier = self._views[file].semantics.configured_modules.get(f"{entry.module}.{entry.name}")
            configured = self.module(file, specifier) if specifier is not None else module
            return configured if configured.kind == MODULE else module
        # In `package/__init__.py`, `from . import tool` means the module: only this import binds the name.
        own = self.submodule(module, entry.name) if module.file == file else None
        found = own or (yield module.file, entry.name, False)
        return found if is_inside(found) or not is_installed(module.file) else EXTERNAL

    def candidate_exports(self, module: Referent, name: str) -> list[Referent]:
        """See ExportsPart."""
        exported = [self.export(file, name) for file in module.files if file in self._views.facts]
        return list(dict.fromkeys(referent for referent in exported if is_inside(referent)))

    def submodule(self, module: Referent, name: str) -> Referent | None:
        """See ExportsPart. A package may be spread over several folders."""
        folder = module.file
        if module.kind == MODULE:
            if not folder.endswith(self._views[folder].semantics.package_files):
                return None
            folder = folder.rpartition("/")[0]
        elif module.files:
            parts = [self._in_folder(part, name) for part in (folder, *module.files)]
            inside = sorted((part for part in parts if part is not None), key=lambda part: part.kind)
            is_spread = bool(inside) and inside[0].kind == PACKAGE
            others = tuple(part.folder for part in inside[1:]) if is_spread else ()
            return inside[0]._replace(files=others) if inside else None
        return self._in_folder(folder, name)

    def _in_folder(self, folder: str, name: str) -> Referent | None:
        """The module or package `name` in a folder; None if there is none that was parsed."""
        inside = self._modules.below(folder, name)
        self._answers.consulted |= {cell_of(folder), inside.file} if inside.kind == MODULE else {cell_of(folder)}
        return inside if inside.kind == PACKAGE or inside.file in self._views.facts else None

    def _of_virtual(self, file: str, entry: Import, *, types: bool) -> Referent | None:
        """The referent of an import from a module without a file: `#imports`, or `declare module "api"`."""
        if not self.sees_ambient(file):
            return None
        names: Sequence[str] = (entry.name,)
        if entry.module not in self._views[file].semantics.virtual_modules:
            names = [declared_name(entry.module, name) for name in _OF_DECLARED.get(entry.name, names)]
        found = (self.ambient(file, name, types=types).referents for name in names)
        return next((meanings[0] for meanings in found if len(meanings) == 1), None)

    def sees_ambient(self, file: str) -> bool:
        """See ExportsPart."""
        return bool(self._modules.names) and self._views[file].semantics.has_ambient_names

    def ambient(self, file: str, name: str, *, types: bool = False) -> Ambient:
        """See ExportsPart. The first cell that has a meaning counts, and in it the nearest files; see cells.py."""
        view = self._views[file]
        is_script = not view.facts.imports and all(name.startswith(TAGGED) for name in view.exports)
        for cell, reason in self._modules.cells(file, name, view.semantics.family, is_script=is_script):
            self._answers.consulted.add(cell)
            meanings: dict[str, Referent] = {}
            held = self._modules.names.get(cell, ())
            if name.startswith(TAGGED):  # of a declared module, all exports are in its cell
                held = [row for row in held if row[1][1] == name]
            rows = sorted(held, key=lambda row: (-shared(row[0], file), row[1][1] != name, row))
            if len(rows) > _MOST_ROWS:
                continue
            for source, (_, own_name, how) in rows[:_MOST_NAMESAKES]:
                self._answers.consulted.add(source)
                named = name if own_name == "*" else own_name
                if source == file:
                    continue
                if how == OWN_NAME:  # may be a cycle: `var Game = Game || {}` in two scripts
                    cached = self._answers.ask((OWN_NAME, source, named, types))
                    if cached is not None:
                        meaning = cached.value
                    else:
                        meaning = self._answers.close(self._flow.name(source, 0, named, 0, types=types))
                else:
                    meaning = self.export(source, named, types=types)
                    meaning = module_at(source) if meaning is None and named == "default" else meaning
                if is_inside(meaning):
                    meanings.setdefault(source, meaning)
            if meanings:
                return Ambient(tuple(dict.fromkeys(meanings.values())), reason)
        return Ambient()

    def related(self, name: str) -> list[Referent]:
        """See ExportsPart."""
        cell = ambient_cell(RELATED, name)
        self._answers.consulted.add(cell)
        rows = sorted(self._modules.names.get(cell, ()))
        self._answers.consulted.update(path for path, _ in rows)
        return [symbol_at(path, int(data.partition(" ")[0])) for path, (_, _, data) in rows[:_MOST_ROWS]]

    def module_value(self, module: Referent) -> Referent | None:
        """See ExportsPart."""
        return self.export(module.file, "=") if "=" in self._views[module.file].exports else None

    def _module_value(self, file: str) -> _Walk:
        """The referent of `module.exports = x`: of the last one in the file that no call wraps."""
        rows = self._views[file].exports.get("=", ())
        plain = [row for row in rows if not row.wrapped]
        meaning = (yield from self._local_meaning(file, plain[-1], plain[-1].line)) if plain else None
        return self._or_wrapped(meaning, file, rows)

    def _or_wrapped(self, meaning: Referent | None, file: str, rows: Sequence[Export]) -> Referent | None:
        """The `meaning` of an export if it is known, else the function or class that a call in it wraps.

        `export default connect(mapState)(Cart)` means Cart, unless the result of the call is known. A result that is
        a function counts as unknown if its own result is not of the project.
        """
        if is_inside(meaning):
            is_function = meaning.kind == OBJECT and isinstance(meaning.type, FunctionType)
            if not is_function or is_inside(self._calls.call_result(meaning)):
                return meaning
        for row in rows:
            inner = self._walk_result(self._local_meaning(file, row, row.line)) if row.wrapped else None
            if is_symbol(inner) and self._views[inner.file].facts.symbols[inner.symbol].kind in _WRAPPED_KINDS:
                return inner
        return meaning

    def _local_meaning(self, file: str, row: Export, line: int, types: bool = False) -> _Walk:
        """The meaning of an export without `from`: of its local name or expression in the file's top scope."""
        if (assigned := _assigned_name(row)) is not None:
            return self._members.own_member(file, 0, assigned, types=types)
        view = self._views[file]
        entry = view.inline.get(site_of(row.local))
        if type(row.local) is str:
            binding = view.lookup(0, row.local, line, types=types)
            entry = view.facts.imports[binding.target] if binding is not None and binding.kind is _IMPORT else None
        if entry is not None:
            return (yield from self._imported(file, entry, types))
        return self._flow.expression(file, 0, row.local, line, types=types)

    def export(self, file: str, name: str, *, types: bool = False) -> Referent | None:
        """See ExportsPart."""
        question = (file, name, types)
        cached = self._answers.ask(question)
        return cached.value if cached is not None else self._answers.close(self._walk_result(self._walk(question)))

    def _walk(self, question: _Question) -> _Walk:
        """The walk that answers a question, by the rules of the module's language."""
        file, name, types = question
        if self._views[file].semantics.modules_offer_all_names:
            return self._top_name(file, name)
        return self._module_value(file) if name == "=" else self._export(file, name, types)

    def _walk_result(self, walk: _Walk) -> Referent | None:
        """Runs a walk to its result. Questions that it yields are answered from the cache or by further walks."""
        walks, answer, answers = [walk], None, self._answers
        while True:
            try:
                question = walks[-1].send(answer)
            except StopIteration as end:
                walks.pop()
                if not walks:
                    result: Referent | None = end.value
                    return result
                answer = answers.close(end.value)
                continue
            cached = answers.ask(question)
            answer = cached.value if cached is not None else None
            if cached is None:
                walks.append(self._walk(question))

    def _export(self, file: str, name: str, types: bool) -> _Walk:
        """An export by the rows for its name, else by the module as a whole, else by a star."""
        view = self._views[file]
        rows = view.exports.get(name, ())
        for row in rows:
            if row.wrapped:
                continue
            if row.module:  # `export { a as b } from "./m"`, `export * as b from "./m"`
                module = self.module(file, row.module)
                if row.local == "*" or type(row.local) is not str or module.kind != MODULE:
                    return module
                return (yield module.file, row.local, types)
            meaning = yield from self._local_meaning(file, row, 0, types)
            if meaning is None and type(row.local) is str:
                meaning = self._members.own_member(file, 0, row.local, types=types)
            meaning = self._or_wrapped(meaning, file, rows)
            if meaning is not None:
                return meaning
        whole = (yield file, "=", False) if "=" in view.exports else None
        if is_module(whole) and not whole.files and name != "default":  # `module.exports = require("./lib")`
            return (yield whole.file, name, False)
        if whole is not None:
            return whole if name == "default" else self._members.member(whole, name)
        if name != "default":
            for starred in self.starred_modules(file, name):
                meaning = yield starred, name, types
                if meaning is not None:
                    return meaning
        # `import app from "./app"`, where app.js says `exports.run = …`: the module itself.
        is_commonjs = name == "default" and any(
            _assigned_name(row) is not None for rows in view.exports.values() for row in rows
        )
        return module_at(file) if is_commonjs else None

    def _top_name(self, file: str, name: str) -> _Walk:
        """The referent of a name in a module's top scope, of a module in its folder, or of a name behind a star."""
        view = self._views[file]
        row = view.lookup(0, name, 0)
        if row is not None:
            meaning = yield from self._row_meaning(file, row)
            return (yield from self._or_earlier_definition(file, row, meaning)) or UNRESOLVED
        submodule = self.submodule(module_at(file), name)
        if submodule is not None:
            return submodule
        for module in self.starred_modules(file, name):
            meaning = yield module, name, False
            if meaning is not None and not name.startswith("_"):
                return meaning
        return None

    def _row_meaning(self, file: str, row: Binding) -> _Walk:
        """The referent of a row of a binding table."""
        if row.kind is _IMPORT:
            return (yield from self._imported(file, self._views[file].facts.imports[row.target], False))
        return self._flow.binding(file, row)

    def or_earlier_definition(self, file: str, row: Binding, meaning: Referent | None) -> Referent | None:
        """See ExportsPart."""
        return self._walk_result(self._or_earlier_definition(file, row, meaning))

    def _or_earlier_definition(self, file: str, row: Binding, meaning: Referent | None) -> _Walk:
        """See `or_earlier_definition`."""
        is_unknown = meaning is None or (meaning.kind == OUTSIDE and not is_builtin(meaning))
        view = self._views[file]
        if is_unknown and row.scope == 0 and view.semantics.earlier_definitions_stand_in:
            for other in view.rows_of(row.scope, row.name):
                if other is not row and other.kind in (BindingKind.SYMBOL, _IMPORT):
                    earlier = yield from self._row_meaning(file, other)
                    if is_inside(earlier):
                        return earlier
        return meaning


def _assigned_name(row: Export) -> str | None:
    """The name of the symbol that `exports.name = …` declares; None for another export."""
    return row.local.removeprefix("exports.") if type(row.local) is str and row.local[:8] == "exports." else None
