"""Evaluates Go's expressions and calls to referents.

    cart.Items[0].Total()     the local `cart`, a field, an element of its type, a method
    carts, err := load()      the results of `load`, by their positions
    Map[string](names)        the type parameters of a call are bound to its type arguments

Go has this second evaluator because nothing is guessed: types are written down, names are found through packages, and a
selector's meaning is defined by the language. A pointer counts as its target.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bearings.code.expressions import Expression, Item, Result, Take, Typed, last_name, receiver, split
from bearings.code.file_facts import Binding, BindingKind, CallSite
from bearings.code.models import SymbolKind
from bearings.code.resolve.referent import OBJECT, OUTSIDE, SYMBOL, Referent
from bearings.code.resolve.referents import CLASSES, INLINE, is_object
from bearings.code.resolve.rules.go.semantics import GO
from bearings.code.resolve.rules.go.types import ITERATORS, GoTypes, pointed
from bearings.code.resolve.rules.library_table import MARK, library_of
from bearings.code.type_expressions import (
    ArrayType,
    ChannelType,
    FunctionType,
    MapType,
    TupleType,
    TypedParameter,
    TypeExpression,
    TypeReference,
)

_LOOPED = Take.KEY, Take.EACH
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


class _Place(NamedTuple):
    """The scope of a generic function, and its type parameters with the types that constrain them."""

    file: str
    scope: int
    limits: Mapping[str, TypeExpression | None]


class GoEvaluator(GoTypes):
    """Evaluates expressions for one set of facts."""

    def expression(self, file: str, scope: int, expression: Expression | None) -> Referent | None:
        """The referent of an expression in a scope; None if there is none, or nothing is known of it."""
        if expression is None or not self.answers.enter():
            return None
        root, steps = split(expression)
        referent: Referent | None = None
        if type(root) is str:
            referent = self.name(file, scope, root)
        elif type(root) is Typed:
            referent = self.resolve_type(file, scope, root.type)
        elif type(root) is Result:
            referent = self.site_result(file, root.site)
        for step in steps:
            if referent is None:
                break
            if isinstance(step, str):
                referent = self.member(referent, step, file)
            else:
                referent = self.element(self.value_or_self(referent), step)
        self.answers.leave()
        return referent

    def local(self, file: str, row: Binding) -> Referent | None:
        """See GoTypes: an object of its type, or the referent of its value."""
        cached = self.answers.ask(("local", file, row.scope, row.name))
        return cached.value if cached is not None else self.answers.close(self._local(file, row))

    def _local(self, file: str, row: Binding) -> Referent | None:
        if row.kind is BindingKind.TYPE_PARAMETER:
            return self.resolve_type(file, row.scope, row.name)
        if row.type is not None:
            return self.resolve_type(file, row.scope, row.type)
        referent = self.expression(file, row.scope, row.value)
        return self.value_or_self(referent) if referent is not None else None

    def value(self, referent: Referent) -> Referent | None:
        """See GoTypes."""
        facts = self.packages.view(referent.file).facts
        shape = facts.shapes[referent.symbol]
        if shape.type is not None:
            scope = facts.shapes[shape.parent].inner if shape.parent > 0 else shape.scope
            return self.resolve_type(referent.file, max(scope, shape.scope), shape.type, referent.env)
        assigned = self.expression(referent.file, shape.scope, shape.value)
        return self.value_or_self(assigned) if assigned is not None else None

    def site_result(self, file: str, number: int) -> Referent | None:
        """The result of a call, or the object of a struct literal."""
        cached = self.answers.ask(("site", file, number))
        return cached.value if cached is not None else self.answers.close(self._result(file, number))

    def _result(self, file: str, number: int) -> Referent | None:
        site = self.packages.view(file).facts.sites[number]
        callee = self.expression(file, site.scope, site.callee)
        if callee is None:
            return None
        if callee.kind == OUTSIDE:
            return self._result_of_library(file, site) or callee
        is_function = callee.kind == OBJECT and isinstance(callee.type, FunctionType)
        if type(site.callee) is Typed and not is_function:  # `Cart{…}`, where `func() Cart { … }()` is a call
            return callee
        types = tuple(self.resolve_type(file, site.scope, part) for part in site.types)
        return self.call_result(callee, types + self._inferred(file, site, callee)[len(types) :])

    def _result_of_library(self, file: str, site: CallSite) -> Referent | None:
        """The result of a function or method of the standard library, by its signature; None for another."""
        left, name = receiver(site.callee), last_name(site.callee)
        library = library_of(GO.family)
        if left is None or (name not in library.names and name not in library.methods):
            return None
        entry = self.packages.names(file).get(left) if type(left) is str else None
        if entry is not None:
            module = entry.module.removeprefix("golang.org/x/exp/")
            functions = library.functions.get(f"{module}.{name}", ())
            if not functions:
                return None
            place = _Place(file, 0, dict(zip(functions[0].generics, functions[0].limits, strict=True)))
            given = tuple(self.resolve_type(file, site.scope, part) for part in site.types)
            inferred = self._inferred_at(file, site, place, functions[0].parameters)
            values = zip(place.limits, given + inferred[len(given) :], strict=False)
            env = tuple((INLINE, parameter, value) for parameter, value in values if value is not None)
            return self.resolve_type(file, 0, functions[0].result, env)
        owner = self.expression(file, site.scope, left)
        owner = self.value_or_self(owner) if owner is not None else None
        known = self.library_class(owner)
        if owner is None or known is None or name not in known.methods or not isinstance(owner.type, TypeReference):
            return None
        values = zip(known.generics, (self.resolve_part(owner, each) for each in owner.type.arguments), strict=False)
        env = tuple((INLINE, parameter, value) for parameter, value in values if value is not None)
        return self.resolve_type(file, 0, known.methods[name][0].result, env)

    def _inferred(self, file: str, site: CallSite, callee: Referent) -> tuple[Referent | None, ...]:
        """The type arguments of a generic function by its arguments (Go specification, "Type inference")."""
        if callee.kind != SYMBOL or not site.arguments:
            return ()
        view = self.packages.view(callee.file)
        shape = view.facts.shapes[callee.symbol]
        names = view.generics(shape.inner) if shape.inner >= 0 else ()
        is_function = view.facts.symbols[callee.symbol].kind is SymbolKind.FUNCTION
        if not (names and is_function and isinstance(shape.type, FunctionType)):
            return ()
        rows = [view.lookup(shape.inner, name) for name in names]
        limits = {name: row.type if row is not None else None for name, row in zip(names, rows, strict=True)}
        return self._inferred_at(file, site, _Place(callee.file, shape.inner, limits), shape.type.parameters)

    def _inferred_at(
        self, file: str, site: CallSite, place: _Place, parameters: Sequence[TypedParameter]
    ) -> tuple[Referent | None, ...]:
        """The arguments of a place's type parameters where a call gives its arguments to some parameters."""
        values = [self.expression(file, site.scope, argument) for argument in site.arguments]
        if len(values) == 1 and len(parameters) > 1 and type(site.arguments[0]) is Result:  # `must(load())`
            values = [self.element(values[0], Item(Take.ELEMENT, at)) for at in range(len(parameters)) if values[0]]
        found: dict[str, Referent] = {}
        for parameter, value in zip(parameters, values, strict=False):
            self._match(place, parameter.type, value, found)
        return tuple(map(found.get, place.limits))

    def _match(
        self, place: "_Place", type_: TypeExpression | None, value: Referent | None, found: dict[str, Referent]
    ) -> None:
        """Adds the type parameters that a parameter of a type has where it takes a value, part by part."""
        if type_ is None or value is None or not self.answers.enter():
            return
        type_, value = pointed(type_), self.value_or_self(value)
        match type_:
            case str():
                if type_ in place.limits and type_ not in found:
                    found[type_] = value
                    self._match(place, place.limits[type_], value, found)  # `[S ~[]E, E any]`
            case ArrayType(element):
                self._match(place, element, self.element(value, Item(Take.EACH)), found)
            case MapType(key, element):
                self._match(place, key, self.element(value, Item(Take.KEY)), found)
                self._match(place, element, self.element(value, Item(Take.EACH)), found)
            case ChannelType(element):
                self._match(place, element, self.element(value, Item(Take.RECEIVED)), found)
            case FunctionType(_, result):
                given = self.call_result(value)
                parts = result.parts if isinstance(result, TupleType) else (result,)
                for number, part in enumerate(parts if given is not None else ()):
                    taken = self.element(given, Item(Take.ELEMENT, number)) if len(parts) > 1 and given else given
                    self._match(place, part, taken, found)
            case TypeReference(name, arguments) if library := self._library_name(place, name):
                for part, take in zip(arguments, _LOOPED if library in ITERATORS else (), strict=False):
                    self._match(place, part, self.element(value, Item(take)), found)
                of_value = value.type if is_object(value) else None
                own = of_value.arguments if isinstance(of_value, TypeReference) and of_value.name == library else ()
                for part, given_part in zip(arguments, own, strict=False):
                    self._match(place, part, self.resolve_part(value, given_part), found)
            case TypeReference(name, arguments):
                generic = self.type_symbol(place.file, place.scope, name)
                is_same = generic is not None and (generic.file, generic.symbol) == (value.file, value.symbol)
                for part, (_, _, argument) in zip(arguments if is_same else (), value.env, strict=False):
                    self._match(place, part, argument, found)
        self.answers.leave()

    def _library_name(self, place: _Place, name: str) -> str:
        return name if name[0] == MARK else self.library_type(place.file, name)

    def call_result(self, referent: Referent, arguments: tuple[Referent | None, ...] = ()) -> Referent | None:
        """The result of calling a referent; `arguments` are those of its type parameters."""
        if referent.kind == SYMBOL:
            facts = self.packages.view(referent.file).facts
            symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
            if symbol.kind in CLASSES:
                return self.instance(referent, arguments)
            if symbol.kind in _CALLABLE:
                # The type parameters in a function; a method's are those of its object, by position.
                scope = shape.inner if shape.inner >= 0 else facts.shapes[shape.parent].inner
                of_object = tuple(argument for _, _, argument in referent.env)
                env = self.bind_type_parameters(referent.file, scope, of_object) if shape.inner >= 0 else referent.env
                env += self.bind_type_parameters(referent.file, scope, arguments, len(of_object))
                return self.resolve_type(referent.file, scope, shape.returns, env)
            value = self.value_or_self(referent)
            return self.call_result(value) if value != referent else None
        if referent.kind == OUTSIDE:
            return referent
        underlying = self.underlying(referent)
        if not is_object(underlying) or not isinstance(underlying.type, FunctionType):
            return None
        return self.resolve_part(underlying, underlying.type.result)
