"""What tests say: `isinstance` of a name and on which lines; which branch a type checker does not read."""

import re

from tree_sitter import Node

from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.models import Binding

_NAMES = frozenset({"identifier", "attribute"})
_LEAVING = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_CHECKED = re.compile(rb"^(?!not\b).*\bTYPE_CHECKING\b|^sys\.version_info\s*>=?")
_BRANCHES = frozenset({"if_statement", "elif_clause", "while_statement"})


def narrow(into: Builder, call: Node) -> None:
    """Notes what a name is where `isinstance(name, Class)` holds: in a branch, behind an `assert`, after a way out."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    types = _types(given[1], into) if len(given) == 2 and given[0].type == "identifier" else ""
    lines = _lines(call) if types else None
    if lines is not None:
        scope, name = into.frames[-1].scope, into.text(given[0])
        into.narrowed.append(Binding(scope, name, Bindings.NARROWED, lines[0], lines[1], types))


def _types(node: Node, into: Builder) -> str:
    """The classes of the test as a union; empty where they are not written out."""
    if node.type in _NAMES:
        return expression(node, into)
    parts = node.named_children if node.type == "tuple" else []
    return " | ".join(into.text(part) for part in parts) if all(part.type in _NAMES for part in parts) else ""


def _lines(call: Node) -> tuple[int, int] | None:
    """The line before those on which the test holds, and the one after them."""
    node, is_negated, joined = call, False, None
    while (around := node.parent) is not None:
        if around.type == "not_operator":
            is_negated = not is_negated
        elif around.type == "boolean_operator":
            if (around.children[1].type == "and") is is_negated:
                break
            joined = around
        elif around.type != "parenthesized_expression":
            break
        node = around
    if around is None:
        return None
    held = _behind(around, node) if is_negated else _inside(around, node)
    if held is None and joined is not None and not is_negated:
        held = joined
    if held is None or isinstance(held, tuple):
        return held
    return held.start_point[0], held.end_point[0] + 2


def _inside(around: Node, test: Node) -> "tuple[int, int] | Node | None":
    """Where what a test says holds."""
    if around.type in _BRANCHES:
        block = around.child_by_field_name("consequence") or around.child_by_field_name("body")
        return (test.start_point[0], block.end_point[0] + 2) if block is not None else None
    if around.type == "if_clause":
        return around.parent
    if around.type == "assert_statement" and around.parent is not None:
        return around.end_point[0] + 1, around.parent.end_point[0] + 2
    return None


def _behind(around: Node, _test: Node) -> tuple[int, int] | None:
    """Where the opposite of a test holds: after a branch that leads out."""
    block = around.child_by_field_name("consequence") if around.type == "if_statement" else None
    if block is None or around.parent is None or not block.named_children:
        return None
    if block.named_children[-1].type not in _LEAVING:
        return None
    return around.end_point[0] + 1, around.parent.end_point[0] + 2


def is_untyped(definition: Node) -> bool:
    """Whether a definition stands in the branch that a type checker leaves out: the `else` of `if TYPE_CHECKING`."""
    decorated = definition.parent
    node = decorated if decorated is not None and decorated.type == "decorated_definition" else definition
    block = node.parent
    around = block.parent if block is not None else None
    if around is None or around.type != "else_clause" or around.parent is None:
        return False
    test = around.parent.child_by_field_name("condition")
    text = test.text if test is not None else None
    return text is not None and _CHECKED.search(text) is not None
