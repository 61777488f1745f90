"""Elements of containers, members of object types, and results of library methods.

for cart in carts: …               an element of a `list[Cart]`; of an object, by `__iter__`
const [first, ...rest] = pair      the parts of a tuple
with open_cart() as cart: …        what the object's `__enter__` gives
shape.area()                       of `shape: Circle | Square`, the members of both parts
carts.get(id)                      the value of a `Map<string, Cart>`
"""

from bearings.code.expressions import Item, Take
from bearings.code.resolve.parts import ALL, NONE, SOME, UNTESTED, ElementsPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    as_kind,
    has_symbol,
    is_inside,
    is_symbol,
    symbol_at,
    taken_from_library,
    unless_too_deep,
    with_mapped_value,
)
from bearings.code.resolve.types.builtin_types import (
    CALLBACKS,
    ELEMENT,
    LIBRARY,
    MAPS,
    PROMISES,
    SAME,
    SEQUENCES,
    TAKING,
)
from bearings.code.type_expressions import (
    ArrayType,
    IndexedType,
    IntersectionType,
    ObjectType,
    RestType,
    TupleType,
    TypeExpression,
    TypeReference,
    UnionType,
    at_key,
)

_EVERYWHERE = frozenset({"toString", "toLocaleString", "valueOf", "hasOwnProperty"})
"""Methods of values of any type: in a union they do not tell which part is meant."""
_SETTLED = frozenset({"then", "catch", "finally"})

_ENTERED = {Take.ENTERED: "__enter__", Take.ENTERED_ASYNC: "__aenter__"}
_TUPLES = frozenset({"tuple", "Tuple", "t.Tuple", "typing.Tuple"})
_ANY = Item(Take.ELEMENT)
_EACH = Item(Take.EACH)


class Elements(ElementsPart):
    """Elements of containers, members of types, and what methods of containers take and give."""

    def element(self, referent: Referent, step: Item) -> Referent | None:
        """See ElementsPart."""
        if referent.kind == OUTSIDE:
            return taken_from_library(referent)
        if step == _ANY and referent.kind == SYMBOL and self._views[referent.file].semantics.classes_take_arguments:
            return referent if self._members.is_class(referent) else None
        if step.take is Take.CAUGHT:  # `except Failed as error`
            return as_kind(referent, INSTANCE) if referent.kind == SYMBOL else None
        if step.take is Take.FIELDS:  # `case Cart(total)`: what the class is called with, if it has no constructor
            if referent.kind != INSTANCE or is_symbol(self._members.member(referent, "__init__")):
                return None
            return referent
        if step.take is Take.AWAITED:
            return self._values.awaited(referent)
        if referent.kind == INSTANCE and step.take in _ENTERED:
            method = self._members.member(referent, _ENTERED[step.take])
            return self._values.awaited(self._calls.call_result(method, referent)) if is_symbol(method) else None
        if referent.kind == INSTANCE:
            return self._element_of_object(referent, step)
        if referent.kind != OBJECT:
            return None
        type_ = referent.type
        match type_:
            case ArrayType():
                return self._types.resolve_part(referent, type_.element)
            case UnionType() | IntersectionType() if self._answers.enter():
                parts = (self._types.resolve_part(referent, part) for part in type_.parts)
                elements = (self.element(part, step) for part in parts if part is not None)
                first = next((element for element in elements if element is not None), None)
                self._answers.leave()
                return first
            case ObjectType() if step.take is not Take.EACH:
                return self._types.resolve_part(referent, _member(type_, "[]"))
            case TupleType():
                return self._element_of_tuple(referent, type_.parts, step)
            case TypeReference() if type_.name in _TUPLES:
                return self._element_of_tuple(referent, type_.arguments, step)
            case TypeReference():
                return self._element_of_name(referent, type_, step)
        return None

    def _element_of_tuple(self, referent: Referent, parts: tuple[TypeExpression, ...], step: Item) -> Referent | None:
        position = step.index
        if parts[1:] == ("...",):  # `tuple[Cart, ...]`
            return self._types.resolve_part(referent, parts[0])
        if 0 <= position < len(parts):
            part = parts[position]
            if not isinstance(part, RestType):
                return self._types.resolve_part(referent, part)
        if position >= 0 or not parts:
            return None
        any_of = tuple(dict.fromkeys(IndexedType(part.type) if isinstance(part, RestType) else part for part in parts))
        return self._types.resolve_part(referent, any_of[0] if len(any_of) == 1 else UnionType(any_of))

    def _element_of_name(self, referent: Referent, type_: TypeReference, step: Item) -> Referent | None:
        """An element of a container that a library or the language names."""
        name, given = type_.name.rpartition(".")[2], type_.arguments
        if name in SEQUENCES and given:
            return self._types.resolve_part(referent, given[0])
        if name in ("Parameters", "ConstructorParameters") and step.index >= 0:
            function = self._types.resolve_part(referent, given[0])
            return self._signatures.parameter_type(function, step.index) if function is not None else None
        if name in MAPS and len(given) == 2:
            if step.take is not Take.EACH:
                return self._types.resolve_part(referent, given[1])
            if self._views[referent.file].semantics.maps_give_keys:
                return self._types.resolve_part(referent, given[0])
            return referent._replace(type=TupleType(given)) if name != "Record" else None
        return None

    def _element_of_object(self, referent: Referent, step: Item) -> Referent | None:
        view = self._views[referent.file]
        if view.semantics.has_special_methods:
            method = "__iter__" if step.take is Take.EACH else "__getitem__"
            given = self._calls.call_result(self._members.member(referent, method), referent)
            if step.take is Take.EACH and given is not None and given != referent and self._answers.enter():
                given = self.element(given, _EACH)
                self._answers.leave()
            return given
        for owner in self._members.lineage(referent) if step.take is not Take.EACH else ():
            inner = self._views[owner.file].facts.shapes[owner.symbol].inner if has_symbol(owner) else -1
            for row in self._views[owner.file].rows_of(inner, "[]") if inner >= 0 else ():
                return self._types.resolve_type(owner.file, inner, row.type, owner.env)
        return None

    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """See ElementsPart."""
        type_ = referent.type
        if isinstance(
            type_, (UnionType, IntersectionType)
        ):  # the first part's that is of the project; else a library's
            outside = None
            for each in type_.parts if name not in _EVERYWHERE or isinstance(type_, IntersectionType) else ():
                member = self._members.member(self._types.resolve_part(referent, each), name)
                if is_inside(member):
                    return member
                outside = outside or member
            return outside
        if isinstance(type_, ObjectType):
            declared = _member(type_, name)
            if declared is None:
                keys, value = _member(type_, "[in]"), _member(type_, "[]") or _member(type_, "[of]")
                return self.mapped_property(referent.file, referent.scope, referent.env, keys, value, name)
            symbol = self._views[referent.file].member_of_type(referent.scope, type_.key, name)
            if symbol >= 0:
                return symbol_at(referent.file, symbol, referent.env)
            return self._types.resolve_part(referent, declared)
        if isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in PROMISES:
            return BUILTIN if name in _SETTLED else None
        if isinstance(type_, TypeReference) and type_.name == "Record" and len(type_.arguments) == 2:
            return self._types.resolve_part(referent, type_.arguments[1])
        return BUILTIN if name in LIBRARY else None

    def mapped_property(
        self, file: str, scope: int, env: Env, keys: TypeExpression | None, value: TypeExpression | None, name: str
    ) -> Referent | None:
        """See ElementsPart. Of `{ [K in keyof T]: Box<T[K]> }` the keys are `keyof T`, the value is `Box<T[K]>`."""
        if not isinstance(keys, IndexedType):
            return None
        member = self._members.member(self._types.resolve_type(file, scope, keys.base, env), name)
        if not is_symbol(member) or value == keys:
            return member
        parameter = keys.index if isinstance(keys.index, str) else ""
        held = self._types.resolve_type(file, scope, at_key(value, parameter, name), env) if value is not None else None
        return with_mapped_value(member, unless_too_deep(held))

    def alternatives(self, owner: Referent, name: str) -> tuple[list[Referent], int]:
        """The members of this name in the parts of a union or an intersection, and which of them are meant.

        Those of an intersection all are; those of a union are if every part has one, unless a test narrows the value.
        A mapped type over a union is a union of mapped types.
        """
        held = self._values.value_or_self(owner)
        if held.kind != OBJECT and held.kind != INSTANCE:
            return [], NONE
        is_made = held.kind == INSTANCE or type(held.type) is ObjectType
        keys = self._keys(held) if is_made else None
        if keys is not None and self._answers.enter():
            inside = self.alternatives(keys, name)
            self._answers.leave()
            return inside
        if is_made or not isinstance(held.type, (UnionType, IntersectionType)) or not self._answers.enter():
            return [], NONE
        is_union = type(held.type) is UnionType
        members: list[Referent] = []
        unsure: list[Referent] = []
        """Of unions inside an intersection: they count if nothing else in it has the member."""
        all_have_it, meant_inside = True, UNTESTED
        for part in [self._types.resolve_part(held, each) for each in held.type.parts]:
            member = self._members.member(part, name)
            inner, meant = self.alternatives(part, name) if part is not None else ([], NONE)
            given = inner or ([member] if member is not None else [])
            all_have_it = all_have_it and meant != SOME and any(one.kind == SYMBOL for one in given)
            if inner and meant != ALL and not is_union:
                unsure += given
                meant_inside = min(meant, meant_inside)
            else:
                members += given
        self._answers.leave()
        if is_union:
            return members, UNTESTED if all_have_it else SOME
        return (members, ALL) if members else (unsure, meant_inside)

    def _keys(self, held: Referent) -> Referent | None:
        """The type whose keys a mapped type has."""
        if held.kind == OBJECT and isinstance(held.type, ObjectType):
            keys = _member(held.type, "[in]")
            return self._types.resolve_part(held, keys.base) if isinstance(keys, IndexedType) else None
        view = self._views[held.file]
        if held.kind != INSTANCE or not view.binds("[in]"):
            return None
        scope = view.facts.shapes[held.symbol].inner
        keys = next((row.type for row in view.rows_of(scope, "[in]")), None)
        return (
            self._types.resolve_type(held.file, scope, keys.base, held.env) if isinstance(keys, IndexedType) else None
        )

    def method_result(self, owner: Referent, name: str) -> Referent | None:
        """See ElementsPart."""
        kind, given = _container(owner.type)
        if kind in PROMISES:
            return owner if name in ("catch", "finally") else None
        if kind in MAPS and len(given) == 2:
            key, value = given
            if name in ("get", "pop", "setdefault"):
                return self._types.resolve_part(owner, value)
            type_of = self._views[owner.file].semantics.map_views.get(name)
            return owner._replace(type=type_of(key, value)) if type_of is not None else None
        if name in SAME:
            return owner
        return self.element(owner, _ANY) if name in ELEMENT else None

    def callback_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """See ElementsPart: `carts.forEach((cart) => …)`."""
        kind, given = _container(owner.type)
        if kind in PROMISES:
            return self._values.awaited(owner) if name == "then" and position == 0 else None
        if kind in MAPS and name == "forEach" and len(given) == 2:
            return self._types.resolve_part(owner, given[1]) if position == 0 else None
        return self.element(owner, _ANY) if position in CALLBACKS.get(name, ()) else None

    def expected_argument(self, owner: Referent, name: str, argument: int) -> Referent | None:
        """See ElementsPart: `carts.push({ … })`."""
        kind, given = _container(owner.type)
        if kind in MAPS and len(given) == 2:
            return self._types.resolve_part(owner, given[1]) if (name, argument) == ("set", 1) else None
        is_element = name in TAKING and TAKING[name] in (None, argument)
        return self.element(owner, _ANY) if is_element and kind not in PROMISES else None


def _container(type_: TypeExpression) -> tuple[str, tuple[TypeExpression, ...]]:
    """The name of a container's type, without the modules before it, and its arguments."""
    return (type_.name.rpartition(".")[2], type_.arguments) if isinstance(type_, TypeReference) else ("", ())


def _member(type_: ObjectType, name: str) -> TypeExpression | None:
    """The type of an object type's member; of several with the name, the last one's."""
    return next((member.type for member in reversed(type_.members) if member.name == name), None)
