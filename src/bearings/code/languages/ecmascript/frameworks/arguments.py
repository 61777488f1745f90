"""Reads the arguments of calls that register endpoints: paths, options and handlers."""

import re
from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver
from bearings.code.languages.ecmascript.expressions import NAMES, expression
from bearings.code.languages.ecmascript.names import FUNCTIONS, literal, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first

_WRAPPER = re.compile(r"(?i)(?:wrap|async|catch|try|safe|protect|guard|handler)\w*$")
"""Functions that wrap the handler that is passed to them; other functions are taken to create a handler."""
OWN_MODULES = (".", "@/", "~", "#")
"""The starts of modules of the project."""
_DEEPEST = 5
_MOST_PARTS = 100
"""The most parts of a template string."""


def text_of(node: Node | None, builder: Builder, depth: int = 0) -> str:
    """Return a string's content, or another expression in angle brackets, on one line; empty for None.

    A name that the file gives a string stands for the string, in a template string too. Operands of `+` are joined;
    of `||` and `??`, the last counts.
    """
    if node is None:
        return ""
    left, right = (node.child_by_field_name(side) for side in ("left", "right"))
    if node.type == "binary_expression" and left is not None and right is not None and depth < _DEEPEST:
        operator, last = builder.text(node.children[1]), text_of(right, builder, depth + 1)
        return text_of(left, builder, depth + 1) + last if operator == "+" else last
    known = _constant(node, builder)
    if known is not None:
        return known
    if node.type == "string":
        return literal(builder.text(node)).strip("'\"")
    if node.type == "template_string":
        return "".join(_part(part, builder) for part in node.children[:_MOST_PARTS]).strip("`")
    if node.type == "regex":
        return builder.text(node)
    return f"<{builder.line_of(node)[:60]}>"


def _constant(name: Node, builder: Builder) -> str | None:
    """Return the text of the constant that a name means; None for none."""
    return builder.constants.text(name, partial(text_of, builder=builder))


def _part(part: Node, builder: Builder) -> str:
    """Return a part of a template string: as it is written, or the text of the constant in its braces."""
    name = first(part) if part.type == "template_substitution" else None
    known = _constant(name, builder) if name is not None else None
    return builder.text(part) if known is None else known


def texts_of(node: Node, builder: Builder) -> Iterator[str]:
    """Yield the text of an argument, or of each element of an array."""
    if node.type == "array":
        yield from (text_of(child, builder) for child in node.named_children)
    else:
        yield text_of(node, builder)


def property_of(node: Node | None, builder: Builder, *keys: str) -> Node | None:
    """Return the value of a key in an object literal, or the key itself for a shorthand property.

    Of several keys, the first that is there counts.
    """
    children = node.named_children if node is not None and node.type == "object" else []
    for key in keys:
        for child in children:
            name = child.child_by_field_name("key") if child.type == "pair" else None
            if name is not None and literal(builder.text(name)) == key:
                return unwrapped(child.child_by_field_name("value"))
            if child.type == "shorthand_property_identifier" and builder.text(child) == key:
                return child
    return None


def may_handle(node: Node) -> bool:
    """Whether an argument may be a handler: a function, a name, a call or a list of these, but no string or options."""
    return node.type in FUNCTIONS or node.type in NAMES or node.type in ("call_expression", "array", "as_expression")


def handler_of(node: Node, builder: Builder) -> Expression | None:
    """Return the name of a handler; None if it has none.

    The name is the argument itself, the last argument of a wrapper, the function of a `bind`, or the function that
    creates the handler.
    """
    bare = unwrapped(node)
    for _ in range(_DEEPEST):
        if bare is None or bare.type in FUNCTIONS:
            return None
        if bare.type == "array" and bare.named_child_count:
            bare = unwrapped(bare.named_children[-1])
        elif bare.type == "call_expression":
            callee, arguments = bare.child_by_field_name("function"), bare.child_by_field_name("arguments")
            name = expression(callee, builder) if callee is not None else None
            if name is not None and last_name(name) == "bind" and (bound := receiver(name)) is not None:
                return bound
            given = arguments.named_children if arguments is not None else []
            if not given or not (given[-1].type in FUNCTIONS or _WRAPPER.search(last_name(name))):
                return name
            bare = unwrapped(given[-1])
        else:
            break
    return expression(bare, builder) if bare is not None and bare.type in NAMES else None


def verb_of(call: Node) -> Node:
    """Return the last name of a call's callee: in a chain of calls, its line is the evidence."""
    callee = call.child_by_field_name("function")
    return (callee.child_by_field_name("property") if callee is not None else None) or call
