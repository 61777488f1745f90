"""Tests in code that narrow a value: `instanceof`, and functions with a predicate type."""

from bearings.code.expressions import Discriminant, Predicate, Tested
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referents import OWN, Referent, ReferentKind
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

    def tested(self, file: str, scope: int, value: Tested, line: int) -> Referent | None:
        """The referent of a value where a test holds: the test's type, or the value itself if it says more."""
        known = self._flow.expression(file, scope, value.name, line)
        discriminants = tuple(test for test in value.tests if isinstance(test, Discriminant))
        if discriminants:
            if known is None or len(discriminants) < len(value.tests):
                return known
            return self._narrowed(self._values.held(known), discriminants) or known
        found = [self._type_in(file, scope, test, line) for test in value.tests if not isinstance(test, Discriminant)]
        referent = found[0]
        if referent is None or None in found or isinstance(referent.type, FunctionType):
            return known
        held = self._values.held(known) if known is not None else None
        is_plainer = held is not None and held.kind == ReferentKind.SYMBOL and referent.kind == ReferentKind.OUTSIDE
        return known if held is not None and (is_plainer or self._is_kind_of(held, referent)) else referent

    def _narrowed(self, held: Referent, tests: tuple[Discriminant, ...]) -> Referent | None:
        """An object with only those parts of its union for which a test may hold; None if there is no such part."""
        if held.kind != ReferentKind.OBJECT or not isinstance(held.type, UnionType):
            return held if any(self._may_hold(held, test) for test in tests) else None
        key = ("narrowed", held, tests)
        cached = self._memo.look(key)
        if cached is not None:
            return cached.value
        if not self._memo.enter():
            return held
        self._memo.open(key)
        types: list[TypeExpression] = []
        left: Referent | None = None
        for type_ in held.type.parts:
            part = self._types.part(held, type_)
            found = self._narrowed(self._values.held(part), tests) if part is not None else None
            if found is not None or part is None:
                types.append(type_)
                left = found
        if len(types) > 1:
            left = held if len(types) == len(held.type.parts) else held._replace(type=UnionType(tuple(types)))
        left = self._memo.close(left)
        self._memo.leave()
        return left

    def _may_hold(self, held: Referent, test: Discriminant) -> bool:
        """Whether a member of an object may have a value that the test allows, by the member's type."""
        values = self._literals(held, test.member)
        if test.others:
            return not values or not set(values) <= set(test.values)
        forms = {_form(value) for value in (*values, *test.values)}
        return not values or len(forms) > 1 or not set(values).isdisjoint(test.values)

    def _literals(self, held: Referent, name: str) -> tuple[str, ...]:
        """The values that the type of a member allows; empty if it is no type of literals."""
        type_: TypeExpression | None = None
        if held.kind == ReferentKind.OBJECT and isinstance(held.type, IntersectionType):
            parts = (self._types.part(held, part) for part in held.type.parts)
            return next(filter(None, (self._literals(part, name) for part in parts if part is not None)), ())
        if held.kind == ReferentKind.OBJECT and isinstance(held.type, ObjectType):
            type_ = next((member.type for member in held.type.members if member.name == name), None)
        elif held.kind == ReferentKind.INSTANCE:
            member = self._members.member(held, name)
            if member is not None and member.kind == ReferentKind.SYMBOL:
                type_ = self._views[member.where].facts.shapes[member.symbol].type
        if isinstance(type_, LiteralType):
            return type_.values
        return (type_,) if type(type_) is str and "." in type_ else ()

    def _type_in(self, file: str, scope: int, test: str | Predicate, line: int) -> Referent | None:
        """The type in one test: the class, or the type that a predicate's return type names."""
        if isinstance(test, str):
            referent = self._flow.expression(file, scope, test, line)
            is_class = referent is not None and (
                self._members.is_own_class(referent) or self._calls.constructs(referent)
            )
            return referent._replace(kind=ReferentKind.INSTANCE) if is_class and referent is not None else referent
        referent, _, _ = self._calls.callee(file, test.site)
        return self._signatures.predicated(referent, test.argument) if referent is not None else None

    def _is_kind_of(self, held: Referent, referent: Referent) -> bool:
        """Whether the value is known to be an object of a class or interface, or of one that extends it."""
        if held.kind != ReferentKind.INSTANCE or referent.kind != ReferentKind.INSTANCE:
            return False
        lineage = (here for here in self._members.lineage(held) if here.kind in OWN)
        return any((here.where, here.symbol) == (referent.where, referent.symbol) for here in lineage)


def _form(value: str) -> str:
    """The form of a value: text, a member of an enum, or another literal. Those of two forms may be equal."""
    return '"' if value[0] == '"' else "." if value[0].isalpha() and "." in value else ""
