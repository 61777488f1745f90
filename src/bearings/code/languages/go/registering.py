"""Reads the methods of HTTP and the handlers in registrations of endpoints in Go."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.go.groups import Rows
from bearings.code.languages.go.names import NAMED, Names
from bearings.code.languages.shared.builder import Builder
from bearings.code.type_expressions import FunctionType, type_words

VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "connect", "trace")
_METHOD = re.compile(r'(?:http\.Method(\w+)|strings\.ToUpper\("(\w+)"\)|"([A-Z]+)")$')
"""A method of HTTP: a constant of net/http, a string in lower case that is raised, a string."""
_LONGEST_METHOD = 40
_HANDLER = re.compile(r"(?i)handle|func")
"""A part of the names of types of handlers."""
_DEEPEST = 8


def method_of(node: Node, builder: Builder) -> str:
    """Return one of net/http's methods: by a string, a constant or a name of this file; empty for another value."""
    node = builder.constants.string(node) or node
    known = _METHOD.match(builder.text(node)) if node.end_byte - node.start_byte < _LONGEST_METHOD else None
    name = next(filter(None, known.groups())).upper() if known is not None else ""
    return name if name.lower() in VERBS else ""


class Handlers:
    """Finds the handlers of the endpoints of one file. `rows` are the file's names."""

    def __init__(self, builder: Builder, names: Names, rows: Rows) -> None:
        self._builder = builder
        self._names = names
        self._rows = rows

    def of(self, node: Node, scope: int) -> Expression | None:
        """Return the name of a handler, without the conversion or middleware around it; None for none.

        If a function makes the handler from other objects, `show(db)`, it is that function.
        """
        maker: Node | None = None
        for _ in range(_DEEPEST):
            if node.type in NAMED:
                found = self._names.expression(node)
                is_data = maker is not None and self._is_data(found, scope, self._builder.line(node))
                return self._names.expression(maker) if maker is not None and is_data else found
            given = node.child_by_field_name("arguments") if node.type == "call_expression" else None
            if given is None:
                return None
            maker = node.child_by_field_name("function")
            if not given.named_child_count:
                return self._names.expression(maker) if maker is not None and maker.type in NAMED else None
            node = given.named_children[-1]
        return None

    def _is_data(self, name: Expression, scope: int, line: int) -> bool:
        """Whether a name is a variable with a written type that is not the type of a handler."""
        row = self._rows.of(scope, name, line)
        if row is None or row.type is None or isinstance(row.type, FunctionType):
            return False
        return not any(_HANDLER.search(word) for word in type_words(row.type))
