"""What an expression can stand for, as far as a resolver needs to know."""

from enum import Enum
from typing import NamedTuple


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
