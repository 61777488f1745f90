"""Cutting text out of one file's source: names, types, heads of declarations."""

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from tree_sitter import Node

from bearings.code.models import Language

_NAME = r"[A-Za-z_$][\w$]*"
_NO_NAME = "None|True|False|true|false|null|undefined|yield|await|async|function|class|lambda|not|new|import"
"""Words that are no names in one language or another: what begins with one is left to the tree."""
_CHAIN = rf"(?!(?:{_NO_NAME})(?![\w$])){_NAME}(?:\.{_NAME}){{0,23}}"
_CALLED = re.compile(rf"{_CHAIN}(?=\()", re.ASCII)
_WHOLE = re.compile(_CHAIN, re.ASCII)
is_chain = _WHOLE.fullmatch
"""Whether text is a dotted chain of plain names, short enough to be kept as it stands."""

_COMMENT = re.compile(r"(?:^|(?<=[\s,({<]))(?://[^\n]*|#(?=[\s!])[^\n]*|/\*.*?(?:\*/|$))", re.DOTALL)
"""A comment between the words of a head."""

_HEAD = 400
"""Longest signature that is kept, in bytes; what is cut off is a literal in all but generated code."""
_TYPE = 1200
"""Longest type that is kept."""


class SourceText:
    """One file's source, and what stands between two bytes of it."""

    def __init__(self, path: str, language: Language, source: bytes) -> None:
        self.path = path
        self.language = language
        self.is_untyped = language in (Language.JAVASCRIPT, Language.JSX)
        self.source = source
        self._characters = source.decode("latin-1")  # one for each byte: cutting text out of it is cheap
        self._is_ascii = self._characters.isascii()
        self._innermost: dict[int, int] = {}
        self.row_starts = list(accumulate(map(len, source.splitlines(keepends=True))))
        """Where each line but the first begins: looking a byte up costs a fraction of asking the tree for its line."""
        if source and not source.endswith(b"\n"):
            self.row_starts.pop()
        self.lines = len(self.row_starts) + 1 - source.endswith(b"\n")

    def text(self, node: Node) -> str:
        """The source of a node."""
        start, end = node.byte_range
        text = self._characters[start:end]  # `between`, spelt out: this is asked most of all
        return text if self._is_ascii or text.isascii() else self.source[start:end].decode("utf-8", "replace")

    def between(self, start: int, end: int) -> str:
        """The source from one byte to another."""
        text = self._characters[start:end]
        return text if self._is_ascii or text.isascii() else self.source[start:end].decode("utf-8", "replace")

    def line_of(self, node: Node) -> str:
        """The head of a node's source, on one line."""
        start = node.start_byte
        return " ".join(self.between(start, min(node.end_byte, start + _HEAD)).split())

    def type_of(self, node: Node, longest: int = _TYPE) -> str:
        """A type as written, on one line, without the colon of an annotation."""
        start = node.start_byte
        return " ".join(self.between(start, min(node.end_byte, start + longest)).split()).removeprefix(":").lstrip()

    def head(self, start: int, body: Node | None, end: int) -> str:
        """The source from `start` to a body, on one line."""
        end = min(body.start_byte if body is not None else end, start + _HEAD)
        text = self.between(start, end)
        if body is not None and ("#" in text or "/" in text):  # perhaps a comment; asking the tree costs more
            text = _COMMENT.sub(" ", self.between(start, min(_before(body), end)))
        line = " ".join(text.split())
        return line.rstrip(" {").removesuffix("=>").rstrip(" :;=")

    def end_line(self, node: Node) -> int:
        """The last line of a node; one that ends at the start of a line ends on the one before."""
        return max(bisect_left(self.row_starts, node.end_byte), bisect_right(self.row_starts, node.start_byte)) + 1

    def line(self, node: Node) -> int:
        """The first line of a node."""
        return bisect_right(self.row_starts, node.start_byte) + 1

    def chain(self, node: Node) -> str:
        """The source of a node that is a dotted chain of plain names, short enough to be kept; else empty."""
        found = _WHOLE.fullmatch(self._characters, *node.byte_range)
        return found[0] if found is not None else ""

    def plain_callee(self, start: int, end: int) -> str:
        """What is called by the call at an extent, where that is a plain chain of names right before `(`; else empty.

        Read off the text, which costs a fraction of asking the tree.
        """
        if self._innermost[start] != end:
            return ""
        chain = _CALLED.match(self._characters, start)
        return chain[0] if chain is not None else ""


def _before(body: Node) -> int:
    """Where what comes before a body ends; comments between the two are no part of it."""
    here = body.prev_sibling
    while here is not None and here.type == "comment":
        here = here.prev_sibling
    return here.end_byte if here is not None else body.start_byte


def one_line(source: bytes) -> str:
    """Source as a single line of text."""
    return " ".join(source.decode("utf-8", "replace").split())


def first(node: Node) -> Node | None:
    """The first named child of a node; None where it has none."""
    return node.named_child(0) if node.named_child_count else None
