"""What all registrations of endpoints in Go are read with: methods of HTTP and handlers."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.go.names import Names
from bearings.code.languages.shared.builder import Builder

VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "connect", "trace")
_METHOD = re.compile(r'(?:http\.Method(\w+)|strings\.ToUpper\("(\w+)"\)|"([A-Z]+)")$')
"""A method of HTTP: a constant of net/http, a string in lower case that is raised, a string."""
_LONGEST_METHOD = 40
_DEEPEST = 8


def method_of(node: Node, builder: Builder) -> str:
    """Return one of net/http's methods: by a string, a constant or a name of this file; empty for another value."""
    node = builder.constants.string(node) or node
    known = _METHOD.match(builder.text(node)) if node.end_byte - node.start_byte < _LONGEST_METHOD else None
    name = next(filter(None, known.groups())).upper() if known is not None else ""
    return name if name.lower() in VERBS else ""


def handler_of(node: Node, names: Names) -> Expression | None:
    """Return the name of a handler, without the conversion or middleware around it; None for none."""
    for _ in range(_DEEPEST):
        if node.type in ("identifier", "selector_expression"):
            return names.expression(node)
        given = node.child_by_field_name("arguments") if node.type == "call_expression" else None
        inner = given.named_children[-1] if given is not None and given.named_child_count else None
        if inner is None:
            return None
        node = inner
    return None
