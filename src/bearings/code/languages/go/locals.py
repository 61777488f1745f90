"""The names that a Go function binds, each from where to where in its text: no two of them are called alike.

A local is written `x$` everywhere in the facts, the next ones of its name in the same function `x$1`, `x$2` …: with a
`$`, which no name of Go's has, they hide nothing of the package's, and need no scopes of their own.
"""

import re
from typing import NamedTuple

_SUFFIX = re.compile(r"\$\d*")


class _Known(NamedTuple):
    start: int
    end: int
    name: str


def plain(expression: str) -> str:
    """An expression with its locals as the source names them."""
    return _SUFFIX.sub("", expression)


class Locals:
    """The locals of the function that the sweep is in, and the blocks around the node at hand."""

    def __init__(self) -> None:
        self._known: dict[str, list[_Known]] = {}
        self._blocks: list[int] = []
        self._end = -1

    def function(self, start: int, end: int) -> None:
        """A function begins; one inside another goes on with its names."""
        if start >= self._end:
            self._known, self._blocks, self._end = {}, [], end

    def block(self, start: int, end: int) -> None:
        """A block begins."""
        self._leave(start)
        self._blocks.append(end)

    def end(self, at: int) -> int:
        """Where the innermost block around a byte ends; -1 for none."""
        self._leave(at)
        return self._blocks[-1] if self._blocks else -1

    def declare(self, name: str, start: int, end: int, *, again: bool = False) -> str:
        """Binds a name between two bytes: what it is called. `again`: the same one, where its block has it already."""
        known = self._known.setdefault(name, [])
        if again and (old := next((one for one in known if one.end == end and one.start <= start), None)):
            return old.name
        written = f"{name}${len(known) or ''}"
        known.append(_Known(start, end, written))
        return written

    def has(self, name: str, start: int, end: int) -> bool:
        """Whether a block has a local of that name already."""
        return any(one.end == end and one.start <= start for one in self._known.get(name, ()))

    def find(self, name: str, at: int) -> str:
        """What a local is called that a name means at a byte; empty where it means none."""
        for one in reversed(self._known.get(name, ())):
            if one.start <= at < one.end:
                return one.name
        return ""

    def _leave(self, at: int) -> None:
        while self._blocks and self._blocks[-1] <= at:
            self._blocks.pop()
