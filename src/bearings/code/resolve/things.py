"""What an expression can stand for, as far as a resolver needs to know."""

from enum import Enum
from typing import NamedTuple

from bearings.code.models import SymbolKind


class ThingKind(Enum):
    """SYMBOL: that declaration itself. INSTANCE: an object of that class or interface. MODULE: a file's namespace.

    PACKAGE: a folder of Python files without code of its own. OUTSIDE: not of this project, `where` says of what kind.
    """

    SYMBOL = 0
    INSTANCE = 1
    MODULE = 2
    PACKAGE = 3
    OUTSIDE = 4


class Thing(NamedTuple):
    """`where` is a file, a folder, or why something is outside; `symbol` indexes its symbols."""

    kind: ThingKind
    where: str
    symbol: int = -1


EXTERNAL = Thing(ThingKind.OUTSIDE, "external")
BUILTIN = Thing(ThingKind.OUTSIDE, "builtin")
MISSING = Thing(ThingKind.OUTSIDE, "unresolved")
"""A module of the project's own that isn't there."""
UNRESOLVED = MISSING
"""Anything else that is there but can't be told."""

CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
"""Symbols that are types: an object of one is an INSTANCE."""

DEEPEST = 60
"""Steps from expression to expression after which a meaning is given up: what is deeper is generated, or goes round."""
