"""Endpoints of FastAPI. Applications have the methods of Starlette's, too."""

import re

from bearings.code.languages.python.frameworks.declaration import DECORATORS, KEYWORD_ONLY, Framework, Mount, Route

FASTAPI = Framework(
    name="fastapi",
    router_origin=re.compile(r"fastapi(?:\.\w+)?\.(?:FastAPI|APIRouter)\(\)"),
    routes={
        **DECORATORS,
        "api_route": Route(is_placed=True),
        "websocket": Route("WEBSOCKET", is_placed=True),
        "add_api_route": Route(handler=(1, "endpoint")),
    },
    mounts={"include_router": Mount([(0, "router")], (KEYWORD_ONLY, "prefix"))},
    router_classes={"APIRouter": "prefix"},
)
