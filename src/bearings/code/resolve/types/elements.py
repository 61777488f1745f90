"""Elements of containers, members of object types, and results of library methods."""

from bearings.code.expressions import Item, Take
from bearings.code.resolve.parts import ALL, NONE, SOME, UNTESTED, ElementsPart
from bearings.code.resolve.referents import BUILTIN, MAPPED, NESTED, OWN, Env, Referent, ReferentKind, depth_of, out_of
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
        """What a step takes from a referent."""
        if referent.kind == ReferentKind.OUTSIDE:
            return out_of(referent)
        if (
            step == _ANY
            and referent.kind == ReferentKind.SYMBOL
            and self._views[referent.where].semantics.classes_take_arguments
        ):
            return referent if self._members.is_class(referent) else None
        if step.take is Take.CAUGHT:
            return referent._replace(kind=ReferentKind.INSTANCE) if referent.kind == ReferentKind.SYMBOL else None
        if step.take is Take.FIELDS:
            return self._fields(referent)
        if step.take is Take.AWAITED:
            return self._values.awaited(referent)
        if referent.kind == ReferentKind.INSTANCE and step.take in _ENTERED:
            return self._entered(referent, _ENTERED[step.take])
        if referent.kind == ReferentKind.INSTANCE:
            return self._element_of_object(referent, step)
        if referent.kind != ReferentKind.OBJECT:
            return None
        type_ = referent.type
        match type_:
            case ArrayType():
                return self._types.part(referent, type_.element)
            case UnionType() | IntersectionType() if self._memo.enter():
                parts = (self._types.part(referent, part) for part in type_.parts)
                found = (self.element(part, step) for part in parts if part is not None)
                first = next((element for element in found if element is not None), None)
                self._memo.leave()
                return first
            case ObjectType() if step.take is not Take.EACH:
                return self._types.part(referent, _member(type_, "[]"))
            case TupleType():
                return self._element_of_tuple(referent, type_.parts, step)
            case TypeReference() if type_.name in _TUPLES:
                return self._element_of_tuple(referent, type_.arguments, step)
            case TypeReference():
                return self._element_of_name(referent, type_, step)
        return None

    def _fields(self, referent: Referent) -> Referent | None:
        """An object whose fields are what its class is called with: a class without a constructor of its own."""
        constructor = self._members.member(referent, "__init__") if referent.kind == ReferentKind.INSTANCE else None
        is_own = constructor is not None and constructor.kind == ReferentKind.SYMBOL
        return None if is_own or referent.kind != ReferentKind.INSTANCE else referent

    def _entered(self, referent: Referent, name: str) -> Referent | None:
        """The value that `with` binds: the result of the object's entering method."""
        method = self._members.member(referent, name)
        is_own = method is not None and method.kind == ReferentKind.SYMBOL
        return self._values.awaited(self._calls.called(method, referent)) if is_own else None

    def _element_of_tuple(self, referent: Referent, parts: tuple[TypeExpression, ...], step: Item) -> Referent | None:
        position = step.index
        if parts[1:] == ("...",):
            return self._types.part(referent, parts[0])
        if 0 <= position < len(parts):
            part = parts[position]
            if not isinstance(part, RestType):
                return self._types.part(referent, part)
        if position >= 0 or not parts:
            return None
        any_of = tuple(dict.fromkeys(IndexedType(part.type) if isinstance(part, RestType) else part for part in parts))
        return self._types.part(referent, any_of[0] if len(any_of) == 1 else UnionType(any_of))

    def _element_of_name(self, referent: Referent, type_: TypeReference, step: Item) -> Referent | None:
        name, given = type_.name.rpartition(".")[2], type_.arguments
        if name in SEQUENCES and given:
            return self._types.part(referent, given[0])
        if name in ("Parameters", "ConstructorParameters") and step.index >= 0:
            function = self._types.part(referent, given[0])
            return self._signatures.parameter_of(function, step.index) if function is not None else None
        if name in MAPS and len(given) == 2:
            if step.take is not Take.EACH:
                return self._types.part(referent, given[1])
            if self._views[referent.where].semantics.maps_give_keys:
                return self._types.part(referent, given[0])
            return referent._replace(type=TupleType(given)) if name != "Record" else None
        return None

    def _element_of_object(self, referent: Referent, step: Item) -> Referent | None:
        view = self._views[referent.where]
        if view.semantics.has_special_methods:
            method = "__iter__" if step.take is Take.EACH else "__getitem__"
            given = self._calls.called(self._members.member(referent, method), referent)
            if step.take is Take.EACH and given is not None and given != referent and self._memo.enter():
                given = self.element(given, _EACH)
                self._memo.leave()
            return given
        for owner in self._members.lineage(referent) if step.take is not Take.EACH else ():
            inner = self._views[owner.where].facts.shapes[owner.symbol].inner if owner.kind in OWN else -1
            for row in self._views[owner.where].rows_of(inner, "[]") if inner >= 0 else ():
                return self._types.type(owner.where, inner, row.type, owner.env)
        return None

    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """A member of an OBJECT: of the parts of its type, or by the language's rules."""
        type_ = referent.type
        if isinstance(type_, (UnionType, IntersectionType)):
            return self._member_of_parts(referent, type_, name)
        if isinstance(type_, ObjectType):
            member = _member(type_, name)
            if member is None:
                keys, value = _member(type_, "[in]"), _member(type_, "[]") or _member(type_, "[of]")
                return self.of_mapped(referent.where, referent.symbol, referent.env, keys, value, name)
            return self._declared(referent, type_, name) or self._types.part(referent, member)
        if isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in PROMISES:
            return BUILTIN if name in _SETTLED else None
        if isinstance(type_, TypeReference) and type_.name == "Record" and len(type_.arguments) == 2:
            return self._types.part(referent, type_.arguments[1])
        return BUILTIN if name in LIBRARY else None

    def of_mapped(
        self, file: str, scope: int, env: Env, keys: TypeExpression | None, value: TypeExpression | None, name: str
    ) -> Referent | None:
        """A property of a mapped type: the one of the type of its `keys`, which holds what the mapped type says."""
        source = self._types.type(file, scope, keys.base, env) if isinstance(keys, IndexedType) else None
        found = self._members.member(source, name) if source is not None else None
        if found is None or found.kind != ReferentKind.SYMBOL or not isinstance(keys, IndexedType) or value == keys:
            return found
        parameter = keys.index if isinstance(keys.index, str) else ""
        held = self._types.type(file, scope, at_key(value, parameter, name), env) if value is not None else None
        kept = held if held is not None and depth_of(held) < NESTED else None
        return found._replace(env=(*found.env, (MAPPED, "", kept)))

    def _declared(self, referent: Referent, type_: ObjectType, name: str) -> Referent | None:
        """The symbol of an object type's member, if exactly one such type declares it."""
        symbol = self._views[referent.where].member_of_type(referent.symbol, type_.key, name)
        return Referent(ReferentKind.SYMBOL, referent.where, symbol, "", referent.env) if symbol >= 0 else None

    def _member_of_parts(self, referent: Referent, type_: UnionType | IntersectionType, name: str) -> Referent | None:
        """The member in the first part that has one of the project; else the library's."""
        outside = None
        if name in _EVERYWHERE and isinstance(type_, UnionType):
            return None
        for each in type_.parts:
            part = self._types.part(referent, each)
            found = self._members.member(part, name) if part is not None else None
            if found is not None and found.kind != ReferentKind.OUTSIDE:
                return found
            outside = outside or found
        return outside

    def alternatives(self, owner: Referent, name: str) -> tuple[list[Referent], int]:
        """The members of this name in the parts of a union or an intersection, and which of them are meant.

        Those of an intersection all are; those of a union are if every part has one, unless a test narrows the value.
        A mapped type over a union is a union of mapped types.
        """
        held = self._values.held(owner)
        if held.kind != ReferentKind.OBJECT and held.kind != ReferentKind.INSTANCE:
            return [], NONE
        is_made = held.kind == ReferentKind.INSTANCE or type(held.type) is ObjectType
        keys = self._keys(held) if is_made else None
        if keys is not None and self._memo.enter():
            inside = self.alternatives(keys, name)
            self._memo.leave()
            return inside
        is_union = type(held.type) is UnionType
        if is_made or not (is_union or type(held.type) is IntersectionType) or not self._memo.enter():
            return [], NONE
        found: list[Referent] = []
        unsure: list[Referent] = []
        all_have_it, meant_inside = True, UNTESTED
        for part in [self._types.part(held, each) for each in _parts(held.type)]:
            member = self._members.member(part, name) if part is not None else None
            inner, meant = self.alternatives(part, name) if part is not None else ([], NONE)
            given = inner or ([member] if member is not None else [])
            all_have_it = all_have_it and meant != SOME and any(one.kind == ReferentKind.SYMBOL for one in given)
            if inner and meant != ALL and not is_union:
                unsure += given
                meant_inside = min(meant, meant_inside)
            else:
                found += given
        self._memo.leave()
        if is_union:
            return found, UNTESTED if all_have_it else SOME
        return (found, ALL) if found else (unsure, meant_inside)

    def _keys(self, held: Referent) -> Referent | None:
        """The type whose keys a mapped type has."""
        if held.kind == ReferentKind.OBJECT and isinstance(held.type, ObjectType):
            keys = _member(held.type, "[in]")
            return self._types.part(held, keys.base) if isinstance(keys, IndexedType) else None
        if held.kind != ReferentKind.INSTANCE or not self._views[held.where].binds("[in]"):
            return None
        scope = self._views[held.where].facts.shapes[held.symbol].inner
        rows = self._views[held.where].rows_of(scope, "[in]")
        keys = next((row.type for row in rows), None)
        return self._types.type(held.where, scope, keys.base, held.env) if isinstance(keys, IndexedType) else None

    def library_result(self, owner: Referent, name: str) -> Referent | None:
        """The result of a container's method."""
        kind, given = _container(owner.type)
        if kind in PROMISES:
            return owner if name in ("catch", "finally") else None
        if kind in MAPS and len(given) == 2:
            key, value = given
            if name in ("get", "pop", "setdefault"):
                return self._types.part(owner, value)
            view = self._views[owner.where].semantics.map_views.get(name)
            return owner._replace(type=view(key, value)) if view is not None else None
        if name in SAME:
            return owner
        return self.element(owner, _ANY) if name in ELEMENT else None

    def library_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """The argument that a container's method passes to the function that it takes."""
        kind, given = _container(owner.type)
        if kind in PROMISES:
            return self._values.awaited(owner) if name == "then" and position == 0 else None
        if kind in MAPS and name == "forEach" and len(given) == 2:
            return self._types.part(owner, given[1]) if position == 0 else None
        return self.element(owner, _ANY) if position in CALLBACKS.get(name, ()) else None

    def library_argument(self, owner: Referent, name: str, argument: int) -> Referent | None:
        """What a container's method expects as an argument."""
        kind, given = _container(owner.type)
        if kind in MAPS and len(given) == 2:
            return self._types.part(owner, given[1]) if (name, argument) == ("set", 1) else None
        is_element = name in TAKING and TAKING[name] in (None, argument)
        return self.element(owner, _ANY) if is_element and kind not in PROMISES else None


def _parts(type_: TypeExpression) -> tuple[TypeExpression, ...]:
    """The parts of a union or an intersection."""
    return type_.parts if isinstance(type_, (UnionType, IntersectionType)) else ()


def _container(type_: TypeExpression) -> tuple[str, tuple[TypeExpression, ...]]:
    """The name of a container's type, without the modules before it, and its arguments."""
    return (type_.name.rpartition(".")[2], type_.arguments) if isinstance(type_, TypeReference) else ("", ())


def _member(type_: ObjectType, name: str) -> TypeExpression | None:
    """The type of an object type's member; of several with the name, the last one's."""
    return next((member.type for member in reversed(type_.members) if member.name == name), None)
