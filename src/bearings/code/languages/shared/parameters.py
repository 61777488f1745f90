"""Counts the parameters of a function."""

import re

from tree_sitter import Node

_NO_PARAMETERS = frozenset({"comment", "keyword_separator", "positional_separator"})
_RECEIVER = re.compile(rb"(?:self|cls|this)\b")


def parameters(function: Node, source: bytes) -> int:
    """Return the number of arguments that a caller passes.

    Python's `self` and `cls`, TypeScript's `this` and bare separators don't count.
    """
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return 1 if function.child_by_field_name("parameter") is not None else 0
    names = [child for child in listed.named_children if child.type not in _NO_PARAMETERS]
    has_receiver = bool(names) and _RECEIVER.match(source, names[0].start_byte) is not None
    more = sum([_additional(name) for name in names if name.type == "parameter_declaration"])
    return len(names) + more - has_receiver


def _additional(parameter: Node) -> int:
    """Return how many parameters a declaration has beyond the first: Go's `a, b int` has one more."""
    return max(0, sum(name.is_named for name in parameter.children_by_field_name("name")) - 1)
