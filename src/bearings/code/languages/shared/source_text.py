"""Cutting text out of one file's source: names, types, heads of declarations."""

import re
from collections.abc import Callable

from tree_sitter import Node

from bearings.code.languages import SPECS
from bearings.code.languages.shared.node_text import PlainReading, Reading
from bearings.code.models import Language

_COMMENT = re.compile(r"(?:^|(?<=[\s,({<]))(?://[^\n]*|#(?=[\s!])[^\n]*|/\*.*?(?:\*/|$))", re.DOTALL)
"""A comment between the words of a head."""

_HEAD = 400
"""Longest signature that is kept, in bytes; what is cut off is a literal in all but generated code."""
_TYPE = 1200
"""Longest type that is kept."""


class SourceText:
    """One file's source, and what stands between two bytes of it."""

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        self.path = path
        self.language = language
        self.is_untyped = SPECS[language].types_in_comments
        self.source = source
        self.reading = reading = reading or PlainReading(source)
        self.text: Callable[[Node], str] = reading.text
        """The source of a node."""
        self.between: Callable[[int, int], str] = reading.between
        """The source from one byte to another."""
        self.line: Callable[[Node], int] = reading.line
        """The first line of a node."""
        self.end_line: Callable[[Node], int] = reading.end_line
        """The last line of a node."""
        self.chain: Callable[[Node], str] = reading.chain
        """The source of a node that is a dotted chain of plain names, short enough to be kept; else empty."""
        self._innermost: dict[int, int] = {}
        self.row: Callable[[int], int] = reading.row
        """The line that a byte is in, from 0."""
        self.lines = reading.rows + 1 - source.endswith(b"\n")

    def line_of(self, node: Node) -> str:
        """The head of a node's source, on one line."""
        start = node.start_byte
        return self.reading.one_line(start, min(node.end_byte, start + _HEAD))

    def type_of(self, node: Node, longest: int = _TYPE) -> str:
        """A type as written, on one line, without the colon of an annotation."""
        start = node.start_byte
        return self.reading.one_line(start, min(node.end_byte, start + longest)).removeprefix(":").lstrip()

    def head(self, start: int, body: Node | None, end: int) -> str:
        """The source from `start` to a body, on one line."""
        end = min(body.start_byte if body is not None else end, start + _HEAD)
        line = self.reading.one_line(start, end)
        if body is not None and ("#" in line or "/" in line):  # perhaps a comment; asking the tree costs more
            line = " ".join(_COMMENT.sub(" ", self.between(start, min(_before(body), end))).split())
        return line.rstrip(" {").removesuffix("=>").rstrip(" :;=")

    def plain_callee(self, start: int, end: int) -> str:
        """What is called by the call at an extent, where that is a plain chain of names right before `(`; else empty.

        Read off the text, which costs a fraction of asking the tree.
        """
        return self.reading.called(start) if self._innermost[start] == end else ""


def _before(body: Node) -> int:
    """Where what comes before a body ends; comments between the two are no part of it."""
    here = body.prev_sibling
    while here is not None and here.type == "comment":
        here = here.prev_sibling
    return here.end_byte if here is not None else body.start_byte


def one_line(source: bytes) -> str:
    """Source as a single line of text."""
    return " ".join(source.decode("utf-8", "replace").split())


def places(word: bytes, source: bytes) -> list[int]:
    """Where a word begins in a source, in order."""
    found: list[int] = []
    at = source.find(word)
    while at >= 0:
        found.append(at)
        at = source.find(word, at + 1)
    return found


def first(node: Node) -> Node | None:
    """The first named child of a node; None where it has none."""
    return node.named_child(0) if node.named_child_count else None
