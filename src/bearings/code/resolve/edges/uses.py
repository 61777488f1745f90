"""Resolves the uses in a file to edges, or to outside uses, where names are found through scopes and imports.

import { Cart } from "./cart"    an edge of kind `import` to cart.ts, and one to the class Cart
class Order extends Cart {}      an edge of kind `extends` from Order to Cart
new Cart().total()               an edge of kind `new` to Cart, and one of kind `call` to Cart.total
lodash.sum(prices)               an outside use, because lodash is a library

Fixtures of tests and functions that frameworks call give edges, too. naming.py adds names in types and names that are
used as values, doubts.py lowers the confidence of edges through uncertain imports.
"""

from collections.abc import Collection, Mapping
from typing import Final

from bearings.code.expressions import Expression, Properties, Result, Typed, written
from bearings.code.file_facts import BindingKind, CallSite, FileFacts, ImportKind
from bearings.code.framework_facts import FrameworkCall
from bearings.code.installed import is_installed
from bearings.code.models import (
    BY_FRAMEWORK,
    NAME_EXPORTED,
    NAME_IMPORTED,
    REPLACED,
    STARTED,
    Confidence,
    Edge,
    EdgeKind,
    Outside,
    Symbol,
    SymbolKind,
)
from bearings.code.resolve.edges.ambient_roots import AmbientRoots
from bearings.code.resolve.edges.callees import Callee, Callees, one_of
from bearings.code.resolve.edges.doubts import Doubts
from bearings.code.resolve.edges.implied import ImpliedCalls
from bearings.code.resolve.edges.naming import Naming
from bearings.code.resolve.edges.root_names import Roots
from bearings.code.resolve.edges.wanted import FileNames
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, OUTSIDE, PACKAGE, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    EXTERNAL,
    is_inside,
    is_instance,
    is_outside,
    is_package,
    is_symbol,
    is_target,
    symbol_at,
)
from bearings.code.resolve.strategy import Strategy
from bearings.code.resolve.types.builtin_types import PARTS
from bearings.code.symbol_tags import TAGGED
from bearings.code.type_expressions import TypeExpression, TypeReference, type_names

_EXPORTED: Final = "#exports."
"""In the id of a property of `module.exports = {…}`, which nobody but its module is expected to set."""
_CALL: Final = EdgeKind.CALL
_WHY: Final = {ImportKind.MOCK: REPLACED, ImportKind.START: STARTED}
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_EXACT: Final = Confidence.EXACT
_NOT_CALLED: Final = frozenset({EdgeKind.TYPE, EdgeKind.IMPLEMENTS})
_MAKING: Final = ("__new__", "__init__")
"""The methods of a metaclass that the definition of a class runs."""
_NAMED: Final = "__set_name__"
_MODULE_NAMES = frozenset({"", "*"})
"""The imported names that stand for a whole module: `import "./x"`, `import * as x`."""


class Scoped(Strategy):
    """Resolves files with one evaluator for all families, because files of one family may import files of another."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = Evaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """See Strategy."""
        return self.uses_of(path, None), self._evaluator.answers.gathered()

    def uses_of(self, path: str, names: FileNames | None) -> FileUses:
        """The uses of a file that may mean an element of some names, and perhaps others; None: all."""
        self._evaluator.begin()
        uses = Uses(self._evaluator, path, names)
        uses.add()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside))

    def bases(self, path: str) -> tuple[Edge, ...]:
        """The edges from the types of a file to what they extend and implement."""
        self._evaluator.begin()
        uses = Uses(self._evaluator, path)
        uses.add_bases()
        Doubts(self._evaluator, path).apply(uses.edges)
        return tuple(uses.edges.values())

    def is_of_metaclass(self, member: Symbol) -> bool:
        """Whether a symbol is a member of a metaclass."""
        self._evaluator.begin()
        ids = [symbol.id for symbol in self._evaluator.views[member.file].facts.symbols]
        at = ids.index(member.parent) if member.parent in ids else 0
        return at > 0 and self._evaluator.members.is_metaclass(symbol_at(member.file, at))

    def give_up(self) -> frozenset[str]:
        """See Strategy."""
        return self._evaluator.answers.abandon()

    def forget(self, but: Collection[str] = ()) -> None:
        """See Strategy."""
        self._evaluator.views.forget(but)

    def shed(self) -> None:
        """See Strategy."""
        self._evaluator.answers.shed()

    def close(self) -> None:
        """See Strategy."""
        self._evaluator.close()


class Uses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once.

    With `names`, only those that may mean an element of these names.
    """

    def __init__(self, evaluator: Evaluator, file: str, names: FileNames | None = None) -> None:
        self._names = names
        self.edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self.outside: list[Outside] = []
        self._called: dict[int, Callee] = {}
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._roots = Roots(evaluator, self._view)
        self._ambient = AmbientRoots(evaluator, self._view)
        self._callees = Callees(evaluator, self._view, self._roots, self._ambient)

    def add(self) -> None:
        """Adds all uses of the file."""
        view, names = self._view, self._names
        self._add_imports()
        self._add_exports()
        self.add_bases()
        imports = view.semantics.import_functions
        for number, site in enumerate(view.facts.sites):
            if site.callee not in imports and site.kind not in _NOT_CALLED and (names is None or names.uses(site)):
                self._add_call_site(site, number)
        fixtures, by_runner = self._evaluator.flow.fixtures, f"{BY_FRAMEWORK} {view.semantics.fixture_runner}"
        for use in view.facts.fixture_uses:
            if names is not None and use.name not in names.names:
                continue
            fixture = fixtures.fixture(self._file, use)
            if fixture is not None:  # a test, or another fixture, that names a fixture calls it
                self._add_use(view.id(use.symbol), fixture, _CALL, use.name, use.line, Confidence.STRONG, by_runner)
        for call in view.facts.framework_calls:
            if names is None or call.target > 0 or names.mentions(call.callee):
                self._add_framework_call(call)
        if view.semantics.has_special_methods and (names is None or _NAMED in names.names):
            self._add_told_attributes()
        implied = ImpliedCalls(self._evaluator, view, self._roots, self._called)
        Naming(self._evaluator, self._file, self.edges, self._roots, self._ambient, implied, names).add()
        Doubts(self._evaluator, self._file).apply(self.edges)

    def _add_use(
        self,
        source: str,
        referent: Referent | None,
        kind: EdgeKind,
        name: Expression,
        line: int,
        confidence: Confidence,
        reason: str,
        scope: int = -1,
    ) -> None:
        """Adds one use: an edge if `referent` is a symbol or a module of the project, else an outside use.

        The outside use of a call site, whose `scope` is given, is "ambiguous" if the name has several declarations.
        """
        if is_target(referent) and is_installed(referent.file):
            referent = EXTERNAL
        if is_target(referent):
            view, symbol = self._evaluator.views[referent.file], max(referent.symbol, 0)
            self._add_edge(source, view.id(symbol), view.key(symbol), kind, line, confidence, reason)
            return
        why = "unresolved"
        if referent is None and scope >= 0 and self._evaluator.flow.is_ambiguous(self._file, scope, name):
            why = "ambiguous"
        elif is_outside(referent):
            why = referent.reason
        elif is_package(referent):
            why = "external"
        self.outside.append(Outside(source, written(name), kind, self._file, line, why))

    def _add_edge(
        self, source: str, target: str, key: str, kind: EdgeKind, line: int, confidence: Confidence, reason: str
    ) -> None:
        """Adds an edge to the symbol with the id `target` and the key `key`. Replaces an equal edge that is a guess."""
        use = (source, target, kind, line)
        known = self.edges.get(use)
        if known is None or (confidence is not Confidence.HEURISTIC and known.is_guess):
            self.edges[use] = Edge(source, key, kind, self._file, line, confidence, reason)

    def _add_imports(self) -> None:
        exports, has_packages = self._evaluator.exports, bool(self._view.semantics.package_files)
        for entry in self._view.facts.imports:
            if self._names is not None and not self._names.imports(entry):
                continue
            referent = exports.module(self._file, entry.module)
            if has_packages and entry.name and referent.kind != OUTSIDE:
                exported = exports.resolve_import(self._file, entry)
                # `exported.files`: an alias in a configuration leads to several modules; the edge keeps the library.
                is_own = is_inside(exported) and not (exported.kind == MODULE and exported.files)
                is_own = is_own and exported is not None and not is_installed(exported.file)
                if exported is not None and (is_own or referent.kind == PACKAGE):
                    referent = exported
            why = _WHY.get(entry.kind, "import")
            self._add_use(self._view.id(0), referent, EdgeKind.IMPORT, entry.module, entry.line, _EXACT, why)
            if not has_packages and (entry.local or entry.name != "="):
                self._add_imported_name(referent, entry.name, EdgeKind.IMPORT, entry.line, NAME_IMPORTED)

    def _add_exports(self) -> None:
        has_packages = bool(self._view.semantics.package_files)
        for export in self._view.facts.exports:
            if self._names is not None and not self._names.exports(export):
                continue
            name, module = export.local, export.module
            if not module:  # `import { a } from "./a"`, `export { a }`
                row = self._view.lookup(0, name, 0) if type(name) is str and not has_packages else None
                if row is None or row.kind is not BindingKind.IMPORT or export.name.startswith(TAGGED):
                    continue
                entry = self._view.facts.imports[row.target]
                name, referent = entry.name, self._evaluator.exports.module(self._file, entry.module)
            else:
                referent = self._evaluator.exports.module(self._file, module)
                self._add_use(self._view.id(0), referent, EdgeKind.EXPORT, module, export.line, _EXACT, "re-export")
            if isinstance(name, str):
                self._add_imported_name(referent, name, EdgeKind.EXPORT, export.line, NAME_EXPORTED)

    def _add_imported_name(self, module: Referent, name: str, kind: EdgeKind, line: int, reason: str) -> None:
        """Adds the edge of a name in an import or a re-export, if it is a symbol: a value, or else a type."""
        if module.kind != MODULE or name in _MODULE_NAMES:
            return
        meaning = self._evaluator.exports.export(module.file, name)
        if not is_symbol(meaning):
            meaning = self._evaluator.exports.export(module.file, name, types=True)
        if is_symbol(meaning) and meaning.symbol > 0 and not is_installed(meaning.file):
            self._add_use(self._view.id(0), meaning, kind, name, line, _EXACT, reason)

    def add_bases(self) -> None:
        """Adds the uses that types make of what they extend and implement."""
        types, facts = self._evaluator.types, self._view.facts
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            source, line = self._view.id(index), symbol.line
            for base in shape.bases:
                name: Expression = base.value
                if self._names is not None and not self._names.mentions(name):
                    continue
                if base.type is not None:
                    name, referent = _type_name(base.type), types.resolve_type(self._file, shape.inner, base.type)
                else:
                    referent = self._evaluator.members.named_base(self._file, index, base)
                if not is_symbol(referent) and self._view.is_of_mixin(shape.scope, base.value):
                    continue
                self._add_use(source, referent, EdgeKind.EXTENDS, name, line, _EXACT, "base")
                told = self._view.semantics.told_of_subclasses
                if told and is_symbol(referent):
                    self._add_method(source, referent, told, line, "by a subclass")
            if symbol.kind is not _CLASS:
                is_object = shape.type is not None and type(shape.value) is Properties
                for type_ in (*shape.implements, *((shape.type,) if is_object else ())):
                    self._add_object(source, shape.scope, type_, line)
                continue
            if shape.bases or self._view.binds("metaclass="):
                for method in _MAKING:
                    if self._names is not None and method not in self._names.names:
                        continue  # looking for a metaclass would read the files of all bases
                    self._add_of_metaclass(source, symbol_at(self._file, index), method, line)
            for type_ in shape.implements:
                if _is_part(type_) or (self._names is not None and not self._names.types(type_)):
                    continue
                referent = types.resolve_type(self._file, shape.inner, type_)
                self._add_use(source, referent, EdgeKind.IMPLEMENTS, _type_name(type_), line, _EXACT, "implements")
        for site in facts.sites:  # an object that a function returns
            if site.kind is EdgeKind.IMPLEMENTS and isinstance(site.callee, Typed):
                source = self._view.id(facts.scopes[site.scope].symbol)
                self._add_object(source, site.scope, site.callee.type, site.line)

    def _add_object(self, source: str, scope: int, type_: TypeExpression | None, line: int) -> None:
        """Adds what an object literal of a type implements: an interface or the like that has functions, if any."""
        if type_ is None or (self._names is not None and not self._names.types(type_)):
            return
        evaluator = self._evaluator
        target = evaluator.values.awaited(evaluator.types.resolve_type(self._file, scope, type_))
        if not _is_part(type_) and is_instance(target) and evaluator.views[target.file].has_functions(target.symbol):
            why = "an object of this type"
            self._add_use(source, target, EdgeKind.IMPLEMENTS, "", line, Confidence.STRONG, why)

    def _add_method(self, source: str, owner: Referent | None, name: str, line: int, reason: str) -> None:
        """Adds the call of a method, if the project has it, that the language makes by itself."""
        method = self._evaluator.members.member(owner, name)
        if is_symbol(method):
            self._add_use(source, method, _CALL, name, line, Confidence.STRONG, reason)

    def _add_of_metaclass(self, source: str, class_: Referent, name: str, line: int) -> None:
        if self._view.semantics.has_special_methods:
            self._add_method(source, self._evaluator.members.metaclass(class_), name, line, "by a metaclass")

    def _add_told_attributes(self) -> None:
        """Adds the calls of `__set_name__`, of each object that the body of a class gives a name."""
        view = self._view
        for index, (symbol, shape) in enumerate(zip(view.facts.symbols, view.facts.shapes, strict=True)):
            if type(shape.value) is not Result or symbol.kind is not SymbolKind.PROPERTY or not view.is_static(index):
                continue
            value = self._evaluator.values.value(symbol_at(self._file, index))
            if is_instance(value):
                self._add_method(view.id(shape.parent), value, _NAMED, symbol.line, "by an attribute of a class")

    def _add_framework_call(self, call: FrameworkCall) -> None:
        """Adds the call of a function or class by a framework: `@app.get("/carts")` makes FastAPI call the function.

        Adds nothing if the name means neither a function nor a class.
        """
        name = call.callee
        referent = symbol_at(self._file, call.target) if call.target > 0 else None
        if name is not None:
            referent = self._evaluator.flow.expression(self._file, call.scope, name, call.line)
            value = self._evaluator.values.value_or_self(referent) if referent is not None else None
            if is_instance(value) and not is_installed(value.file):  # not what a decorator makes of a function
                referent = self._evaluator.members.member(value, "__call__")
        target = self._evaluator.symbol_of(referent)
        if target is not None and (target.kind in CALLABLE or target.kind is _CLASS):
            source, kind = self._view.id(call.source), _NEW if target.kind is _CLASS else _CALL
            confidence = Confidence.STRONG if call.sure else Confidence.HEURISTIC
            self._add_use(source, referent, kind, name or "", call.line, confidence, f"{BY_FRAMEWORK} {call.by}")

    def _add_call_site(self, site: CallSite, number: int) -> None:
        """Adds the edges of a call site, or of another use of an expression.

        The source of a call is the symbol that runs it. In `class Cart: items = load()` this is the module, which runs
        the body of the class; the class itself then gets an edge of kind `reference`.
        """
        expression, line, facts = site.callee, site.at, self._view.facts
        enclosing = runner = facts.scopes[site.scope].symbol
        if site.kind is _CALL or site.kind is _NEW:
            runs_classes = self._view.semantics.class_bodies_run_in_place
            while facts.symbols[runner].kind is _CLASS if runs_classes else self._view.is_namespace(runner):
                runner = facts.scopes[facts.shapes[runner].scope].symbol
        source, callee = self._view.id(runner), self._callees.callee(site)
        self._called[number] = callee
        if callee.kind is _NEW and is_symbol(callee.target):
            self._add_of_metaclass(source, callee.target, "__call__", line)
        confidence, reason = callee.confidence, callee.reason
        if callee.id:
            self._add_edge(source, callee.id, callee.key, callee.kind, line, confidence, reason)
            if enclosing != runner:
                self._add_edge(
                    self._view.id(enclosing), callee.id, callee.key, EdgeKind.REFERENCE, line, confidence, reason
                )
        else:
            self._add_use(source, callee.target, callee.kind, expression, line, confidence, reason, site.scope)
        if is_symbol(callee.implementation):
            why = "in the object of a constant"
            self._add_use(source, callee.implementation, site.kind, expression, line, Confidence.STRONG, why)
        if is_symbol(callee.loaded):
            self._add_use(source, callee.loaded, site.kind, expression, line, Confidence.STRONG, "loaded by `import()`")
        count = len(callee.table_functions)
        for function in callee.table_functions:
            target = self._evaluator.symbol_of(function)
            is_class = target is not None and target.kind is _CLASS
            kind = _NEW if site.kind is _CALL and is_class else site.kind
            why = f"one of {count} functions of a table" if count > 1 else "the function of a table"
            self._add_use(source, function, kind, expression, line, Confidence.STRONG, why)
        for referent, why in callee.guesses:
            self._add_use(source, referent, site.kind, expression, line, Confidence.HEURISTIC, why)
        for referent in callee.renamed:
            target = self._evaluator.symbol_of(referent)
            kind = _NEW if target is not None and target.kind is _CLASS else site.kind
            self._add_use(source, referent, kind, expression, line, Confidence.STRONG, one_of(callee.renamed))
        if callee.property_function is not None:
            sure = Confidence.STRONG if _EXPORTED in callee.id else Confidence.HEURISTIC
            why = "through an object's property"
            self._add_use(source, callee.property_function, site.kind, expression, line, sure, why)


def _is_part(type_: TypeExpression) -> bool:
    """Whether an object of a type may lack members of the type that it names: `Partial<Cart>`."""
    return isinstance(type_, TypeReference) and type_.name in PARTS


def _type_name(type_: TypeExpression) -> str:
    """The first name in a type that is implemented or extended: `Box` of `Box<Item>`; "?" if it has none."""
    return next(type_names(type_), "?")
