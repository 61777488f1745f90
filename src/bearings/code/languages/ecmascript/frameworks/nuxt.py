"""Endpoints of Nuxt, which are default exports of files below `server/api/` and `server/routes/`."""

import re
from typing import Final

from bearings.code.expressions import last_name, site_of
from bearings.code.file_facts import Export
from bearings.code.languages.ecmascript.frameworks.file_routes import FileRoutes
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import ANY

_VERB = r"connect|delete|get|head|options|patch|post|put|trace"
_MAKER = re.compile(r"Handler$|^(?:useBase|fromNodeMiddleware|fromWebHandler)$")
"""Functions that make a handler: `defineEventHandler`, `cachedEventHandler`, `NuxtAuthHandler` and the like."""


def _is_handler(builder: Builder, file: re.Match[str], export: Export) -> bool:
    """Whether a default export is a handler by the file's name, `users.get.ts`, or by the call that makes it.

    One that is taken from another file counts if the path has a parameter: folders of other servers have the same
    names, and files that only hand on an export.
    """
    if file["verb"] or (export.module and "[" in file["path"]):
        return True
    value = export.local
    if type(value) is str and (index := builder.members.get((0, value), 0)):
        value = builder.drafts[index].value or value
    number = site_of(value)
    site = builder.calls[number] if 0 <= number < len(builder.calls) else None
    return site is not None and _MAKER.search(last_name(site.callee)) is not None


NUXT: Final = (
    FileRoutes(
        "nuxt",
        file=re.compile(
            rf"(?:^|/)server/(?:routes/)?(?P<path>(?<=/routes/).+?|api/.+?)(?:\.(?P<verb>{_VERB}))?"
            r"(?:\.(?:dev|prod|prerender))?\.[cm]?[jt]s$"
        ),
        exports={"default": ANY},
        left_out=re.compile(r"\.(?:test|spec|d)$"),
        index_name="index",
        is_handler=_is_handler,
    ),
)
