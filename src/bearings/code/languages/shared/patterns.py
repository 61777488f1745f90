"""A query's text as plain data, for who matches patterns without tree-sitter's query engine.

What our queries need of its language: kinds, anonymous nodes, wildcards, fields, alternatives, anchors and captures; no
quantifiers, no predicates, no negated fields.
"""

import re
from typing import NamedTuple

_WORD = re.compile(r'\s+|;[^\n]*|(?P<word>[()\[\].]|"[^"\\]*"|@[\w.]+|\w+:?)|(?P<other>.)', re.DOTALL)


class Shape(NamedTuple):
    """A node: its kind, or any where that is empty; its captures; what is in it in order, to its end if it `ends`."""

    kind: str
    is_named: bool
    captures: tuple[str, ...] = ()
    items: tuple["Item", ...] = ()
    ends: bool = False


class Item(NamedTuple):
    """A child in a field, or anywhere where that is empty: any of some shapes. What `follows` does so at once."""

    field: str
    follows: bool
    shapes: tuple[Shape, ...]


def shapes(text: str) -> tuple[Shape, ...]:
    """The patterns of a query. Raises ValueError for what is not in this part of the language."""
    words: list[str] = []
    for found in _WORD.finditer(text):
        if found["other"]:
            raise ValueError(f"a pattern can't have {found['other']!r}")
        if found["word"]:
            words.append(found["word"])
    words.reverse()
    given: list[Shape] = []
    while words:
        given += _alternatives(words)
    return tuple(given)


def _alternatives(words: list[str]) -> list[Shape]:
    """The next node, or those in brackets, with the captures behind."""
    word = _next(words)
    if word == "[":
        given = []
        while words and words[-1] != "]":
            given += _alternatives(words)
        _next(words)
    elif word == "(":
        given = [_node(words)]
    elif word[0] == '"':
        given = [Shape(word[1:-1], is_named=False)]
    elif word == "_":
        given = [Shape("", is_named=False)]
    else:
        raise ValueError(f"a pattern can't begin with {word!r}")
    captures = []
    while words and words[-1][0] == "@":
        captures.append(_next(words)[1:])
    return [shape._replace(captures=(*shape.captures, *captures)) for shape in given]


def _node(words: list[str]) -> Shape:
    """What is in parentheses."""
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
