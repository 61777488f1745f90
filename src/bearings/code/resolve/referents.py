"""Functions that make referents, test their kind, and read and write the special rows of their environments.

symbol_at("cart.ts", 3)        the declaration of Cart
instance_of("cart.ts", 3)      `new Cart()`
object_of("cart.ts", 0, ArrayType("Cart"))      `carts: Cart[]`, whose names are looked up in the file's top scope
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeGuard

from bearings.code.models import SymbolKind
from bearings.code.resolve.referent import (
    INSTANCE,
    LITERAL,
    MODULE,
    OBJECT,
    OUTSIDE,
    PACKAGE,
    SYMBOL,
    Env,
    EnvRow,
    Referent,
)
from bearings.code.type_expressions import TypeExpression, UnionType

_new: Final[Callable[[type[Referent], tuple[int, str, int, TypeExpression, Env, tuple[str, ...]]], Referent]] = (
    tuple.__new__
)
"""Makes a tuple without NamedTuple's own constructor, which is a Python function."""

# The scopes of rows in an environment that no scope of a file declares.
_HOLE_SCOPE: Final = -1
"""The row has the referent that a Hole in a type stands for; `_HOLE_NAME` is its name."""
INLINE: Final = -2
"""The row has a type parameter that a function's type declares itself: `<T>(item: T) => T`."""
_HELD_SCOPE: Final = -3
"""The row has an object that a library's object may hold: the Session of `LRUCache<string, Session>`."""
_DESCRIPTOR_SCOPE: Final = -4
"""The row has the object through which a class's attribute is read, for the attribute's `__get__`."""
_MAPPED_SCOPE: Final = -5
"""The row has the value of a property of a mapped type."""
_HOLE_NAME: Final = "$"
"""The name of the row for a Hole: no type parameter has it."""

_NO_SYMBOL: Final = -1
"""The `symbol` of referents without one; of an OUTSIDE referent, it is the library's object itself."""
_FROM_LIBRARY_OBJECT: Final = 0
"""The `symbol` of an OUTSIDE referent that is a member, an element or a result of a library's object."""

NESTED: Final = 5
"""Arguments are kept if their types are nested less deep than this: a recursive type would grow without an end."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""
CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
"""Symbols that are functions."""
HOLDERS: Final = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
"""Symbols that hold a value: a call of one calls a function that it holds, which may be any."""

MOST_BASES = 200
"""The most that `most_bases` returns."""

EXTERNAL = Referent(OUTSIDE, "external")
"""A library, or something of one."""
BUILTIN = Referent(OUTSIDE, "builtin")
"""Something that the language provides."""
MISSING = Referent(OUTSIDE, "unresolved")
"""A module that an import names, that should be in the project, and that does not exist there."""
UNRESOLVED = MISSING
"""An unknown referent inside the project. It equals MISSING: the names only tell readers which is meant."""


def symbol_at(file: str, symbol: int, env: Env = ()) -> Referent:
    """A declaration, by its index among the file's symbols."""
    return _new(Referent, (SYMBOL, file, symbol, "", env, ()))


def instance_of(file: str, symbol: int, env: Env = ()) -> Referent:
    """An object of the class, interface or alias with this index."""
    return _new(Referent, (INSTANCE, file, symbol, "", env, ()))


def of_kind(kind: int, file: str, symbol: int, env: Env = ()) -> Referent:
    """A SYMBOL, or an INSTANCE of it."""
    return _new(Referent, (kind, file, symbol, "", env, ()))


def module_at(file: str, files: tuple[str, ...] = ()) -> Referent:
    """A file as a module; `files` as in Referent."""
    return _new(Referent, (MODULE, file, _NO_SYMBOL, "", (), files))


def package_at(folder: str, files: tuple[str, ...] = ()) -> Referent:
    """A folder as a package; `files` as in Referent."""
    return _new(Referent, (PACKAGE, folder, _NO_SYMBOL, "", (), files))


def object_of(file: str, scope: int, type_: TypeExpression, env: Env = ()) -> Referent:
    """An object of a type without a symbol, whose names are looked up in a scope of the file."""
    return _new(Referent, (OBJECT, file, scope, type_, env, ()))


def one_or_union(referents: Sequence[Referent]) -> Referent | None:
    """The only one of some objects, or an object of the union of their types; None for none."""
    first = next(iter(referents), None)
    rows = {f"~{place}": unless_too_deep(each) for place, each in enumerate(dict.fromkeys(referents))}
    if first is None or len(rows) == 1 or any(each.kind == OUTSIDE for each in referents):
        return first
    return object_of(first.file, 0, UnionType(tuple(rows)), tuple((INLINE, *row) for row in rows.items()))


def literal_in(file: str, scope: int) -> Referent:
    """The object literal whose properties are bound in a scope."""
    return _new(Referent, (LITERAL, file, scope, "", (), ()))


def as_kind(referent: Referent, kind: int) -> Referent:
    """The referent with `kind` SYMBOL or INSTANCE instead of its own: from Cart to `new Cart()`, or back."""
    if referent.kind == kind:
        return referent
    return _new(Referent, (kind, referent.file, referent.symbol, referent.type, referent.env, ()))


def is_symbol(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is a declaration; False for None."""
    return referent is not None and referent.kind == SYMBOL


def is_instance(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is an object of a class or interface of the project; False for None."""
    return referent is not None and referent.kind == INSTANCE


def is_module(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is a file; False for None."""
    return referent is not None and referent.kind == MODULE


def is_package(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is a folder; False for None."""
    return referent is not None and referent.kind == PACKAGE


def is_object(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is an object of a type without a symbol; False for None."""
    return referent is not None and referent.kind == OBJECT


def is_outside(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is of the language or a library, or missing in the project; False for None."""
    return referent is not None and referent.kind == OUTSIDE


def is_inside(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is of the project; False for None."""
    return referent is not None and referent.kind != OUTSIDE


def has_symbol(referent: Referent) -> bool:
    """Whether a referent is a declaration or an object of one, so that its `symbol` indexes symbols."""
    return referent.kind <= INSTANCE


def is_target(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether an edge may lead to a referent: a declaration, an object of one, or a file."""
    return referent is not None and referent.kind <= MODULE


def is_builtin(referent: Referent) -> bool:
    """Whether a referent belongs to the language, whatever objects it may hold."""
    return referent.kind == OUTSIDE and referent.file == BUILTIN.file


def most_bases(symbols: int) -> int:
    """The most bases of one class, indirect ones included, to look at in a file with `symbols` symbols.

    Real classes have a few dozen. The more symbols a file has, the fewer bases are looked at for each.
    """
    return max(30, min(MOST_BASES, 500_000 // symbols))


def depth_of(referent: Referent) -> int:
    """The depth of types within the type of a referent: 3 for `A<B<C>>`."""
    return 1 + max((depth_of(inner) for _, _, inner in referent.env if inner is not None), default=0)


def unless_too_deep(referent: Referent | None) -> Referent | None:
    """A type argument, or None if it is unknown or nested too deep to be kept."""
    return referent if referent is not None and depth_of(referent) < NESTED else None


# The special rows of environments.


def hole_env(referent: Referent) -> Env:
    """The environment of a type with a Hole that stands for `referent`: the elements of `Array<Hole>`."""
    return ((_HOLE_SCOPE, _HOLE_NAME, referent),)


def is_hole_row(row: EnvRow) -> bool:
    """Whether a row has the referent that a Hole stands for."""
    return row[1] == _HOLE_NAME


def with_held_objects(referent: Referent, name: str, objects: Iterable[Referent]) -> Referent:
    """An object of a library's generic type `name`, with the objects of the project that it may hold.

    `new LRUCache<string, Session>()` is OUTSIDE, and may hold a Session.
    """
    return referent._replace(env=tuple([(_HELD_SCOPE, name, held) for held in objects]))


def taken_from_library(referent: Referent) -> Referent:
    """The referent of a member, an element or a result of an OUTSIDE referent; OUTSIDE as well.

    It may be one of the objects that the library's object holds, if any: `sessions` holds a Session,
    `sessions.get(id)` may be one.
    """
    is_holder = bool(referent.env) and referent.symbol < 0
    return referent._replace(symbol=_FROM_LIBRARY_OBJECT) if is_holder else referent


def possible_objects(referent: Referent) -> list[Referent]:
    """The objects of the project that a referent may be, because a library's object that holds them gave it.

    Empty for the library's object itself: `sessions` is no Session.
    """
    if referent.symbol < 0:
        return []
    return [held for _, _, held in referent.env if held is not None]


def holder_name(referent: Referent) -> str:
    """The name of the library's type that holds the `possible_objects`: `LRUCache`."""
    return referent.env[0][1]


def descriptor_row(owner: Referent) -> EnvRow:
    """The row to add for a class's attribute that is read through `owner`: `owner.attribute` may be a descriptor.

    It is the last row of the attribute's environment.
    """
    return (_DESCRIPTOR_SCOPE, "", of_kind(owner.kind, owner.file, owner.symbol))


def descriptor_owner(referent: Referent) -> Referent | None:
    """The object, or the class, through which a class's attribute is read that is made by a call; else None."""
    return referent.env[-1][2] if referent.env and referent.env[-1][0] == _DESCRIPTOR_SCOPE else None


def with_mapped_value(referent: Referent, value: Referent | None) -> Referent:
    """A property with the value that a mapped type gives it: `{ [K in keyof T]: Box<T[K]> }`; None if unknown."""
    return referent._replace(env=(*referent.env, (_MAPPED_SCOPE, "", value)))


def is_mapped(referent: Referent) -> bool:
    """Whether a mapped type gives a property its value."""
    return bool(referent.env) and referent.env[-1][0] == _MAPPED_SCOPE


def mapped_value(referent: Referent) -> Referent | None:
    """The value that a mapped type gives a property; None if unknown. The referent must be `is_mapped`."""
    return referent.env[-1][2]
