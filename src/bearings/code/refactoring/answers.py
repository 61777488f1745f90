"""The answer of a question that edits sources, and its reply."""

from typing import Any

import msgspec

from bearings.budget import REPLY_BUDGET, room
from bearings.code.question import Answer
from bearings.code.replies.edits import EditedFile, EditReply, PlaceOfName
from bearings.code.replies.element import path_line
from bearings.code.replies.pages import size_of, within
from bearings.code.replies.tidying import all_escaped
from bearings.untrusted import escape_text

DIFFERENCE = 15_000
"""Characters of a diff."""

_SHOWN = 20


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """What is or would be written: places by file, the places that forbid it, the first places that stay."""

    element: str
    written: bool
    places: dict[str, int]
    refused: tuple[PlaceOfName, ...]
    refused_total: int
    left: tuple[PlaceOfName, ...]
    left_total: int
    diff: str
    undrawn: int
    note: str


def shared(answer: Answer[Edited], *, dry_run: bool) -> dict[str, Any]:
    """The fields of a reply without its lists, which `fill` sets."""
    found = answer.value
    return {
        "element": path_line(found.element),
        "dry_run": dry_run,
        "written": found.written,
        "places": sum(found.places.values()),
        "files_changed": len(found.places),
        "refused": [],
        "refused_total": found.refused_total,
        "files": [],
        "left": [],
        "left_total": found.left_total,
        "note": " ".join(filter(None, (found.note, _advice(found, dry_run=dry_run)))) or None,
        "index": answer.index.info(),
    }


def fill(reply: EditReply, found: Edited) -> None:
    """Set the lists of a reply, as much as fits: the refused places, the diff, the files, the places that stay."""
    reply.refused = within(reply, all_escaped(found.refused))
    reply.diff = escape_text(found.diff) or None
    if size_of(reply) > room(REPLY_BUDGET):
        reply.diff = None
    reply.files = within(reply, [EditedFile(file=path_line(path), places=n) for path, n in found.places.items()])
    if size_of(reply) < room(REPLY_BUDGET) // 2:
        reply.left = within(reply, all_escaped(found.left[:_SHOWN]))


def _advice(found: Edited, *, dry_run: bool) -> str:
    if found.refused_total:
        return "Nothing was written. Change the refused places first, or pass leave_unsure for those that may be uses."
    hidden = f" The diffs of {found.undrawn} files are left out." if found.undrawn else ""
    return f"Nothing was written. Pass dry_run false to write this.{hidden}" if dry_run else hidden.strip()
