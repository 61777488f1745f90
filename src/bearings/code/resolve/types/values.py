"""The values of symbols and promises."""

from bearings.code.expressions import is_result
from bearings.code.file_facts import Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import ValuesPart
from bearings.code.resolve.referents import CALLABLE, CLASSES, FILLING, GOT, Referent, ReferentKind, is_mapped
from bearings.code.resolve.types.builtin_types import PROMISES
from bearings.code.type_expressions import Hole, TypeReference

_GENERATED = 3
"""Types that describe a generator: by the types that it yields, takes, and returns."""


class Values(ValuesPart):
    """The values of symbols, and of promises."""

    def held(self, referent: Referent) -> Referent:
        """The value of a referent: a property's object; a function or class itself."""
        if referent.kind != ReferentKind.SYMBOL:
            return referent
        kind = self._views[referent.where].facts.symbols[referent.symbol].kind
        if kind in CLASSES or not self._memo.enter():
            return referent
        value = self.value(referent)
        self._memo.leave()
        return value or referent

    def awaited(self, referent: Referent | None) -> Referent | None:
        """The result of awaiting: the value of a promise, else the referent itself."""
        if referent is None:
            return None
        if referent.kind == ReferentKind.INSTANCE and self._views[referent.where].semantics.has_special_methods:
            return self._of_awaitable(referent)
        type_ = referent.type if referent.kind == ReferentKind.OBJECT else None
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] not in PROMISES:
            return referent
        return self._types.part(referent, type_.arguments[-1]) if type_.arguments else None

    def _of_awaitable(self, referent: Referent) -> Referent | None:
        """The result of awaiting an object: what the generator returns that its `__await__` gives."""
        method = self._members.member(referent, "__await__")
        is_own = method is not None and method.kind == ReferentKind.SYMBOL
        given = self._calls.called(method, referent) if is_own else None
        type_ = given.type if given is not None and given.kind == ReferentKind.OBJECT else None
        if given is None or not isinstance(type_, TypeReference) or len(type_.arguments) != _GENERATED:
            return referent
        return self._types.part(given, type_.arguments[-1])

    def wrapped(self, file: str, referent: Referent | None, around: str) -> Referent | None:
        """See ValuesPart. The rules of the language come from the file in which the type's names are looked up."""
        if referent is None:
            return None
        made = TypeReference(around, (Hole(),))
        where = file if referent.kind in (ReferentKind.OUTSIDE, ReferentKind.PACKAGE) else referent.where
        return Referent(ReferentKind.OBJECT, where, 0, made, ((-1, FILLING, referent),))

    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value.

        Of a class's attribute that is read through an object, and is a descriptor: what its `__get__` gives; of a
        property of a mapped type: what that says.
        """
        if referent.env and is_mapped(referent):
            return referent.env[-1][2]
        found = self._value(referent)
        if found is None or found.kind != ReferentKind.INSTANCE or not referent.env or referent.env[-1][0] != GOT:
            return found
        owner = referent.env[-1][2]
        getter = self._members.member(found, "__get__")
        if owner is None or getter is None or getter.kind != ReferentKind.SYMBOL or not self._memo.enter():
            return found
        given = self._calls.got(getter, found, owner)
        self._memo.leave()
        return given

    def _value(self, referent: Referent) -> Referent | None:
        facts = self._views[referent.where].facts
        symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
        is_accessor = bool(shape.traits & Trait.ACCESSOR)
        if symbol.kind in CALLABLE and not is_accessor:
            return self._decorated(referent)
        if shape.type is not None or (shape.returns is not None and is_accessor):
            type_ = shape.type if shape.type is not None else shape.returns
            return self._types.type(referent.where, shape.scope, type_, referent.env)
        if is_accessor:
            return self._calls.returned(referent)
        if shape.value is None or (shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY):
            return None
        return self._flow.expression(referent.where, shape.scope, shape.value, symbol.line)

    def _decorated(self, referent: Referent) -> Referent | None:
        """The object that a decorator returns for a function, if it returns one."""
        facts = self._views[referent.where].facts
        shape = facts.shapes[referent.symbol]
        if not self._views[referent.where].semantics.decorators_replace_functions:
            # a variable with the name of a function that it forwards
            given = shape.value if is_result(shape.value) else None
            return self._flow.expression(referent.where, shape.scope, given, 0) if given is not None else None
        if shape.value is None:
            return None
        decorator = self._flow.expression(referent.where, shape.scope, shape.value, facts.symbols[referent.symbol].line)
        made = self._calls.called(decorator) if decorator is not None and decorator != referent else None
        return made if made is not None and made.kind in (ReferentKind.INSTANCE, ReferentKind.OBJECT) else None
