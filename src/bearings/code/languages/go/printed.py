"""Finds what calls of `fmt` and `log` print: `fmt.Println(cart)` calls `cart.Error()` or `cart.String()`.

Each is a use of kind `call`, of `cart.String`, beside the uses of members. See resolve/rules/go/uses.py.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import extended, is_known
from bearings.code.languages.go.names import Names
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.nodes import inside

PRINTING = frozenset({"fmt", "log"})
"""Packages whose functions print."""
_PRINTS = re.compile(r"(?P<writer>Fprint|Append)?(?:Print|Sprint|Error|Fatal|Panic)?(?P<how>f|ln)?")
_VERB = re.compile(r"%(?P<flags>[-+# 0-9.]*)(?P<verb>.)", re.DOTALL)
_BY_METHOD = frozenset("vsqxXw")
"""Verbs that print a value by its method."""
_VALUES = frozenset({"identifier", "selector_expression", "call_expression", "index_expression", "composite_literal"})


def printed(call: Node, function: str, names: Names, builder: Builder) -> None:
    """Add the method of each argument that a function of a package prints."""
    match = _PRINTS.fullmatch(function)
    if match is None:
        return
    given = [node for node in inside(call, "arguments") if node.type != "comment"][bool(match["writer"]) :]
    for node in _formatted(given, builder) if match["how"] == "f" else given:
        is_address = node.type == "unary_expression" and node.children[0].type in ("&", "*")
        value = (node.child_by_field_name("operand") if is_address else None) or node
        if value.type in _VALUES and is_known(found := names.expression(value)):
            builder.add_access(node, Edges.CALL, extended(found, "String"), line=builder.line(node))


def _formatted(given: list[Node], builder: Builder) -> Iterator[Node]:
    """Yield the arguments that a format prints by their methods: each, if its verbs may be in another order."""
    form = builder.text(given[0]) if given else ""
    verbs = [match for match in _VERB.finditer(form) if match["verb"] != "%"]
    is_plain = form[:1] in ('"', "`") and not any(match["verb"] in "*[" for match in verbs)
    for place, node in enumerate(given[1:]):
        match = verbs[place] if place < len(verbs) else None
        if not is_plain or (match is not None and match["verb"] in _BY_METHOD and "#" not in match["flags"]):
            yield node
