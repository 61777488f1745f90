"""The values of variables, properties, decorated functions and promises.

cart: Cart                    the value of `cart` is an object of its type
const build = make()          the value of `build` is the result of `make`
@task def run(): …            in Python, the value of `run` is the result of `task`, if that is an object
await load()                  the value of the promise that `load` returns
"""

from bearings.code.expressions import is_result
from bearings.code.file_facts import BindingKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import ValuesPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, PACKAGE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    CLASSES,
    descriptor_owner,
    hole_env,
    instance_of,
    is_instance,
    is_mapped,
    is_object,
    is_symbol,
    mapped_value,
    object_of,
)
from bearings.code.resolve.types.builtin_types import PROMISES
from bearings.code.type_expressions import Hole, TypeReference

_GENERATOR_ARGUMENTS = 3
"""The type arguments of `Generator[…]`: the types that a generator yields, receives and returns."""


class Values(ValuesPart):
    """The values of variables, properties, decorated functions and promises: parts.py documents the methods."""

    def value_or_self(self, referent: Referent) -> Referent:
        """See ValuesPart."""
        if referent.kind != SYMBOL:
            return referent
        kind = self._views[referent.file].facts.symbols[referent.symbol].kind
        if kind in CLASSES or not self._answers.enter():  # one step down; False at the depth limit
            return referent
        value = self.value(referent)
        self._answers.leave()
        return value or referent

    def awaited(self, referent: Referent | None) -> Referent | None:
        """See ValuesPart."""
        if referent is None:
            return None
        if referent.kind == INSTANCE and self._views[referent.file].semantics.has_special_methods:
            # `def __await__(self) -> Generator[None, None, Cart]`: awaiting gives a Cart, which the generator returns.
            method = self._members.member(referent, "__await__")
            generator = self._calls.call_result(method, referent) if is_symbol(method) else None
            if not is_object(generator):
                return referent
            result_type = generator.type
            if not isinstance(result_type, TypeReference) or len(result_type.arguments) != _GENERATOR_ARGUMENTS:
                return referent
            return self._types.resolve_part(generator, result_type.arguments[-1])
        type_ = referent.type if referent.kind == OBJECT else None
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] not in PROMISES:
            return referent
        return self._types.resolve_part(referent, type_.arguments[-1]) if type_.arguments else None

    def wrapped(self, file: str, referent: Referent | None, wrapper: str) -> Referent | None:
        """See ValuesPart: `Promise<Cart>` for a Cart and "Promise".

        The object's `file` only tells the language, whose rules say what a promise or array is.
        """
        inner = referent.type if referent is not None else ""
        if referent is None or (type(inner) is TypeReference and inner.name == wrapper == "Promise"):
            return referent  # a promise of a promise is the inner one
        file_is_no_path = referent.kind == OUTSIDE or referent.kind == PACKAGE
        type_ = TypeReference(wrapper, (Hole(),))
        return object_of(file if file_is_no_path else referent.file, 0, type_, hole_env(referent))

    def value(self, referent: Referent) -> Referent | None:
        """See ValuesPart."""
        if is_mapped(referent):
            return mapped_value(referent)
        value = self._declared_value(referent)
        owner = descriptor_owner(referent)
        if owner is None:
            return value
        given = self._library.attribute(referent, value, owner)
        if given is not None or not is_instance(value) or owner.kind == SYMBOL:
            return given or value
        # `total = Computed(…)` in a class's body: `cart.total` is the result of `Computed.__get__`.
        getter = self._members.member(value, "__get__")
        if not is_symbol(getter) or not self._answers.enter():
            return value
        result = self._calls.descriptor_value(getter, value, owner)
        self._answers.leave()
        return result

    def _declared_value(self, referent: Referent) -> Referent | None:
        """The value by the annotated type, else by the expression that is assigned, without `__get__`."""
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        is_accessor = bool(shape.traits & Trait.ACCESSOR)
        if symbol.kind in CALLABLE and not is_accessor:
            if not view.semantics.decorators_replace_functions:
                # `const run = memoize(() => …)`: the facts list `run` as a function; its value is the call's result
                if not is_result(shape.value):
                    return None
                declared = self._types.resolve_type(referent.file, shape.scope, shape.type, referent.env)
                return declared or self._flow.expression(referent.file, shape.scope, shape.value, 0)
            # `@task def run(): …`: `shape.value` is the outermost decorator
            decorator = self._flow.expression(referent.file, shape.scope, shape.value, symbol.line)
            result = self._calls.call_result(decorator) if decorator is not None and decorator != referent else None
            return result if is_instance(result) or is_object(result) else None
        if shape.type is not None or (shape.returns is not None and is_accessor):
            type_ = shape.type if shape.type is not None else shape.returns
            return self._types.resolve_type(referent.file, shape.scope, type_, referent.env)
        if is_accessor:
            return self._calls.return_value(referent)
        is_attribute = symbol.kind is SymbolKind.PROPERTY and bool(shape.traits & Trait.STATIC)
        if is_attribute and view.is_enumeration(shape.parent) and not symbol.name.startswith("_"):
            return instance_of(referent.file, shape.parent)
        # `run = run` names itself; only the property in `{ run: run }` has the value of another `run`.
        if shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY:
            return None
        value = self._flow.expression(referent.file, shape.scope, shape.value, symbol.line)
        if value is None and referent.env and type(shape.value) is str:  # `self.item = item`, of `item: T`
            row = view.lookup(shape.scope, shape.value, symbol.line)
            if row is not None and row.kind is BindingKind.PARAMETER:
                return self._types.resolve_type(referent.file, row.scope, row.type, referent.env)
        return value
