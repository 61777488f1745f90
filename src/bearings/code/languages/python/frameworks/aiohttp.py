"""Endpoints of aiohttp: `add_get("/x", handler)`, `web.get("/x", handler)`, and decorators of a `RouteTableDef`."""

import re

from bearings.code.languages.python.frameworks.classes import VERBS
from bearings.code.languages.python.frameworks.declaration import FIRST, Framework, Mount, Route
from bearings.code.languages.shared.routes import ANY

_LISTED = Route(handler=(1, "handler"), is_placed=True)
_ADDED = Route(handler=(1, "handler"), on="router")

AIOHTTP = Framework(
    name="aiohttp",
    router_origin=re.compile(r"aiohttp\.web(?:_\w+)?\.(?:Application|UrlDispatcher|RouteTableDef)\(\)(?:\.router)?"),
    functions=re.compile(r"aiohttp\.web(?:_\w+)?\.\w+"),
    router_attribute="router",
    routes={
        **{verb: _LISTED._replace(methods=verb.upper()) for verb in VERBS},
        "view": _LISTED._replace(methods=ANY, has_classes=True),
        "route": Route(FIRST, (1, "path"), (2, "handler"), is_placed=True),
        **{f"add_{verb}": _ADDED._replace(methods=verb.upper()) for verb in VERBS},
        "add_view": _ADDED._replace(methods=ANY, has_classes=True),
        "add_route": Route(FIRST, (1, "path"), (2, "handler"), on="router"),
    },
    resources={"add_resource": (0, "path")},
    mounts={
        "add_routes": Mount([(0, "routes")], on_any=True),
        "add_subapp": Mount([(1, "subapp")], (0, "prefix"), on_any=True),
    },
    router="",
)
