"""Finds the target of each call site of a file, and the confidence of the edge to it.

build()                   a name in scope: exact
run = build; run()        by another name: strong; if another function is assigned to it, too, each is one of two
cart.total()              by the type of `cart`: strong
this.total(), api.load()  a member of the own class, or of an imported module: exact
HANDLERS[key]()           any of a table's functions: guesses (see function_tables.py)
"""

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Final

from bearings.code.expressions import (
    SUPER,
    Chain,
    Expression,
    Item,
    Properties,
    Result,
    Take,
    Tested,
    last_name,
    receiver,
    root_of,
)
from bearings.code.file_facts import Binding, BindingKind, CallSite
from bearings.code.installed import is_installed
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
    literal_in,
)
from bearings.code.type_expressions import IndexedType, OwnType

_CALL: Final = EdgeKind.CALL
_NEW: Final = EdgeKind.NEW
_CLASS: Final = SymbolKind.CLASS
_PROPERTY: Final = SymbolKind.PROPERTY
_EXACT: Final = Confidence.EXACT
_LOCAL_BINDINGS = frozenset({BindingKind.LOCAL, BindingKind.PARAMETER, BindingKind.NARROWED})
"""A call of such a name is a guess: the name may get another value before."""
_BY_RECEIVER: Final = "type of the receiver"
_LOCAL_NAME: Final = "through a local name"
_SELECTED = CALLABLE | {SymbolKind.PROPERTY}
_CALLED = CALLABLE | {_CLASS}
_MOST_ASSIGNED: Final = 20
"""A name that is assigned more often is not followed to each of its functions."""
_RENAMING: Final = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})
_NOT_CALLABLE = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


@dataclass(slots=True, eq=False)
class Callee:
    """The target of a call site, and how it is used. `id` and `key` are those of its symbol; empty without a symbol.

    `property_function` is `build`, for the call `tasks.run()` of `tasks = { run: build }`; the target is `tasks.run`.
    `renamed` are the functions that a name may mean: `build` and `test`, for the call `run()` of a variable `run` that
    either is assigned to; the target is the variable.
    `implementation` is `build` for `const tasks: Tasks = { run: build }`, where the target is the `run` of Tasks.
    `loaded` is what a component loads lazily and renders.
    `table_functions` are the functions that `HANDLERS[key]()` may call.
    `guesses` are the possible meanings of a name that the file neither declares nor imports, each with a reason.
    `is_of_line`: the name may mean another function on another line.
    """

    target: Referent | None
    kind: EdgeKind
    confidence: Confidence
    reason: str
    property_function: Referent | None = None
    renamed: tuple[Referent, ...] = ()
    implementation: Referent | None = None
    loaded: Referent | None = None
    table_functions: tuple[Referent, ...] = ()
    guesses: tuple[tuple[Referent, str], ...] = ()
    id: str = ""
    key: str = ""
    is_of_line: bool = False


class Callees:
    """The callees of one file; `roots` are the file's root numbers, `ambient` its names without a declaration."""

    def __init__(self, evaluator: Evaluator, view: FileView, roots: Roots, ambient: AmbientRoots) -> None:
        self._evaluator = evaluator
        self._view = view
        self._file = view.facts.path
        self._roots = roots
        self._tables = FunctionTables(evaluator)
        self._ambient = ambient
        self._callees: dict[tuple[int, Expression, EdgeKind], Callee] = {}

    def callee(self, site: CallSite) -> Callee:
        """The callee of a site; cached for all sites with an equal expression whose root has the same number."""
        expression, kind = site.callee, site.kind
        root = root_of(expression)
        number = self._roots.number(site.scope, root, site.line, dotted=root != expression)
        if number == UNKNOWN:
            return self._resolve(site)
        key = (number, expression, kind)
        found = self._callees.get(key)
        if found is None or (found.is_of_line and self._view.binds("|")):
            found = self._callees[key] = self._resolve(site)
        return found

    def _resolve(self, site: CallSite) -> Callee:
        left = receiver(site.callee)
        if left is not None:
            referent, confidence, reason = self._resolve_member(site, left, last_name(site.callee))
        else:
            referent, confidence, reason = self._resolve_name(site)
        if is_target(referent) and is_installed(referent.file):
            referent = EXTERNAL
        symbol = self._evaluator.symbol_of(referent)
        target, kind = self._target_and_kind(site, referent, symbol)
        ambient = self._ambient.meaning(site.scope, site.callee, site.line) if self._ambient.any else NOTHING
        if len(ambient.referents) == 1 and confidence is _EXACT:
            confidence, reason = Confidence.STRONG, ambient.reason
        if target is None and site.kind is EdgeKind.JSX:  # `<sl-button>`, a tag that a library registers
            root = root_of(site.callee)
            if type(root) is str and self._view.lookup(site.scope, root, site.line) is None:
                target = EXTERNAL
        callee = Callee(target, kind, confidence, reason)
        if is_target(target):
            view, index = self._evaluator.views[target.file], max(target.symbol, 0)
            callee.id, callee.key = view.id(index), view.key(index)
        callee.is_of_line = reason == _LOCAL_NAME
        functions = self._assigned(site) if callee.is_of_line else ()
        if referent is not None and symbol is not None and symbol.kind is _PROPERTY:
            callee.property_function = self._function_in_property(referent)
        elif len(functions) > 1:
            callee.renamed = functions
            callee.confidence, callee.reason = Confidence.STRONG, one_of(functions)
        elif referent is not None and symbol is not None and (symbol.kind in _RENAMING or symbol.kind in CALLABLE):
            callee.renamed = self._renamed(referent)
        if left is not None and symbol is not None and symbol.parent and referent is not None:
            callee.implementation = self._implementation(site, left, symbol)
        if site.kind is EdgeKind.JSX and is_symbol(referent):
            callee.loaded = self._evaluator.flow.loaded(referent)
        if len(ambient.referents) > 1:
            callee.guesses = tuple(self._ambient.guesses(site.scope, site.callee, site.line))
        is_guess = referent is None or confidence is Confidence.HEURISTIC
        if is_guess and site.kind is _CALL and not (type(site.callee) is str and "." in site.callee):
            callee.table_functions = self._tables.functions(self._file, site.scope, site.callee, site.line)
        return callee

    def _resolve_name(self, site: CallSite) -> tuple[Referent | None, Confidence, str]:
        """The referent of a callee that is not a member, such as `build`, with the confidence and its reason."""
        callee, view, flow = site.callee, self._view, self._evaluator.flow
        is_super = callee == "super" and view.semantics.super_is_function
        referent = BUILTIN if is_super else flow.expression(self._file, site.scope, callee, site.line)
        referent = flow.unaliased(referent) if referent is not None else None
        name = callee.name if isinstance(callee, Tested) else callee
        row = view.lookup(site.scope, name, site.line) if isinstance(name, str) else None
        if row is not None and (
            isinstance(row.type, OwnType) or (is_instance(referent) and view.semantics.implied_calls)
        ):
            return referent, Confidence.STRONG, _BY_RECEIVER  # `cls()`; `cart()` of an object calls `Cart.__call__`
        if row is not None and row.kind in _LOCAL_BINDINGS:
            if (view.facts.scopes[row.scope].symbol, row.name) in view.fixture_uses:
                return referent, Confidence.STRONG, "what a fixture gives"
            if _is_taken(row):
                return referent, Confidence.STRONG, "taken from a value"
            is_once = row.kind is BindingKind.LOCAL and len(list(view.rows_of(row.scope, row.name))) == 1
            if is_once and (last_name(row.value) or _is_place(row.value)):
                return referent, Confidence.STRONG, "by another name"
            left = receiver(row.value) if row.value is not None else None
            if left is not None and is_module(flow.expression(self._file, row.scope, left, row.line)):
                return referent, Confidence.STRONG, "member of a module"  # `const { build: run } = await import(…)`
            return referent, Confidence.HEURISTIC, _LOCAL_NAME
        return referent, _EXACT, "name in scope"

    def _resolve_member(self, site: CallSite, left: Expression, name: str) -> tuple[Referent | None, Confidence, str]:
        """The referent of the callee `left.name`, with the confidence and its reason; `name` is empty for `left[0]`."""
        evaluator, file, scope, line = self._evaluator, self._file, site.scope, site.line
        owner = evaluator.flow.expression(file, scope, left, line)
        if type(left) is str and (left == "super" or left[:6] == SUPER):
            referent = evaluator.flow.super_member(file, scope, name, left)
        elif owner is not None and owner.env and (guess := evaluator.guessed(owner, name)) is not None:
            return guess[0], Confidence.HEURISTIC, guess[1]
        elif owner is not None and name:
            may_add = left in self._view.semantics.global_objects  # `window.cart()`
            whole = site.callee if may_add else None
            referent = evaluator.flow.expression(file, scope, whole, line) or evaluator.members.member(owner, name)
        elif owner is not None:  # `Box[int]()` constructs a Box; the call of any other element is not resolved
            takes_arguments = self._view.semantics.classes_take_arguments
            element = evaluator.elements.element(owner, Item(Take.ELEMENT)) if takes_arguments else None
            referent = element if element == owner else None
        else:  # `settings.db.connect()`, where `settings.db` is unknown but `settings.db.connect` is assigned
            referent = evaluator.flow.expression(file, scope, site.callee, line) if root_of(left) != left else None
        if referent is None and owner is not None:  # `send_mail.delay(…)`, after `@app.task def send_mail`
            target, framework = evaluator.symbol_of(owner), self._view.semantics.methods_of_functions.get(name)
            is_function = framework is not None and target is not None and target.kind in CALLABLE
            if is_function and evaluator.views[owner.file].facts.shapes[owner.symbol].value is not None:
                return owner, Confidence.STRONG, f"{BY_FRAMEWORK} {framework}"
            if name in self._view.semantics.invoking and target is not None and target.kind in CALLABLE:
                return owner, Confidence.STRONG, f"by `{name}`"  # `total.call(cart)`
        if self._is_property_value(owner, referent, name):
            return referent, Confidence.HEURISTIC, "through an object's property"
        if self._is_assigned_beside_type(owner, referent):
            return referent, Confidence.HEURISTIC, "assigned to an object of an unknown type"
        confidence, reason = _member_confidence(left, owner, referent)
        if confidence is _EXACT and self._is_default(scope, left, line):
            return referent, Confidence.STRONG, _BY_RECEIVER
        return referent, confidence, reason

    def _is_default(self, scope: int, value: Expression, line: int) -> bool:
        """Whether only a default tells what a parameter, or a part of it, is: `(cart = empty) => cart.add()`."""
        root = root_of(value)
        row = self._view.lookup(scope, root, line) if type(root) is str else None
        return row is not None and row.kind is BindingKind.PARAMETER and type(row.value) is str

    def _function_in_property(self, referent: Referent) -> Referent | None:
        """The function that an object's property holds: `build`, for the property `run` of `tasks = { run: build }`.

        None if the property belongs to a class, or its value isn't a function.
        """
        view = self._evaluator.views[referent.file]
        container = view.facts.symbols[view.facts.shapes[referent.symbol].parent]
        value = self._evaluator.values.value(referent) if container.kind not in CLASSES else None
        symbol = self._evaluator.symbol_of(value)
        return value if symbol is not None and symbol.kind in CALLABLE else None

    def _renamed(self, referent: Referent) -> tuple[Referent, ...]:
        """The functions or classes that a constant or a variable names, as often as it is assigned."""
        view = self._evaluator.views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        # `const add = useCart((cart) => cart.add)`: the variable counts as the function that it gives to the call
        if symbol.kind in CALLABLE:
            if type(shape.value) is not Result or shape.inner < 0:
                return ()
            found = self._evaluator.values.value(referent)
            given = self._evaluator.symbol_of(found) if is_symbol(found) else None
            is_named = given is not None and given.kind in _SELECTED
            names = [last_name(row.value) for row in view.returns(shape.inner)] if is_named else []
            return (found,) if found is not None and given is not None and given.name in names else ()
        named = [self._evaluator.values.value(referent)] if last_name(shape.value) else []
        rows = () if shape.scope else view.rows_of(0, symbol.name)
        rows = rows if len(rows) <= _MOST_ASSIGNED else ()
        return self._functions((*named, *self._values(view, rows)))

    def _assigned(self, site: CallSite) -> tuple[Referent, ...]:
        """The functions whose names a local name may have at its call, because branches before it assigned them."""
        name = site.callee.name if isinstance(site.callee, Tested) else site.callee
        row = self._view.lookup(site.scope, name, site.line) if isinstance(name, str) else None
        rows = self._view.rows_of(row.scope, row.name) if row is not None else ()
        if row is None or not 1 < len(rows) <= _MOST_ASSIGNED:
            return ()
        ends = self._view.branches.get((row.scope, row.name), {})
        before = [row for row in rows if row.line < site.line] if ends else []
        first = 0
        for index, each in enumerate(before):
            is_replaced = bool(last_name(each.value)) and ends.get(each.line, site.line) >= site.line
            first = index if is_replaced else first
        return self._functions(self._values(self._view, before[first:]))

    def _values(self, view: FileView, rows: Iterable[Binding]) -> Iterator[Referent | None]:
        for row in rows:
            if row.kind is BindingKind.LOCAL and last_name(row.value):
                yield self._evaluator.flow.expression(view.facts.path, row.scope, row.value, row.line)

    def _functions(self, referents: Iterable[Referent | None]) -> tuple[Referent, ...]:
        """The functions and classes among some referents, each once."""
        functions = {}
        for referent in referents:
            function = self._evaluator.symbol_of(referent)
            if referent is not None and function is not None and function.kind in _CALLED:
                functions[function.id] = referent
        return tuple(functions.values())

    def _implementation(self, site: CallSite, left: Expression, member: Symbol) -> Referent | None:
        """The function that the object of a constant has for a member that the constant's type declares; else None."""
        owner = self._evaluator.flow.expression(self._file, site.scope, left, site.line)
        if not is_symbol(owner):
            return None
        view = self._evaluator.views[owner.file]
        shape = view.facts.shapes[owner.symbol]
        is_constant = view.facts.symbols[owner.symbol].kind is SymbolKind.CONSTANT and shape.type is not None
        if not is_constant or type(shape.value) is not Properties:
            return None
        found = self._evaluator.members.member(literal_in(owner.file, shape.value.scope), member.name)
        value = self._evaluator.values.value_or_self(found) if is_symbol(found) else found
        function = self._evaluator.symbol_of(value)
        return value if function is not None and function.kind in CALLABLE else None

    def _is_property_value(self, owner: Referent | None, referent: Referent | None, name: str) -> bool:
        """Whether a member is a function that is declared elsewhere and is only the value of a property.

        In `tasks = { run: build }` the member `tasks.run` is the function `build`, which has another name.
        """
        if owner is None or not is_symbol(referent):
            return False
        target = self._evaluator.views[referent.file].facts.symbols[referent.symbol]
        if owner.kind == MODULE or target.kind is SymbolKind.CONSTRUCTOR:
            return False
        if target.name == name and referent.file == owner.file:
            return False
        object_ = self._evaluator.values.value_or_self(owner)
        if object_.kind != LITERAL or (target.name == name and referent.file == object_.file):
            return False
        return bool(self._evaluator.views[object_.file].rows_of(object_.symbol, name))

    def _is_assigned_beside_type(self, owner: Referent | None, referent: Referent | None) -> bool:
        """Whether a member was assigned to a variable that has a type: `/** @type {Api} */ let api; api.load = …`."""
        if owner is None or referent is None or not owner.kind == referent.kind == SYMBOL:
            return False
        view = self._evaluator.views[owner.file]
        is_own = referent.file == owner.file and view.facts.shapes[referent.symbol].parent == owner.symbol
        is_variable = view.facts.symbols[owner.symbol].kind not in CLASSES and view.semantics.variables_take_members
        return is_own and is_variable and view.facts.shapes[owner.symbol].type is not None

    def _target_and_kind(
        self, site: CallSite, referent: Referent | None, target: Symbol | None
    ) -> tuple[Referent | None, EdgeKind]:
        """The target of a site whose callee is `referent` with the symbol `target`, and the kind of use.

        `Cart()` constructs a class: kind `new`. Calling an object of a class calls the method `__call__`.
        """
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
        if referent.kind in (MODULE, PACKAGE) or (target is not None and target.kind in _NOT_CALLABLE):
            return None, site.kind
        is_class = target is not None and target.kind is _CLASS
        return referent, _NEW if is_class and site.kind is _CALL else site.kind


def one_of(functions: Sized) -> str:
    """The reason of an edge to one of the functions that a name may mean."""
    return f"one of {len(functions)}" if len(functions) > 1 else "by another name"


def _is_taken(row: Binding) -> bool:
    """Whether a name is a member of a value under its own name, `const { save } = api`, so that no other is meant."""
    if isinstance(row.type, IndexedType):
        return row.type.key == row.name
    return row.type is None and last_name(row.value) == row.name != row.value


def _is_place(value: Expression | None) -> bool:
    """Whether a value has a place of its own in what a call gives: `const [open, toggle] = useToggle()`."""
    last = value.steps[-1] if type(value) is Chain and type(value.root) is Result else None
    return type(last) is Item and last.take is Take.ELEMENT and last.index >= 0


def _member_confidence(left: Expression, owner: Referent | None, referent: Referent | None) -> tuple[Confidence, str]:
    """The confidence of `left.name` and its reason; `owner` is the referent of `left`, `referent` that of the whole."""
    if left in ("this", "self", "cls", "super") or (type(left) is str and left[:6] == SUPER):
        return _EXACT, "own member"
    if is_module(owner):
        return _EXACT, "member of a module"
    is_in_file_of_owner = owner is not None and referent is not None and referent.file == owner.file
    if owner is None or owner.kind == LITERAL or (owner.kind == SYMBOL and is_in_file_of_owner):
        return _EXACT, "member by name"
    return Confidence.STRONG, _BY_RECEIVER
