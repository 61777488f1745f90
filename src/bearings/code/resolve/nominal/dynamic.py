"""Evaluates expressions in a language whose classes may have members that no source declares.

$cart->total()     one method of a name: the class's own, of what it mixes in, of the classes above; unknown if none is
                   found, because traits, magic methods and bound functions give others
$cart->magic       a comment may declare it; a property without a type has the one of the first value assigned to it
total($cart)       a function: of the package, then of none
make(Cart::class)  of a function from outside that is known to give an object of the class it is given
"""

from collections.abc import Sequence
from typing import Final

from bearings.code.expressions import Expression, Step, Typed, last_name, receiver
from bearings.code.file_facts import Binding, CallSite
from bearings.code.models import Confidence, EdgeKind, SymbolKind
from bearings.code.resolve.nominal.classes import CALLED
from bearings.code.resolve.nominal.evaluate import OUTSIDE, Evaluator
from bearings.code.resolve.nominal.members import Member
from bearings.code.resolve.nominal.overloads import Called
from bearings.code.resolve.nominal.types import MOST_PARTS, Type, either, substituted
from bearings.code.type_expressions import ImportType, OwnType

_CLASS: Final = "@class"
"""See NominalRules.results."""


class Dynamic(Evaluator):
    """See the module. Names of classes are whole, and a name alone is a variable or a function."""

    def _name(
        self, file: str, scope: int, name: str, steps: Sequence[Step], line: int
    ) -> tuple[Type | None, Sequence[Step]]:
        if name in ("this", "super"):
            return self.this(file, scope), steps
        known = self.named_value(file, scope, name, line)
        return (self._row(file, known) if known is not None else None), steps

    def named_value(self, file: str, scope: int, name: str, line: int) -> Binding | None:
        """See Evaluator: a local."""
        view = self.view(file)
        rows = (view.local(current, name, line) for current in self._scopes(file, scope))
        return next((row for row in rows if row is not None), None)

    def field_type(self, field: Member) -> Type | None:
        """See Evaluator; without a type, the type of what is assigned to it."""
        owner, index = field
        facts = self.view(owner.file).facts
        shape = facts.shapes[index]
        if shape.type is not None or shape.value is None:
            return super().field_type(field)
        line = facts.symbols[index].line
        return self.answers.answer("assigned", self.value, owner.file, shape.scope, shape.value, line)

    def _step(self, type_: Type | None, step: Step) -> Type | None:
        type_ = self.bound(type_)
        if type_ is None or not isinstance(step, str) or not type_.is_inside:
            return super()._step(type_, step)
        field = self.field(type_, step)
        return self.field_type(field) if field is not None else self._commented(type_, f"this.{step}")

    def _commented(self, type_: Type, name: str) -> Type | None:
        """The type of a member that a class or one above it declares in a comment alone: see FileClasses.declared."""
        for each in self.supers(type_):
            row = self.view(each.file).declared(each.scope, name) if each.is_inside else None
            if row is not None:
                if isinstance(row.type, OwnType):
                    return type_
                return substituted(self.resolved(each.file, each.scope, row.type), self.arguments_of(each))
        return None

    # Results of calls

    def _result(self, file: str, number: int) -> Type | None:
        site = self.view(file).facts.sites[number]
        called, name = self.call(file, number), last_name(site.callee)
        if called.methods:
            return either(self._returned(file, site, each, called.receiver) for each in called.methods)
        found = self._commented(called.receiver, f"{name}()") if called.receiver is not None else None
        if found is not None:
            return found
        if self.rules.results.get(name) == _CLASS:
            return self._from_arguments(file, site, _CLASS)
        return self._outside_result(file, site, called) if called.is_outside else None

    def _returned(self, file: str, site: CallSite, member: Member, object_: Type | None = None) -> Type | None:
        owner, index = member
        shape = self.view(owner.file).facts.shapes[index]
        result = shape.head.result if shape.head is not None else None
        if isinstance(result, OwnType):
            return object_ or self.this(file, site.scope)
        return super()._returned(file, site, member) if result is not None else self._given(owner, shape.inner, object_)

    def _given(self, owner: Type, scope: int, object_: Type | None) -> Type | None:
        """The type of what a function without a type for its result returns."""
        returned = self.view(owner.file).returns.get(scope, ())[:MOST_PARTS]
        if object_ is not None and any(row.value == "this" for row in returned):
            return object_
        return self.answers.answer("returned", self._returned_in, owner.file, scope, deeper=True)

    def _returned_in(self, file: str, scope: int) -> Type | None:
        rows = self.view(file).returns.get(scope, ())[:MOST_PARTS]
        return either([self.value(file, row.within, row.value, row.line) for row in rows])

    def _of_object(self, known: str, owner: Type | None) -> Type | None:
        if not known:
            return None
        if known == "@last" and (owner is None or self._container(owner) is None):
            return owner.element() if owner is not None else None
        return super()._of_object(known, owner)

    # Calls

    def _call(self, file: str, number: int) -> Called:
        site = self.view(file).facts.sites[number]
        name, left = last_name(site.callee), receiver(site.callee)
        if site.kind is EdgeKind.NEW:
            return super()._call(file, number)
        if left is None:
            return self._of_packages(file, name, (self.view(file).package_at(site.scope), ""))
        if type(left) is Typed and isinstance(left.type, ImportType):
            return self._of_packages(file, name, (left.type.module,))
        if left == "super":
            return self._picked(file, site, self._methods(self._above(file, site.scope), name), None)
        return self._on_object(file, site, left, name)

    def _on_object(self, file: str, site: CallSite, left: Expression, name: str) -> Called:
        """The call of a method of a value, or of a class."""
        type_ = self.bound(self.value(file, site.scope, left, site.line))
        if type_ is None:
            return Called()
        if not type_.others:
            return self._picked(file, site, self.methods(type_, name), type_)
        types = (type_._replace(others=()), *type_.others)
        found = tuple(dict.fromkeys(one for each in types for one in self.methods(each, name)))
        confidence = Confidence.STRONG if len(found) > 1 else Confidence.EXACT
        return Called(found, confidence=confidence, receiver=types[0])

    def _above(self, file: str, scope: int) -> Sequence[Type]:
        """The classes above the one around a scope, without what it mixes in itself."""
        own = self.this(file, scope) or OUTSIDE
        mixed = [self.resolved(file, own.scope, each) for each in self.view(file).mixins(own.scope)]
        return [each for each in self.supers(own)[1:] if each not in mixed]

    def _of_packages(self, file: str, name: str, packages: Sequence[str]) -> Called:
        """The call of the function of a name in the first of some packages that has it."""
        for package in packages:
            found = self.function(file, f"{package}.{name}" if package else name)
            if found is not None:
                path, index = found
                return Called((Member(Type("", path, 0), index),))
        return Called(is_outside=True)

    def _methods(self, types: Sequence[Type], name: str) -> Sequence[Member]:
        return next((methods for each in types if (methods := self._method(each, name))), ())

    def _method(self, type_: Type, name: str) -> Sequence[Member]:
        """The one method of a name that a class declares, or chooses of what it mixes in."""
        methods = tuple(self._members((type_,), name, CALLED))[:1]
        row = self.view(type_.file).declared(type_.scope, f"{name}()") if type_.is_inside and not methods else None
        if row is None or row.value is None:
            return methods
        owner = self.value(type_.file, type_.scope, receiver(row.value), row.line)
        return self.methods(owner, last_name(row.value)) if owner is not None else ()

    def _picked(self, file: str, site: CallSite, members: Sequence[Member], type_: Type | None) -> Called:
        del file, site
        is_outside = type_ is None or any(not each.file for each in self.supers(type_)) or self._is_enum(type_)
        return Called(tuple(members[:1]), is_outside and not members, receiver=type_)

    def _is_enum(self, type_: Type) -> bool:
        """Whether a type is an enumeration, which has methods of the language."""
        view = self.view(type_.file) if type_.is_inside else None
        index = view.bodies.get(type_.scope) if view is not None else None
        return view is not None and index is not None and view.facts.symbols[index].kind is SymbolKind.ENUM
