"""Endpoints of SvelteKit, which are exports of `+server` and `+page.server` files below `routes/`."""

import re
from collections.abc import Sequence

from bearings.code.expressions import root_of
from bearings.code.languages.ecmascript.frameworks.exported import add_export, exports_of, path_of, place_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.routes import ANY, Candidate, register

CANDIDATES: frozenset[str] = frozenset()
"""None: the endpoints of SvelteKit are no calls."""
_FILE = re.compile(r"(?:^|/)routes/(?:(?P<folders>.*)/)?\+(?P<kind>server|page\.server)\.[jt]s$")
_METHODS = {verb: verb for verb in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")} | {"fallback": ANY}


def endpoints(builder: Builder, _candidates: Sequence[Candidate]) -> None:
    """Add the endpoints of a file: each method that `+server` exports; `load` and the actions of `+page.server`."""
    file = _FILE.search(builder.path)
    if file is None:
        return
    path = path_of(file["folders"] or "")
    for export in exports_of(builder):
        if file["kind"] == "server":
            if export.name in _METHODS:
                add_export(builder, "sveltekit", export, _METHODS[export.name], path)
        elif export.name == "load":
            add_export(builder, "sveltekit", export, "GET", path)
        elif export.name == "actions":
            actions = _actions(builder, root_of(export.local))
            for action in actions:
                where = place_of(action)
                register(builder, "sveltekit", ["POST"], _path_of_action(path, action.name), where, [action.qualified])
            if not actions:
                add_export(builder, "sveltekit", export, "POST", path)


def _actions(builder: Builder, name: object) -> list[Draft]:
    """Return the functions in the object literal of a variable."""
    index = builder.members.get((0, name), -1) if isinstance(name, str) else -1
    return [draft for draft in builder.drafts if index > 0 and draft.parent == index]


def _path_of_action(path: str, name: str) -> str:
    """Return the path of a form's action; the default one has the path of the page."""
    return path if name == "default" else f"{path}?/{name}"
