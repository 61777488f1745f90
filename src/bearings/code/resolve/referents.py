"""What an expression can stand for, as far as a resolver needs to know."""

from collections.abc import Callable
from typing import Final, NamedTuple

from bearings.code.models import SymbolKind


class ThingKind:
    """SYMBOL: that declaration itself. INSTANCE: an object of that class or interface. MODULE: a file's namespace.

    PACKAGE: a folder of Python files without code of its own. OUTSIDE: not of this project, `where` says of what kind.
    OBJECT: an object of a type as written. LITERAL: an object literal. Plain numbers, as millions are compared: a look
    at a member of an Enum costs as much as ten of these.
    """

    SYMBOL: Final = 0
    INSTANCE: Final = 1
    MODULE: Final = 2
    PACKAGE: Final = 3
    OUTSIDE: Final = 4
    OBJECT: Final = 5
    LITERAL: Final = 6


class Thing(NamedTuple):
    """`where` is a file, a folder, or why something is outside; `symbol` indexes its symbols.

    Of an OBJECT, `symbol` is the scope that its type, the `text`, is looked up from; of a LITERAL its own scope. `env`
    says what type parameters stand for: the scope that declares one, its name, an object of it.
    """

    kind: int
    where: str
    symbol: int = -1
    text: str = ""
    env: "Env" = ()


Env = tuple[tuple[int, str, Thing | None], ...]

_NEW: Final[Callable[[type[Thing], tuple[int, str, int, str, Env]], Thing]] = tuple.__new__


def plain(kind: int, where: str, symbol: int, env: Env = ()) -> Thing:
    """A thing without a text. Made often, so not by what a NamedTuple brings: that is a function of Python's."""
    return _NEW(Thing, (kind, where, symbol, "", env))


def as_kind(thing: Thing, kind: int) -> Thing:
    """The same of another kind."""
    return thing if thing.kind == kind else _NEW(Thing, (kind, thing.where, thing.symbol, thing.text, thing.env))


EXTERNAL = Thing(ThingKind.OUTSIDE, "external")
BUILTIN = Thing(ThingKind.OUTSIDE, "builtin")
MISSING = Thing(ThingKind.OUTSIDE, "unresolved")
"""A module of the project's own that isn't there."""
UNRESOLVED = MISSING
"""Anything else that is there but can't be told."""

OWN = frozenset({ThingKind.SYMBOL, ThingKind.INSTANCE})
"""Kinds whose `symbol` is one."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""

DEEPEST = 60
"""Steps from expression to expression after which a meaning is given up: what is deeper is generated, or goes round."""
