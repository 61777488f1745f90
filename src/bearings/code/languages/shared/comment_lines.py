"""Finds the lines of comments and decorators: they decide where a comment line can be inserted without harm."""

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Query, QueryCursor, Tree

from bearings.code.languages.shared.grammars import grammar
from bearings.code.models import Language

_KINDS = {"comment": "comment", "line_comment": "comment", "block_comment": "comment", "decorator": "decorator"}

Span = tuple[int, int]
"""First and last line, from 0."""


class Rows(NamedTuple):
    """The spans of lines of a file's comments and of its decorators, each in order.

    `shape` is the syntax tree without comments, as text: two files with the same shape differ only in comments and in
    the text of their leaves. It is empty if it is not known.
    """

    comments: tuple[Span, ...] = ()
    decorators: tuple[Span, ...] = ()
    shape: str = ""


def rows(language: Language, tree: Tree, *, shaped: bool) -> Rows:
    """Return the rows of a syntax tree.

    Ask for the shape (`shaped`) only if the tree is not very deep: tree-sitter writes it recursively.
    """
    captures = QueryCursor(_query(language)).captures(tree.root_node)
    found = {
        name: tuple(sorted((node.start_point[0], node.end_point[0] - (node.end_point[1] == 0)) for node in nodes))
        for name, nodes in captures.items()
    }
    shape = _COMMENT.sub("", str(tree.root_node)) if shaped else ""
    return Rows(found.get("comment", ()), found.get("decorator", ()), shape)


_COMMENT = re.compile(r" \((?:line_|block_)?comment\)")


@cache
def _query(language: Language) -> Query:
    """Return the query for the node types that a grammar has for comments and decorators."""
    known = grammar(language)
    kinds = [(kind, name) for kind, name in _KINDS.items() if known.id_for_node_kind(kind, True) is not None]
    return Query(known, "\n".join(f"({kind}) @{name}" for kind, name in kinds))
