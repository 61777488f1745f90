"""Tests that narrow a value: `instanceof`, functions with a predicate type, and members that tell a union apart.

if (shape instanceof Circle) shape.radius         a Circle
if (isCircle(shape)) shape.radius                 a Circle, by the result type of `isCircle`: `shape is Circle`
if (shape.kind === "circle") shape.radius         a part of the union `Circle | Square` whose `kind` may be "circle"
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
        """The referent of a value on lines where tests hold: of the tested type, or its own if that says more."""
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
        current = self._values.value_or_self(known) if known is not None else None
        if current is None:
            return tested
        test_says_less = current.kind == SYMBOL and tested.kind == OUTSIDE
        return known if test_says_less or self._extends(current, tested) else tested

    def _narrowed(self, value: Referent, tests: tuple[Discriminant, ...]) -> Referent | None:
        """An object with only those parts of its union for which a test may hold; None if there is no such part."""
        if value.kind != OBJECT or not isinstance(value.type, UnionType):
            return value if any(self._may_hold(value, test) for test in tests) else None
        cached = self._answers.ask(("narrowed", value, tests), deeper=True)
        if cached is not None:
            return value if cached is TOO_DEEP else cached.value
        types: list[TypeExpression] = []
        remaining: Referent | None = None
        for type_ in value.type.parts:
            part = self._types.resolve_part(value, type_)
            narrowed = self._narrowed(self._values.value_or_self(part), tests) if part is not None else None
            if narrowed is not None or part is None:
                types.append(type_)
                remaining = narrowed
        if len(types) > 1:
            remaining = value if len(types) == len(value.type.parts) else value._replace(type=UnionType(tuple(types)))
        self._answers.close(remaining)
        self._answers.leave()
        return remaining

    def _may_hold(self, value: Referent, test: Discriminant) -> bool:
        """Whether a member of an object may have a value that the test allows, by the member's type."""
        literals = self._literals(value, test.member)
        if test.others:  # `shape.kind !== "circle"`
            return not literals or not set(literals) <= set(test.values)
        forms = {_form(literal) for literal in (*literals, *test.values)}
        return not literals or len(forms) > 1 or not set(literals).isdisjoint(test.values)

    def _literals(self, value: Referent, name: str) -> tuple[str, ...]:
        """The literals of a member's type: `"circle"` of `kind: "circle"`; empty if it is no type of literals."""
        type_: TypeExpression | None = None
        if value.kind == OBJECT and isinstance(value.type, IntersectionType):
            parts = (self._types.resolve_part(value, part) for part in value.type.parts)
            return next(filter(None, (self._literals(part, name) for part in parts if part is not None)), ())
        if value.kind == OBJECT and isinstance(value.type, ObjectType):
            type_ = next((member.type for member in value.type.members if member.name == name), None)
        elif value.kind == INSTANCE:
            member = self._members.member(value, name)
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

    def _extends(self, value: Referent, tested: Referent) -> bool:
        """Whether a value is an object of the tested class or interface, or of one that extends it."""
        if value.kind != INSTANCE or tested.kind != INSTANCE:
            return False
        lineage = (here for here in self._members.lineage(value) if has_symbol(here))
        return any((here.file, here.symbol) == (tested.file, tested.symbol) for here in lineage)


def _form(value: str) -> str:
    """The form of a literal: text, a member of an enum, or another one. Literals of different forms may be equal."""
    return '"' if value[0] == '"' else "." if value[0].isalpha() and "." in value else ""
