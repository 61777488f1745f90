"""Parses the text of a query into plain data, for the C module's matcher (native/), which replaces tree-sitter's.

The supported subset is what our queries need: node types, anonymous nodes, wildcards, fields, alternatives, anchors and
captures. Quantifiers, predicates and negated fields are not supported.

    (pair value: [(object) (class) @b] .) @a
    → Shape("pair", True, ("a",), (Item("value", False, (Shape("object", …), Shape("class", …, ("b",)))),), ends=True)
"""

import re
from typing import NamedTuple

_TOKEN = re.compile(r'\s+|;[^\n]*|(?P<word>[()\[\].]|"[^"\\]*"|@[\w.]+|\w+:?)|(?P<other>.)', re.DOTALL)


class Shape(NamedTuple):
    """The pattern of one node.

    An empty `kind` matches every node type. `items` match children in order. If it `ends`, the last item must match the
    last named child.
    """

    kind: str
    is_named: bool
    captures: tuple[str, ...] = ()
    items: tuple["Item", ...] = ()
    ends: bool = False


class Item(NamedTuple):
    """The pattern of a child: any of `shapes`, in a field, or in any position if `field` is empty.

    If it `follows`, no other named child may stand between it and the previous item, or the start of the node.
    """

    field: str
    follows: bool
    shapes: tuple[Shape, ...]


def shapes(text: str) -> tuple[Shape, ...]:
    """Return the patterns of a query. Raises ValueError for syntax outside the supported subset."""
    words: list[str] = []
    for found in _TOKEN.finditer(text):
        if found["other"]:
            raise ValueError(f"a pattern can't contain {found['other']!r}")
        if found["word"]:
            words.append(found["word"])
    words.reverse()  # a stack: the next word is the last
    patterns: list[Shape] = []
    while words:
        patterns += _alternatives(words)
    return tuple(patterns)


def _alternatives(words: list[str]) -> list[Shape]:
    """Parse a node, or several in brackets, and the captures after it."""
    word = _next(words)
    if word == "[":
        shapes = []
        while words and words[-1] != "]":
            shapes += _alternatives(words)
        _next(words)
    elif word == "(":
        shapes = [_node(words)]
    elif word[0] == '"':
        shapes = [Shape(word[1:-1], is_named=False)]
    elif word == "_":
        shapes = [Shape("", is_named=False)]
    else:
        raise ValueError(f"a pattern can't begin with {word!r}")
    captures = []
    while words and words[-1][0] == "@":
        captures.append(_next(words)[1:])
    return [shape._replace(captures=(*shape.captures, *captures)) for shape in shapes]


def _node(words: list[str]) -> Shape:
    """Parse the rest of a node after its opening parenthesis."""
    kind = _next(words)
    items = []
    follows = False
    while words and words[-1] != ")":
        if words[-1] == ".":
            _next(words)
            follows = True
            continue
        field = _next(words)[:-1] if words[-1].endswith(":") else ""
        items.append(Item(field, follows, tuple(_alternatives(words))))
        follows = False
    _next(words)
    return Shape("" if kind == "_" else kind, is_named=True, items=tuple(items), ends=follows)


def _next(words: list[str]) -> str:
    if not words:
        raise ValueError("a pattern has no end")
    return words.pop()
