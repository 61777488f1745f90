"""What the measures of Python's functions can't say by captures alone."""

import re

from tree_sitter import Node

from bearings.code.languages.line_conventions import Measuring
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.metrics import DECISION, Event, nests
from bearings.code.languages.shared.trees import Captures

_DEFINITIONS = frozenset({"function_definition", "decorated_definition"})
_IRREFUTABLE = re.compile(r"case\s+(?!True\b|False\b|None\b)[^\W\d]\w*\s*(?:if\b.*)?", re.DOTALL)


def only_holds(function: Node | None, _: bool, structures: int) -> bool:  # noqa: ARG001 - as Measuring says
    """Whether a function does nothing but define another and return, as decorators do."""
    body = function.child_by_field_name("body") if function is not None else None
    children = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    if children and children[0].type == "expression_statement":
        children = children[1:]  # its docstring
    kinds = [child.type for child in children]
    return len(kinds) == 2 and kinds[0] in _DEFINITIONS and kinds[1] == "return_statement"


def events(into: Builder, captures: Captures) -> list[Event]:
    """Both sides of a conditional expression nest, and so do lambdas; a `match` decides by its cases."""
    found = nests(child.byte_range for node in captures.of("m.ternary") for child in node.named_children[::2])
    found += nests(captures.spans("lambda"))
    return found + [event for node in captures.of("m.switch") for event in _cases(node, into)]


def _cases(match: Node, into: Builder) -> list[Event]:
    """A decision for each case, but for one that takes whatever is left."""
    body = match.child_by_field_name("body")
    cases = [child for child in body.named_children if child.type == "case_clause"] if body is not None else []
    open_ended = any(_IRREFUTABLE.fullmatch(into.text(case).partition(":")[0]) for case in cases)
    return [(case.start_byte, -case.end_byte, DECISION, -1) for case in cases[open_ended:]]


MEASURING = Measuring(only_holds=only_holds, body_alone=True, events=events)
