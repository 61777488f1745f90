"""Endpoints of Hono."""

import re
from typing import Final

from bearings.code.languages.ecmascript.frameworks.router_framework import (
    CHAINED,
    Mounting,
    Registration,
    RouterFramework,
    first_argument,
)

HONO: Final = RouterFramework(
    name="hono",
    router_origin=re.compile(r"(?:hono|hono/\w+|@hono/zod-openapi)\.(?:Hono|OpenAPIHono)\(\)" + CHAINED),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?hono(?:/|$)|@hono/"),
    mounting={"route": Mounting(first_argument, slice(1, 2))},
    registering={"on": Registration(methods=0, path=1, handlers=slice(2, None))},
)
