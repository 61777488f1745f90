"""Extracts the marks of a file (decorators, error handlers, raised errors), and counts lines of code."""

import re
from bisect import bisect_left, bisect_right

from tree_sitter import Node

from bearings.code.file_facts import Mark, MarkKind
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.source_text import SourceText, one_line

_LONGEST = 120
"""The most bytes of a mark's text."""

_NAME = re.compile(r"[\w$.\\]+")
_EMPTY_REST = re.compile(rb"[ \t\r\f;,]*(?:\n|\Z)")
"""The rest of a line if it holds no code."""
_CALLS = frozenset({"call", "call_expression"})
_NAMED = _CALLS | {
    "new_expression",
    "object_creation_expression",
    "identifier",
    "attribute",
    "member_expression",
    "subscript_expression",
    "subscript",
}
_MADE = frozenset({"new_expression", "object_creation_expression"})
_EMPTY = frozenset({"pass_statement", "ellipsis", "comment"})


def marks(text: SourceText, captures: Captures) -> tuple[Mark, ...]:
    """Return the marks of a file, in the order of the source."""
    starts_with_sign = text.source.startswith
    decorators = ((node, starts_with_sign(b"@", node.start_byte)) for node in captures.of("m.decorator"))
    found = [_mark(MarkKind.DECORATOR, node, text, skip) for node, skip in decorators]
    found += [_raised(node, text) for node in captures.of("m.raise")]
    found += [_caught(node, text) for node in captures.of("m.catch")]
    return tuple(sorted(found, key=lambda mark: (mark.line, mark.kind, mark.text)))


def _mark(kind: MarkKind, node: Node, text: SourceText, skip: int) -> Mark:
    """Return a mark whose text is the name at `skip` bytes into a node; empty for none."""
    start = node.start_byte + skip
    name = _NAME.match(one_line(text.source[start : min(node.end_byte, start + _LONGEST)]))
    return Mark(kind, text.line(node), name[0] if name else "")


def _raised(node: Node, text: SourceText) -> Mark:
    """Return the mark of a `raise X(…)` or `throw new X(…)`.

    The text is the name of the raised error; `x()` for a function's result, `?` for another value, and empty if the
    caught error is raised again.
    """
    value = first(node)
    if value is None:
        return Mark(MarkKind.RAISE, text.line(node), "")
    mark = _mark(MarkKind.RAISE, value, text, len("new ") if value.type in _MADE else 0)
    if value.type not in _NAMED:
        return Mark(mark.kind, mark.line, "?")
    is_result = value.type in _CALLS and mark.text and not mark.text.rpartition(".")[2][:1].isupper()
    return Mark(mark.kind, mark.line, f"{mark.text}()") if is_result else mark


def _caught(node: Node, text: SourceText) -> Mark:
    """Return the mark of a handler: its types on one line (empty: all); SWALLOW if its body does nothing."""
    body = node.named_children[-1] if node.named_child_count else None
    kind = MarkKind.CATCH
    types = ""
    if body is not None:
        inside = body.named_children
        kind = MarkKind.SWALLOW if all(_is_no_op(child) for child in inside) else kind
        if node.type != "catch_clause":
            head = text.source[node.start_byte : min(body.start_byte, node.start_byte + _LONGEST)]
            types = one_line(head).partition(":")[0].strip().removeprefix("except").lstrip("* ").partition(" as ")[0]
    return Mark(kind, text.line(node), types)


def _is_no_op(node: Node) -> bool:
    if node.type == "expression_statement" and node.named_child_count == 1:
        node = node.named_children[0]
    return node.type in _EMPTY


class CodeLines:
    """Counts lines of code: lines with anything but white space, comments and docstrings.

    Comments are stored as running totals: `_rows[i]` is the number of lines in the first i comments, and `_comments[i]`
    the start of comment i. Lines that a comment shares with code, and blank lines inside it, don't count for it.
    """

    def __init__(self, text: SourceText, comments: list[tuple[int, int]]) -> None:
        self._source = source = text.source
        self._row = text.row
        self._blank = text.reading.blank_rows
        self._comments: list[int] = []
        self._rows = [0]
        for start, end in sorted(comments):
            row, end_row = self._row(start), self._row(end)
            rows = end_row - row + 1 - self._blank_count(row, end_row)
            rows -= bool(source[source.rfind(b"\n", 0, start) + 1 : start].strip())
            if source[end : end + 1] != b"\n" and _EMPTY_REST.match(source, end) is None:
                rows -= 1
            if rows > 0:
                self._comments.append(start)
                self._rows.append(self._rows[-1] + rows)

    def all(self) -> int:
        """Return the number of lines of code in the file."""
        rows = self._source.count(b"\n") + (not self._source.endswith(b"\n"))
        return max(0, rows - len(self._blank) - self._rows[-1])

    def of(self, node: Node) -> int:
        """Return the number of lines of code of a node, including its first and last line."""
        start, end = node.byte_range
        first, last = bisect_left(self._comments, start), bisect_left(self._comments, end)
        row, end_row = self._row(start), self._row(end)
        rows = end_row - row + 1 - self._blank_count(row, end_row)
        return max(1, rows - (self._rows[last] - self._rows[first]))

    def _blank_count(self, row: int, end_row: int) -> int:
        """Return the number of blank lines after one row, up to another."""
        return bisect_right(self._blank, end_row) - bisect_right(self._blank, row) if end_row > row else 0
