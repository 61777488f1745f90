"""Endpoints of Express."""

import re

from bearings.code.languages.ecmascript.frameworks.arguments import text_of
from bearings.code.languages.ecmascript.frameworks.routers import CHAINED, Dialect, Routers
from bearings.code.languages.shared.routes import Candidate

_NAMES = frozenset({"identifier", "member_expression"})
_PATH = re.compile(r"(?:(?i:path|prefix|base|root|url)|\b[A-Z][A-Z0-9_]*)$")
"""The end of a name that we read as a path, not as middleware: `config.api.prefix`, `API_V1`."""


def _mount(routers: Routers, one: Candidate) -> None:
    """Record the routers of `app.use("/prefix", middleware, router)`."""
    given = one.arguments()
    builder = routers.builder
    path = builder.constants.string(given[0]) if given else None
    if path is None and len(given) > 1 and given[0].type in _NAMES and _PATH.search(builder.text(given[0])):
        path = given[0]
    prefix = text_of(path, builder)
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
