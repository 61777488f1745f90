"""Which lines of a file are comments, and which are decorators: where a comment line may stand without harm."""

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
    """The comments and the decorators of a file, by their lines, in order.

    `shape` is the tree without comments, as text: two files of the same shape differ in comments, or in words alone.
    It is empty where it is not known.
    """

    comments: tuple[Span, ...] = ()
    decorators: tuple[Span, ...] = ()
    shape: str = ""


def rows(language: Language, tree: Tree, *, shaped: bool) -> Rows:
    """Read off a syntax tree, with its shape: tree-sitter writes that by recursion, so not for a very deep tree."""
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
    """Whatever a grammar calls its comments and decorators."""
    known = grammar(language)
    kinds = [(kind, name) for kind, name in _KINDS.items() if known.id_for_node_kind(kind, True) is not None]
    return Query(known, "\n".join(f"({kind}) @{name}" for kind, name in kinds))
