"""Endpoints of Sanic, whose calls name the path `uri` and take the handler before it."""

import re

from bearings.code.languages.python.frameworks.declaration import DECORATORS, KEYWORD_ONLY, Framework, Mount, Route

_URI = (0, "uri")

SANIC = Framework(
    name="sanic",
    router_origin=re.compile(r"sanic(?:\.\w+)*\.(?:Sanic|Blueprint)\(\)"),
    functions=re.compile(r"sanic(?:\.\w+)*\.Blueprint\.group"),
    routes={
        **{verb: route._replace(path=_URI) for verb, route in DECORATORS.items()},
        "route": Route(path=_URI, is_placed=True),
        "websocket": Route("WEBSOCKET", path=_URI, is_placed=True),
        "add_route": Route(path=(1, "uri"), handler=(0, "handler")),
        "add_websocket_route": Route("WEBSOCKET", path=(1, "uri"), handler=(0, "handler")),
    },
    mounts={
        "blueprint": Mount([(0, "blueprint")], (KEYWORD_ONLY, "url_prefix"), replaces=True),
        "group": Mount(prefix=(KEYWORD_ONLY, "url_prefix")),
    },
    router_classes={"Blueprint": "url_prefix"},
)
