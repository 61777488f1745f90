"""Endpoints of Express."""

import re

from bearings.code.languages.ecmascript.frameworks.arguments import text_of
from bearings.code.languages.ecmascript.frameworks.routers import CHAINED, Dialect, Routers
from bearings.code.languages.shared.routes import Candidate


def _mount(routers: Routers, one: Candidate) -> None:
    """Record the routers of `app.use("/prefix", middleware, router)`."""
    given = one.arguments()
    is_path = given and given[0].type in ("string", "template_string")
    prefix = text_of(given[0], routers.builder) if is_path else ""
    for argument in given:
        routers.mounted(one, argument, prefix)


EXPRESS = Dialect(
    name="express",
    made=re.compile(
        r"(?:\.{1,2}/(?:.*/)?)?express(?:\.default)?(?:\.(?:Router|Express|Application|IRouter))?\(\)" + CHAINED
    ),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?express(?:/|$)"),
    mounting=frozenset({"use"}),
    mount=_mount,
)
