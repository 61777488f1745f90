"""Endpoints that are exports of files in certain folders: `export function GET()` in `app/users/route.ts`.

Each framework of this family is a tuple of `FileRoutes`, one for each kind of its files, in a module of its own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from bearings.code.expressions import Expression, root_of, site_of
from bearings.code.file_facts import Export
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.routes import Place, named, register


class FileRoutes(NamedTuple):
    """One kind of files of a framework.

    `file` matches the whole path of such a file: its group `path` is the path of the endpoints, and its group `verb`,
    if there is one, their method. `exports` are the methods by the names of the exports. A path that `left_out` matches
    belongs to a file beside the endpoints: a test, a part of them. Segments that start with a character of `hidden` are
    no part of a path: `(group)`. A file named `index_name` has the path of its folder. An export is an endpoint if
    `is_handler` says so. `actions` is an export whose functions are endpoints, with their names behind the path.
    """

    framework: str
    file: re.Pattern[str]
    exports: Mapping[str, str]
    left_out: re.Pattern[str] | None = None
    hidden: str = "("
    index_name: str = ""
    is_handler: Callable[[Builder, re.Match[str], Export], bool] | None = None
    actions: str = ""


def endpoints(builder: Builder, frameworks: Sequence[Sequence[FileRoutes]]) -> None:
    """Add the endpoints of a file: of each framework, by the first of its `FileRoutes` that the path matches."""
    for kinds in frameworks:
        for routes in kinds:
            file = routes.file.search(builder.path)
            if file is not None:
                _read(builder, routes, file)
                break


def _read(builder: Builder, routes: FileRoutes, file: re.Match[str]) -> None:
    """Add the endpoint of each export; of several with one name, as overloads are, the last counts."""
    folders = file["path"] or ""
    if routes.left_out is not None and routes.left_out.search(folders):
        return
    path, verb = _path(routes, folders), file.groupdict().get("verb") or ""
    for export in {export.name: export for export in builder.exports if not export.wrapped}.values():
        method = verb.upper() or routes.exports.get(export.name, "")
        if export.name not in routes.exports or (routes.is_handler and not routes.is_handler(builder, file, export)):
            continue
        actions = _functions(builder, root_of(export.local)) if export.name == routes.actions else []
        for action in actions:
            whole = path if action.name == "default" else f"{path}?/{action.name}"
            register(builder, routes.framework, [method], whole, _place(action), [action.qualified])
        if not actions:
            handler = next(named([export.local]), None)
            register(builder, routes.framework, [method], path, _place_of(builder, export, handler), [handler])


def _path(routes: FileRoutes, folders: str) -> str:
    segments = [folder for folder in folders.split("/") if folder and folder[0] not in routes.hidden]
    if segments and segments[-1] == routes.index_name:
        segments.pop()
    return "/" + "/".join(segments)


def _functions(builder: Builder, variable: object) -> list[Draft]:
    """Return the functions in the object literal of a variable: `export const actions = { default: async () => … }`."""
    index = builder.members.get((0, variable), -1) if isinstance(variable, str) else -1
    return [draft for draft in builder.drafts if index > 0 and draft.parent == index]


def _place_of(builder: Builder, export: Export, handler: Expression | None) -> Place:
    """Return the lines of an exported function if this file declares it, else those of the export and its call."""
    index = builder.members.get((0, handler), -1) if type(handler) is str else -1
    if index >= 0:
        return _place(builder.drafts[index])
    site = site_of(export.local)
    span = next(islice(builder.site_at, site, None), None) if site >= 0 else None  # they are in the order of numbers
    end_line = builder.row(span[1] - 1) + 1 if span is not None else 0
    return Place(export.line, max(export.line, end_line), 0, "")


def _place(draft: Draft) -> Place:
    return Place(draft.line, draft.end_line, 0, draft.signature)
