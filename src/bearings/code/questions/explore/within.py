"""The element around a line of a file."""

from bisect import bisect_right
from collections.abc import Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import UNNAMED, Symbol


def innermost(snapshot: Snapshot, file: str, line: int) -> Symbol | None:
    """The innermost element around a line, or the file's module; None for a file that is no source."""
    return Around(snapshot, file).at(line)


class Around:
    """The elements of one file, for lookups of many lines."""

    def __init__(self, snapshot: Snapshot, file: str) -> None:
        symbols = snapshot.graph.outline(file)
        self._module = symbols[0] if symbols else None
        inner = (symbol for symbol in symbols[1:] if symbol.kind not in UNNAMED)
        self._symbols = sorted(inner, key=lambda symbol: (symbol.line, -symbol.end_line))
        self._starts = [symbol.line for symbol in self._symbols]

    def at(self, line: int) -> Symbol | None:
        """The innermost element around a line: the last one that begins before it and ends after it."""
        for place in range(bisect_right(self._starts, line) - 1, -1, -1):
            if self._symbols[place].end_line >= line:
                return self._symbols[place]
        return self._module

    def below(self, line: int, lines: Sequence[bytes]) -> Symbol | None:
        """The element below a comment, with nothing but comments between."""
        place = bisect_right(self._starts, line)
        nearest = self._symbols[place] if place < len(self._symbols) else None
        if nearest is None or nearest.line - line > _MOST_BETWEEN:
            return None
        between = [text.strip()[:1] for text in lines[line : nearest.line - 1]]
        return nearest if all(first in _MARKS for first in between) else None


_MOST_BETWEEN = 40
_MARKS = (b"/", b"*", b"#", b"@")
"""Starts of comment and decorator lines in all languages."""
