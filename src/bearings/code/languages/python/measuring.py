"""Python's rules for complexity that captures alone can't express."""

import re

from tree_sitter import Node

from bearings.code.languages.line_conventions import Measuring
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.metrics import DECISION, Event, nests

_DEFINITIONS = frozenset({"function_definition", "decorated_definition"})
_IRREFUTABLE = re.compile(r"case\s+(?!True\b|False\b|None\b)[^\W\d]\w*\s*(?:if\b.*)?", re.DOTALL)


def only_holds(function: Node | None, _: bool, structures: int) -> bool:  # noqa: ARG001 - as Measuring says
    """Whether a function only defines another function and returns, as decorators do."""
    body = function.child_by_field_name("body") if function is not None else None
    children = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    if children and children[0].type == "expression_statement":
        children = children[1:]  # skip the docstring
    kinds = [child.type for child in children]
    return len(kinds) == 2 and kinds[0] in _DEFINITIONS and kinds[1] == "return_statement"


def events(builder: Builder, captures: Captures) -> list[Event]:
    """Return events that nest both sides of conditional expressions, and lambdas, and decisions for `match` cases."""
    found = nests(child.byte_range for node in captures.of("m.ternary") for child in node.named_children[::2])
    found += nests(captures.spans("lambda"))
    return found + [event for node in captures.of("m.switch") for event in _cases(node, builder)]


def _cases(match: Node, builder: Builder) -> list[Event]:
    """Return a decision for each case of a `match`, except for an irrefutable one."""
    body = match.child_by_field_name("body")
    cases = [child for child in body.named_children if child.type == "case_clause"] if body is not None else []
    has_default = any(_IRREFUTABLE.fullmatch(builder.text(case).partition(":")[0]) for case in cases)
    return [(case.start_byte, -case.end_byte, DECISION, -1) for case in cases[has_default:]]


MEASURING = Measuring(only_holds=only_holds, body_alone=True, events=events)
