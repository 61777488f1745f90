"""Referents: the meanings of expressions, as far as a resolver distinguishes them."""

from collections.abc import Callable
from typing import Final, NamedTuple

from bearings.code.models import SymbolKind
from bearings.code.type_expressions import TypeExpression


class ReferentKind:
    """The kind of a referent, a plain number: access to a member of an Enum costs ten times as much.

    SYMBOL: the declaration itself. INSTANCE: an object of a class or interface. MODULE: a file. PACKAGE: a folder of
    Python files without code of its own. OUTSIDE: not of this project; `where` has the reason. OBJECT: an object of a
    type without a symbol. LITERAL: an object literal.
    """

    SYMBOL: Final = 0
    INSTANCE: Final = 1
    MODULE: Final = 2
    PACKAGE: Final = 3
    OUTSIDE: Final = 4
    OBJECT: Final = 5
    LITERAL: Final = 6


class Referent(NamedTuple):
    """A referent. `where` is a file, a folder, or the reason of an outside one; `symbol` indexes the file's symbols.

    Of an OBJECT, `symbol` is the scope in which the names of its `type` are looked up; of a LITERAL its own scope.
    `env` has the type parameters: the declaring scope, the name, and the object of each. `files` are
    those of a Go PACKAGE. An OUTSIDE one with an `env` is an object of a library's generic type, or with a `symbol` of
    0 what came out of it: its rows have the type's name, and the objects of the project among its type arguments.
    """

    kind: int
    where: str
    symbol: int = -1
    type: TypeExpression = ""
    env: "Env" = ()
    files: tuple[str, ...] = ()


Env = tuple[tuple[int, str, Referent | None], ...]

UNSURE: Final = ("?",)
"""The first of the `files` of a module that is found by its path alone; the files that it may be follow."""
FOR_PLATFORM: Final = ("",)
"""The first of the `files` of a module that is one of several for as many platforms; all of them follow."""

HELD: Final = -3
"""The scope, in the environment of an OUTSIDE referent, of what an object of a library may hold."""
GOT: Final = -4
"""The scope, in the environment of a class's attribute, of the object through which it is read (see Types.value)."""
MAPPED: Final = -5
"""The scope, in the environment of a property, of what a mapped type has it hold; None if that is unknown."""
INLINE: Final = -2
"""The scope, in an environment, of type parameters that a function's type declares itself."""
FILLING: Final = "$"
"""The name, in an environment, of what stands in a Hole."""
NESTED: Final = 4
"""The depth of types within types that are kept as arguments."""

_NEW: Final[Callable[[type[Referent], tuple[int, str, int, TypeExpression, Env, tuple[str, ...]]], Referent]] = (
    tuple.__new__
)


def plain(kind: int, where: str, symbol: int, env: Env = ()) -> Referent:
    """A referent without a type. Made often, so not by NamedTuple's own constructor, which is a Python function."""
    return _NEW(Referent, (kind, where, symbol, "", env, ()))


def as_kind(referent: Referent, kind: int) -> Referent:
    """The same referent with another kind."""
    return (
        referent
        if referent.kind == kind
        else _NEW(Referent, (kind, referent.where, referent.symbol, referent.type, referent.env, ()))
    )


def is_mapped(referent: Referent) -> bool:
    """Whether a mapped type says what a property holds, in the last row of its environment."""
    return bool(referent.env) and referent.env[-1][0] == MAPPED


EXTERNAL = Referent(ReferentKind.OUTSIDE, "external")
BUILTIN = Referent(ReferentKind.OUTSIDE, "builtin")
MISSING = Referent(ReferentKind.OUTSIDE, "unresolved")
"""A module of the project that does not exist."""
UNRESOLVED = MISSING
"""An unknown referent inside the project."""

OWN = frozenset({ReferentKind.SYMBOL, ReferentKind.INSTANCE})
"""Kinds whose `symbol` indexes symbols."""

NO_SYMBOL = frozenset({ReferentKind.OUTSIDE, ReferentKind.PACKAGE, ReferentKind.OBJECT, ReferentKind.LITERAL})
"""Kinds without a symbol or a module of the project."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""

CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
"""Symbols that are functions."""

DEEPEST = 60
"""Steps from expression to expression before evaluation stops: deeper code is generated or circular."""

MOST_BASES = 200


def most_bases(symbols: int) -> int:
    """Bases of one class, all in all, to look at in a file of so many symbols: real classes have a few dozen."""
    return max(30, min(MOST_BASES, 500_000 // symbols))


def is_builtin(referent: Referent) -> bool:
    """Whether a referent belongs to the language, with or without what it may hold."""
    return referent.kind == ReferentKind.OUTSIDE and referent.where == BUILTIN.where


def out_of(referent: Referent) -> Referent:
    """What comes out of an OUTSIDE referent: the same, with what it may hold."""
    return referent._replace(symbol=0) if referent.env and referent.symbol < 0 else referent


def depth_of(referent: Referent) -> int:
    """The depth of types within the type of a referent."""
    return 1 + max((depth_of(inner) for _, _, inner in referent.env if inner is not None), default=0)
