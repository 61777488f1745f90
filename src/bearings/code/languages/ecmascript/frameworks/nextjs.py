"""Endpoints of Next.js, which are exports of files in certain folders."""

import re
from collections.abc import Sequence

from bearings.code.languages.ecmascript.frameworks.exported import add_export, exports_of, path_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import ANY, Candidate

CANDIDATES: frozenset[str] = frozenset()
"""None: the endpoints of Next.js are no calls."""
_APP = re.compile(r"(?:^|/)app/(?:(?P<folders>.*)/)?route\.[cm]?[jt]sx?$")
_PAGES = re.compile(r"(?:^|/)pages/(?P<path>api(?:/.*)?)\.[cm]?[jt]sx?$")
_LEFT_OUT = re.compile(r"\.(?:test|spec|d)$|(?:^|/)_")
_VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})


def endpoints(builder: Builder, _candidates: Sequence[Candidate]) -> None:
    """Add the endpoints of a file: each HTTP verb that `app/…/route.ts` exports, or the default of `pages/api/…`."""
    app, pages = _APP.search(builder.path), _PAGES.search(builder.path)
    if app is not None:
        folders = (app["folders"] or "").split("/")
        if any(folder.startswith("_") for folder in folders):  # Next.js treats these folders as private
            return
        path = path_of(app["folders"] or "", hidden="(@")
        for export in exports_of(builder):
            if export.name in _VERBS:
                add_export(builder, "next", export, export.name, path)
    elif pages is not None and not _LEFT_OUT.search(pages["path"]):
        path = "/" + re.sub(r"/index$", "", pages["path"])
        for export in exports_of(builder):
            if export.name == "default":
                add_export(builder, "next", export, ANY, path)
