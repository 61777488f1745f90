"""Endpoints of FastAPI."""

import re

from bearings.code.languages.python.frameworks.decorated import Dialect

FASTAPI = Dialect(
    name="fastapi",
    made=re.compile(r"fastapi(?:\.\w+)?\.(?:FastAPI|APIRouter)\(\)"),
    decorating=frozenset({"api_route", "websocket", "websocket_route"}),
    adding={"add_api_route": (1, "endpoint")},
    mounting={"include_router": "prefix", "mount": "path"},
    making={"APIRouter": "prefix"},
)
