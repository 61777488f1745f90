"""What stands in a source at a node or at a byte: names, chains of names, lines."""

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Protocol

from tree_sitter import Node

_NAME = r"[A-Za-z_$][\w$]*"
_NO_NAME = "None|True|False|true|false|null|undefined|yield|await|async|function|class|lambda|not|new|import"
"""Words that are no names in one language or another: what begins with one is left to the tree."""
_CHAIN = rf"(?!(?:{_NO_NAME})(?![\w$])){_NAME}(?:\.{_NAME}){{0,23}}"
_CALLED = re.compile(rf"{_CHAIN}(?=\()", re.ASCII)
_WHOLE = re.compile(_CHAIN, re.ASCII)
is_chain = _WHOLE.fullmatch
"""Whether text is a dotted chain of plain names, short enough to be kept as it stands."""

_BLANK = re.compile(rb"\n[ \t\r\f]*(?=\n)")
"""Before and in a blank line; neither the first line nor the last counts as one."""


class Reading(Protocol):
    """A source that was read. Lines end where Python says so; columns are of no interest."""

    @property
    def rows(self) -> int:
        """How many lines there are beside the first; where the last ends with a line feed, one more."""

    @property
    def blank_rows(self) -> list[int]:
        """The lines, from 0, with nothing but space in them; neither the first nor the last counts as one."""

    def row(self, byte: int, /) -> int:
        """The line that a byte is in, from 0."""

    def text(self, node: Node, /) -> str:
        """The source of a node; what is no UTF-8 in it is replaced."""

    def between(self, start: int, end: int, /) -> str:
        """The source from one byte to another."""

    def one_line(self, start: int, end: int, /) -> str:
        """The same on one line, a space for each space between words."""

    def line(self, node: Node, /) -> int:
        """The first line of a node, from 1."""

    def end_line(self, node: Node, /) -> int:
        """The last line of a node, from 1; one that ends at the start of a line ends on the one before."""

    def chain(self, node: Node, /) -> str:
        """The source of a node that is a dotted chain of plain names, short enough to be kept; else empty."""

    def called(self, start: int, /) -> str:
        """Such a chain that begins at a byte, right before `(`; else empty."""


class PlainReading:
    """Reads with what Python has: looking a byte up costs a fraction of asking tree-sitter for its line."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._characters = source.decode("latin-1")  # one for each byte: cutting text out of it is cheap
        self._is_ascii = self._characters.isascii()
        self._starts = list(accumulate(map(len, source.splitlines(keepends=True))))
        if source and not source.endswith(b"\n"):
            self._starts.pop()

    @property
    def rows(self) -> int:
        """See Reading."""
        return len(self._starts)

    @property
    def blank_rows(self) -> list[int]:
        """See Reading."""
        return [bisect_left(self._starts, found.start() + 1) + 1 for found in _BLANK.finditer(self._source)]

    def row(self, byte: int, /) -> int:
        """See Reading."""
        return bisect_right(self._starts, byte)

    def text(self, node: Node, /) -> str:
        """See Reading."""
        start, end = node.byte_range
        text = self._characters[start:end]  # `between`, spelt out: this is asked most of all
        return text if self._is_ascii or text.isascii() else self._source[start:end].decode("utf-8", "replace")

    def between(self, start: int, end: int, /) -> str:
        """See Reading."""
        text = self._characters[start:end]
        return text if self._is_ascii or text.isascii() else self._source[start:end].decode("utf-8", "replace")

    def one_line(self, start: int, end: int, /) -> str:
        """See Reading."""
        return " ".join(self.between(start, end).split())

    def line(self, node: Node, /) -> int:
        """See Reading."""
        return bisect_right(self._starts, node.start_byte) + 1

    def end_line(self, node: Node, /) -> int:
        """See Reading."""
        return max(bisect_left(self._starts, node.end_byte), bisect_right(self._starts, node.start_byte)) + 1

    def chain(self, node: Node, /) -> str:
        """See Reading."""
        found = _WHOLE.fullmatch(self._characters, *node.byte_range)
        return found[0] if found is not None else ""

    def called(self, start: int, /) -> str:
        """See Reading."""
        chain = _CALLED.match(self._characters, start)
        return chain[0] if chain is not None else ""
