"""Gives every local variable of a Go function a unique name, and finds the variable that a name means at a byte.

In the facts, the first local variable `x` of a function is written `x$`, later ones `x$1`, `x$2` and so on. No name in
Go contains `$`, so that local variables don't hide names of the package, and blocks need no scopes of their own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_SUFFIX = re.compile(r"\$\d*")


class _Local(NamedTuple):
    """A variable; `longer` is the index of the last one of its name before that ends later, -1 for none."""

    start: int
    end: int
    name: str
    longer: int


def plain(expression: str) -> str:
    """Return an expression with local variables named as in the source."""
    return _SUFFIX.sub("", expression)


class Locals:
    """The local variables of the functions of a file, and the ends of the blocks around the current node."""

    def __init__(self) -> None:
        self._locals: dict[str, list[_Local]] = {}
        self._blocks: list[int] = []
        self._start = self._end = -1
        self._starts: list[int] = []
        self._functions: list[dict[str, list[_Local]]] = []
        """The variables of each function, in the order of `_starts`."""

    def function(self, start: int, end: int) -> None:
        """Start a function. A nested function shares the variables of the outer one."""
        if start >= self._end:
            self._locals, self._blocks, self._start, self._end = {}, [], start, end
            self._starts.append(start)
            self._functions.append(self._locals)

    def block(self, start: int, end: int) -> None:
        """Start a block."""
        self._leave(start)
        self._blocks.append(end)

    def block_end(self, at: int) -> int:
        """Return the end of the innermost block around a byte; -1 for none."""
        self._leave(at)
        return self._blocks[-1] if self._blocks else -1

    def declare(self, name: str, start: int, end: int) -> str:
        """Add a variable that is visible between two bytes, and return its unique name."""
        same_name = self._locals.setdefault(name, [])
        unique = f"{name}${len(same_name) or ''}"
        longer = len(same_name) - 1
        while longer >= 0 and same_name[longer].end <= end:
            longer = same_name[longer].longer
        same_name.append(_Local(start, end, unique, longer))
        return unique

    def has(self, name: str, start: int, end: int) -> bool:
        """Whether a block has a variable of that name already."""
        return any(local.end == end and local.start <= start for local in self._after(name, end - 1))

    def find(self, name: str, at: int) -> str:
        """Return the unique name of the variable that a name means at a byte; empty for none."""
        return next((local.name for local in self._after(name, at) if local.start <= at), "")

    def _after(self, name: str, at: int) -> Iterator[_Local]:
        """Yield the variables of a name that end after a byte, the last one first."""
        known = self._locals
        if not self._start <= at < self._end:  # endpoints are read after all functions
            place = bisect_right(self._starts, at)
            known = self._functions[place - 1] if place else {}
        same_name = known.get(name, [])
        place = len(same_name) - 1
        while place >= 0:
            local = same_name[place]
            if local.end > at:
                yield local
            place = place - 1 if local.end > at else local.longer

    def _leave(self, at: int) -> None:
        while self._blocks and self._blocks[-1] <= at:
            self._blocks.pop()
