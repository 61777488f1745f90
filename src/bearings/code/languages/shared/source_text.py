"""Reads names, types and signatures from one file's source."""

import re
from collections.abc import Callable

from tree_sitter import Node

from bearings.code.languages.shared.node_text import PlainReading, Reading
from bearings.code.models import Language

_COMMENT = re.compile(r"(?:^|(?<=[\s,({<]))(?://[^\n]*|#(?=[\s!])[^\n]*|/\*.*?(?:\*/|$))", re.DOTALL)
"""A comment between the words of a signature."""

_LONGEST_SIGNATURE = 400
"""The most bytes of a stored signature. A longer one holds a long literal, except in generated code."""
_LONGEST_TYPE = 1200
"""The most bytes of a stored type."""


class SourceText:
    """One file's source and the text of its nodes. The methods of Reading are attributes, to save a call."""

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        self.path = path
        self.language = language
        self.is_untyped = False
        """Types are written in comments (JavaScript); `parse.py` sets it, because no module here asks the registry."""
        self.source = source
        self.reading = reading = reading or PlainReading(source)
        self.text: Callable[[Node], str] = reading.text
        self.between: Callable[[int, int], str] = reading.between
        self.line: Callable[[Node], int] = reading.line
        self.end_line: Callable[[Node], int] = reading.end_line
        self.chain: Callable[[Node], str] = reading.chain
        self._innermost: dict[int, int] = {}
        """Start byte → end byte of the innermost call that starts there."""
        self.row: Callable[[int], int] = reading.row
        self.lines = reading.rows + 1 - source.endswith(b"\n")

    def line_of(self, node: Node) -> str:
        """Return the start of a node's source, on one line."""
        start = node.start_byte
        return self.reading.one_line(start, min(node.end_byte, start + _LONGEST_SIGNATURE))

    def type_text(self, node: Node) -> str:
        """Return a type as written, on one line, without the colon of an annotation."""
        start = node.start_byte
        return self.reading.one_line(start, min(node.end_byte, start + _LONGEST_TYPE)).removeprefix(":").lstrip()

    def head(self, start: int, body: Node | None, end: int) -> str:
        """Return the source from `start` up to the body, or to `end` without one, on one line and without comments."""
        end = min(body.start_byte if body is not None else end, start + _LONGEST_SIGNATURE)
        line = self.reading.one_line(start, end)
        if body is not None and ("#" in line or "/" in line):  # may hold a comment; asking the tree would cost more
            line = " ".join(_COMMENT.sub(" ", self.between(start, min(_end_before(body), end))).split())
        return line.rstrip(" {").removesuffix("=>").rstrip(" :;=")

    def plain_callee(self, start: int, end: int) -> str:
        """Return the callee of the call with this span if it is a plain dotted name right before `(`; else empty.

        This reads the text, which costs a fraction of asking the tree.
        """
        return self.reading.called(start) if self._innermost[start] == end else ""


def _end_before(body: Node) -> int:
    """Return the end of the code before a body, without the comments between the two."""
    siblings = body.parent.children if body.parent is not None else []
    code = [node.end_byte for node in siblings if node.end_byte <= body.start_byte and node.type != "comment"]
    return code[-1] if code else body.start_byte


def one_line(source: bytes) -> str:
    """Return source as a single line of text."""
    return " ".join(source.decode("utf-8", "replace").split())
