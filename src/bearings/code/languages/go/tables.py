"""Endpoints in tables of routes that a loop of another file goes over: `var all = Routes{{"GET", "/", show}}`.

A table is a literal of a type that is called like a route. Its rows tell their method, path and handler by what they
hold, as the type's fields may be in another file. A loop of the same file says more; see loops.py.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.go.groups import Groups, function_around
from bearings.code.languages.go.literals import elements, is_literal, key_and_value
from bearings.code.languages.go.names import Names
from bearings.code.languages.go.registering import Handlers, method_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import around, text_of
from bearings.code.languages.shared.routes import place, register

_TYPE = re.compile(rb"(?i)routes?$")
_HANDLING = re.compile(rb"(?i)handle|func|action|controller")
"""A part of the names of fields that hold a handler."""
_CALLABLE = frozenset({"identifier", "selector_expression", "func_literal", "call_expression"})
_MOST_ROWS, _MOST_FIELDS = 5_000, 20
_LONGEST_NAME = 100


class Table(NamedTuple):
    """A literal that may be a table of routes or one of its rows, and its scope."""

    node: Node
    scope: int


class _Route(NamedTuple):
    """A row, with its method, its path and its handler."""

    row: Node
    method: str
    path: str
    handler: Node


def is_table(type_: Node | None) -> bool:
    """Whether the type of a literal is called like a route, or holds values of one that is."""
    return type_ is not None and _TYPE.search((type_.text or b"")[-_LONGEST_NAME:]) is not None


def table_endpoints(builder: Builder, names: Names, tables: Sequence[Table], framework: str) -> None:
    """Add the endpoints in the tables of one file. Their router is the variable or the function with the table."""
    groups = Groups(builder, (), framework, "")
    handlers = Handlers(builder, names, groups.rows)
    for table in tables:
        router = function_around(builder, table.scope) or _variable(table.node)
        for route in _routes(table.node, builder, groups):
            where, handler = place(builder, route.row, route.row, table.scope), handlers.of(route.handler, table.scope)
            uses: list[Expression | None] = [handler]
            register(builder, framework, [route.method], route.path, where, uses, router)


def _routes(table: Node, builder: Builder, groups: Groups) -> Iterator[_Route]:
    """Yield the routes of a table, or the one that a literal is itself."""
    own = _route(table, table, builder, groups)
    if own is not None:
        yield own
        return
    for row in elements(table)[:_MOST_ROWS]:
        value = key_and_value(row)[1]
        found = _route(row, value, builder, groups) if is_literal(value) else None
        if found is not None:
            yield found


def _route(row: Node, value: Node, builder: Builder, groups: Groups) -> _Route | None:
    """Return a row as a route; None for one without a method, a path or a handler."""
    parts = [key_and_value(part) for part in elements(value)[:_MOST_FIELDS]]
    method = next((found for _, part in parts if (found := method_of(part, builder))), "")
    texts = (groups.path(part) for _, part in parts) if method else ()
    path = next((text for text in texts if text is not None and text.startswith("/")), None)
    if path is None:
        return None
    keyed = [part for key, part in parts if key is not None and _HANDLING.search(key.text or b"")]
    handler = keyed[-1] if keyed else parts[-1][1] if parts[-1][0] is None else None
    is_callable = handler is not None and handler.type in _CALLABLE and not method_of(handler, builder)
    return _Route(row, method, path, handler) if handler is not None and is_callable else None


def _variable(table: Node) -> str:
    """Return the variable of the package that a literal is the value of; empty for none."""
    here = around(table.parent, ("var_spec",))
    return text_of(here.child_by_field_name("name")) if here is not None else ""
