"""Reads the text, the dotted names and the lines of nodes and byte offsets of a source."""

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Protocol

from tree_sitter import Node

_NAME = r"[A-Za-z_$][\w$]*"
_KEYWORDS = "None|True|False|true|false|null|undefined|yield|await|async|function|class|lambda|not|new|import"
"""Words that are keywords in one of the languages. Code that starts with one is read from the tree, not as text."""
_CHAIN = rf"(?!(?:{_KEYWORDS})(?![\w$])){_NAME}(?:\.{_NAME}){{0,23}}"
_CALLED = re.compile(rf"{_CHAIN}(?=\()", re.ASCII)
_WHOLE = re.compile(_CHAIN, re.ASCII)
is_chain = _WHOLE.fullmatch
"""Matches text that is a dotted chain of plain names, short enough to be stored as it is."""

_BLANK = re.compile(rb"\n[ \t\r\f]*(?=\n)")
"""A blank line with the line feed before it. The first and the last line never match."""


class Reading(Protocol):
    """Access to the text of a source. Lines end as in `bytes.splitlines`; columns are not available.

    Rows are line numbers that start at 0, lines are line numbers that start at 1.
    """

    @property
    def rows(self) -> int:
        """The number of line ends: the last row of the source, including an empty one after a final line end."""

    @property
    def blank_rows(self) -> list[int]:
        """The rows that contain only white space, without the first and the last row."""

    def row(self, byte: int, /) -> int:
        """Return the row of a byte."""

    def text(self, node: Node, /) -> str:
        """Return the source of a node; invalid UTF-8 is replaced."""

    def between(self, start: int, end: int, /) -> str:
        """Return the source from one byte to another."""

    def one_line(self, start: int, end: int, /) -> str:
        """Return the source from one byte to another on one line, with each run of white space as one space."""

    def line(self, node: Node, /) -> int:
        """Return the first line of a node."""

    def end_line(self, node: Node, /) -> int:
        """Return the last line of a node. A node that ends at the start of a line ends on the line before."""

    def chain(self, node: Node, /) -> str:
        """Return the source of a node if it is a short dotted chain of plain names (`is_chain`); else empty."""

    def called(self, start: int, /) -> str:
        """Return the dotted chain of plain names that starts at a byte if `(` follows it; else empty."""


class PlainReading:
    """Reads the text in pure Python: its line lookup costs a fraction of asking tree-sitter for a node's line."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._characters = source.decode("latin-1")  # one character per byte, so that slicing is cheap
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
        text = self._characters[start:end]  # `between`, inlined: no method is called more often
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
