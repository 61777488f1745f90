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
    """Edits that are or would be written: places by file, those that forbid them, the first places that stay."""

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
    edited = answer.value
    return {
        "element": path_line(edited.element),
        "dry_run": dry_run,
        "written": edited.written,
        "places": sum(edited.places.values()),
        "files_changed": len(edited.places),
        "refused": [],
        "refused_total": edited.refused_total,
        "files": [],
        "left": [],
        "left_total": edited.left_total,
        "note": " ".join(filter(None, (edited.note, _advice(edited, dry_run=dry_run)))) or None,
        "index": answer.index.info(),
    }


def fill(reply: EditReply, edited: Edited) -> None:
    """Set the lists of a reply, as much as fits: the refused places, the diff, the files, the places that stay."""
    reply.refused = within(reply, all_escaped(edited.refused))
    reply.diff = escape_text(edited.diff) or None
    if size_of(reply) > room(REPLY_BUDGET):
        reply.diff = None
    reply.files = within(reply, [EditedFile(file=path_line(path), places=n) for path, n in edited.places.items()])
    if size_of(reply) < room(REPLY_BUDGET) // 2:
        reply.left = within(reply, all_escaped(edited.left[:_SHOWN]))


def _advice(edited: Edited, *, dry_run: bool) -> str:
    if edited.refused_total:
        return "Nothing was written. Change the refused places first, or pass leave_unsure for those that may be uses."
    hidden = f" The diffs of {edited.undrawn} files are left out." if edited.undrawn else ""
    return f"Nothing was written. Pass dry_run false to write this.{hidden}" if dry_run else hidden.strip()
