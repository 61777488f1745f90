"""Conditional compilation (`#if`) for grammars that read both branches of code as if they stood one after the other.

#if NET20
    void Read(int size) {      the branches are no whole declarations or statements: the first one stays, the other,
#else                          and all directives, become spaces
    void Read(long size) {
#endif
    }
"""

import re
from itertools import pairwise
from typing import Final

from tree_sitter import Node

_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|elif|else|endif)[a-z]*\b")
_SIGN = re.compile(rb"[^\n]")
_STRINGS = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*")
_DEEPEST: Final = 100
"""Conditions inside of each other to follow."""
_PAIRS = (b"{}", b"()", b"[]")


def without_conditionals(source: bytes) -> bytes:
    """Return the source without directives, and with one branch where the branches are not whole; equally long."""
    lines = source.splitlines(keepends=True)
    opened: list[list[int]] = []
    """The numbers of the lines of directives of each open conditional."""
    blank: set[int] = set()
    for number, line in enumerate(lines):
        found = _DIRECTIVE.match(line)
        if found is None:
            continue
        if found[1] == b"if":
            opened.append([number])
        elif opened:
            opened[-1].append(number)
        if found[1] == b"endif" and opened:
            blank.update(_left_out(lines, opened.pop(), blank))
    return b"".join(_SIGN.sub(b" ", line) if number in blank else line for number, line in enumerate(lines))


def _left_out(lines: list[bytes], directives: list[int], blank: set[int]) -> set[int]:
    """Return the numbers of the lines that one conditional loses."""
    branches = [range(start + 1, end) for start, end in pairwise(directives)]
    texts = [b"".join(lines[number] for number in branch if number not in blank) for branch in branches]
    left_out = set(directives)
    if not all(map(_is_whole, texts)):
        chosen = next((place for place, text in enumerate(texts) if text.strip()), 0)
        left_out.update(number for place, branch in enumerate(branches) if place != chosen for number in branch)
    return left_out


def _is_whole(text: bytes) -> bool:
    """Whether a branch is a run of whole declarations or statements."""
    text = _STRINGS.sub(b"", text).strip()
    return not text or (text[-1:] in b";},]" and all(text.count(pair[:1]) == text.count(pair[1:]) for pair in _PAIRS))


def is_compiled(node: Node) -> bool:
    """Whether code is compiled if no symbol is defined: in a branch of `#if !NET20`, not in one of `#if NET20`."""
    inside: Node = node
    around = node.parent
    while around is not None:
        if around.type in ("preproc_if", "preproc_elif"):
            condition = around.child_by_field_name("condition")
            holds = condition is not None and _holds(condition)
            if holds is (inside.type in ("preproc_else", "preproc_elif")):
                return False
        inside, around = around, around.parent
    return True


def _holds(condition: Node, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    parts = [_holds(each, depth + 1) for each in condition.named_children]
    if condition.type == "unary_expression":
        return not all(parts)
    if condition.type == "binary_expression":
        return all(parts) if any(each.type == "&&" for each in condition.children) else any(parts)
    return all(parts) if parts else condition.text == b"true"
