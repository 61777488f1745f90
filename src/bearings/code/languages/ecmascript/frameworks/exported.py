"""Endpoints that are exports of files in certain folders: the part that their frameworks have in common."""

from itertools import islice

from bearings.code.expressions import site_of
from bearings.code.file_facts import Export
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.routes import Place, named, register


def exports_of(builder: Builder) -> list[Export]:
    """Return the exports of a file, one for each name."""
    return list({export.name: export for export in builder.exports if not export.wrapped}.values())


def add_export(builder: Builder, framework: str, export: Export, method: str, path: str) -> None:
    """Add the endpoint of an export, on the lines of the exported function or call if this file holds it."""
    handler = next(named([export.local]), None)
    index = builder.members.get((0, handler), -1) if type(handler) is str else -1
    if index >= 0:
        where = place_of(builder.drafts[index])
    else:
        where = Place(export.line, max(export.line, _end_line(builder, site_of(export.local))), 0, "")
    register(builder, framework, [method], path, where, [handler])


def place_of(draft: Draft) -> Place:
    """Return the lines of a symbol of the file as the place of an endpoint."""
    return Place(draft.line, draft.end_line, 0, draft.signature)


def _end_line(builder: Builder, site: int) -> int:
    """Return the last line of a call; 0 for none."""
    span = next(islice(builder.site_at, site, None), None) if site >= 0 else None  # they are in the order of numbers
    return builder.row(span[1] - 1) + 1 if span is not None else 0


def path_of(folders: str, *, hidden: str = "(") -> str:
    """Return the path of a folder or file by its name, without the segments that start with a character of `hidden`."""
    return "/" + "/".join(folder for folder in folders.split("/") if folder and folder[0] not in hidden)
