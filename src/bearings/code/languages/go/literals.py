"""The parts of composite literals: `T{a, b}`, `[]T{{a, b}, {key: c}}`, `map[K]T{k: v}`."""

from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.languages.shared.nodes import first

TABLE = "composite_literal"
_LITERALS = frozenset({TABLE, "literal_value"})


def is_literal(node: Node) -> bool:
    """Whether a node is a composite literal, with its type or without."""
    return node.type in _LITERALS


def elements(literal: Node) -> Sequence[Node]:
    """Return the elements of a literal, without comments."""
    body = literal.child_by_field_name("body") or literal
    return [child for child in body.named_children if child.type != "comment"]


def key_and_value(element: Node) -> tuple[Node | None, Node]:
    """Return the key of an element, if it has one, and its value, both without the node around them and `&`."""
    if element.type != "keyed_element":
        return None, _inner(element)
    key, value = element.child_by_field_name("key"), element.child_by_field_name("value")
    return (_inner(key) if key is not None else None), _inner(value if value is not None else element)


def _inner(node: Node) -> Node:
    inner = (first(node) or node) if node.type == "literal_element" else node
    operand = inner.child_by_field_name("operand") if inner.type == "unary_expression" else None
    return operand if operand is not None else inner
