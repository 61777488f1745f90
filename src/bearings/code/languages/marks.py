"""What a file shows beside names and their uses: its decorators, handlers, errors raised; which lines are code."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate

from tree_sitter import Node

from bearings.code.languages.builder import one_line
from bearings.code.models import Mark, MarkKind

_LONGEST = 120
"""Bytes of a mark's text that are kept."""

_NAME = re.compile(r"[\w$.]+")
_EMPTY = frozenset({"pass_statement", "ellipsis", "comment"})


def marks(source: bytes, captures: Mapping[str, list[Node]]) -> tuple[Mark, ...]:
    """The marks of a file, in its order."""
    found = [_mark(MarkKind.DECORATOR, node, source, len("@")) for node in captures.get("m.decorator", ())]
    found += [_raised(node, source) for node in captures.get("m.raise", ())]
    found += [_caught(node, source) for node in captures.get("m.catch", ())]
    return tuple(sorted(found, key=lambda mark: (mark.line, mark.kind)))


def _mark(kind: MarkKind, node: Node, source: bytes, skip: int) -> Mark:
    """A mark with the name that a node begins with, after `skip` bytes; empty for none."""
    start = node.start_byte + skip
    name = _NAME.match(one_line(source[start : min(node.end_byte, start + _LONGEST)]))
    return Mark(kind, node.start_point[0] + 1, name[0] if name else "")


def _raised(node: Node, source: bytes) -> Mark:
    """`raise X(…)`, `throw new X(…)`: the name of what is raised; empty where that was caught before."""
    value = node.named_children[0] if node.named_child_count else None
    if value is None:
        return Mark(MarkKind.RAISE, node.start_point[0] + 1, "")
    is_new = value.type == "new_expression"
    return _mark(MarkKind.RAISE, value, source, len("new ") if is_new else 0)


def _caught(node: Node, source: bytes) -> Mark:
    """A handler: the types that it takes, on one line (empty: all); SWALLOW where it does nothing."""
    body = node.named_children[-1] if node.named_child_count else None
    kind = MarkKind.CATCH
    types = ""
    if body is not None:
        inside = body.named_children
        kind = MarkKind.SWALLOW if all(_is_nothing(child) for child in inside) else kind
        if node.type != "catch_clause":
            head = source[node.start_byte : min(body.start_byte, node.start_byte + _LONGEST)]
            types = one_line(head).rstrip(" :").removeprefix("except").lstrip("* ").partition(" as ")[0]
    return Mark(kind, node.start_point[0] + 1, types)


def _is_nothing(node: Node) -> bool:
    if node.type == "expression_statement" and node.named_child_count == 1:
        node = node.named_children[0]
    return node.type in _EMPTY


def code_lines(source: bytes, comments: Iterable[Node]) -> list[int]:
    """How many of the first n lines, for each n, hold more than space, comments and docstrings."""
    lines = source.split(b"\n")
    counted = [1 if line and not line.isspace() else 0 for line in lines]
    for node in comments:
        (row, column), (end_row, end_column) = node.start_point, node.end_point
        first_row = row if not lines[row][:column].strip() else row + 1
        last_row = end_row if not lines[end_row][end_column:].strip() else end_row - 1
        if first_row <= last_row:
            counted[first_row : last_row + 1] = [0] * (last_row + 1 - first_row)
    return list(accumulate(counted, initial=0))
