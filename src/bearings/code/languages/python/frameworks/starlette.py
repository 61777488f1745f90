"""Endpoints of Starlette: the methods of an application, and `Route("/x", endpoint)` in lists."""

import re

from bearings.code.languages.python.frameworks.declaration import DECORATORS, Framework, Mount, Route

_TAKING = Mount([(1, "app"), (2, "routes")], (0, "path"))

STARLETTE = Framework(
    name="starlette",
    router_origin=re.compile(r"starlette\.(?:applications\.Starlette|routing\.Router)\(\)"),
    routes={
        **DECORATORS,
        "route": Route(is_placed=True),
        "websocket_route": Route("WEBSOCKET", is_placed=True),
        "add_route": Route(handler=(1, "route")),
        "add_websocket_route": Route("WEBSOCKET", handler=(1, "route")),
    },
    mounts={"mount": _TAKING},
)
LISTS = Framework(
    name="starlette",
    functions=re.compile(r"starlette\.(?:routing\.(?:Route|WebSocketRoute|Mount|Router)|applications\.Starlette)"),
    routes={
        "Route": Route(handler=(1, "endpoint"), has_classes=True),
        "WebSocketRoute": Route("WEBSOCKET", handler=(1, "endpoint")),
    },
    mounts={
        "Mount": _TAKING,
        "mount": _TAKING._replace(on_any=True),
        "Router": Mount([(0, "routes")]),
        "Starlette": Mount([(1, "routes")]),
    },
    root="/",
    router="",
)
"""Lists hold routes of other lists."""
