"""Tests that narrow a value: `instanceof`, functions with a predicate type, and members that tell a union apart.

if (shape instanceof Circle) shape.radius         a Circle
if (isCircle(shape)) shape.radius                 a Circle, by the result type of `isCircle`: `shape is Circle`
if (shape.kind === "circle") shape.radius         a part of the union `Circle | Square` whose `kind` may be "circle"
"""

from bearings.code.expressions import NOTHING, PRESENT, TRUE, Discriminant, Excluded, Predicate, Test, Tested
from bearings.code.resolve.context import TOO_DEEP
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Referent
from bearings.code.resolve.referents import INLINE, as_kind, has_symbol, is_symbol, object_of, unless_too_deep
from bearings.code.type_expressions import (
    ABSENT,
    FunctionType,
    IntersectionType,
    LiteralType,
    ObjectType,
    TypeExpression,
    UnionType,
)

_SEVERAL = 2


class Guards(Part):
    """Values that tests narrow."""

    def narrowed_value(self, file: str, scope: int, value: Tested, line: int) -> Referent | None:
        """The referent of a value on lines where tests hold: of the tested type, or its own if that says more."""
        return self._follow(file, scope, value, line)[0]

    def is_decided(self, file: str, scope: int, value: Tested, line: int) -> bool:
        """Whether all is known that the tests say of a value, so that it may be each of the types that they leave."""
        return self._follow(file, scope, value, line)[1]

    def _follow(self, file: str, scope: int, value: Tested, line: int) -> tuple[Referent | None, bool]:
        known, is_decided = self._flow.expression(file, scope, value.name, line), True
        for tests in (*value.around, value.tests):
            known, decides = self._tested(file, scope, known, tests, line)
            is_decided = is_decided and decides
        return known, is_decided

    def _tested(
        self, file: str, scope: int, known: Referent | None, tests: tuple[Test, ...], line: int
    ) -> tuple[Referent | None, bool]:
        """What one of the tests leaves of a value, and whether that is all that they say."""
        current = self._values.value_or_self(known) if known is not None else None
        discriminants = tuple(test for test in tests if isinstance(test, Discriminant))
        if discriminants:
            if current is None or len(discriminants) < len(tests):
                return known, False
            if current.kind != OBJECT or not isinstance(current.type, (UnionType, IntersectionType)):
                return known, True
            return self._narrowed(current, discriminants) or known, all(self._tells(current, test) for test in tests)
        inner = [test.test if isinstance(test, Excluded) else test for test in tests]
        types = [self._type_in(file, scope, test, line) for test in inner if not isinstance(test, Discriminant)]
        tested = types[0]
        if tested is None or None in types or isinstance(tested.type, FunctionType):
            return known, all(self._is_no_test(file, test) for test in inner)
        is_excluded = any(isinstance(test, Excluded) for test in tests)
        known_types = [type_ for type_ in types if type_ is not None]
        is_union = current is not None and isinstance(current.type, UnionType)
        left = self._left(current, known_types, holds=not is_excluded) if current is not None and is_union else None
        if left is not None and (len(tests) == 1 or not is_excluded):
            return left, True
        if is_excluded or current is None:
            return (known, not is_union) if is_excluded else (tested, True)
        test_says_less = current.kind == SYMBOL and tested.kind == OUTSIDE
        if test_says_less or self._extends(current, tested):
            return known, len(tests) == 1
        return self._both(file, tested, current), len(tests) == 1

    def _both(self, file: str, tested: Referent, value: Referent) -> Referent:
        """An object of a tested type that also is of the value's own type, unless the tested one extends that."""
        rows = [(INLINE, f"~{place}", unless_too_deep(each)) for place, each in enumerate((tested, value))]
        is_known = all(row[2] is not None and row[2].kind in (INSTANCE, OBJECT) for row in rows)
        is_known = is_known and self._views[file].semantics.types_have_names_of_their_own
        if not is_known or self._extends(tested, value):
            return tested
        return object_of(file, 0, IntersectionType(tuple(name for _, name, _ in rows)), tuple(rows))

    def _is_no_test(self, file: str, test: Test) -> bool:
        """Whether a call only looks like a test by its name, `isReady(cart)`, and says nothing of a type."""
        callee = self._calls.callee(file, test.site)[0] if isinstance(test, Predicate) else None
        return is_symbol(callee)

    def _tells(self, value: Referent, test: Test) -> bool:
        """Whether it is known which parts of a union a test of a member leaves."""
        if not isinstance(test, Discriminant) or not test.member:
            return False
        if test.values == PRESENT:
            return True
        parts = [part for part in self._parts(value) if self._members.member(part, test.member) is not None]
        literals = [self._literals(part, test.member) for part in parts]
        is_falsy = test.others if test.values == TRUE else test.values == NOTHING and not test.others
        return not any(literals) or (bool(test.values) and (not is_falsy or all(literals)))

    def _parts(self, value: Referent) -> tuple[Referent, ...]:
        """The objects that a union may be, those of unions in it or in an intersection included; else the value."""
        if value.kind != OBJECT or not isinstance(value.type, (UnionType, IntersectionType)):
            return (value,)
        cached = self._answers.ask(("parts", value), deeper=True)
        if cached is not None:
            return (value,) if cached.value is None else cached.value
        parts = [self._types.resolve_part(value, part) for part in value.type.parts]
        known = [self._values.value_or_self(part) for part in parts if part is not None]
        found: tuple[Referent, ...] = self._answers.close(tuple(inner for part in known for inner in self._parts(part)))
        self._answers.leave()
        return found

    def _left(self, value: Referent, tested: list[Referent], *, holds: bool) -> Referent | None:
        """A union with only the parts that are of one of the tested types, or of none of them; None if none is left."""
        if value.kind != OBJECT or not isinstance(value.type, UnionType) or not self._answers.enter():
            return value if any(self._extends(value, each) for each in tested) == holds else None
        types: list[TypeExpression] = []
        left: Referent | None = None
        for type_ in value.type.parts:
            part = self._types.resolve_part(value, type_)
            inner = self._left(self._values.value_or_self(part), tested, holds=holds) if part is not None else None
            if inner is not None or (part is None and not holds):
                types.append(type_)
                left = inner
        self._answers.leave()
        return left if len(types) < _SEVERAL else value._replace(type=UnionType(tuple(types)))

    def _narrowed(self, value: Referent, tests: tuple[Discriminant, ...]) -> Referent | None:
        """An object with only those parts of its union for which a test may hold; None if there is no such part."""
        if value.kind == OBJECT and isinstance(value.type, IntersectionType) and self._answers.enter():
            narrowed_parts = self._narrowed_intersection(value, value.type.parts, tests)
            self._answers.leave()
            return narrowed_parts
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

    def _narrowed_intersection(
        self, value: Referent, types: tuple[TypeExpression, ...], tests: tuple[Discriminant, ...]
    ) -> Referent | None:
        """An object of an intersection whose unions have only the parts that tests leave; None if one has none."""
        left = list(types)
        for index, type_ in enumerate(types):
            part = self._types.resolve_part(value, type_)
            part = self._values.value_or_self(part) if part is not None else None
            has_member = part is not None and self._members.member(part, tests[0].member) is not None
            narrowed = self._narrowed(part, tests) if part is not None and has_member else part
            if narrowed is None and has_member:
                return None
            if narrowed != part and narrowed is not None and narrowed[:3] == value[:3]:
                left[index] = narrowed.type
        return value if tuple(left) == types else value._replace(type=IntersectionType(tuple(left)))

    def _may_hold(self, value: Referent, test: Discriminant) -> bool:
        """Whether a member of an object may have a value that the test allows, by the member's type."""
        if test.values == PRESENT:
            member = self._members.member(value, test.member)
            if not is_symbol(member) or member.kind != SYMBOL:
                return test.others or member is not None
            return not test.others or "?" in self._views[member.file].facts.symbols[member.symbol].signature
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
        if type_ is None and value.kind in (INSTANCE, OBJECT):
            member = self._members.member(value, name)
            if is_symbol(member):
                known = self._values.value_or_self(member)
                if isinstance(known.type, LiteralType):  # also of an alias, `kind: Kinds`
                    return known.type.values
                type_ = self._views[member.file].facts.shapes[member.symbol].type
        if isinstance(type_, LiteralType):
            return type_.values
        if type_ in ABSENT:  # `error?: never`
            return NOTHING
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
        if len(parts := self._parts(tested)) > 1:
            is_each = isinstance(tested.type, IntersectionType)
            return (all if is_each else any)(self._extends(value, part) for part in parts)
        if value.kind != INSTANCE or tested.kind != INSTANCE:
            return False
        lineage = (here for here in self._members.lineage(value) if has_symbol(here))
        return any((here.file, here.symbol) == (tested.file, tested.symbol) for here in lineage)


def _form(value: str) -> str:
    """The form of a literal: text, a member of an enum, or another one. Literals of different forms may be equal."""
    return '"' if value[0] == '"' else "." if value[0].isalpha() and "." in value else ""
