"""The values of symbols: what a property, a variable, a decorated function or a promise gives.

cart: Cart                    `cart` is an object of its type
const build = make()          `build` is what `make` returns
@task def run(): …            in Python, `run` is what `task` returns, if that is an object
async function load(): Cart   awaiting what it returns gives the promise's value
"""

from bearings.code.expressions import is_result
from bearings.code.file_facts import Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import ValuesPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, PACKAGE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    CLASSES,
    descriptor_owner,
    hole_env,
    is_instance,
    is_mapped,
    is_object,
    is_symbol,
    mapped_value,
    object_of,
)
from bearings.code.resolve.types.builtin_types import PROMISES
from bearings.code.type_expressions import Hole, TypeReference

_GENERATED = 3
"""Types that describe a generator: by the types that it yields, takes, and returns."""


class Values(ValuesPart):
    """The values of symbols, and of promises."""

    def value_or_self(self, referent: Referent) -> Referent:
        """See ValuesPart."""
        if referent.kind != SYMBOL:
            return referent
        kind = self._views[referent.file].facts.symbols[referent.symbol].kind
        if kind in CLASSES or not self._answers.enter():
            return referent
        value = self.value(referent)
        self._answers.leave()
        return value or referent

    def awaited(self, referent: Referent | None) -> Referent | None:
        """See ValuesPart."""
        if referent is None:
            return None
        if referent.kind == INSTANCE and self._views[referent.file].semantics.has_special_methods:
            # `def __await__(self) -> Generator[None, None, Cart]`: what the generator returns.
            method = self._members.member(referent, "__await__")
            given = self._calls.call_result(method, referent) if is_symbol(method) else None
            type_ = given.type if is_object(given) else None
            if given is None or not isinstance(type_, TypeReference) or len(type_.arguments) != _GENERATED:
                return referent
            return self._types.resolve_part(given, type_.arguments[-1])
        type_ = referent.type if referent.kind == OBJECT else None
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] not in PROMISES:
            return referent
        return self._types.resolve_part(referent, type_.arguments[-1]) if type_.arguments else None

    def wrapped(self, file: str, referent: Referent | None, around: str) -> Referent | None:
        """See ValuesPart. The rules of the language come from the file in which the type's names are looked up."""
        if referent is None:
            return None
        is_elsewhere = referent.kind == OUTSIDE or referent.kind == PACKAGE
        type_ = TypeReference(around, (Hole(),))
        return object_of(file if is_elsewhere else referent.file, 0, type_, hole_env(referent))

    def value(self, referent: Referent) -> Referent | None:
        """See ValuesPart."""
        if is_mapped(referent):
            return mapped_value(referent)
        value = self._value(referent)
        reader = descriptor_owner(referent) if is_instance(value) else None
        if value is None or reader is None:
            return value
        # `total = Computed(…)` in a class's body: `cart.total` is what `Computed.__get__` gives.
        getter = self._members.member(value, "__get__")
        if not is_symbol(getter) or not self._answers.enter():
            return value
        given = self._calls.descriptor_value(getter, value, reader)
        self._answers.leave()
        return given

    def _value(self, referent: Referent) -> Referent | None:
        """The value as it is declared: by a type, else by the value that is assigned."""
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        is_accessor = bool(shape.traits & Trait.ACCESSOR)
        if symbol.kind in CALLABLE and not is_accessor:
            if not view.semantics.decorators_replace_functions:  # `const run = wrap(run)`, a name for what it forwards
                forwarded = shape.value if is_result(shape.value) else None
                return self._flow.expression(referent.file, shape.scope, forwarded, 0)
            decorator = self._flow.expression(referent.file, shape.scope, shape.value, symbol.line)
            made = self._calls.call_result(decorator) if decorator is not None and decorator != referent else None
            return made if is_instance(made) or is_object(made) else None
        if shape.type is not None or (shape.returns is not None and is_accessor):
            type_ = shape.type if shape.type is not None else shape.returns
            return self._types.resolve_type(referent.file, shape.scope, type_, referent.env)
        if is_accessor:
            return self._calls.return_value(referent)
        if shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY:  # `run = run`: another scope's
            return None
        return self._flow.expression(referent.file, shape.scope, shape.value, symbol.line)
