"""The members of classes: fields and methods, those above included, and what a function of a type takes and gives."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from bearings.code.file_facts import Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.nominal.classes import METHODS, Head
from bearings.code.resolve.nominal.names import TypeNames
from bearings.code.resolve.nominal.types import Type, substituted
from bearings.code.resolve.referents import HOLDERS

MOST_OVERLOADS = 200
"""Overloads of a name to choose from by types; a call of one of more is left to a guess by name."""


class Member(NamedTuple):
    """A member of a class: the class, with its arguments, and the index of its symbol in the file of the class."""

    owner: Type
    symbol: int


class Members(TypeNames):
    """The members of the classes of one set of facts."""

    def field(self, type_: Type, name: str) -> Member | None:
        """The field of a class, or of one above it."""
        view = self.view(type_.file) if type_.is_inside else None
        for index in view.members.get((type_.scope, name), ()) if view is not None else ():
            if view is not None and view.facts.symbols[index].kind in HOLDERS:
                return Member(type_, index)
        return self.answers.answer("field", self._field, type_, name)

    def _field(self, type_: Type, name: str) -> Member | None:
        return next(self._members(self.supers(type_), name, HOLDERS), None)

    def _members(self, types: Sequence[Type], name: str, kinds: Collection[SymbolKind]) -> Iterator[Member]:
        """The members of a name and of some kinds in each of some classes."""
        for each in types:
            if each.is_inside:
                view = self.view(each.file)
                for index in view.members.get((each.scope, name), ()):
                    if view.facts.symbols[index].kind in kinds:
                        yield Member(each, index)

    def is_static(self, type_: Type, name: str) -> bool:
        """Whether a class itself, and not its objects, has a member of a name."""
        field = self.field(type_, name)
        for owner, index in (field,) if field is not None else self.methods(type_, name):
            view = self.view(owner.file)
            symbol, shape = view.facts.symbols[index], view.facts.shapes[index]
            body = view.bodies.get(owner.scope)
            is_enum = body is not None and view.facts.symbols[body].kind is SymbolKind.ENUM
            return is_enum or symbol.kind is SymbolKind.CONSTANT or bool(shape.traits & Trait.STATIC)
        return self.inner_type(type_, name) is not None

    def field_type(self, field: Member) -> Type | None:
        """The type of a field."""
        owner, index = field
        shape = self.view(owner.file).facts.shapes[index]
        return substituted(self.resolved(owner.file, shape.scope, shape.type), self.arguments_of(owner))

    def _component(self, type_: Type | None, name: str) -> Member | None:
        """The component of a record that a method of its name reads."""
        field = self.field(type_, name) if type_ is not None else None
        if field is None or not self.view(field.owner.file).facts.shapes[field.symbol].traits & Trait.ACCESSOR:
            return None
        return field

    def methods(self, type_: Type, name: str) -> Sequence[Member]:
        """The methods of a name in a class and those above it, without those that an earlier one overrides."""
        return self.answers.answer("methods", self._methods_of, type_, name) or ()

    def _methods_of(self, type_: Type, name: str) -> Sequence[Member]:
        return self._methods(self.supers(type_), name)

    def _methods(self, types: Sequence[Type], name: str) -> Sequence[Member]:
        found: list[Member] = []
        for owner in types:
            own = []
            for member in self._members((owner,), name, METHODS):
                traits = self.view(owner.file).facts.shapes[member.symbol].traits
                is_hidden = traits & Trait.EXPLICIT or (traits & Trait.PRIVATE and not self._is_part(owner, types[0]))
                if not is_hidden and not any(self._overrides(other, member) for other in found):
                    own.append(member)
                if len(own) > MOST_OVERLOADS:
                    break
            found += own
            if len(found) > MOST_OVERLOADS:
                break
        return tuple(found)

    def _is_part(self, one: Type, other: Type) -> bool:
        """Whether two types are of the same class, which may be declared in parts."""
        counts = {len(self.view(each.file).generics.get(each.scope, ())) for each in (one, other) if each.is_inside}
        return one.name == other.name and len(counts) == 1

    def _overrides(self, one: Member, other: Member) -> bool:
        mine, others = self.parameters(one), self.parameters(other)
        return len(mine) == len(others) and all(
            left is None or right is None or right.is_variable or left.is_variable or left.erased == right.erased
            for left, right in zip(mine, others, strict=True)
        )

    def parameters(self, member: Member) -> Sequence[Type | None]:
        """The types of the parameters of a method."""
        owner, index = member
        types = self.answers.answer("parameters", self._parameters, owner.file, index) or ()
        arguments = self.arguments_of(owner)
        return [substituted(each, arguments) for each in types] if arguments else types

    def _parameters(self, file: str, index: int) -> Sequence[Type | None]:
        shape = self.view(file).facts.shapes[index]
        given = shape.head.parameters if shape.head is not None else ()
        return tuple(self.resolved(file, shape.inner, each.type) for each in given)

    def _inner(self, member: Member) -> int:
        """The scope of a method."""
        return self.view(member.owner.file).facts.shapes[member.symbol].inner

    def _takes_more(self, member: Member) -> bool:
        """Whether the last parameter of a method takes all further arguments."""
        head = self._head(member)
        return head is not None and head.takes_more

    def _head(self, member: Member) -> Head | None:
        return self.view(member.owner.file).head(member.symbol)

    def _container(self, type_: Type) -> Type | None:
        """The class from outside with arguments that a type is, or that is above it."""
        return next((each for each in self.supers(type_) if not each.file and each.arguments), None)

    def _function_of(self, type_: Type) -> Member | None:
        """The one method without a body of an interface."""
        for each in self.supers(type_):
            view = self.view(each.file) if each.is_inside else None
            whole = view.bodies.get(each.scope) if view is not None else None
            if view is not None and whole is not None and view.facts.shapes[whole].head is not None:
                return Member(each, whole)  # the type of functions
            for index in view.of_class(each.scope) if view is not None else ():
                symbol, shape = (view.facts.symbols[index], view.facts.shapes[index]) if view else (None, None)
                is_method = symbol is not None and symbol.kind is SymbolKind.METHOD
                if is_method and shape is not None and shape.traits & Trait.ABSTRACT:
                    return Member(each, index)
        return None

    def _parameter_of(self, type_: Type | None, position: int) -> Type | None:
        """What a function of a type takes as a parameter."""
        type_ = self._unwrapped(type_)
        if type_ is None:
            return None
        if type_.is_inside:
            method = self._function_of(type_)
            types = self.parameters(method) if method is not None else []
            return types[position] if position < len(types) else None
        return type_.arguments[min(position, len(type_.arguments) - 1)] if type_.arguments else None

    def _unwrapped(self, type_: Type | None) -> Type | None:
        """The type of a function, without the class from outside that takes it."""
        type_ = self.bound(type_)
        is_wrapper = type_ is not None and not type_.file and type_.name in self.rules.wrappers
        return type_.arguments[0] if is_wrapper and type_ is not None and type_.arguments else type_

    def _given_back(self, type_: Type) -> Type | None:
        """What a function of a type gives back."""
        found = self._unwrapped(type_)
        if found is None or not found.is_inside:
            return found.arguments[-1] if found is not None and found.arguments else None
        method = self._function_of(found)
        head = self.view(method.owner.file).facts.shapes[method.symbol].head if method is not None else None
        if method is None or head is None:
            return None
        inner = self.view(method.owner.file).facts.shapes[method.symbol].inner
        return substituted(self.resolved(method.owner.file, inner, head.result), self.arguments_of(method.owner))
