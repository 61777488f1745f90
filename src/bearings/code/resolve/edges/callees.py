"""Finds what the call sites of a file lead to, and how sure that is.

build()                   a name in scope: exact
const run = build; run()  through a local name: a guess
cart.total()              by the type of `cart`: strong; `this.total()`, `api.load()`: exact
HANDLERS[key]()           any of a table's functions: guesses (see function_tables.py)
"""

from dataclasses import dataclass
from typing import Final

from bearings.code.expressions import Expression, Item, Take, Tested, last_name, receiver, root_of
from bearings.code.file_facts import BindingKind, CallSite
from bearings.code.models import BY_FRAMEWORK, Confidence, EdgeKind, Symbol, SymbolKind
from bearings.code.resolve.edges.ambient_roots import NOTHING, AmbientRoots
from bearings.code.resolve.edges.function_tables import FunctionTables
from bearings.code.resolve.edges.root_names import UNKNOWN, Roots
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.referent import INSTANCE, LITERAL, MODULE, PACKAGE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    EXTERNAL,
    as_kind,
    is_inside,
    is_instance,
    is_module,
    is_symbol,
    is_target,
)

_CALL: Final = EdgeKind.CALL
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_PROPERTY: Final = SymbolKind.PROPERTY
_EXACT: Final = Confidence.EXACT
_BY_NAME = frozenset({BindingKind.LOCAL, BindingKind.PARAMETER, BindingKind.NARROWED})
_NOT_CALLED = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


@dataclass(slots=True, eq=False)
class Callee:
    """The target of a call site, and how it is used. `id` and `key` name the symbol; they are empty without one.

    `held` is the value that a property of an object was given. `several` are the functions in a table that it is from,
    `guesses` the namesakes that a name without an import may mean, and why.
    """

    target: Referent | None
    kind: EdgeKind
    confidence: Confidence
    reason: str
    held: Referent | None = None
    several: tuple[Referent, ...] = ()
    guesses: tuple[tuple[Referent, str], ...] = ()
    id: str = ""
    key: str = ""


class Callees:
    """The callees of one file; `roots` are the file's root numbers, `ambient` its names without a declaration."""

    def __init__(self, evaluator: Evaluator, view: FileView, roots: Roots, ambient: AmbientRoots) -> None:
        self._evaluator = evaluator
        self._view = view
        self._file = view.facts.path
        self._roots = roots
        self._tables = FunctionTables(evaluator)
        self._ambient = ambient
        self._known: dict[tuple[int, Expression, EdgeKind], Callee] = {}

    def callee(self, site: CallSite) -> Callee:
        """The callee of a site, found once for all sites whose callees are equal and mean the same."""
        callee, kind = site.callee, site.kind
        root = root_of(callee)
        number = self._roots.number(site.scope, root, site.line, dotted=root != callee)
        if number == UNKNOWN:
            return self._callee(site)
        key = (number, callee, kind)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._callee(site)
        return known

    def _callee(self, site: CallSite) -> Callee:
        of = receiver(site.callee)
        if of is not None:
            referent, confidence, reason = self._member(site, of, last_name(site.callee))
        else:
            referent, confidence, reason = self._name(site)
        symbol = self._evaluator.symbol_of(referent)
        target, kind = self._called(site, referent, symbol)
        ambient = self._ambient.meaning(site.scope, site.callee, site.line) if self._ambient.any else NOTHING
        if len(ambient.referents) == 1 and confidence is _EXACT:
            confidence, reason = Confidence.STRONG, ambient.reason
        if target is None and site.kind is EdgeKind.JSX:  # `<sl-button>`, a tag that a library registers
            root = root_of(site.callee)
            if type(root) is str and self._view.lookup(site.scope, root, site.line) is None:
                target = EXTERNAL
        callee = Callee(target, kind, confidence, reason)
        if is_target(target):
            there, index = self._evaluator.views[target.file], max(target.symbol, 0)
            callee.id, callee.key = there.id(index), there.key(index)
        if referent is not None and symbol is not None and symbol.kind is _PROPERTY:
            callee.held = self._given(referent)
        if len(ambient.referents) > 1:
            callee.guesses = tuple(self._ambient.guesses(site.scope, site.callee, site.line))
        is_guess = referent is None or confidence is Confidence.HEURISTIC
        if is_guess and site.kind is _CALL and not (type(site.callee) is str and "." in site.callee):
            callee.several = self._tables.functions(self._file, site.scope, site.callee, site.line)
        return callee

    def _name(self, site: CallSite) -> tuple[Referent | None, Confidence, str]:
        """The referent of a callee that is no member."""
        callee, view, flow = site.callee, self._view, self._evaluator.flow
        is_super = callee == "super" and view.semantics.super_is_function
        referent = BUILTIN if is_super else flow.expression(self._file, site.scope, callee, site.line)
        referent = flow.unaliased(referent) if referent is not None else None
        name = callee.name if isinstance(callee, Tested) else callee
        row = view.lookup(site.scope, name, site.line) if isinstance(name, str) else None
        if row is not None and row.kind in _BY_NAME:
            return referent, Confidence.HEURISTIC, "through a local name"
        return referent, _EXACT, "name in scope"

    def _member(self, site: CallSite, of: Expression, name: str) -> tuple[Referent | None, Confidence, str]:
        """The referent of a callee that is a member, or an element (without a name), of another expression."""
        evaluator, file, scope, line = self._evaluator, self._file, site.scope, site.line
        owner = evaluator.flow.expression(file, scope, of, line)
        if of == "super":
            referent = evaluator.flow.super_member(file, scope, name)
        elif owner is not None and owner.env and (guess := evaluator.guessed(owner, name)) is not None:
            return guess[0], Confidence.HEURISTIC, guess[1]
        elif owner is not None and name:
            referent = evaluator.members.member(owner, name)
        elif owner is not None:  # `Class[Argument]()`, if that is the class; another element is no callee
            takes_arguments = self._view.semantics.classes_take_arguments
            element = evaluator.elements.element(owner, Item(Take.ELEMENT)) if takes_arguments else None
            referent = element if element == owner else None
        else:  # `settings.db.connect()`, a member that is declared by its whole name
            referent = evaluator.flow.expression(file, scope, site.callee, line) if root_of(of) != of else None
        if referent is None and owner is not None:  # `send_mail.delay(…)`, after `@app.task def send_mail`
            target, framework = evaluator.symbol_of(owner), self._view.semantics.methods_of_functions.get(name)
            is_function = framework is not None and target is not None and target.kind in CALLABLE
            if is_function and evaluator.views[owner.file].facts.shapes[owner.symbol].value is not None:
                return owner, Confidence.STRONG, f"{BY_FRAMEWORK} {framework}"
        if self._is_handed(owner, referent, name):
            return referent, Confidence.HEURISTIC, "through an object's property"
        if self._is_beside_type(owner, referent):
            return referent, Confidence.HEURISTIC, "assigned to an object of an unknown type"
        return referent, *_how(of, owner, referent)

    def _given(self, referent: Referent) -> Referent | None:
        """The function that is the value of an object literal's property: `{ run: build }`, called as `tasks.run()`."""
        view = self._evaluator.views[referent.file]
        around = view.facts.symbols[view.facts.shapes[referent.symbol].parent]
        held = self._evaluator.values.value(referent) if around.kind not in CLASSES else None
        symbol = self._evaluator.symbol_of(held)
        return held if symbol is not None and symbol.kind in CALLABLE else None

    def _is_handed(self, owner: Referent | None, referent: Referent | None, name: str) -> bool:
        """Whether a member is a function with another name or in another file that is a property's value."""
        if owner is None or not is_symbol(referent):
            return False
        target = self._evaluator.views[referent.file].facts.symbols[referent.symbol]
        if owner.kind == MODULE or target.kind is SymbolKind.CONSTRUCTOR:
            return False
        if target.name == name and referent.file == owner.file:
            return False
        held = self._evaluator.values.value_or_self(owner)
        if held.kind != LITERAL or (target.name == name and referent.file == held.file):
            return False
        return bool(self._evaluator.views[held.file].rows_of(held.symbol, name))

    def _is_beside_type(self, owner: Referent | None, referent: Referent | None) -> bool:
        """Whether a member was assigned to a variable in addition to the type in its comment."""
        if owner is None or referent is None or not owner.kind == referent.kind == SYMBOL:
            return False
        view = self._evaluator.views[owner.file]
        is_own = referent.file == owner.file and view.facts.shapes[referent.symbol].parent == owner.symbol
        is_variable = view.facts.symbols[owner.symbol].kind not in CLASSES and view.semantics.variables_take_members
        return is_own and is_variable and view.facts.shapes[owner.symbol].type is not None

    def _called(
        self, site: CallSite, referent: Referent | None, target: Symbol | None
    ) -> tuple[Referent | None, EdgeKind]:
        """The target of a site, and the kind of use: calling a class constructs, calling an object calls a method."""
        if site.callee == "super":  # the base's own constructor; the base if it inherits its constructor
            if referent == BUILTIN:
                return BUILTIN, _CALL
            if not is_instance(referent):
                return self._evaluator.members.member(referent, "constructor"), _CALL
            own = self._evaluator.members.own_member(referent.file, referent.symbol, "constructor")
            return own or as_kind(referent, SYMBOL), _CALL
        if not is_inside(referent):
            return referent, site.kind
        if referent.kind == INSTANCE:
            return self._evaluator.members.member(referent, "__call__"), site.kind
        if referent.kind in (MODULE, PACKAGE) or (target is not None and target.kind in _NOT_CALLED):
            return None, site.kind
        is_class = target is not None and target.kind is _CLASS
        return referent, _NEW if is_class and site.kind is _CALL else site.kind


def _how(of: Expression, owner: Referent | None, referent: Referent | None) -> tuple[Confidence, str]:
    """The confidence of a member, by its owner."""
    if of in ("this", "self", "cls", "super"):
        return _EXACT, "own member"
    if is_module(owner):
        return _EXACT, "member of a module"
    if (
        owner is None
        or owner.kind == LITERAL
        or (owner.kind == SYMBOL and referent is not None and referent.file == owner.file)
    ):
        return _EXACT, "member by name"
    return Confidence.STRONG, "type of the receiver"
