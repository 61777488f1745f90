"""Makes referents, tells them apart, and reads what their environments say beside type parameters."""

from collections.abc import Callable, Iterable
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
from bearings.code.type_expressions import TypeExpression

_new: Final[Callable[[type[Referent], tuple[int, str, int, TypeExpression, Env, tuple[str, ...]]], Referent]] = (
    tuple.__new__
)
"""Makes a tuple without NamedTuple's own constructor, which is a Python function."""

INLINE: Final = -2
"""The scope of type parameters that a function's type declares itself: `<T>(one: T) => T`."""
# The scopes of rows in an environment that are no type parameters; the row for a Hole has -1, and its name instead.
_HELD: Final = -3
_READ: Final = -4
_MAPPED: Final = -5
_FILLING: Final = "$"
"""The name of the row for what stands in a Hole."""

NESTED: Final = 4
"""The depth of types within types that are kept as arguments: a recursive type would grow without an end."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""
CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
"""Symbols that are functions."""

MOST_BASES = 200
"""The most that `most_bases` returns."""

EXTERNAL = Referent(OUTSIDE, "external")
"""A library, or something of one."""
BUILTIN = Referent(OUTSIDE, "builtin")
"""Something that the language provides."""
MISSING = Referent(OUTSIDE, "unresolved")
"""A module that the project should have and has not; as the answer to another question see UNRESOLVED, its equal."""
UNRESOLVED = MISSING
"""An unknown referent inside the project."""


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
    return _new(Referent, (MODULE, file, -1, "", (), files))


def package_at(folder: str, files: tuple[str, ...] = ()) -> Referent:
    """A folder as a package; `files` as in Referent."""
    return _new(Referent, (PACKAGE, folder, -1, "", (), files))


def object_of(file: str, scope: int, type_: TypeExpression, env: Env = ()) -> Referent:
    """An object of a type without a symbol, whose names are looked up in a scope of the file."""
    return _new(Referent, (OBJECT, file, scope, type_, env, ()))


def literal_in(file: str, scope: int) -> Referent:
    """The object literal whose properties are bound in a scope."""
    return _new(Referent, (LITERAL, file, scope, "", (), ()))


def as_kind(referent: Referent, kind: int) -> Referent:
    """The class of an INSTANCE, or an object of a SYMBOL."""
    if referent.kind == kind:
        return referent
    return _new(Referent, (kind, referent.file, referent.symbol, referent.type, referent.env, ()))


def is_symbol(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and a declaration."""
    return referent is not None and referent.kind == SYMBOL


def is_instance(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and an object of a class or interface of the project."""
    return referent is not None and referent.kind == INSTANCE


def is_module(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and a file."""
    return referent is not None and referent.kind == MODULE


def is_package(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and a folder."""
    return referent is not None and referent.kind == PACKAGE


def is_object(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and an object of a type without a symbol."""
    return referent is not None and referent.kind == OBJECT


def is_outside(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known not to be of the project, or missing in it."""
    return referent is not None and referent.kind == OUTSIDE


def is_inside(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether a referent is known, and of the project."""
    return referent is not None and referent.kind != OUTSIDE


def has_symbol(referent: Referent) -> bool:
    """Whether a referent is a declaration or an object of one, so that its `symbol` indexes symbols."""
    return referent.kind <= INSTANCE


def is_target(referent: Referent | None) -> TypeGuard[Referent]:
    """Whether an edge may lead to a referent: a declaration, an object of one, or a file."""
    return referent is not None and referent.kind <= MODULE


def is_builtin(referent: Referent) -> bool:
    """Whether a referent belongs to the language, with or without what it may hold."""
    return referent.kind == OUTSIDE and referent.file == BUILTIN.file


def most_bases(symbols: int) -> int:
    """Bases of one class, all in all, to look at in a file of so many symbols: real classes have a few dozen."""
    return max(30, min(MOST_BASES, 500_000 // symbols))


def depth_of(referent: Referent) -> int:
    """The depth of types within the type of a referent: 3 for `A<B<C>>`."""
    return 1 + max((depth_of(inner) for _, _, inner in referent.env if inner is not None), default=0)


def unless_too_deep(referent: Referent | None) -> Referent | None:
    """A type argument, unless it is nested too deep to be kept."""
    return referent if referent is not None and depth_of(referent) < NESTED else None


# What an environment says beside the type parameters of scopes.


def hole_env(referent: Referent) -> Env:
    """The environment of a type with a Hole, which stands for `referent`: the elements of `Array<Hole>`."""
    return ((-1, _FILLING, referent),)


def is_hole_row(row: EnvRow) -> bool:
    """Whether a row says what stands in a Hole."""
    return row[1] == _FILLING


def with_held_objects(referent: Referent, name: str, objects: Iterable[Referent]) -> Referent:
    """An object of a library's generic type `name`, with the objects of the project that it may hold.

    `new LRUCache<string, Session>()` is OUTSIDE, and may hold a Session.
    """
    return referent._replace(env=tuple([(_HELD, name, one) for one in objects]))


def taken_from_library(referent: Referent) -> Referent:
    """What a member or an element of an OUTSIDE referent is: OUTSIDE too, and perhaps what that one holds.

    A `symbol` of 0 instead of -1 marks it: `sessions` (-1) holds a Session, `sessions.get(id)` (0) may be one.
    """
    return referent._replace(symbol=0) if referent.env and referent.symbol < 0 else referent


def possible_objects(referent: Referent) -> list[Referent]:
    """The objects that a referent may be that was taken out of a library's object; none for that object itself."""
    return [held for _, _, held in referent.env if held is not None] if referent.symbol >= 0 else []


def holder_name(referent: Referent) -> str:
    """The name of the library's type that holds what a referent may be."""
    return referent.env[0][1]


def descriptor_row(owner: Referent) -> EnvRow:
    """The last row of a class's attribute that is read through an object: `owner.attribute` may be a descriptor."""
    return (_READ, "", of_kind(owner.kind, owner.file, owner.symbol))


def descriptor_owner(referent: Referent) -> Referent | None:
    """The object through which a class's attribute is read; None if it is read through the class."""
    return referent.env[-1][2] if referent.env and referent.env[-1][0] == _READ else None


def with_mapped_value(referent: Referent, held: Referent | None) -> Referent:
    """A property of which a mapped type says what it holds: `{ [K in keyof T]: Box<T[K]> }`; None if unknown."""
    return referent._replace(env=(*referent.env, (_MAPPED, "", held)))


def is_mapped(referent: Referent) -> bool:
    """Whether a mapped type says what a property holds."""
    return bool(referent.env) and referent.env[-1][0] == _MAPPED


def mapped_value(referent: Referent) -> Referent | None:
    """What a property holds by its mapped type."""
    return referent.env[-1][2]
