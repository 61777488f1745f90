"""Endpoints of Fastify."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from bearings.code.languages.ecmascript.frameworks.arguments import property_of
from bearings.code.languages.ecmascript.frameworks.mounted_routers import MountedRouters
from bearings.code.languages.ecmascript.frameworks.router_framework import (
    CHAINED,
    Mounting,
    Registration,
    RouterFramework,
)
from bearings.code.languages.ecmascript.names import FUNCTIONS
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.routes import Candidate


def _prefix(given: Sequence[Node], builder: Builder) -> Node | None:
    return property_of(given[1], builder, "prefix") if len(given) > 1 else None


def _mount(routers: MountedRouters, call: Candidate, plugin: Node, prefix: str) -> None:
    """Record the plugin of `fastify.register(plugin, { prefix })`: its first parameter is the instance."""
    builder = routers.builder
    if plugin.type in FUNCTIONS:
        routers.mount_parameter(call, plugin, prefix)
    elif plugin.type == "call_expression":
        routers.mount(call, plugin, prefix)
    elif plugin.type == "identifier":
        declared = routers.origins.row(call.scope, builder.text(plugin))
        inner = builder.drafts[declared.target].inner if declared and declared.kind is Bindings.SYMBOL else -1
        taken = (row for row in builder.bindings if row.scope == inner and row.kind is Bindings.PARAMETER)
        row = declared if declared is not None and declared.kind is Bindings.IMPORT else next(taken, None)
        if row is not None:
            routers.mount_binding(call, row, prefix)


FASTIFY: Final = RouterFramework(
    name="fastify",
    router_origin=re.compile(r"fastify(?:\.(?:default|fastify|FastifyInstance))?\(\)" + CHAINED),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?fastify(?:/|$)|@fastify/"),
    mounting={"register": Mounting(_prefix, slice(0, 1), _mount)},
    registering={
        "route": Registration(
            methods=0, path=1, handlers=slice(2, None), keys=(("method",), ("url", "path"), ("handler",))
        ),
    },
)
