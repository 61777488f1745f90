"""Endpoints of Koa: @koa/router, koa-router, koa-route, and the prefixes of koa-mount."""

import re

from tree_sitter import Node

from bearings.code.expressions import last_name, receiver
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.frameworks.arguments import text_of, texts_of
from bearings.code.languages.ecmascript.frameworks.routers import CHAINED, Dialect, Routers
from bearings.code.languages.shared.routes import ANY, Candidate, joined

_ROUTES = frozenset({"routes", "middleware"})
"""Methods of a router that return it as middleware."""
_LEAST = 3
"""The fewest arguments of `register`: a path, methods and a handler."""
_DEEPEST = 5


def _mount(routers: Routers, one: Candidate) -> None:
    """Record the routers of `use("/prefix", other.routes())`, and the prefix of `router.prefix("/x")`."""
    given = one.arguments()
    path = routers.builder.constants.string(given[0]) if given else None
    prefix = text_of(path, routers.builder)
    if one.verb == "prefix":
        row = routers.origins.row(one.scope, one.receiver_name)
        if row is not None and path is not None:
            routers.prefixed(row, prefix)
        return
    for argument in given:
        _used(routers, one, argument, prefix)


def _used(routers: Routers, one: Candidate, argument: Node, prefix: str, depth: int = 0) -> None:
    """Record the router of `other.routes()`, or of `mount("/more", other.routes())`."""
    callee = argument.child_by_field_name("function") if argument.type == "call_expression" else None
    given = argument.child_by_field_name("arguments") if callee is not None else None
    name = expression(callee, routers.builder) if callee is not None else None
    if name is None or depth > _DEEPEST:
        return
    router = receiver(name)
    if last_name(name) in _ROUTES and type(router) is str:
        row = routers.origins.row(one.scope, router)
        if row is not None:
            routers.mounted_row(one, row, prefix)
    elif given is not None and routers.origins.of(one.scope, name).name == "koa-mount":
        parts = given.named_children
        more = text_of(routers.builder.constants.string(parts[0]) if parts else None, routers.builder)
        for part in parts[1 if more else 0 :]:
            _used(routers, one, part, joined(prefix, more), depth + 1)


def _register(routers: Routers, one: Candidate) -> None:
    """Add `router.register("/x", ["GET"], handler)`."""
    given = one.arguments()
    if len(given) >= _LEAST:
        methods = [method.upper() for method in texts_of(given[1], routers.builder)] or [ANY]
        for path in texts_of(given[0], routers.builder):
            routers.register(one, KOA, methods, path, given[2:3])


KOA = Dialect(
    name="koa",
    made=re.compile(
        r"(?:koa|@koa/router|koa-router|koa-joi-router)(?:\.(?:default|Router|Application))?\(\)"
        + CHAINED
        + "|koa-route"
    ),
    package=re.compile(r"(?:koa|koa-route|koa-router|koa-joi-router)(?:/|$)|@koa/"),
    mounting=frozenset({"use", "prefix"}),
    mount=_mount,
    registering={"register": _register},
)
