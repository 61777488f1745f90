"""Elements of containers, members of object types, and results of library methods.

for cart in carts: …               an element of `carts: list[Cart]`; of another object, by its `__iter__`
const [first, ...rest] = pair      the parts of a tuple
with open_cart() as cart: …        the result of the object's `__enter__`
shape.area()                       the members of both parts of `shape: Circle | Square`
carts.get(id)                      a value of `carts: Map<string, Cart>`
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from bearings.code.expressions import Item, Take, last_name
from bearings.code.installed import is_installed
from bearings.code.resolve.parts import ALL, NONE, SOME, UNTESTED, ElementsPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    as_kind,
    has_symbol,
    hole_env,
    is_inside,
    is_instance,
    is_module,
    is_object,
    is_outside,
    is_symbol,
    object_of,
    one_or_union,
    symbol_at,
    taken_from_library,
    unless_too_deep,
    with_mapped_value,
)
from bearings.code.resolve.rules.library_table import MARK
from bearings.code.resolve.types.builtin_types import (
    CALLBACKS,
    ELEMENT,
    ITERATED,
    LIBRARY,
    MAPS,
    NUMBERED,
    PROMISES,
    SAME,
    SEQUENCES,
    TAKING,
)
from bearings.code.resolve.types.conditions import with_own_names
from bearings.code.type_expressions import (
    ABSENT,
    ArrayType,
    IndexedType,
    IntersectionType,
    LiteralType,
    ObjectType,
    OtherType,
    RestType,
    TupleType,
    TypeExpression,
    TypeReference,
    UnionType,
    at_key,
)

_METHODS_OF_ALL = frozenset({"toString", "toLocaleString", "valueOf", "hasOwnProperty"})
"""Methods of values of any type: in a union they do not tell which part is meant."""
_PROMISE_METHODS = frozenset({"then", "catch", "finally"})

_ENTERED = {Take.ENTERED: "__enter__", Take.ENTERED_ASYNC: "__aenter__"}
_TUPLES = frozenset({"tuple", "Tuple", "t.Tuple", "typing.Tuple", "~builtins.tuple"})
_TEXTS = re.compile(r"""["'](\w+)["']""")
_NO_PLACE = re.compile(r":\s*[\"']?(?:\w+\.)?ClassVar\b|\b(?:init\s*=\s*False|kw_only\s*=\s*True)\b")
"""Fields of a data class that its `__match_args__` leave out."""
_HOLDING: Final[dict[str, TypeExpression]] = {"entries": NUMBERED, "next": ITERATED}
"""Methods of sequences whose result holds an element."""
_KEYED = "TypedDict"
_ANY = Item(Take.ELEMENT)
_EACH = Item(Take.EACH)


class Elements(ElementsPart):
    """Elements of containers, members of types, and the arguments and results of containers' methods."""

    def element(self, referent: Referent, step: Item) -> Referent | None:
        """See ElementsPart."""
        if referent.kind == OUTSIDE:
            return taken_from_library(referent)
        is_class = referent.kind == SYMBOL and step.take in (Take.ELEMENT, Take.EACH)
        if is_class and self._views[referent.file].is_enumeration(referent.symbol):
            return as_kind(referent, INSTANCE)
        # `Box[Cart]` is the class Box.
        if (
            step.take is Take.ELEMENT
            and step.index < 0
            and referent.kind == SYMBOL
            and self._views[referent.file].semantics.classes_take_arguments
        ):
            return referent if self._members.is_class(referent) else None
        if step.take is Take.CAUGHT:  # `except Failed as error`
            return as_kind(referent, INSTANCE) if referent.kind == SYMBOL else None
        if step.take is Take.FIELDS and step.index >= 0:  # `case Cart(total)`
            return self._matched_field(referent, step.index)
        if step.take is Take.FIELDS and step.key:  # `film["title"]`, of a class that declares its keys
            detail = self._views[referent.file].facts.symbols[referent.symbol].detail if is_instance(referent) else None
            return referent if detail is not None and detail.by == _KEYED else None
        if step.take is Take.FIELDS:  # `Cart(total=3)`: the object's fields, unless a constructor may rearrange them
            made = self._members.member(referent, "__init__") if referent.kind == INSTANCE else referent
            return None if is_symbol(made) and not is_installed(made.file) else referent
        if step.take is Take.SAME:  # `carts[1:]`, `carts * 2`
            if referent.kind == INSTANCE:
                return self._calls.call_result(self._members.member(referent, step.key), referent)
            return referent if referent.kind == OBJECT and not _has_places(referent.type) else None
        if step.take is Take.AWAITED:
            return self._values.awaited(referent)
        if referent.kind == INSTANCE and step.take in _ENTERED:  # `with open_cart() as cart`
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
                elements = [self.element(part, step) for part in parts if part is not None]
                self._answers.leave()
                return one_or_union([element for element in elements if element is not None])
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
        """The element of a tuple at the step's index, or an object of the union of its parts if that is unknown."""
        position = step.index
        if parts[1:] == ("...",):  # `tuple[Cart, ...]`
            return self._types.resolve_part(referent, parts[0])
        if step.take is Take.EACH and position >= 0:  # `first, *rest = pair`
            rest = set(parts[position:])
            return self._types.resolve_part(referent, rest.pop()) if len(rest) == 1 else None
        if position < -1 and not any(isinstance(part, RestType) for part in parts):
            position += len(parts) + 1
        if 0 <= position < len(parts):
            part = parts[position]
            if not isinstance(part, RestType):
                return self._types.resolve_part(referent, part)
        if position >= 0 or not parts:
            return None
        # `[A, ...B[]]`: A or an element of `B[]`.
        types = tuple(dict.fromkeys(IndexedType(part.type) if isinstance(part, RestType) else part for part in parts))
        return self._types.resolve_part(referent, types[0] if len(types) == 1 else UnionType(types))

    def _element_of_name(self, referent: Referent, type_: TypeReference, step: Item) -> Referent | None:
        """An element of a container of a named type: `Array<Cart>`, `dict[str, Cart]`, `Parameters<typeof load>`."""
        name, arguments = _container(type_)
        if name in SEQUENCES and arguments:
            return self._types.resolve_part(referent, arguments[0])
        if name in ("Parameters", "ConstructorParameters") and step.index >= 0:
            function = self._types.resolve_part(referent, arguments[0])
            return self._signatures.parameter_type(function, step.index) if function is not None else None
        if name in MAPS and len(arguments) == 2:
            if step.take is not Take.EACH:  # `carts[id]`
                return self._types.resolve_part(referent, arguments[1])
            if self._views[referent.file].semantics.maps_give_keys:  # `for id in carts`
                return self._types.resolve_part(referent, arguments[0])
            return referent._replace(type=TupleType(arguments)) if name != "Record" else None
        return self._library.taken(referent, step)

    def _element_of_object(self, referent: Referent, step: Item) -> Referent | None:
        """An element of an INSTANCE: by `__iter__` and `__getitem__`, or an index signature, `[id: string]: Cart`."""
        view = self._views[referent.file]
        if view.semantics.has_special_methods:
            method = "__iter__" if step.take is Take.EACH else "__getitem__"
            member = self._members.member(referent, method)
            if is_outside(member) and (taken := self._library.taken(referent, step)) is not None:
                return taken
            result = self._calls.call_result(member, referent)
            if step.take is Take.EACH and result is not None and result != referent and self._answers.enter():
                result = self.element(result, _EACH)
                self._answers.leave()
            return (
                result
                if result is None or is_inside(result) or step.index < 0 or step.take is Take.EACH
                else self._field(referent, step.index) or result
            )
        if step.take is Take.EACH:
            result = self._calls.call_result(self._members.member(referent, "[Symbol.iterator]"), referent)
            return self.element(result, _EACH) if is_inside(result) and result.kind == OBJECT else None
        for owner in self._members.lineage(referent):
            inner = self._views[owner.file].facts.shapes[owner.symbol].inner if has_symbol(owner) else -1
            row = next(iter(self._views[owner.file].rows_of(inner, "[]")), None) if inner >= 0 else None
            if row is not None:
                return self._types.resolve_type(owner.file, inner, row.type, owner.env)
        return None

    def _matched_field(self, referent: Referent, place: int) -> Referent | None:
        """The field at a place of a class's `__match_args__`, else of its declared fields, those of bases first."""
        if referent.kind != INSTANCE:
            return None
        listed = self._members.member(referent, "__match_args__")
        if is_symbol(listed) and not is_installed(listed.file):  # which only declares that there are some
            names = _TEXTS.findall(self._views[listed.file].facts.symbols[listed.symbol].signature)
            return self._members.member(referent, names[place]) if place < len(names) else None
        fields: dict[str, None] = {}
        for owner in reversed(list(self._members.lineage(referent))):
            if not has_symbol(owner):
                continue
            view = self._views[owner.file]
            for row in sorted(row for rows in view.members(owner.symbol).values() for row in rows):
                symbol, type_ = view.facts.symbols[row], view.facts.shapes[row].type
                if type(type_) is str and last_name(type_) == "KW_ONLY":
                    break
                if type_ is not None and not _NO_PLACE.search(symbol.signature):
                    fields[symbol.name] = None
        name = next(islice(fields, place, None), None)
        return self._members.member(referent, name) if name is not None else None

    def _field(self, referent: Referent, place: int) -> Referent | None:
        """The field of a named tuple at a place; None for another object."""
        for owner in self._members.lineage(referent) if place >= 0 else ():
            view = self._views[owner.file] if has_symbol(owner) else None
            if view is None or not any(
                last_name(base.value) == "NamedTuple" for base in view.facts.shapes[owner.symbol].bases
            ):
                continue
            rows = [row for rows in view.members(owner.symbol).values() for row in rows]
            fields = [row for row in sorted(rows) if view.facts.shapes[row].type is not None]
            return symbol_at(owner.file, fields[place], owner.env) if place < len(fields) else None
        return None

    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """See ElementsPart."""
        type_ = referent.type
        # The first member of a part that is of the project counts, else the first one of a library.
        if isinstance(type_, (UnionType, IntersectionType)):
            if name in _METHODS_OF_ALL and not isinstance(type_, IntersectionType):
                return None
            outside = absent = found = None
            is_undecided = OtherType() in type_.parts  # of `T extends string ? Circle : Square`, one part counts
            parts: Iterable[Referent | None]
            parts = (self._types.resolve_part(referent, part) for part in _parts_with(name, type_))
            if is_undecided and (parts := list(parts)).count(None) == len(parts) - 1 > 1:
                return None  # nothing is known of the other branch
            for part in parts:
                member = self._members.member(part, name)
                if is_symbol(member) and self._views[member.file].facts.shapes[member.symbol].type in ABSENT:
                    absent = absent or member  # `error?: never`, where another part has an error
                elif is_inside(member) and not is_installed(member.file) and not isinstance(member.type, LiteralType):
                    if not is_undecided:
                        return member
                    if found is not None and self._is_function(member) and found[:3] != member[:3]:
                        return None
                    found = found or member
                outside = outside or member  # also `"round"` of a type without a name
            return found or absent or outside
        if isinstance(type_, LiteralType):
            return BUILTIN
        if isinstance(type_, ObjectType):
            declared = _member(type_, name)
            if declared is None:
                keys, value = _member(type_, "[in]"), _member(type_, "[]") or _member(type_, "[of]")
                mapped = self.mapped_property(referent.file, referent.scope, referent.env, keys, value, name)
                return mapped or (self._types.resolve_part(referent, _member(type_, "[]")) if keys is None else None)
            symbol = self._views[referent.file].member_of_type(referent.scope, type_.key, name)
            if symbol >= 0:
                return symbol_at(referent.file, symbol, with_own_names(referent.env))
            return self._types.resolve_part(referent, declared)
        if isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in PROMISES and type_.name[:1] != MARK:
            if name in _PROMISE_METHODS:
                return BUILTIN
            awaited = self._values.awaited(referent)  # the type `import("./cart").Cart` awaits nothing
            return self._members.member(awaited, name) if is_module(awaited) else None
        if isinstance(type_, TypeReference) and type_.name == "Record" and len(type_.arguments) == 2:
            return self._types.resolve_part(referent, type_.arguments[1])
        known = self._library.member(referent, name) or (BUILTIN if name in LIBRARY else None)
        return known or self._members.added(referent.file, _container(type_)[0] or "Array", name)

    def _is_function(self, member: Referent) -> bool:
        return is_symbol(member) and self._views[member.file].facts.symbols[member.symbol].kind in CALLABLE

    def mapped_property(
        self, file: str, scope: int, env: Env, keys: TypeExpression | None, value: TypeExpression | None, name: str
    ) -> Referent | None:
        """See ElementsPart. The keys of `{ [K in keyof T]: Box<T[K]> }` are `keyof T`, the value is `Box<T[K]>`."""
        if not isinstance(keys, IndexedType):
            return None
        member = self._members.member(self._types.resolve_type(file, scope, keys.base, env), name)
        if not is_symbol(member) or value == keys:
            return member
        parameter = keys.index if isinstance(keys.index, str) else ""  # `K`
        type_ = at_key(value, parameter, name) if value is not None else None
        return with_mapped_value(member, unless_too_deep(self._types.resolve_type(file, scope, type_, env)))

    def alternatives(self, owner: Referent, name: str) -> tuple[list[Referent], int]:
        """The members of this name in the parts of a union or an intersection, and how many are meant: see `ALL`.

        All members of an intersection are meant; those of a union, if every part has one and no test narrows the value.
        A mapped type over a union is a union of mapped types.
        """
        value = self._values.value_or_self(owner)
        if value.kind != OBJECT and value.kind != INSTANCE:
            return [], NONE
        may_be_mapped = value.kind == INSTANCE or type(value.type) is ObjectType
        source = self._source_of_mapped_type(value) if may_be_mapped else None
        if source is not None and self._answers.enter():
            alternatives = self.alternatives(source, name)
            self._answers.leave()
            return alternatives
        if may_be_mapped or not isinstance(value.type, (UnionType, IntersectionType)):
            return [], NONE
        cached = self._answers.ask(("alternatives", value, name), deeper=True)
        if cached is not None:
            return cached.value or ([], NONE)
        found = self._answers.close(self._members_of_parts(value, _parts_with(name, value.type), name))
        self._answers.leave()
        return found

    def _members_of_parts(
        self, value: Referent, parts: Sequence[TypeExpression], name: str
    ) -> tuple[list[Referent], int]:
        """The members of this name in the parts of a union or an intersection: `alternatives` without the cache."""
        is_union = type(value.type) is UnionType
        members: list[Referent] = []
        unsure: list[Referent] = []
        """Members of unions inside an intersection: they count if nothing else in it has the member."""
        all_have_it, meant_inside = True, UNTESTED
        for part in [self._types.resolve_part(value, type_) for type_ in parts]:
            member = self._members.member(part, name)
            inner, meant = self.alternatives(part, name) if part is not None else ([], NONE)
            members_of_part = inner or ([member] if member is not None else [])
            has_it = any(found.kind == SYMBOL for found in members_of_part)
            all_have_it = all_have_it and meant != SOME and has_it
            if is_union and part is not None and isinstance(part.type, UnionType) and OtherType() in part.type.parts:
                unsure += members_of_part
            elif inner and meant != ALL and not is_union:
                unsure += members_of_part
                meant_inside = min(meant, meant_inside)
            else:
                members += members_of_part
        if is_union:
            return members or unsure, UNTESTED if all_have_it else SOME
        return (members, ALL) if members else (unsure, meant_inside)

    def _source_of_mapped_type(self, value: Referent) -> Referent | None:
        """An object of the type T of a mapped type, `{ [K in keyof T]: … }`; None for another type."""
        if value.kind == OBJECT and isinstance(value.type, ObjectType):
            keys = _member(value.type, "[in]")
            return self._types.resolve_part(value, keys.base) if isinstance(keys, IndexedType) else None
        view = self._views[value.file]
        if value.kind != INSTANCE or not view.binds("[in]"):
            return None
        scope = view.facts.shapes[value.symbol].inner
        keys = next((row.type for row in view.rows_of(scope, "[in]")), None)
        return (
            self._types.resolve_type(value.file, scope, keys.base, value.env) if isinstance(keys, IndexedType) else None
        )

    def method_result(self, owner: Referent, name: str) -> Referent | None:
        """See ElementsPart: `carts.pop()`, `by_id.get(id)`."""
        container, arguments = _container(owner.type)
        if container in PROMISES:
            return owner if name in ("catch", "finally") else None
        if container in MAPS and len(arguments) == 2:
            key, value = arguments
            if name in ("get", "pop", "setdefault"):
                return self._types.resolve_part(owner, value)
            type_of = self._views[owner.file].semantics.map_views.get(name)
            return owner._replace(type=type_of(key, value)) if type_of is not None else None
        if name in SAME:
            return owner
        held = _HOLDING.get(name)
        if held is not None and (element := self.element(owner, _ANY)) is not None:
            return object_of(owner.file, owner.scope, held, hole_env(element))
        if name == "flat" and is_object(element := self.element(owner, _ANY)):
            return element if self.element(element, _ANY) is not None else owner
        return self.element(owner, _ANY) if name in ELEMENT else None

    def callback_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """See ElementsPart: `carts.forEach((cart) => …)`."""
        container, arguments = _container(owner.type)
        if container in PROMISES:
            return self._values.awaited(owner) if name == "then" and position == 0 else None
        if container in MAPS and name == "forEach" and len(arguments) == 2:
            return self._types.resolve_part(owner, arguments[1]) if position == 0 else None
        return self.element(owner, _ANY) if position in CALLBACKS.get(name, ()) else None

    def expected_argument(self, owner: Referent, name: str, argument: int) -> Referent | None:
        """See ElementsPart: `carts.push({ … })`."""
        container, arguments = _container(owner.type)
        if container in MAPS and len(arguments) == 2:
            return self._types.resolve_part(owner, arguments[1]) if (name, argument) == ("set", 1) else None
        is_element = name in TAKING and TAKING[name] in (None, argument)
        return self.element(owner, _ANY) if is_element and container not in PROMISES else None


def _has_places(type_: TypeExpression) -> bool:
    """Whether a type is a tuple whose elements have types of their own, which a slice has at other places."""
    return type(type_) is TupleType or (
        isinstance(type_, TypeReference) and type_.name in _TUPLES and type_.arguments[1:] not in ((), ("...",))
    )


def _container(type_: TypeExpression) -> tuple[str, tuple[TypeExpression, ...]]:
    """The name of a container's type, without the modules before it, and its arguments."""
    return (type_.name.rpartition(".")[2], type_.arguments) if isinstance(type_, TypeReference) else ("", ())


def _parts_with(name: str, type_: UnionType | IntersectionType) -> tuple[TypeExpression, ...]:
    """The parts of a type, without those of an intersection that leave a member out: `Omit<Cart, "total">`."""
    if type(type_) is UnionType:
        return type_.parts
    return tuple(
        part
        for part in type_.parts
        if not (isinstance(part, TypeReference) and part.name == "Omit" and f'"{name}"' in _texts(part.arguments[1:]))
    )


def _texts(types: Sequence[TypeExpression]) -> tuple[str, ...]:
    return types[0].values if types and isinstance(types[0], LiteralType) else ()


def _member(type_: ObjectType, name: str) -> TypeExpression | None:
    """The type of an object type's member; of several with the name, the last one's."""
    return next((member.type for member in reversed(type_.members) if member.name == name), None)
