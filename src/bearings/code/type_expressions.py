"""Type expressions: the types that annotations name, as TypeScript calls the parts of its types.

    string                  "string"
    Map<string, Cart[]>     TypeReference("Map", ("string", ArrayType("Cart")))
    (a: A) => B             FunctionType((TypedParameter("a", "A"),), "B")

Most types are names with dots between them; these are plain strings.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

TUPLE: Final = "("
"""The start of the name of the type of a tuple whose parts have names: `(key,total`. No class declares it."""


class _Tagged(msgspec.Struct, frozen=True, array_like=True, tag_field="tag", gc=False):
    """The base class of a union's members, which are stored with a number that tells them apart."""


class TypeReference(_Tagged, frozen=True, tag=0):
    """A name with type arguments: `Promise<A>`, `list[A]`."""

    name: str
    arguments: "tuple[TypeExpression, ...]"


class UnionType(_Tagged, frozen=True, tag=1):
    """One of several types, without those that have no objects (ABSENT)."""

    parts: "tuple[TypeExpression, ...]"


class IntersectionType(_Tagged, frozen=True, tag=2):
    """All of several types at once."""

    parts: "tuple[TypeExpression, ...]"


class ArrayType(_Tagged, frozen=True, tag=3):
    """`A[]`; in Go a slice, or an array with the `length` as written."""

    element: "TypeExpression"
    length: str = ""


class TupleType(_Tagged, frozen=True, tag=4):
    """`[A, B]`; a part may be a RestType. In Go several results."""

    parts: "tuple[TypeExpression, ...]"


class RestType(_Tagged, frozen=True, tag=5):
    """`...A` in a tuple."""

    type: "TypeExpression"


class TypedParameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter of a function's type. `rest`: it takes all further arguments, and its type is that of their list.

    `optional`: a call may leave it out. Only languages with declared types record that.
    """

    name: str
    type: "TypeExpression | None" = None
    rest: bool = False
    optional: bool = False


class FunctionType(_Tagged, frozen=True, tag=6):
    """A function, or with `constructs` a constructor.

    `generics` are the type parameters that it declares itself, `limits` the types that constrain them or that they have
    by default, one for each or none at all; `receiver` is the type of `this`.
    """

    parameters: tuple[TypedParameter, ...]
    result: "TypeExpression | None" = None
    generics: tuple[str, ...] = ()
    constructs: bool = False
    limits: "tuple[TypeExpression, ...]" = ()
    receiver: "TypeExpression | None" = None


class TypedMember(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A member of an object type; `[]` is its index signature, and one that can't be named has no name.

    Of a mapped type, `{ [K in keyof T]: V }`, `[in]` is `T[K]`, and `[]` is V; if that is an IndexedType, `[of]` is.
    """

    name: str
    type: "TypeExpression | None" = None


class ObjectType(_Tagged, frozen=True, tag=7):
    """`{ a: A; b(): B }`. Types of one file that are written alike have the same `key`."""

    members: tuple[TypedMember, ...]
    key: int = 0

    def __hash__(self) -> int:
        return hash((len(self.members), self.key))


class TypeQuery(_Tagged, frozen=True, tag=8):
    """`typeof a.b`: the type of a value."""

    name: str


class IndexedType(_Tagged, frozen=True, tag=9):
    """`A["key"]`, `A[0]` or `A[B]`: the type of a property, of an element, or of any (`key` is None)."""

    base: "TypeExpression"
    key: str | int | None = None
    index: "TypeExpression | None" = None


class ImportType(_Tagged, frozen=True, tag=10):
    """`import("module").a.B<C>`, or with `is_value` the type of that value."""

    module: str
    names: tuple[str, ...] = ()
    arguments: "tuple[TypeExpression, ...]" = ()
    is_value: bool = False


class TypePredicate(_Tagged, frozen=True, tag=11):
    """`parameter is A`, the result of a function that tests its argument."""

    parameter: str
    type: "TypeExpression"


class ConditionalType(_Tagged, frozen=True, tag=12):
    """`A extends B ? C : D`. `inferred` are the type parameters that B declares, `A extends Box<infer T> ? T : D`."""

    checked: "TypeExpression"
    extends: "TypeExpression"
    then: "TypeExpression"
    otherwise: "TypeExpression"
    inferred: tuple[str, ...] = ()


class OwnType(_Tagged, frozen=True, tag=13):
    """The class around a method (`is_class`), or an object of it."""

    is_class: bool = False


class OtherType(_Tagged, frozen=True, tag=14):
    """A type that is not followed: a literal, `keyof A`, a mapped type; `parts` are the types in it."""

    parts: "tuple[TypeExpression, ...]" = ()


class LiteralType(_Tagged, frozen=True, tag=20):
    """What an annotation of literals alone says, `kind: "round" | "square"`; a value is as written, in `"`."""

    values: tuple[str, ...]


class PointerType(_Tagged, frozen=True, tag=16):
    """`*A` in Go."""

    target: "TypeExpression"


class MapType(_Tagged, frozen=True, tag=17):
    """`map[A]B` in Go."""

    key: "TypeExpression"
    value: "TypeExpression"


class ChannelType(_Tagged, frozen=True, tag=18):
    """`chan A` in Go, in any direction."""

    element: "TypeExpression"


class Hole(_Tagged, frozen=True, tag=15):
    """The type that a resolver puts in this place."""


class ReturnedType(_Tagged, frozen=True, tag=19):
    """What the function of a `scope` returns, by its return statements; a resolver makes it."""

    scope: int
    is_async: bool = False


TypeExpression = (
    str
    | TypeReference
    | UnionType
    | IntersectionType
    | ArrayType
    | TupleType
    | RestType
    | FunctionType
    | ObjectType
    | TypeQuery
    | IndexedType
    | ImportType
    | TypePredicate
    | ConditionalType
    | OwnType
    | OtherType
    | LiteralType
    | PointerType
    | MapType
    | ChannelType
    | Hole
    | ReturnedType
)
"""A type in the source. A string is a name, or several with dots between them."""

ABSENT: Final = frozenset({"null", "undefined", "None", "void", "never"})
"""Types without objects: in a union, only the other parts count."""
GIVEN: Final = "~.Parameters"
"""The parameters of a function's type, from which one gets a type that is not written at it."""


def union(parts: "list[TypeExpression]") -> "TypeExpression":
    """Return the union of some types; the type itself if only one has objects."""
    flat = dict.fromkeys(each for each in _flattened(parts) if each not in ABSENT)
    if not flat:
        return next(iter(_flattened(parts)), OtherType())
    return next(iter(flat)) if len(flat) == 1 else UnionType(tuple(flat))


def _flattened(parts: "Iterable[TypeExpression]") -> "Iterator[TypeExpression]":
    """Yield the types of which unions are made, however deep, and the other types."""
    for part in parts:
        if isinstance(part, UnionType):
            yield from _flattened(part.parts)
        else:
            yield part


def inner_types(type_: "TypeExpression") -> "Iterator[TypeExpression]":
    """Yield the types of which a type is made."""
    match type_:
        case TypeReference() | ImportType():
            yield from type_.arguments
        case UnionType() | IntersectionType() | TupleType() | OtherType():
            yield from type_.parts
        case ArrayType() | ChannelType():
            yield type_.element
        case PointerType():
            yield type_.target
        case MapType():
            yield from (type_.key, type_.value)
        case RestType() | TypePredicate():
            yield type_.type
        case FunctionType():
            yield from (parameter.type for parameter in type_.parameters if parameter.type is not None)
            yield from (each for each in (type_.result, type_.receiver) if each is not None)
            yield from type_.limits
        case ObjectType():
            yield from (member.type for member in type_.members if member.type is not None)
        case IndexedType():
            yield type_.base
            if type_.index is not None:
                yield type_.index
        case ConditionalType():
            yield from (type_.checked, type_.extends, type_.then, type_.otherwise)


def at_key(type_: "TypeExpression", name: str, key: str) -> "TypeExpression":
    """Return the type of one property of a mapped type: the `key` stands for the type parameter `name`."""

    def all_of(types: "tuple[TypeExpression, ...]") -> "tuple[TypeExpression, ...]":
        return tuple(at_key(each, name, key) for each in types)

    match type_:
        case IndexedType(index=index) if index == name:
            return IndexedType(at_key(type_.base, name, key), key)
        case IndexedType():
            return IndexedType(at_key(type_.base, name, key), type_.key, type_.index)
        case TypeReference():
            return TypeReference(type_.name, all_of(type_.arguments))
        case UnionType():
            return union(list(all_of(type_.parts)))
        case IntersectionType():
            return IntersectionType(all_of(type_.parts))
        case ArrayType():
            return ArrayType(at_key(type_.element, name, key), type_.length)
        case ConditionalType():
            parts = all_of((type_.checked, type_.extends, type_.then, type_.otherwise))
            return ConditionalType(parts[0], parts[1], parts[2], parts[3], type_.inferred)
    return type_


def renamed(type_: "TypeExpression", name: str, to: str) -> "TypeExpression":
    """Return a type that names another type parameter, where it is the type or an argument in it."""

    def all_of(types: "tuple[TypeExpression, ...]") -> "tuple[TypeExpression, ...]":
        return tuple(renamed(each, name, to) for each in types)

    match type_:
        case str():
            return to if type_ == name else type_
        case TypeReference():
            return TypeReference(type_.name, all_of(type_.arguments))
        case UnionType():
            return UnionType(all_of(type_.parts))
        case IntersectionType():
            return IntersectionType(all_of(type_.parts))
        case ArrayType():
            return ArrayType(renamed(type_.element, name, to), type_.length)
        case IndexedType():
            index = renamed(type_.index, name, to) if type_.index is not None else None
            return IndexedType(renamed(type_.base, name, to), type_.key, index)
        case ConditionalType():
            parts = all_of((type_.checked, type_.extends, type_.then, type_.otherwise))
            return ConditionalType(parts[0], parts[1], parts[2], parts[3], type_.inferred)
        case ObjectType():
            types = [renamed(each.type, name, to) if each.type is not None else None for each in type_.members]
            members = (TypedMember(each.name, new) for each, new in zip(type_.members, types, strict=True))
            return ObjectType(tuple(members), type_.key)
    return type_


def type_names(type_: "TypeExpression | None") -> Iterator[str]:
    """Yield the names of types in a type, which may have dots; those of values (TypeQuery) and modules are no types."""
    if isinstance(type_, str):
        yield type_
    elif type_ is not None:
        if isinstance(type_, TypeReference):
            yield type_.name
        for inner in inner_types(type_):
            yield from type_names(inner)


def type_queries(type_: "TypeExpression | None") -> Iterator[str]:
    """Yield the names of values in a type: `typeof value`."""
    if isinstance(type_, TypeQuery):
        yield type_.name
    elif isinstance(type_, IndexedType) and isinstance(type_.base, TypeQuery) and isinstance(type_.key, str):
        yield from (type_.base.name, f"{type_.base.name}.{type_.key}")
    elif type_ is not None and not isinstance(type_, str):
        for inner in inner_types(type_):
            yield from type_queries(inner)


def import_types(type_: "TypeExpression | None") -> Iterator[ImportType]:
    """Yield the types of modules in a type: `import("module").Type`."""
    if isinstance(type_, ImportType):
        yield type_
    if type_ is not None and not isinstance(type_, str):
        for inner in inner_types(type_):
            yield from import_types(inner)


def type_words(type_: "TypeExpression | None") -> Iterator[str]:
    """Yield every name that may be looked up to follow a type: of types, values, members."""
    match type_:
        case None:
            return
        case str():
            yield type_
            return
        case TypeReference() | TypeQuery():
            yield type_.name
        case ImportType():
            yield from type_.names
        case IndexedType() if isinstance(type_.key, str):
            yield type_.key
        case ObjectType():
            yield from (member.name for member in type_.members)
    for inner in inner_types(type_):
        yield from type_words(inner)
