"""Referents: the meanings of expressions, as far as a resolver distinguishes them."""

from collections.abc import Callable
from typing import Final, NamedTuple

from bearings.code.models import SymbolKind


class ThingKind:
    """The kind of a referent, a plain number: access to a member of an Enum costs ten times as much.

    SYMBOL: the declaration itself. INSTANCE: an object of a class or interface. MODULE: a file. PACKAGE: a folder of
    Python files without code of its own. OUTSIDE: not of this project; `where` has the reason. OBJECT: an object of a
    type as written. LITERAL: an object literal.
    """

    SYMBOL: Final = 0
    INSTANCE: Final = 1
    MODULE: Final = 2
    PACKAGE: Final = 3
    OUTSIDE: Final = 4
    OBJECT: Final = 5
    LITERAL: Final = 6


class Thing(NamedTuple):
    """A referent. `where` is a file, a folder, or the reason of an outside one; `symbol` indexes the file's symbols.

    Of an OBJECT, `symbol` is the scope in which its type, the `text`, is looked up; of a LITERAL its own scope. `env`
    has the type parameters: the declaring scope, the name, and the object of each.
    """

    kind: int
    where: str
    symbol: int = -1
    text: str = ""
    env: "Env" = ()


Env = tuple[tuple[int, str, Thing | None], ...]

_NEW: Final[Callable[[type[Thing], tuple[int, str, int, str, Env]], Thing]] = tuple.__new__


def plain(kind: int, where: str, symbol: int, env: Env = ()) -> Thing:
    """A referent without a text. Made often, so not by NamedTuple's own constructor, which is a Python function."""
    return _NEW(Thing, (kind, where, symbol, "", env))


def as_kind(thing: Thing, kind: int) -> Thing:
    """The same referent with another kind."""
    return thing if thing.kind == kind else _NEW(Thing, (kind, thing.where, thing.symbol, thing.text, thing.env))


EXTERNAL = Thing(ThingKind.OUTSIDE, "external")
BUILTIN = Thing(ThingKind.OUTSIDE, "builtin")
MISSING = Thing(ThingKind.OUTSIDE, "unresolved")
"""A module of the project that does not exist."""
UNRESOLVED = MISSING
"""An unknown referent inside the project."""

OWN = frozenset({ThingKind.SYMBOL, ThingKind.INSTANCE})
"""Kinds whose `symbol` indexes symbols."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""

DEEPEST = 60
"""Steps from expression to expression before evaluation stops: deeper code is generated or circular."""
