"""Evaluates expressions to referents: looks up a name through scopes and imports, then follows steps from it.

cart.items[0].total        the name `cart`, the member `items`, an element of it, the member `total`
this.items, self.items     `this` is an object of the class around the function
super().total()            `super()` is the first base of that class
{ run: build }, [build]    expressions that start with no name: literals, calls, functions
"""

from collections.abc import Sequence
from typing import Final

from bearings.code.expressions import (
    SUPER,
    Chain,
    Expression,
    Function,
    Listed,
    Parameter,
    Properties,
    Result,
    Root,
    Several,
    Step,
    Take,
    Tested,
    Typed,
    split,
)
from bearings.code.file_facts import Binding, BindingKind, ImportKind, ScopeKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.lineage import lineage
from bearings.code.resolve.names.fixtures import Fixtures
from bearings.code.resolve.parts import FlowPart
from bearings.code.resolve.referent import INSTANCE, LITERAL, OBJECT, SYMBOL, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    HOLDERS,
    INLINE,
    as_kind,
    has_symbol,
    instance_of,
    is_builtin,
    is_inside,
    is_symbol,
    literal_in,
    module_at,
    object_of,
    of_kind,
    symbol_at,
    unless_too_deep,
)
from bearings.code.resolve.types.builtin_types import KEYED, PAIRS
from bearings.code.resolve.types.guards import Guards
from bearings.code.type_expressions import FunctionType, OwnType, ReturnedType, TupleType, TypeReference

_SYMBOL: Final = BindingKind.SYMBOL
_IMPORT: Final = BindingKind.IMPORT
_PARAMETER: Final = BindingKind.PARAMETER
_TYPE: Final = BindingKind.TYPE
_AMBIGUOUS: Final = 2
"""An expression with at least so many meanings is ambiguous."""
_MOST_MEANINGS: Final = 100
"""The most rows of one name to look at for meanings of an unresolved expression."""

_KEY: Final = "~K"
_VALUE: Final = "~V"
_OBJECTS: Final = frozenset({INSTANCE, OBJECT, LITERAL, SYMBOL})
_MOST_PLACES: Final = 8
_RECEIVERS: Final = {"self": INSTANCE, "cls": SYMBOL}
"""Names of a method's first parameter, and the kind of referent that each has."""


class Flow(FlowPart):
    """Expressions: a name is looked up through scopes, then steps are followed.

    The meanings of the current file's rows are cached, by `id` of the row: see `begin`.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._guards: Final = Guards(context)
        self.fixtures: Final = Fixtures(context)
        self._inner = (self._guards, self.fixtures)
        self._meanings: dict[tuple[int, bool], Referent | None] = {}
        self._root_meanings: dict[int, set[Referent]] = {}
        self._too_deep: set[int] = set()
        """Rows without a meaning because evaluation reached the depth limit: from deeper down, it would again."""

    def begin(self) -> None:
        """Clears the caches, to begin with the uses of another file."""
        self.fixtures.begin()
        self._meanings = {}
        self._root_meanings = {}
        self._too_deep = set()

    def is_decided(self, file: str, scope: int, value: Tested, line: int) -> bool:
        """Whether all is known that the tests say of a value."""
        return self._guards.is_decided(file, scope, value, line)

    def expression(
        self, file: str, scope: int, expression: Expression | None, line: int, *, types: bool = False
    ) -> Referent | None:
        """See FlowPart."""
        if expression is None or not self._answers.enter():
            return None
        root, steps = split(expression)
        if root == "module" and steps and steps[0] == "exports":  # `module.exports.load`
            root, steps = "exports", steps[1:]
        if type(root) is str:
            is_qualifier = types and bool(steps)
            referent = self._of_name(file, scope, root, line, types=types and not steps, is_qualifier=is_qualifier)
            if steps and type(steps[0]) is str and referent == BUILTIN:
                added = self._added_member(file, root, steps[0])
                referent, steps = (added, steps[1:]) if added is not None else (referent, steps)
        else:
            referent = self._of_root(file, scope, root, line)
        if steps:
            referent = self.follow_steps(referent, steps, types=types)
        self._answers.leave()
        return referent

    def follow_steps(self, referent: Referent | None, steps: Sequence[Step], *, types: bool) -> Referent | None:
        """The referent that a chain of steps leads to: from `cart` through `items`, `[0]` and `total`."""
        for position, step in enumerate(steps, 1):
            if referent is None:
                return None
            if not isinstance(step, str):
                if step.take is Take.GIVEN:
                    referent = self._given(referent, step.index)
                    continue
                referent = self._elements.element(self._values.value_or_self(referent), step)
                continue
            member = self._members.member(referent, step, types=types and position == len(steps))
            if member is None:  # `settings.db.host = …` declares the member `db.host`, but no member `db`
                nested = ".".join(step if type(step) is str else "[]" for step in steps[position - 1 :])
                return (
                    self._members.own_member(referent.file, referent.symbol, nested) if has_symbol(referent) else None
                )
            referent = member
        return referent

    def _added_member(self, file: str, root: str, name: str) -> Referent | None:
        """The member that the project adds to a global object: `window.cart`, by `interface Window { cart: Cart }`."""
        type_ = self._views[file].semantics.global_objects.get(root)
        if type_ is None:
            return None
        if type_ and (member := self._members.added(file, type_, name)) is not None:
            return member
        meanings = self._exports.ambient(file, name).referents if self._exports.sees_ambient(file) else ()
        return meanings[0] if len(meanings) == 1 and root != "document" else None

    def _given(self, referent: Referent, position: int) -> Referent | None:
        """What a function takes as a parameter; a component in a file of its own: `export let` in its script.

        A component that is a class has it as a property; one that a library's call makes, by that call's types.
        """
        taken = self._signatures.parameter_type(referent, position)
        if taken is not None or referent.kind != SYMBOL:
            return taken
        view = self._views[referent.file]
        made, owned = view.facts.shapes[referent.symbol].value, view.semantics.components_have
        if type(made) is Result:  # `forwardRef<Till, Props>((props, ref) => …)`
            return self._library.context(referent.file, Parameter(made.site, 0, position), None, "")
        if owned and view.facts.symbols[referent.symbol].kind in CLASSES:
            return self._members.member(as_kind(referent, INSTANCE), owned)
        ends = view.semantics.components_take_exports
        return module_at(referent.file) if ends and referent.file.endswith(ends) else None

    def _of_name(
        self, file: str, scope: int, root: str, line: int, *, types: bool, is_qualifier: bool
    ) -> Referent | None:
        """The referent of the name that an expression starts with.

        A qualifier is `api` in the type `api.Cart`: a namespace among types, or else a value, such as a module.
        """
        if root == "super":
            return self._super(file, scope)
        if root[:6] == SUPER:
            return None
        if root == "this" and not self._views[file].semantics.this_is_parameter:
            return self._this(file, scope)
        referent = self.name(file, scope, root, line, types=types or is_qualifier)
        if not referent and is_qualifier:
            return self.name(file, scope, root, line)
        return referent

    def _of_root(self, file: str, scope: int, root: Root, line: int) -> Referent | None:
        """The referent of an expression's start that is no name, such as a call or a literal."""
        match root:
            case Result():
                return self._calls.site_result(file, root.site, awaited=root.awaited)
            case Properties():
                return literal_in(file, root.scope)
            case Parameter():
                return self._signatures.contextual_type(file, root)
            case Typed():
                return self._types.resolve_type(file, scope, root.type)
            case Function():
                returns = ReturnedType(root.scope, root.is_async) if root.returns is None else root.returns
                return object_of(file, root.scope, FunctionType(self._views[file].parameters(root.scope), returns))
            case Tested():
                return self._guards.narrowed_value(file, scope, root, line)
            case Listed():  # `[build, test]`, pairs of `Object.entries({ … })`, a map `{key: build}`
                element = self.expression(file, scope, root.element, line)
                value = self._values.value_or_self(element) if is_inside(element) else None
                if root.others and not (root.pairs or root.keyed):
                    places = self._places(file, scope, [value], root.others, line)
                    if places is not None:
                        return places
                for other in root.also:
                    its = self._value_of_name(file, scope, other, line)
                    if value is None or its is None or its._replace(env=()) != value._replace(env=()):
                        return None
                if root.key is not None:
                    return self._map(file, scope, root.key, value, line)
                array = self._values.wrapped(file, value, "Array")
                if array is None or not (root.pairs or root.keyed):
                    return array
                return array._replace(type=KEYED if root.keyed else PAIRS)
            case Several() if all(root.names):  # `[cart, other]`
                found = {self._value_of_name(file, scope, name, line) for name in root.names}
                value = next(iter(found)) if len(found) == 1 else None
                array = self._values.wrapped(file, value, "Array")
                return array._replace(type=KEYED) if array is not None and root.keys else array
        return None

    def _map(self, file: str, scope: int, key: Expression, value: Referent | None, line: int) -> Referent:
        """A map whose keys are values of the project, too."""
        given = self.expression(file, scope, key, line)
        rows = ((_KEY, self._values.value_or_self(given) if is_inside(given) else None), (_VALUE, value))
        env = tuple((INLINE, name, unless_too_deep(one)) for name, one in rows if one is not None)
        return object_of(file, 0, TypeReference("~builtins.dict", (_KEY, _VALUE)), env)

    def _places(
        self, file: str, scope: int, values: list[Referent | None], names: Sequence[Expression], line: int
    ) -> Referent | None:
        """A tuple of objects of several classes, `[cart.id, cart]`; None for an array of similar ones, or of others."""
        if self._views[file].semantics.has_special_methods or len(names) >= _MOST_PLACES:
            return None
        values += [self._value_of_name(file, scope, name, line) if name else None for name in names]
        values = [None if value is not None and self._is_unknown(value) else value for value in values]
        kinds = {None if value is None else (value.kind, value.file, value.symbol) for value in values}
        if len(kinds) == 1 or any(value is not None and value.kind not in _OBJECTS for value in values):
            return None
        rows = ((f"~{place}", unless_too_deep(value)) for place, value in enumerate(values) if value is not None)
        env = tuple((INLINE, name, value) for name, value in rows if value is not None)
        return object_of(file, 0, TupleType(tuple(f"~{place}" for place in range(len(values)))), env) if env else None

    def _is_unknown(self, value: Referent) -> bool:
        """Whether a value is a variable or property, of which nothing is known."""
        kind = self._views[value.file].facts.symbols[value.symbol].kind if is_symbol(value) else None
        return kind in HOLDERS

    def _value_of_name(self, file: str, scope: int, name: Expression, line: int) -> Referent | None:
        referent = self.expression(file, scope, name, line)
        return self._values.value_or_self(referent) if is_inside(referent) else None

    def is_ambiguous(self, file: str, scope: int, expression: Expression) -> bool:
        """Whether an unresolved expression may mean several symbols of the project.

        `if fast: run = run_fast`, `else: run = run_slow`: the name `run`, with which it starts, has two meanings.
        """
        root, steps = split(expression)
        rows = self._views[file].nearest_rows(scope, root) if type(root) is str and root.isidentifier() else ()
        if len(rows) < _AMBIGUOUS:
            return False
        root_meanings = self._root_meanings.get(id(rows))
        if root_meanings is None:
            meanings = (self.binding(file, row) for row in rows[:_MOST_MEANINGS])
            root_meanings = self._root_meanings[id(rows)] = {meaning for meaning in meanings if meaning is not None}
        symbols: set[Referent] = set()
        for meaning in root_meanings:
            referent = self.follow_steps(meaning, steps, types=False)
            if referent is not None and has_symbol(referent):
                symbols.add(referent._replace(env=()))
            if len(symbols) >= _AMBIGUOUS:
                return True
        return False

    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Referent | None:
        """See FlowPart: a row of the file, else a name imported with a star, an ambient name, or a builtin."""
        view = self._views[file]
        row = view.lookup(scope, name, line, types=types)
        if row is not None:
            if self._answers.is_outermost:  # a use of the current file names it directly
                return self._cached_row_meaning(file, row, types=types)
            if (
                id(row) in self._too_deep
            ):  # the depth limit was reached from the outside; from further in, it would again
                self._answers.cut()
                return None
            return self._row_meaning(file, row, types)
        if view.semantics.modules_offer_all_names:
            for module in self._exports.starred_modules(file, name):
                starred = self._exports.export(module, name)
                if starred is not None and not name.startswith("_"):
                    return starred
        if (taken := self._of_template(file, scope, name)) is not None:
            return taken
        if name == "exports" and view.semantics.exports_is_module:
            return module_at(file)
        if self._exports.sees_ambient(file):
            meanings = self._exports.ambient(file, name, types=types).referents
            if len(meanings) == 1:
                return meanings[0]
        return BUILTIN if name in view.semantics.builtins else None

    def _of_template(self, file: str, scope: int, name: str) -> Referent | None:
        """The property of a component that its template names; None for another name."""
        view = self._views[file]
        props = view.semantics.template_properties
        row = view.lookup(scope, props, 0) if view.binds(props) else None
        if row is None or row.kind is not _PARAMETER:
            return None
        return self._members.member(self.binding(file, row), name)

    def _cached_row_meaning(self, file: str, row: Binding, *, types: bool) -> Referent | None:
        """The referent of a row that a use of the current file names directly; computed once for the file."""
        key = (id(row), types)
        if key not in self._meanings:
            cuts_before = self._answers.cuts
            self._meanings[key] = self._row_meaning(file, row, types)
            if self._meanings[key] is None and self._answers.cuts > cuts_before:
                self._too_deep.add(id(row))
        return self._meanings[key]

    def _row_meaning(self, file: str, row: Binding, types: bool) -> Referent | None:
        """The referent of a row; if unknown at the top of a file, that of an earlier definition of the name."""
        meaning = self.binding(file, row, types=types)
        is_at_top = row.scope == 0
        if is_at_top and not is_inside(meaning):
            return self._exports.or_earlier_definition(file, row, meaning)
        return meaning

    def binding(self, file: str, row: Binding, *, types: bool = False) -> Referent | None:
        """See FlowPart."""
        if row.kind is _SYMBOL or row.kind is _TYPE:
            return symbol_at(file, row.target)
        if row.kind is _IMPORT:
            return self._exports.resolve_import(file, self._views[file].facts.imports[row.target], types=types)
        if isinstance(row.type, OwnType):
            owner = self._class_around(file, row.scope)
            kind = SYMBOL if row.type.is_class else INSTANCE
            return of_kind(kind, file, owner) if owner >= 0 else None
        if row.type is not None:
            annotated = self._types.resolve_type(file, row.scope, row.type)
            if annotated is None and row.name in _RECEIVERS:  # `self: T`, a type variable: the class around it
                owner = self._class_around(file, row.scope) if row.kind is _PARAMETER else -1
                return of_kind(_RECEIVERS[row.name], file, owner) if owner >= 0 else None
            return annotated
        if row.kind is _PARAMETER and self._views[file].semantics.overrides_inherit_parameters:
            given = self.fixtures.value(file, row) or self._inherited_parameter(file, row)
            if given is not None:
                return given
        if row.value == row.name:  # `x = x`: the row itself, endlessly
            return None
        return self.expression(file, row.scope, row.value, row.line)

    def _inherited_parameter(self, file: str, row: Binding) -> Referent | None:
        """The referent of a method's parameter without a type, by the method of a base that it overrides."""
        facts = self._views[file].facts
        index = facts.scopes[row.scope].symbol
        owner = facts.shapes[index].parent
        is_method = facts.scopes[row.scope].kind is ScopeKind.FUNCTION and facts.symbols[owner].kind in CLASSES
        if not is_method or not facts.shapes[owner].bases:
            return None
        # `class Task(self.Task)`, `self.Task = Task`: a circle of bases
        cached = self._answers.ask(("inherited parameter", file, row.scope, row.name))
        return cached.value if cached is not None else self._answers.close(self._overridden(file, row, owner, index))

    def _overridden(self, file: str, row: Binding, owner: int, index: int) -> Referent | None:
        """The referent of a parameter of the method that the one at `index` in the class `owner` overrides."""
        name = self._views[file].facts.symbols[index].name
        for base in self._members.bases(file, owner, INSTANCE):
            method = self._members.member(base, name) if has_symbol(base) else None
            if is_symbol(method):
                inner = self._views[method.file].facts.shapes[method.symbol].inner
                base_row = next(iter(self._views[method.file].rows_of(inner, row.name)), None)
                if base_row is not None:
                    return self.binding(method.file, base_row) if base_row.kind is _PARAMETER else None
        return None

    def unaliased(self, referent: Referent) -> Referent:
        """The `load` of ./api for the variable in `const load = require("./api").load`; other referents unchanged."""
        if referent.kind != SYMBOL:
            return referent
        view = self._views[referent.file]
        value = view.facts.shapes[referent.symbol].value
        if type(value) is not Chain or type(value.root) is not Result or value.root.awaited:
            return referent
        entry = view.inline.get(value.root.site)
        if entry is None or entry.kind is not ImportKind.REQUIRE:
            return referent
        return self._values.value(referent) or referent

    def loaded(self, referent: Referent) -> Referent | None:
        """The default export of ./cart for the component in `const Cart = lazy(() => import("./cart"))`; else None."""
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        root = shape.value.root if type(shape.value) is Chain else None
        entry = view.inline.get(root.site) if type(root) is Result and root.awaited else None
        if entry is None or "*" in entry.module:  # a pattern means no file in particular
            return None
        return self.expression(referent.file, shape.scope, shape.value, 0)

    def _class_around(self, file: str, scope: int) -> int:
        """The index of the class of the method that contains a scope, or of the class body that it is; -1 for none."""
        cache = self._views[file].enclosing_classes
        if scope not in cache:
            cache[scope] = self._find_class(file, scope)
        return cache[scope]

    def _find_class(self, file: str, scope: int) -> int:
        """The same without the cache."""
        facts = self._views[file].facts
        scope = self._this_scope(file, scope)
        is_function = scope >= 0 and facts.scopes[scope].kind is ScopeKind.FUNCTION
        parent = facts.scopes[scope].parent if is_function else scope
        if parent >= 0 and facts.scopes[parent].kind is ScopeKind.CLASS:
            return facts.scopes[parent].symbol
        if is_function:  # a method that is declared outside its class's body
            owner = facts.shapes[facts.scopes[scope].symbol].parent
            return owner if owner > 0 and facts.symbols[owner].kind is SymbolKind.CLASS else -1
        return -1

    def _this(self, file: str, scope: int) -> Referent | None:
        """The referent of `this` in a scope; None if unknown."""
        cache = self._views[file].this_referents
        if scope in cache:
            return cache[scope]
        this_scope = self._this_scope(file, scope)
        typed = next(iter(self._views[file].rows_of(this_scope, "this")), None) if this_scope > 0 else None
        if typed is not None:  # `(this: Cart) => …`
            return self.binding(file, typed)
        owner = self._class_around(file, scope)
        if owner >= 0:
            this: Referent | None = of_kind(self._kind_of_this(file, this_scope), file, owner)
        else:
            this = self._this_outside_classes(file, this_scope) if this_scope > 0 else None
        cache[scope] = this
        return this

    def _super(self, file: str, scope: int) -> Referent | None:
        """The referent of `super` in a scope: the only base of the class around it; None if unknown."""
        if self._views[file].semantics.super_is_function:
            scope = self._function_scope(file, scope)
        owner = self._class_around(file, scope)
        if owner < 0:
            return None
        bases = self._members.bases(file, owner, self._kind_of_this(file, self._this_scope(file, scope)))
        if not bases and self._views[file].semantics.classes_extend_object:
            return BUILTIN
        return bases[0] if len(bases) == 1 and has_symbol(bases[0]) else None

    def _member_after(self, file: str, scope: int, name: str, class_name: str) -> Referent | None:
        """The member of the first class that has it after a named one, in the order of the class around a scope."""
        owner, after = (
            self._class_around(file, self._function_scope(file, scope)),
            self.name(file, scope, class_name, 0),
        )
        if owner < 0 or not is_symbol(after):
            return None
        order = lineage(symbol_at(file, owner), self._bases)
        places = [(base.file, base.symbol) for base in order]
        start = places.index((after.file, after.symbol)) + 1 if (after.file, after.symbol) in places else len(order)
        for base in order[start:]:
            if not has_symbol(base):
                return base
            member = self._members.own_member(base.file, base.symbol, name)
            if member is not None:
                return member
        return None

    def _bases(self, base: Referent) -> Sequence[Referent]:
        return self._members.bases(base.file, base.symbol, SYMBOL) if has_symbol(base) else ()

    def _this_scope(self, file: str, scope: int) -> int:
        """The nearest scope with a `this` of its own: arrow functions and blocks have none; -1 for none."""
        scopes = self._views[file].facts.scopes
        while scope >= 0 and scopes[scope].kind in (ScopeKind.ARROW, ScopeKind.BLOCK):
            scope = scopes[scope].parent
        return scope

    def _function_scope(self, file: str, scope: int) -> int:
        """The scope of the function around a scope; -1 for none."""
        scopes = self._views[file].facts.scopes
        while scope >= 0 and scopes[scope].kind is not ScopeKind.FUNCTION:
            scope = scopes[scope].parent
        return scope

    def _kind_of_this(self, file: str, this_scope: int) -> int:
        """SYMBOL in a static method, where `this` is the class itself, else INSTANCE."""
        scopes = self._views[file].facts.scopes
        if this_scope < 0 or scopes[this_scope].kind is not ScopeKind.FUNCTION:
            return INSTANCE
        return SYMBOL if self._views[file].is_static(scopes[this_scope].symbol) else INSTANCE

    def _this_outside_classes(self, file: str, scope: int) -> Referent | None:
        """The referent of `this` in a function outside classes; None if unknown.

        function Cart() { this.total = 0 }               an object of the constructor function Cart
        Cart.prototype.add = function () { this… }       the same
        cart.add = function () { this… }                 the object `cart`, to which the function is assigned
        """
        facts = self._views[file].facts
        index = facts.scopes[scope].symbol
        if facts.scopes[scope].kind is not ScopeKind.FUNCTION or facts.shapes[index].inner != scope:
            return None
        parent = facts.shapes[index].parent
        if parent > 0 and facts.shapes[parent].inner == scope:  # the function also has the name of its parent
            index, parent = parent, facts.shapes[parent].parent
        if facts.shapes[index].traits & Trait.CONSTRUCTS:
            return instance_of(file, index)
        if parent <= 0 or facts.symbols[index].kind is not SymbolKind.METHOD:
            return None
        if facts.shapes[index].traits & Trait.STATIC:
            is_plain = type(facts.shapes[parent].value) is Properties or facts.symbols[parent].kind in CALLABLE
            return symbol_at(file, parent) if is_plain else None
        is_prototype = facts.shapes[parent].traits & Trait.CONSTRUCTS or facts.symbols[parent].kind is SymbolKind.CLASS
        return instance_of(file, parent) if is_prototype else None

    def this(self, file: str, scope: int) -> Referent | None:
        """See FlowPart."""
        is_function = self._views[file].semantics.super_is_function
        return self._this(file, self._function_scope(file, scope) if is_function else scope)

    def super_member(self, file: str, scope: int, name: str, root: str = "super") -> Referent | None:
        """See FlowPart."""
        if root != "super":
            return self._member_after(file, scope, name, root[len(SUPER) : -1])
        base = self._super(file, scope)
        if base is not None:
            return self._members.member(base, name)
        owner = self._class_around(file, self._function_scope(file, scope))
        if owner < 0:
            return None
        member = self._members.inherited(instance_of(file, owner), name, above=True)
        return None if member is None or is_builtin(member) else member
