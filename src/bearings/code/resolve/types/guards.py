"""Tests that narrow a value: `instanceof`, functions with a predicate type, and members that tell a union apart.

if (shape instanceof Circle) shape.radius         a Circle
if (isCircle(shape)) shape.radius                 what `isCircle(one): one is Circle` says
if (shape.kind === "circle") shape.radius         the parts of its union whose `kind` may be "circle"
"""

from bearings.code.expressions import Discriminant, Predicate, Tested
from bearings.code.resolve.context import TOO_DEEP
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Referent
from bearings.code.resolve.referents import as_kind, has_symbol, is_symbol
from bearings.code.type_expressions import (
    FunctionType,
    IntersectionType,
    LiteralType,
    ObjectType,
    TypeExpression,
    UnionType,
)


class Guards(Part):
    """Values that tests narrow."""

    def narrowed_value(self, file: str, scope: int, value: Tested, line: int) -> Referent | None:
        """The referent of a value where a test holds: the test's type, or the value itself if it says more."""
        known = self._flow.expression(file, scope, value.name, line)
        discriminants = tuple(test for test in value.tests if isinstance(test, Discriminant))
        if discriminants:
            if known is None or len(discriminants) < len(value.tests):
                return known
            return self._narrowed(self._values.value_or_self(known), discriminants) or known
        types = [self._type_in(file, scope, test, line) for test in value.tests if not isinstance(test, Discriminant)]
        tested = types[0]
        if tested is None or None in types or isinstance(tested.type, FunctionType):
            return known
        held = self._values.value_or_self(known) if known is not None else None
        if held is None:
            return tested
        is_plainer = held.kind == SYMBOL and tested.kind == OUTSIDE
        return known if is_plainer or self._extends(held, tested) else tested

    def _narrowed(self, held: Referent, tests: tuple[Discriminant, ...]) -> Referent | None:
        """An object with only those parts of its union for which a test may hold; None if there is no such part."""
        if held.kind != OBJECT or not isinstance(held.type, UnionType):
            return held if any(self._may_hold(held, test) for test in tests) else None
        cached = self._answers.ask(("narrowed", held, tests), deeper=True)
        if cached is not None:
            return held if cached is TOO_DEEP else cached.value
        types: list[TypeExpression] = []
        left: Referent | None = None
        for type_ in held.type.parts:
            part = self._types.resolve_part(held, type_)
            narrowed = self._narrowed(self._values.value_or_self(part), tests) if part is not None else None
            if narrowed is not None or part is None:
                types.append(type_)
                left = narrowed
        if len(types) > 1:
            left = held if len(types) == len(held.type.parts) else held._replace(type=UnionType(tuple(types)))
        self._answers.close(left)
        self._answers.leave()
        return left

    def _may_hold(self, held: Referent, test: Discriminant) -> bool:
        """Whether a member of an object may have a value that the test allows, by the member's type."""
        values = self._literals(held, test.member)
        if test.others:  # `!==`
            return not values or not set(values) <= set(test.values)
        forms = {_form(value) for value in (*values, *test.values)}
        return not values or len(forms) > 1 or not set(values).isdisjoint(test.values)

    def _literals(self, held: Referent, name: str) -> tuple[str, ...]:
        """The values that the type of a member allows; empty if it is no type of literals."""
        type_: TypeExpression | None = None
        if held.kind == OBJECT and isinstance(held.type, IntersectionType):
            parts = (self._types.resolve_part(held, part) for part in held.type.parts)
            return next(filter(None, (self._literals(part, name) for part in parts if part is not None)), ())
        if held.kind == OBJECT and isinstance(held.type, ObjectType):
            type_ = next((member.type for member in held.type.members if member.name == name), None)
        elif held.kind == INSTANCE:
            member = self._members.member(held, name)
            if is_symbol(member):
                type_ = self._views[member.file].facts.shapes[member.symbol].type
        if isinstance(type_, LiteralType):
            return type_.values
        return (type_,) if type(type_) is str and "." in type_ else ()  # a member of an enum: `Kind.Circle`

    def _type_in(self, file: str, scope: int, test: str | Predicate, line: int) -> Referent | None:
        """The type in one test: the class, or the type that a predicate's return type names."""
        if isinstance(test, str):
            tested = self._flow.expression(file, scope, test, line)
            if tested is not None and (
                self._members.is_own_class(tested) or self._calls.is_constructor_function(tested)
            ):
                return as_kind(tested, INSTANCE)
            return tested
        predicate, _, _ = self._calls.callee(file, test.site)
        return self._signatures.predicate_type(predicate, test.argument) if predicate is not None else None

    def _extends(self, held: Referent, tested: Referent) -> bool:
        """Whether a value is known to be an object of a class or interface, or of one that extends it."""
        if held.kind != INSTANCE or tested.kind != INSTANCE:
            return False
        lineage = (here for here in self._members.lineage(held) if has_symbol(here))
        return any((here.file, here.symbol) == (tested.file, tested.symbol) for here in lineage)


def _form(value: str) -> str:
    """The form of a value: text, a member of an enum, or another literal. Those of two forms may be equal."""
    return '"' if value[0] == '"' else "." if value[0].isalpha() and "." in value else ""
