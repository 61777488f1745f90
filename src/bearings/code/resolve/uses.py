"""Resolves call sites, imports, exports and bases to edges, or to outside uses."""

from typing import Final

from bearings.code.expressions import Expression, Item, Take, Tested, last_name, receiver, root_of, written
from bearings.code.models import (
    BY_FRAMEWORK,
    NAME_EXPORTED,
    NAME_IMPORTED,
    BindingKind,
    CallSite,
    Confidence,
    Edge,
    EdgeKind,
    FrameworkCall,
    Outside,
    Symbol,
    SymbolKind,
)
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.fixtures import Fixtures
from bearings.code.resolve.naming import Naming
from bearings.code.resolve.referents import BUILTIN, CALLABLE, CLASSES, Referent, ReferentKind, plain
from bearings.code.resolve.root_names import UNKNOWN, Roots
from bearings.code.resolve.tables import Tables
from bearings.code.type_expressions import TypeExpression, type_names

_NO_SYMBOL = frozenset({ReferentKind.OUTSIDE, ReferentKind.PACKAGE, ReferentKind.OBJECT, ReferentKind.LITERAL})

_CALL: Final = EdgeKind.CALL
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_PROPERTY: Final = SymbolKind.PROPERTY
_EXACT: Final = Confidence.EXACT
_WHOLE = frozenset({"", "*", "="})
"""The names of an import that stand for a module, not for one of its names."""
_BY_NAME = frozenset({BindingKind.LOCAL, BindingKind.PARAMETER, BindingKind.NARROWED})
_NOT_CALLED = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


class _Use:
    """The target of a call site, and how it is used. `id` and `key` name the symbol; they are empty without one.

    `held` is the value that a property of an object was given. `several` are the functions in a table that it is from.
    """

    __slots__ = ("confidence", "held", "id", "key", "kind", "reason", "several", "target")

    def __init__(self, target: Referent | None, kind: EdgeKind, confidence: Confidence, reason: str) -> None:
        self.target = target
        self.kind = kind
        self.confidence = confidence
        self.reason = reason
        self.held: Referent | None = None
        self.several: tuple[Referent, ...] = ()
        self.id = ""
        self.key = ""


class Uses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once."""

    def __init__(self, evaluator: Evaluator, file: str) -> None:
        self.evaluator = evaluator
        self._file = file
        self._roots = Roots(evaluator, evaluator.views[file])
        self._tables = Tables(evaluator)
        self.edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self.outside: list[Outside] = []
        self._uses: dict[tuple[int, Expression, EdgeKind], _Use] = {}

    def add(
        self,
        file: str,
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
        if referent is not None and referent.kind not in _NO_SYMBOL:
            view, symbol = self.evaluator.views[referent.where], max(referent.symbol, 0)
            use = (source, view.id(symbol), kind, line)
            if use not in self.edges or self._is_surer(use, confidence):
                self.edges[use] = Edge(source, view.key(symbol), kind, file, line, confidence, reason)
            return
        why = referent.where if referent is not None and referent.kind == ReferentKind.OUTSIDE else "unresolved"
        why = "external" if referent is not None and referent.kind == ReferentKind.PACKAGE else why
        why = (
            "ambiguous"
            if referent is None and scope >= 0 and self.evaluator.flow.is_ambiguous(file, scope, name)
            else why
        )
        self.outside.append(Outside(source, written(name), kind, file, line, why))

    def _is_surer(self, use: tuple[str, str, EdgeKind, int], confidence: Confidence) -> bool:
        """Whether a known edge is a guess, and another one of the same line is none."""
        return confidence is not Confidence.HEURISTIC and self.edges[use].is_guess

    def _target(self, referent: Referent | None) -> Symbol | None:
        if referent is None or referent.kind in _NO_SYMBOL:
            return None
        return self.evaluator.views[referent.where].facts.symbols[max(referent.symbol, 0)]

    def of_file(self) -> None:
        """Adds all uses of the file."""
        file = self._file
        view = self.evaluator.views[file]
        self._imports(file)
        self._bases(file)
        imports = view.semantics.import_functions
        for site in view.facts.sites:
            if site.callee not in imports and site.kind is not EdgeKind.TYPE:
                self._site(view, site)
        if view.facts.fixture_uses:
            self._fixtures(view)
        for call in view.facts.framework_calls:
            self._framework_call(view, call)
        Naming(self.evaluator, file, self.edges, self._roots).add()

    def _imports(self, file: str) -> None:
        view = self.evaluator.views[file]
        module = view.id(0)
        for entry in view.facts.imports:
            referent = self.evaluator.exports.module(file, entry.module)
            name = entry.module
            if view.semantics.package_files and entry.name and referent.kind != ReferentKind.OUTSIDE:
                found = self.evaluator.exports.imported(file, entry)
                inside = found is not None and found.kind != ReferentKind.OUTSIDE
                referent = (
                    found if found is not None and (inside or referent.kind == ReferentKind.PACKAGE) else referent
                )
            self.add(file, module, referent, EdgeKind.IMPORT, name, entry.line, Confidence.EXACT, "import")
            is_apart = not view.semantics.package_files and referent.kind == ReferentKind.MODULE
            if is_apart and entry.name not in _WHOLE:
                self._name(referent, entry.name, EdgeKind.IMPORT, entry.line, NAME_IMPORTED)
        for export in view.facts.exports:
            if export.module:
                referent = self.evaluator.exports.module(file, export.module)
                self.add(
                    file, module, referent, EdgeKind.EXPORT, export.module, export.line, Confidence.EXACT, "re-export"
                )
                if (
                    referent.kind == ReferentKind.MODULE
                    and isinstance(export.local, str)
                    and export.local not in _WHOLE
                ):
                    self._name(referent, export.local, EdgeKind.EXPORT, export.line, NAME_EXPORTED)

    def _name(self, module: Referent, name: str, kind: EdgeKind, line: int, reason: str) -> None:
        """Adds the edge of a name in an import or a re-export, if it is a symbol: a value, or else a type."""
        found = self.evaluator.exports.export(module.where, name)
        if found is None or found.kind != ReferentKind.SYMBOL:
            found = self.evaluator.exports.export(module.where, name, types=True)
        if found is not None and found.kind == ReferentKind.SYMBOL and found.symbol > 0:
            source = self.evaluator.views[self._file].id(0)
            self.add(self._file, source, found, kind, name, line, Confidence.EXACT, reason)

    def _bases(self, file: str) -> None:
        view = self.evaluator.views[file]
        for index, shape in enumerate(view.facts.shapes):
            symbol = view.facts.symbols[index]
            for base in shape.bases:
                name: Expression = base.value
                if base.type is not None:
                    name, referent = _named(base.type), self.evaluator.types.type(file, shape.inner, base.type)
                else:
                    referent = self.evaluator.flow.expression(file, shape.scope, base.value, symbol.line)
                self.add(file, view.id(index), referent, EdgeKind.EXTENDS, name, symbol.line, Confidence.EXACT, "base")
            for type_ in shape.implements:
                referent = self.evaluator.types.type(file, shape.inner, type_)
                self.add(
                    file,
                    view.id(index),
                    referent,
                    EdgeKind.IMPLEMENTS,
                    _named(type_),
                    symbol.line,
                    Confidence.EXACT,
                    "implements",
                )

    def _fixtures(self, view: FileView) -> None:
        """Adds the fixtures that tests and other fixtures have run, as calls."""
        fixtures, reason = Fixtures(self.evaluator, view), f"{BY_FRAMEWORK} {view.semantics.fixture_runner}"
        for use in view.facts.fixture_uses:
            found = fixtures.of(use)
            if found is not None:
                source = view.id(use.symbol)
                self.add(view.facts.path, source, found, _CALL, use.name, use.line, Confidence.STRONG, reason)

    def _framework_call(self, view: FileView, call: FrameworkCall) -> None:
        """Adds a function or class that a framework calls; names that mean none are no calls."""
        file, name = view.facts.path, call.callee
        referent = plain(ReferentKind.SYMBOL, file, call.target) if call.target > 0 else None
        if name is not None:
            referent = self.evaluator.flow.expression(file, call.scope, name, call.line)
            held = self.evaluator.types.held(referent) if referent is not None else None
            if held is not None and held.kind == ReferentKind.INSTANCE:
                referent = self.evaluator.members.member(held, "__call__")
        target = self._target(referent)
        if target is not None and (target.kind in CALLABLE or target.kind is _CLASS):
            kind = _NEW if target.kind is _CLASS else _CALL
            confidence = Confidence.STRONG if call.sure else Confidence.HEURISTIC
            self.add(
                file,
                view.id(call.source),
                referent,
                kind,
                name or "",
                call.line,
                confidence,
                f"{BY_FRAMEWORK} {call.by}",
            )

    def _runner(self, view: FileView, symbol: int) -> int:
        """The symbol that runs a call which is written inside `symbol`.

        The symbol around a namespace runs its body, and that around a class if the language runs its body in place.
        """
        facts, runs_classes = view.facts, view.semantics.class_bodies_run_in_place
        while facts.symbols[symbol].kind is _CLASS if runs_classes else view.is_namespace(symbol):
            symbol = facts.scopes[facts.shapes[symbol].scope].symbol
        return symbol

    def _site(self, view: FileView, site: CallSite) -> None:
        """A use of a name. A call belongs to the symbol that runs it, a reference to the enclosing class."""
        file, scope, line = view.facts.path, site.scope, site.line
        around = view.facts.scopes[scope].symbol
        runner = self._runner(view, around) if site.kind is _CALL or site.kind is _NEW else around
        source = view.id(runner)
        use = self._use(view, site)
        if use.id:
            self._edge(source, use, use.kind, file, line)
            if around != runner:
                self._edge(view.id(around), use, EdgeKind.REFERENCE, file, line)
        else:
            self.add(file, source, use.target, use.kind, site.callee, line, use.confidence, use.reason, scope)
        for one in use.several:
            kind = _NEW if site.kind is _CALL and self._is_class(one) else site.kind
            self.add(file, source, one, kind, site.callee, line, Confidence.HEURISTIC, "through a table of functions")
        if use.held is not None:
            reason = "through an object's property"
            self.add(file, source, use.held, site.kind, site.callee, line, Confidence.HEURISTIC, reason)

    def _edge(self, source: str, use: "_Use", kind: EdgeKind, file: str, line: int) -> None:
        key = (source, use.id, kind, line)
        if key not in self.edges or self._is_surer(key, use.confidence):
            self.edges[key] = Edge(source, use.key, kind, file, line, use.confidence, use.reason)

    def _use(self, view: FileView, site: CallSite) -> "_Use":
        """The target of a site, resolved once for all sites whose callees are equal and mean the same."""
        callee, kind = site.callee, site.kind
        root = root_of(callee)
        number = self._roots.number(site.scope, root, site.line, dotted=root != callee)
        if number == UNKNOWN:
            return self._worked_out(view, site)
        key = (number, callee, kind)
        known = self._uses.get(key)
        if known is None:
            known = self._uses[key] = self._worked_out(view, site)
        return known

    def _worked_out(self, view: FileView, site: CallSite) -> "_Use":
        file, callee, scope, line = view.facts.path, site.callee, site.scope, site.line
        of = receiver(callee)
        confidence, reason = _EXACT, "name in scope"
        if of is not None:
            referent, confidence, reason = self._member(file, site, of, last_name(callee))
        else:
            is_super = callee == "super" and view.semantics.super_is_function
            referent = BUILTIN if is_super else self.evaluator.flow.expression(file, scope, callee, line)
            referent = self.evaluator.flow.unaliased(referent) if referent is not None else None
            name = callee.name if isinstance(callee, Tested) else callee
            row = view.lookup(scope, name, line) if isinstance(name, str) else None
            if row is not None and row.kind in _BY_NAME:
                confidence, reason = Confidence.HEURISTIC, "through a local name"
        symbol = self._target(referent)
        target, kind = self._called(site, referent, symbol)
        use = _Use(target, kind, confidence, reason)
        if target is not None and target.kind not in _NO_SYMBOL:
            there, index = self.evaluator.views[target.where], max(target.symbol, 0)
            use.id, use.key = there.id(index), there.key(index)
        if referent is not None and symbol is not None and symbol.kind is _PROPERTY:
            use.held = self._given(referent)
        is_guess = referent is None or confidence is Confidence.HEURISTIC
        if is_guess and site.kind is _CALL and not (type(callee) is str and "." in callee):
            use.several = self._tables.functions(file, scope, callee, line)
        return use

    def _member(self, file: str, site: CallSite, of: Expression, name: str) -> tuple[Referent | None, Confidence, str]:
        """The referent of a callee that is a member, or an element (without a name), of another expression."""
        view, owner = self.evaluator.views[file], self.evaluator.flow.expression(file, site.scope, of, site.line)
        if of == "super":
            referent = self.evaluator.flow.above(file, site.scope, name)
        elif owner is not None and owner.env and (found := self.evaluator.guessed(owner, name)) is not None:
            return found[0], Confidence.HEURISTIC, found[1]
        elif owner is not None:
            referent = self.evaluator.members.member(owner, name) if name else self._subscripted(file, owner)
        else:
            has_steps = root_of(of) != of
            referent = self.evaluator.flow.expression(file, site.scope, site.callee, site.line) if has_steps else None
        framework = view.semantics.methods_of_functions.get(name) if referent is None and owner is not None else None
        if framework is not None and owner is not None and self._is_decorated(owner):
            return owner, Confidence.STRONG, f"{BY_FRAMEWORK} {framework}"
        if self._is_handed(owner, referent, name):
            return referent, Confidence.HEURISTIC, "through an object's property"
        if self._is_beside_type(owner, referent):
            return referent, Confidence.HEURISTIC, "assigned to an object of an unknown type"
        return referent, *_how(of, owner, referent)

    def _is_class(self, referent: Referent) -> bool:
        target = self._target(referent)
        return target is not None and target.kind is _CLASS

    def _is_decorated(self, referent: Referent) -> bool:
        """Whether a referent is a function with a decorator that may replace it."""
        target = self._target(referent)
        if target is None or target.kind not in CALLABLE:
            return False
        return self.evaluator.views[referent.where].facts.shapes[referent.symbol].value is not None

    def _subscripted(self, file: str, owner: Referent) -> Referent | None:
        """The class in `Class[Argument]`, if it is one."""
        takes = self.evaluator.views[file].semantics.classes_take_arguments
        found = self.evaluator.elements.element(owner, Item(Take.ELEMENT)) if takes else None
        return found if found == owner else None

    def _given(self, referent: Referent) -> Referent | None:
        """The function with another name or in another file that is the value of an object literal's property."""
        view = self.evaluator.views[referent.where]
        around = view.facts.symbols[view.facts.shapes[referent.symbol].parent]
        held = self.evaluator.types.value(referent) if around.kind not in CLASSES else None
        found = self._target(held)
        return held if found is not None and found.kind in CALLABLE else None

    def _is_handed(self, owner: Referent | None, referent: Referent | None, name: str) -> bool:
        """Whether a member is a function with another name or in another file that is a property's value."""
        if (
            owner is None
            or referent is None
            or referent.kind != ReferentKind.SYMBOL
            or owner.kind == ReferentKind.MODULE
        ):
            return False
        target = self.evaluator.views[referent.where].facts.symbols[referent.symbol]
        if target.kind is SymbolKind.CONSTRUCTOR or (target.name == name and referent.where == owner.where):
            return False
        held = self.evaluator.types.held(owner)
        if held.kind != ReferentKind.LITERAL or (target.name == name and referent.where == held.where):
            return False
        return bool(self.evaluator.views[held.where].rows_of(held.symbol, name))

    def _is_beside_type(self, owner: Referent | None, referent: Referent | None) -> bool:
        """Whether a member was assigned to a variable in addition to the type in its comment."""
        if (
            owner is None
            or referent is None
            or owner.kind != ReferentKind.SYMBOL
            or referent.kind != ReferentKind.SYMBOL
        ):
            return False
        view = self.evaluator.views[owner.where]
        is_own = referent.where == owner.where and view.facts.shapes[referent.symbol].parent == owner.symbol
        is_variable = view.facts.symbols[owner.symbol].kind not in CLASSES and view.semantics.variables_take_members
        return is_own and is_variable and view.facts.shapes[owner.symbol].type is not None

    def _base_constructor(self, referent: Referent | None) -> Referent | None:
        """The callee of `super()`: the base's own constructor; the base if it inherits its constructor."""
        if referent is None or referent.kind != ReferentKind.INSTANCE:
            return self.evaluator.members.member(referent, "constructor") if referent is not None else None
        own = self.evaluator.members.own(referent.where, referent.symbol, "constructor")
        return own or referent._replace(kind=ReferentKind.SYMBOL)

    def _called(
        self, site: CallSite, referent: Referent | None, target: Symbol | None
    ) -> tuple[Referent | None, EdgeKind]:
        """The target of a site, and the kind of use: calling a class constructs, calling an object calls a method."""
        if site.callee == "super":
            return (BUILTIN if referent == BUILTIN else self._base_constructor(referent)), _CALL
        if referent is None or referent.kind == ReferentKind.OUTSIDE:
            return referent, site.kind
        if referent.kind == ReferentKind.INSTANCE:
            return self.evaluator.members.member(referent, "__call__"), site.kind
        if referent.kind in (ReferentKind.MODULE, ReferentKind.PACKAGE):
            return None, site.kind
        if target is not None and target.kind in _NOT_CALLED:
            return None, site.kind
        is_class = target is not None and target.kind is _CLASS
        return referent, _NEW if is_class and site.kind is _CALL else site.kind


def _named(type_: TypeExpression) -> str:
    """The name of a type that is implemented or extended, without its arguments."""
    return next(type_names(type_), "?")


def _how(of: Expression, owner: Referent | None, referent: Referent | None) -> tuple[Confidence, str]:
    """The confidence of a member, by its owner."""
    if of in ("this", "self", "cls", "super"):
        return _EXACT, "own member"
    if owner is not None and owner.kind == ReferentKind.MODULE:
        return _EXACT, "member of a module"
    if (
        owner is None
        or owner.kind == ReferentKind.LITERAL
        or (owner.kind == ReferentKind.SYMBOL and referent is not None and referent.where == owner.where)
    ):
        return _EXACT, "member by name"
    return Confidence.STRONG, "type of the receiver"
