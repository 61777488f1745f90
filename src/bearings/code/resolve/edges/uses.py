"""Resolves the uses in a file to edges, or to outside uses, where names are found through scopes and imports.

These are imports, re-exports, bases, call sites, fixtures and what frameworks call; naming.py adds names in types and
names that are used as values, doubts.py lowers the confidence of edges through uncertain imports.
"""

from collections.abc import Collection, Mapping
from typing import Final

from bearings.code.expressions import Expression, written
from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.framework_facts import FrameworkCall
from bearings.code.models import (
    BY_FRAMEWORK,
    NAME_EXPORTED,
    NAME_IMPORTED,
    Confidence,
    Edge,
    EdgeKind,
    Outside,
    SymbolKind,
)
from bearings.code.resolve.edges.ambient_roots import AmbientRoots
from bearings.code.resolve.edges.callees import Callees
from bearings.code.resolve.edges.doubts import Doubts
from bearings.code.resolve.edges.fixtures import Fixtures
from bearings.code.resolve.edges.naming import Naming
from bearings.code.resolve.edges.root_names import Roots
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, OUTSIDE, PACKAGE, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    is_inside,
    is_instance,
    is_outside,
    is_package,
    is_symbol,
    is_target,
    symbol_at,
)
from bearings.code.resolve.strategy import Strategy
from bearings.code.type_expressions import TypeExpression, type_names

_CALL: Final = EdgeKind.CALL
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_EXACT: Final = Confidence.EXACT
_WHOLE = frozenset({"", "*", "="})
"""The names of an import that stand for a module, not for one of its names."""


class Scoped(Strategy):
    """Resolves files with one evaluator for all families, because files of one family may import files of another."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = Evaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """See Strategy."""
        self._evaluator.begin()
        uses = Uses(self._evaluator, path)
        uses.add()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), self._evaluator.answers.gathered()

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
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once."""

    def __init__(self, evaluator: Evaluator, file: str) -> None:
        self.edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self.outside: list[Outside] = []
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._roots = Roots(evaluator, self._view)
        self._ambient = AmbientRoots(evaluator, self._view)
        self._callees = Callees(evaluator, self._view, self._roots, self._ambient)

    def add(self) -> None:
        """Adds all uses of the file."""
        view = self._view
        self._imports()
        self._exports()
        self._bases()
        imports = view.semantics.import_functions
        for site in view.facts.sites:
            if site.callee not in imports and site.kind is not EdgeKind.TYPE:
                self._site(site)
        fixtures, by_runner = Fixtures(self._evaluator, view), f"{BY_FRAMEWORK} {view.semantics.fixture_runner}"
        for use in view.facts.fixture_uses:
            fixture = fixtures.fixture(use)
            if fixture is not None:  # of tests and of other fixtures, as a call
                self._add(view.id(use.symbol), fixture, _CALL, use.name, use.line, Confidence.STRONG, by_runner)
        for call in view.facts.framework_calls:
            self._framework_call(call)
        Naming(self._evaluator, self._file, self.edges, self._roots, self._ambient).add()
        Doubts(self._evaluator, self._file).apply(self.edges)

    def _add(
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
        """One use: an edge where its target is a symbol or a module of the project.

        With the `scope` of a call site, an ambiguous name is told from an unknown one.
        """
        if is_target(referent):
            view, symbol = self._evaluator.views[referent.file], max(referent.symbol, 0)
            self._edge(source, view.id(symbol), view.key(symbol), kind, line, confidence, reason)
            return
        why = "unresolved"
        if referent is None and scope >= 0 and self._evaluator.flow.is_ambiguous(self._file, scope, name):
            why = "ambiguous"
        elif is_outside(referent):
            why = referent.reason
        elif is_package(referent):
            why = "external"
        self.outside.append(Outside(source, written(name), kind, self._file, line, why))

    def _edge(
        self, source: str, target: str, key: str, kind: EdgeKind, line: int, confidence: Confidence, reason: str
    ) -> None:
        """Adds an edge to the symbol with an id and a key, in place of a known one that is only a guess."""
        use = (source, target, kind, line)
        known = self.edges.get(use)
        if known is None or (confidence is not Confidence.HEURISTIC and known.is_guess):
            self.edges[use] = Edge(source, key, kind, self._file, line, confidence, reason)

    def _imports(self) -> None:
        exports, has_packages = self._evaluator.exports, bool(self._view.semantics.package_files)
        for entry in self._view.facts.imports:
            referent = exports.module(self._file, entry.module)
            if has_packages and entry.name and referent.kind != OUTSIDE:
                named = exports.resolve_import(self._file, entry)
                # Of several modules that configuration puts in the place of one, the library's name stays.
                is_own = is_inside(named) and not (named.kind == MODULE and named.files)
                if named is not None and (is_own or referent.kind == PACKAGE):
                    referent = named
            self._add(self._view.id(0), referent, EdgeKind.IMPORT, entry.module, entry.line, _EXACT, "import")
            if not has_packages:
                self._name(referent, entry.name, EdgeKind.IMPORT, entry.line, NAME_IMPORTED)

    def _exports(self) -> None:
        for export in self._view.facts.exports:
            if export.module:
                referent = self._evaluator.exports.module(self._file, export.module)
                self._add(self._view.id(0), referent, EdgeKind.EXPORT, export.module, export.line, _EXACT, "re-export")
                if isinstance(export.local, str):
                    self._name(referent, export.local, EdgeKind.EXPORT, export.line, NAME_EXPORTED)

    def _name(self, module: Referent, name: str, kind: EdgeKind, line: int, reason: str) -> None:
        """Adds the edge of a name in an import or a re-export, if it is a symbol: a value, or else a type."""
        if module.kind != MODULE or name in _WHOLE:
            return
        meaning = self._evaluator.exports.export(module.file, name)
        if not is_symbol(meaning):
            meaning = self._evaluator.exports.export(module.file, name, types=True)
        if is_symbol(meaning) and meaning.symbol > 0:
            self._add(self._view.id(0), meaning, kind, name, line, _EXACT, reason)

    def _bases(self) -> None:
        types, facts = self._evaluator.types, self._view.facts
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            source, line = self._view.id(index), symbol.line
            for base in shape.bases:
                name: Expression = base.value
                if base.type is not None:
                    name, referent = _named(base.type), types.resolve_type(self._file, shape.inner, base.type)
                else:
                    referent = self._evaluator.flow.expression(self._file, shape.scope, base.value, line)
                self._add(source, referent, EdgeKind.EXTENDS, name, line, _EXACT, "base")
            for type_ in shape.implements:
                referent = types.resolve_type(self._file, shape.inner, type_)
                self._add(source, referent, EdgeKind.IMPLEMENTS, _named(type_), line, _EXACT, "implements")

    def _framework_call(self, call: FrameworkCall) -> None:
        """Adds a function or class that a framework calls; names that mean none are no calls."""
        name = call.callee
        referent = symbol_at(self._file, call.target) if call.target > 0 else None
        if name is not None:
            referent = self._evaluator.flow.expression(self._file, call.scope, name, call.line)
            held = self._evaluator.values.value_or_self(referent) if referent is not None else None
            if is_instance(held):
                referent = self._evaluator.members.member(held, "__call__")
        target = self._evaluator.symbol_of(referent)
        if target is not None and (target.kind in CALLABLE or target.kind is _CLASS):
            source, kind = self._view.id(call.source), _NEW if target.kind is _CLASS else _CALL
            confidence = Confidence.STRONG if call.sure else Confidence.HEURISTIC
            self._add(source, referent, kind, name or "", call.line, confidence, f"{BY_FRAMEWORK} {call.by}")

    def _site(self, site: CallSite) -> None:
        """A use of a name. A call belongs to the symbol that runs it, a reference to the enclosing class.

        The symbol around a namespace runs its body, and that around a class if the language runs its body in place:
        `class Cart: items = load()` calls `load` when the module runs.
        """
        name, line, facts = site.callee, site.line, self._view.facts
        around = runner = facts.scopes[site.scope].symbol
        if site.kind is _CALL or site.kind is _NEW:
            runs_classes = self._view.semantics.class_bodies_run_in_place
            while facts.symbols[runner].kind is _CLASS if runs_classes else self._view.is_namespace(runner):
                runner = facts.scopes[facts.shapes[runner].scope].symbol
        source, callee = self._view.id(runner), self._callees.callee(site)
        sure, reason = callee.confidence, callee.reason
        if callee.id:
            self._edge(source, callee.id, callee.key, callee.kind, line, sure, reason)
            if around != runner:
                self._edge(self._view.id(around), callee.id, callee.key, EdgeKind.REFERENCE, line, sure, reason)
        else:
            self._add(source, callee.target, callee.kind, name, line, sure, reason, site.scope)
        for one in callee.several:
            target = self._evaluator.symbol_of(one)
            is_class = target is not None and target.kind is _CLASS
            kind = _NEW if site.kind is _CALL and is_class else site.kind
            self._add(source, one, kind, name, line, Confidence.HEURISTIC, "through a table of functions")
        for one, why in callee.guesses:
            self._add(source, one, site.kind, name, line, Confidence.HEURISTIC, why)
        if callee.held is not None:
            self._add(source, callee.held, site.kind, name, line, Confidence.HEURISTIC, "through an object's property")


def _named(type_: TypeExpression) -> str:
    """The name of a type that is implemented or extended, without its arguments."""
    return next(type_names(type_), "?")
