"""Endpoints of Next.js: files in the right place that export the right names."""

import re

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import ANY, Place, register
from bearings.code.models import Export

_APP = re.compile(r"(?:^|/)app/(?:(?P<folders>.*)/)?route\.[cm]?[jt]sx?$")
_PAGES = re.compile(r"(?:^|/)pages/(?P<path>api(?:/.*)?)\.[cm]?[jt]sx?$")
_LEFT_OUT = re.compile(r"\.(?:test|spec|d)$|(?:^|/)_")
_VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})


def endpoints(into: Builder) -> None:
    """Registers what the file's path and exports make of it: `app/…/route.ts` by verb, `pages/api/…` by its default."""
    app, pages = _APP.search(into.path), _PAGES.search(into.path)
    if app is not None:
        folders = (app["folders"] or "").split("/")
        if any(folder.startswith("_") for folder in folders):  # private, by Next's own rule
            return
        path = "/" + "/".join(folder for folder in folders if folder and folder[0] not in "(@")
        for export in into.exports:
            if export.name in _VERBS:
                _register(into, export, export.name, path)
    elif pages is not None and not _LEFT_OUT.search(pages["path"]):
        path = "/" + re.sub(r"/index$", "", pages["path"])
        for export in into.exports:
            if export.name == "default":
                _register(into, export, ANY, path)


def _register(into: Builder, export: Export, method: str, path: str) -> None:
    """An endpoint that an export stands for, on the lines of what it exports where that is in this file."""
    handler = export.local if export.local[:1] not in ("#", "?") else ""
    of = next((draft for draft in into.drafts if draft.qualified == handler and not draft.parent), None)
    where = Place(export.line, export.line, 0, "")
    if of is not None:
        where = Place(of.line, of.end_line, 0, of.signature)
    register(into, "next", [method], path, where, [handler])
