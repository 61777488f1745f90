"""How many parameters a function has."""

import re

from tree_sitter import Node

_NO_PARAMETERS = frozenset({"comment", "keyword_separator", "positional_separator"})
_OWN = re.compile(rb"(?:self|cls|this)\b")


def parameters(function: Node, source: bytes) -> int:
    """How many a caller passes: without Python's `self` and `cls`, TypeScript's `this`, and bare separators."""
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return 1 if function.child_by_field_name("parameter") is not None else 0
    names = [child for child in listed.named_children if child.type not in _NO_PARAMETERS]
    own = bool(names) and _OWN.match(source, names[0].start_byte) is not None
    more = sum([_further(name) for name in names if name.type == "parameter_declaration"])
    return len(names) + more - own


def _further(parameter: Node) -> int:
    """How many parameters one is beside the first: Go's `a, b int` is two."""
    return max(0, sum(name.is_named for name in parameter.children_by_field_name("name")) - 1)
