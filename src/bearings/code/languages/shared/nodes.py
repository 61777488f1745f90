"""Steps from a node of a syntax tree to others: into a field, up to a kind of node around."""

from collections.abc import Container, Iterator
from typing import Final

from tree_sitter import Node

COMMENTS: Final = frozenset({"comment", "line_comment", "block_comment"})


def first(node: Node | None) -> Node | None:
    """Return the first named child of a node; None without one."""
    return node.named_child(0) if node is not None and node.named_child_count else None


def inside(node: Node, field: str) -> list[Node]:
    """Return the named children of the node in a field: the arguments of a call, the parameters of a function."""
    found = node.child_by_field_name(field)
    return found.named_children if found is not None else []


def around(node: Node | None, kinds: Container[str]) -> Node | None:
    """Return the node itself or the nearest one around it that is of one of these kinds; None without one."""
    while node is not None and node.type not in kinds:
        node = node.parent
    return node


def above(node: Node | None) -> Iterator[Node]:
    """Yield the nodes around a node, the nearest first, up to the root."""
    while node is not None and (node := node.parent) is not None:
        yield node


def descendants(node: Node) -> Iterator[Node]:
    """Yield a node and all named ones inside it, in the order of the source."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += reversed(here.named_children)


def beyond(node: Node, kinds: Container[str]) -> Node | None:
    """Return the nearest node around another one that is of none of these kinds; None without one."""
    return next((each for each in above(node) if each.type not in kinds), None)


def field_of(node: Node, parent: Node) -> str:
    """Return the field of its parent that a node is in; empty for none."""
    for index, child in enumerate(parent.children):
        if child.id == node.id:
            return parent.field_name_for_child(index) or ""
    return ""


def innermost(node: Node, start: int, end: int) -> Node:
    """Return the innermost node in another one that spans some bytes."""
    inner: Node | None = node
    while inner is not None:
        node = inner
        inner = next((each for each in node.named_children if each.start_byte <= start and end <= each.end_byte), None)
    return node


def text_of(node: Node | None) -> str:
    """Return the text of a node; empty for none."""
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""
