"""Chooses among the overloads of a function by the arguments of a call.

def load(key: Cart) -> Bill        load(Cart()) gives a Bill
def load(key: Shop) -> Page        load(one) gives one of both, as an object of the type `Bill | Page` is
"""

from bearings.code.file_facts import SPLAT, CallSite, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import Part, Signature
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import is_inside, is_instance, is_symbol, object_of
from bearings.code.resolve.types.inference import given_to, is_rest
from bearings.code.type_expressions import ABSENT, FunctionType, TypeExpression, UnionType, type_words

_SEVERAL = 2
_MOST = 30
"""Overloads of one function that are compared with a call."""
_UNSURE = "undefined"
"""A part of a union without members: which of the others is meant is a guess."""


class Overloads(Part):
    """Chooses among overloads."""

    def result(self, file: str, site: CallSite, function: Referent) -> Referent | None:
        """An object of the type that the overloads which may take a call's arguments give.

        None if all of them give one type, or one that depends on type parameters or on the object.
        """
        view = self._views[function.file]
        shape = view.facts.shapes[function.symbol]
        rows = view.overloads(function.symbol)[:_MOST]
        heads = [
            Signature(function.file, row.scope, row.type, function.env)
            for row in rows
            if isinstance(row.type, FunctionType)
        ]
        if len({head.function.result for head in heads}) < _SEVERAL or not self._answers.enter():
            return None
        fitting = [head for head in heads if self._may_take(file, site, head)] or heads
        self._answers.leave()
        if any(self._depends(head) for head in fitting):
            return None
        scope, types = fitting[0].scope, dict.fromkeys(head.function.result for head in fitting)
        known = [type_ for type_ in types if type_ is not None and type_ not in ABSENT]
        known.sort(key=lambda type_: type_ != shape.returns)  # the type that counts without arguments is first
        parts = [self._types.resolve_type(function.file, scope, type_, function.env) for type_ in known]
        if not any(map(is_inside, parts)) or (len(parts) > 1 and any(map(is_symbol, parts))):
            return None
        is_other = [not self._is_a(part, parts[0]) for part in parts]
        others = [type_ for type_, counts in zip(known, is_other, strict=True) if counts]
        union = UnionType((known[0], *others, _UNSURE))
        result = object_of(function.file, scope, union, function.env) if others else parts[0]
        wrapper = view.semantics.async_annotation_wraps_in if shape.traits & Trait.ASYNC else ""
        return self._values.wrapped(function.file, result, wrapper) if wrapper else result

    def _depends(self, head: Signature) -> bool:
        """Whether the result of an overload is `this`, or names a type parameter."""
        words = set(type_words(head.function.result))
        view = self._views[head.file]
        if not words.isdisjoint(("this", "Self", *head.function.generics, *view.generics(head.scope))):
            return True
        is_variable = self._types.is_type_variable
        variables = words if view.semantics.type_variables_have_no_scope else ()
        return any(is_variable(head.file, head.scope, word) for word in variables)

    def _may_take(self, file: str, site: CallSite, head: Signature) -> bool:
        """Whether a function may take the arguments of a call, as far as they are known."""
        parameters = head.function.parameters
        if SPLAT in site.words:
            return True
        if len(site.words) > len(parameters) and not any(map(is_rest, parameters)):
            return False
        return all(self._may_be(file, site, index, head, type_) for type_, index in given_to(parameters, site))

    def _may_be(self, file: str, site: CallSite, index: int, head: Signature, type_: TypeExpression) -> bool:
        """Whether an argument may be of a type: it is, or one of both is no class of the project."""
        found = self._flow.expression(file, site.scope, site.arguments[index], site.line)
        value = self._values.value_or_self(found) if is_inside(found) else None
        expected = self._types.resolve_type(head.file, head.scope, type_, head.env) if is_instance(value) else None
        if not is_instance(value) or not is_instance(expected):
            return True
        is_class = self._views[expected.file].facts.symbols[expected.symbol].kind is SymbolKind.CLASS
        return not is_class or self._is_a(value, expected)

    def _is_a(self, value: Referent | None, class_: Referent | None) -> bool:
        """Whether a value is an object of a class, or of one below it."""
        if not is_instance(value) or not is_instance(class_):
            return value == class_
        own = (class_.file, class_.symbol)
        return any((base.file, base.symbol) == own for base in self._members.lineage(value))
