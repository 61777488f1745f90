"""Endpoints of Elysia."""

import re
from typing import Final

from tree_sitter import Node

from bearings.code.languages.ecmascript.frameworks.mounted_routers import MountedRouters
from bearings.code.languages.ecmascript.frameworks.router_framework import (
    CHAINED,
    Mounting,
    Registration,
    RouterFramework,
    first_argument,
)
from bearings.code.languages.ecmascript.names import FUNCTIONS
from bearings.code.languages.shared.routes import Candidate


def _mount(routers: MountedRouters, call: Candidate, argument: Node, prefix: str) -> None:
    """Record the parameter of `group("/x", (app) => app.get(…))`, which is a router below the prefix."""
    if argument.type in FUNCTIONS:
        routers.mount_parameter(call, argument, prefix)


ELYSIA: Final = RouterFramework(
    name="elysia",
    router_origin=re.compile(r"elysia(?:\.(?:default|Elysia))?\(\)" + CHAINED),
    package=re.compile(r"elysia(?:/|$)|@elysiajs/"),
    mounting={
        "use": Mounting(),
        "group": Mounting(first_argument, slice(1, None), _mount),
        "guard": Mounting(mount=_mount),
    },
    registering={"route": Registration(methods=0, path=1, handlers=slice(2, 3))},
    factory_suffix="Elysia",
    handlers=slice(0, 1),  # hooks follow: `get("/x", handler, { body })`
    is_chained=True,
)
