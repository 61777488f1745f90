"""Resolves call sites, imports, exports and bases to edges, or to outside uses."""

from typing import Final

from bearings.code.models import BindingKind, CallSite, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.naming import Naming
from bearings.code.resolve.referents import BUILTIN, CLASSES, Thing, ThingKind
from bearings.code.resolve.root_names import UNKNOWN, Roots
from bearings.code.resolve.types import CALLABLE

_NO_SYMBOL = frozenset({ThingKind.OUTSIDE, ThingKind.PACKAGE, ThingKind.OBJECT, ThingKind.LITERAL})

_CALL: Final = EdgeKind.CALL
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_PROPERTY: Final = SymbolKind.PROPERTY
_EXACT: Final = Confidence.EXACT
_BY_NAME = frozenset({BindingKind.LOCAL, BindingKind.PARAMETER})
_NOT_CALLED = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


class _Use:
    """The target of a call site, and how it is used. `id` and `key` name the symbol; they are empty without one.

    `held` is the value that a property of an object was given.
    """

    __slots__ = ("confidence", "held", "id", "key", "kind", "reason", "target")

    def __init__(self, target: Thing | None, kind: EdgeKind, confidence: Confidence, reason: str) -> None:
        self.target = target
        self.kind = kind
        self.confidence = confidence
        self.reason = reason
        self.held: Thing | None = None
        self.id = ""
        self.key = ""


class Uses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once."""

    def __init__(self, evaluator: Evaluator, file: str) -> None:
        self.evaluator = evaluator
        self._file = file
        self._roots = Roots(evaluator, evaluator.views[file])
        self.edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self.outside: list[Outside] = []
        self._uses: dict[tuple[int, str, EdgeKind], _Use] = {}

    def add(
        self,
        file: str,
        source: str,
        thing: Thing | None,
        kind: EdgeKind,
        name: str,
        line: int,
        confidence: Confidence,
        reason: str,
        scope: int = -1,
    ) -> None:
        """One use: an edge where its target is a symbol or a module of the project.

        With the `scope` of a call site, an ambiguous name is told from an unknown one.
        """
        if thing is not None and thing.kind not in _NO_SYMBOL:
            view, symbol = self.evaluator.views[thing.where], max(thing.symbol, 0)
            use = (source, view.id(symbol), kind, line)
            if use not in self.edges:
                self.edges[use] = Edge(source, view.key(symbol), kind, file, line, confidence, reason)
            return
        why = thing.where if thing is not None and thing.kind == ThingKind.OUTSIDE else "unresolved"
        why = "external" if thing is not None and thing.kind == ThingKind.PACKAGE else why
        why = "ambiguous" if thing is None and scope >= 0 and self.evaluator.is_ambiguous(file, scope, name) else why
        self.outside.append(Outside(source, name, kind, file, line, why))

    def _target(self, thing: Thing | None) -> Symbol | None:
        if thing is None or thing.kind in _NO_SYMBOL:
            return None
        return self.evaluator.views[thing.where].facts.symbols[max(thing.symbol, 0)]

    def of_file(self) -> None:
        """Adds all uses of the file."""
        file = self._file
        view = self.evaluator.views[file]
        self._imports(file)
        self._bases(file)
        imports = view.semantics.import_functions
        for site in view.facts.sites:
            if site.callee not in imports:
                self._site(view, site)
        Naming(self.evaluator, file, self.edges, self._roots).add()

    def _imports(self, file: str) -> None:
        view = self.evaluator.views[file]
        module = view.id(0)
        for entry in view.facts.imports:
            thing = self.evaluator.module(file, entry.module)
            name = entry.module
            if view.semantics.package_files and entry.name and thing.kind != ThingKind.OUTSIDE:
                found = self.evaluator.imported(file, entry)
                inside = found is not None and found.kind != ThingKind.OUTSIDE
                thing = found if found is not None and (inside or thing.kind == ThingKind.PACKAGE) else thing
            self.add(file, module, thing, EdgeKind.IMPORT, name, entry.line, Confidence.EXACT, "import")
        for export in view.facts.exports:
            if export.module:
                thing = self.evaluator.module(file, export.module)
                self.add(
                    file, module, thing, EdgeKind.EXPORT, export.module, export.line, Confidence.EXACT, "re-export"
                )

    def _bases(self, file: str) -> None:
        view = self.evaluator.views[file]
        for index, shape in enumerate(view.facts.shapes):
            symbol = view.facts.symbols[index]
            for base in shape.bases:
                name = base.partition("<")[0]
                is_interface = symbol.kind is SymbolKind.INTERFACE
                thing = (
                    self.evaluator.type(file, shape.inner, base)
                    if is_interface
                    else self.evaluator.expression(file, shape.scope, name, symbol.line)
                )
                self.add(file, view.id(index), thing, EdgeKind.EXTENDS, name, symbol.line, Confidence.EXACT, "base")
            for base in shape.implements:
                thing = self.evaluator.type(file, shape.inner, base)
                self.add(
                    file, view.id(index), thing, EdgeKind.IMPLEMENTS, base, symbol.line, Confidence.EXACT, "implements"
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
        if use.held is not None:
            reason = "through an object's property"
            self.add(file, source, use.held, site.kind, site.callee, line, Confidence.HEURISTIC, reason)

    def _edge(self, source: str, use: "_Use", kind: EdgeKind, file: str, line: int) -> None:
        key = (source, use.id, kind, line)
        if key not in self.edges:
            self.edges[key] = Edge(source, use.key, kind, file, line, use.confidence, use.reason)

    def _use(self, view: FileView, site: CallSite) -> "_Use":
        """The target of a site, resolved once for all sites whose callees are equal and mean the same."""
        callee, kind = site.callee, site.kind
        root, dot, _ = callee.partition(".")
        number = self._roots.number(site.scope, root, site.line, dotted=bool(dot))
        if number == UNKNOWN:
            return self._worked_out(view, site)
        key = (number, callee, kind)
        known = self._uses.get(key)
        if known is None:
            known = self._uses[key] = self._worked_out(view, site)
        return known

    def _worked_out(self, view: FileView, site: CallSite) -> "_Use":
        file, callee, scope, line = view.facts.path, site.callee, site.scope, site.line
        receiver, dot, name = callee.rpartition(".")
        confidence, reason = _EXACT, "name in scope"
        if dot:
            owner = self.evaluator.expression(file, scope, receiver, line)
            if receiver == "super":
                thing = self.evaluator.above(file, scope, name)
            elif owner is not None:
                thing = self.evaluator.member(owner, name) if name[:1] != "[" else self._subscripted(file, owner)
            else:
                thing = self.evaluator.expression(file, scope, callee, line) if "." in receiver else None
            confidence, reason = _how(receiver, owner, thing)
            if self._is_handed(owner, thing, name):
                confidence, reason = Confidence.HEURISTIC, "through an object's property"
            elif self._is_beside_type(owner, thing):
                confidence, reason = Confidence.HEURISTIC, "assigned to an object of an unknown type"
        else:
            is_super = callee == "super" and view.semantics.super_is_function
            thing = BUILTIN if is_super else self.evaluator.expression(file, scope, callee, line)
            thing = self.evaluator.unaliased(thing) if thing is not None else None
            row = view.lookup(scope, callee, line)
            if row is not None and row.kind in _BY_NAME:
                confidence, reason = Confidence.HEURISTIC, "through a local name"
        symbol = self._target(thing)
        target, kind = self._called(site, thing, symbol)
        use = _Use(target, kind, confidence, reason)
        if target is not None and target.kind not in _NO_SYMBOL:
            there, index = self.evaluator.views[target.where], max(target.symbol, 0)
            use.id, use.key = there.id(index), there.key(index)
        if thing is not None and symbol is not None and symbol.kind is _PROPERTY:
            use.held = self._given(thing)
        return use

    def _subscripted(self, file: str, owner: Thing) -> Thing | None:
        """The class in `Class[Argument]`, if it is one."""
        takes = self.evaluator.views[file].semantics.classes_take_arguments
        found = self.evaluator.element(owner, "[]") if takes else None
        return found if found == owner else None

    def _given(self, thing: Thing) -> Thing | None:
        """The function with another name or in another file that is the value of an object literal's property."""
        view = self.evaluator.views[thing.where]
        around = view.facts.symbols[view.facts.shapes[thing.symbol].parent]
        held = self.evaluator.value(thing) if around.kind not in CLASSES else None
        found = self._target(held)
        return held if found is not None and found.kind in CALLABLE else None

    def _is_handed(self, owner: Thing | None, thing: Thing | None, name: str) -> bool:
        """Whether a member is a function with another name or in another file that is a property's value."""
        if owner is None or thing is None or thing.kind != ThingKind.SYMBOL or owner.kind == ThingKind.MODULE:
            return False
        target = self.evaluator.views[thing.where].facts.symbols[thing.symbol]
        if target.kind is SymbolKind.CONSTRUCTOR or (target.name == name and thing.where == owner.where):
            return False
        held = self.evaluator.held(owner)
        if held.kind != ThingKind.LITERAL or (target.name == name and thing.where == held.where):
            return False
        return bool(self.evaluator.views[held.where].rows_of(held.symbol, name))

    def _is_beside_type(self, owner: Thing | None, thing: Thing | None) -> bool:
        """Whether a member was assigned to a variable in addition to the type in its comment."""
        if owner is None or thing is None or owner.kind != ThingKind.SYMBOL or thing.kind != ThingKind.SYMBOL:
            return False
        view = self.evaluator.views[owner.where]
        is_own = thing.where == owner.where and view.facts.shapes[thing.symbol].parent == owner.symbol
        is_variable = view.facts.symbols[owner.symbol].kind not in CLASSES and view.semantics.variables_take_members
        return is_own and is_variable and bool(view.facts.shapes[owner.symbol].type)

    def _base_constructor(self, thing: Thing | None) -> Thing | None:
        """The callee of `super()`: the base's own constructor; the base if it inherits its constructor."""
        if thing is None or thing.kind != ThingKind.INSTANCE:
            return self.evaluator.member(thing, "constructor") if thing is not None else None
        own = self.evaluator.own(thing.where, thing.symbol, "constructor")
        return own or thing._replace(kind=ThingKind.SYMBOL)

    def _called(self, site: CallSite, thing: Thing | None, target: Symbol | None) -> tuple[Thing | None, EdgeKind]:
        """The target of a site, and the kind of use: calling a class constructs, calling an object calls a method."""
        if site.callee == "super":
            return (BUILTIN if thing == BUILTIN else self._base_constructor(thing)), _CALL
        if thing is None or thing.kind == ThingKind.OUTSIDE:
            return thing, site.kind
        if thing.kind == ThingKind.INSTANCE:
            return self.evaluator.member(thing, "__call__"), site.kind
        if thing.kind in (ThingKind.MODULE, ThingKind.PACKAGE):
            return None, site.kind
        if target is not None and target.kind in _NOT_CALLED:
            return None, site.kind
        is_class = target is not None and target.kind is _CLASS
        return thing, _NEW if is_class and site.kind is _CALL else site.kind


def _how(receiver: str, owner: Thing | None, thing: Thing | None) -> tuple[Confidence, str]:
    """The confidence of a member, by its owner."""
    if receiver in ("this", "self", "cls", "super"):
        return _EXACT, "own member"
    if owner is not None and owner.kind == ThingKind.MODULE:
        return _EXACT, "member of a module"
    if (
        owner is None
        or owner.kind == ThingKind.LITERAL
        or (owner.kind == ThingKind.SYMBOL and thing is not None and thing.where == owner.where)
    ):
        return _EXACT, "member by name"
    return Confidence.STRONG, "type of the receiver"
