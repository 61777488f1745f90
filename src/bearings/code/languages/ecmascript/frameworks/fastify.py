"""Endpoints of Fastify."""

import re

from tree_sitter import Node

from bearings.code.file_facts import Binding
from bearings.code.languages.ecmascript.frameworks.arguments import property_of, text_of, texts_of
from bearings.code.languages.ecmascript.frameworks.routers import CHAINED, Dialect, Routers
from bearings.code.languages.ecmascript.names import FUNCTIONS
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.routes import Candidate


def _mount(routers: Routers, one: Candidate) -> None:
    """Record the plugin of `fastify.register(plugin, { prefix })`: its first parameter is the instance."""
    given, builder, row = one.arguments(), routers.builder, None
    if not given:
        return
    plugin, options = given[0], given[1] if len(given) > 1 else None
    if plugin.type in FUNCTIONS:
        row = _first_parameter(routers, plugin)
    elif plugin.type == "call_expression":
        routers.mounted(one, plugin, text_of(property_of(options, "prefix", builder), builder))
    elif plugin.type == "identifier":
        declared = routers.origins.row(one.scope, builder.text(plugin))
        if declared is not None and declared.kind is Bindings.IMPORT:
            row = declared
        inner = builder.drafts[declared.target].inner if declared and declared.kind is Bindings.SYMBOL else -1
        taken = (row for row in builder.bindings if row.scope == inner and row.kind is Bindings.PARAMETER)
        row = row or next(taken, None)
    if row is not None:
        routers.mounted_row(one, row, text_of(property_of(options, "prefix", builder), builder))


def _first_parameter(routers: Routers, function: Node) -> Binding | None:
    builder = routers.builder
    parameters = function.child_by_field_name("parameters")
    parameter = function.child_by_field_name("parameter") or first(parameters)
    name = parameter.child_by_field_name("pattern") or parameter if parameter is not None else None
    if name is None:
        return None
    line, text = builder.line(name), builder.text(name)
    fits = (row for row in builder.bindings if row.line == line and row.name == text)
    return next((row for row in fits if row.kind is Bindings.PARAMETER), None)


def _route(routers: Routers, one: Candidate) -> None:
    """Add `fastify.route({ method, url, handler })`."""
    given, builder = one.arguments(), routers.builder
    description = given[0] if given and given[0].type == "object" else None
    url = property_of(description, "url", builder) or property_of(description, "path", builder)
    method, handler = (property_of(description, key, builder) for key in ("method", "handler"))
    if url is not None and method is not None:
        methods = [method.upper() for method in texts_of(method, builder)]
        routers.register(one, FASTIFY, methods, text_of(url, builder), [handler] if handler is not None else [])


FASTIFY = Dialect(
    name="fastify",
    made=re.compile(r"fastify(?:\.(?:default|fastify|FastifyInstance))?\(\)" + CHAINED),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?fastify(?:/|$)|@fastify/"),
    mounting=frozenset({"register"}),
    mount=_mount,
    registering={"route": _route},
)
