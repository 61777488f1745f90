"""Endpoints of Hono."""

import re

from bearings.code.languages.ecmascript.frameworks.arguments import text_of, texts_of
from bearings.code.languages.ecmascript.frameworks.routers import CHAINED, Dialect, Routers
from bearings.code.languages.shared.routes import Candidate

_LEAST = 3
"""The fewest arguments of `on`: methods, paths and a handler."""


def _mount(routers: Routers, one: Candidate) -> None:
    """Record the app of `app.route("/prefix", other)`."""
    given = one.arguments()
    if len(given) == 2:
        routers.mounted(one, given[1], text_of(given[0], routers.builder))


def _on(routers: Routers, one: Candidate) -> None:
    """Add `app.on(["GET", "POST"], "/x", …)`."""
    given = one.arguments()
    if len(given) >= _LEAST:
        methods = [method.upper() for method in texts_of(given[0], routers.builder)]
        for path in texts_of(given[1], routers.builder):
            routers.register(one, HONO, methods, path, given[2:])


HONO = Dialect(
    name="hono",
    made=re.compile(r"(?:hono|hono/\w+|@hono/zod-openapi)\.(?:Hono|OpenAPIHono)\(\)" + CHAINED),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?hono(?:/|$)|@hono/"),
    mounting=frozenset({"route"}),
    mount=_mount,
    registering={"on": _on},
)
