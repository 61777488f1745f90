"""Endpoints of Nuxt, which are default exports of files below `server/api/` and `server/routes/`."""

import re
from collections.abc import Sequence

from bearings.code.expressions import Expression, last_name, site_of
from bearings.code.languages.ecmascript.frameworks.exported import add_export, exports_of, path_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import ANY, Candidate

CANDIDATES: frozenset[str] = frozenset()
"""None: the endpoints of Nuxt are no calls."""
_VERB = r"connect|delete|get|head|options|patch|post|put|trace"
_FILE = re.compile(
    rf"(?:^|/)server/(?P<folder>api|routes)/(?P<name>.+?)(?:\.(?P<verb>{_VERB}))?(?:\.(?:dev|prod|prerender))?\.[cm]?[jt]s$"
)
_LEFT_OUT = re.compile(r"\.(?:test|spec|d)$")
_INDEX = re.compile(r"(?:^|/)index$")
_MAKER = re.compile(r"Handler$|^(?:useBase|fromNodeMiddleware|fromWebHandler)$")
"""Functions that make a handler: `defineEventHandler`, `cachedEventHandler`, `NuxtAuthHandler` and the like."""


def endpoints(builder: Builder, _candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of a file: its default export, if that is a handler by its call or by the file's name.

    A default export that is taken from another file counts if the path has a parameter: folders of other servers have
    the same names, and files that only hand on an export.
    """
    file = _FILE.search(builder.path)
    if file is None or _LEFT_OUT.search(file["name"]):
        return
    name = _INDEX.sub("", file["name"])
    path = path_of(f"api/{name}" if file["folder"] == "api" else name)
    for export in exports_of(builder):
        if export.name != "default":
            continue
        is_taken = bool(export.module) and "[" in name
        if file["verb"] or is_taken or _MAKER.search(_maker(builder, export.local)):
            add_export(builder, "nuxt", export, (file["verb"] or ANY).upper(), path)


def _maker(builder: Builder, value: Expression) -> str:
    """Return the last name of the function whose call gives a value, or gives the variable that is the value."""
    if type(value) is str and (index := builder.members.get((0, value), 0)):
        value = builder.drafts[index].value or value
    number = site_of(value)
    site = builder.calls[number] if 0 <= number < len(builder.calls) else None
    return last_name(site.callee) if site is not None else ""
