"""Endpoints of Koa: @koa/router, koa-router, koa-route, and the prefixes of koa-mount."""

import re
from typing import Final

from tree_sitter import Node

from bearings.code.expressions import last_name, receiver
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.frameworks.arguments import text_of
from bearings.code.languages.ecmascript.frameworks.mounted_routers import MountedRouters
from bearings.code.languages.ecmascript.frameworks.router_framework import (
    CHAINED,
    Mounting,
    Registration,
    RouterFramework,
    leading_string,
)
from bearings.code.languages.shared.nodes import inside
from bearings.code.languages.shared.routes import Candidate, joined

_MIDDLEWARE = frozenset({"routes", "middleware"})
"""Methods of a router that return it as middleware."""
_DEEPEST = 5


def _mount(routers: MountedRouters, call: Candidate, argument: Node, prefix: str, depth: int = 0) -> None:
    """Record the router of `other.routes()`, or of `mount("/more", other.routes())`."""
    callee = argument.child_by_field_name("function") if argument.type == "call_expression" else None
    if callee is None or depth > _DEEPEST:
        return
    name, given = expression(callee, routers.builder), inside(argument, "arguments")
    router = receiver(name)
    if last_name(name) in _MIDDLEWARE and type(router) is str:
        row = routers.origins.row(call.scope, router)
        if row is not None:
            routers.mount_binding(call, row, prefix)
    elif routers.origins.of(call.scope, name).name == "koa-mount":
        more = text_of(leading_string(given, routers.builder), routers.builder)
        for part in given[1 if more else 0 :]:
            _mount(routers, call, part, joined(prefix, more), depth + 1)


KOA: Final = RouterFramework(
    name="koa",
    router_origin=re.compile(
        r"(?:koa|@koa/router|koa-router|koa-joi-router)(?:\.(?:default|Router|Application))?\(\)"
        + CHAINED
        + "|koa-route"
    ),
    package=re.compile(r"(?:koa|koa-route|koa-router|koa-joi-router)(?:/|$)|@koa/"),
    mounting={"use": Mounting(leading_string, mount=_mount)},
    registering={"register": Registration(methods=1, path=0, handlers=slice(2, 3))},
    prefixing="prefix",
)
