"""Carries out a plan: writes it, unless it is refused or a dry run."""

from collections.abc import Callable, Iterable, Sequence

from bearings.code.refactoring.answers import Edited
from bearings.code.refactoring.edits import difference, write_all
from bearings.code.refactoring.plans import Plan, Row
from bearings.code.replies.edits import PlaceOfName
from bearings.code.search.view import WholeGraph
from bearings.untrusted import clean_line

_MOST_PLACES = 200


def carried_out(view: WholeGraph, element: str, plan: Plan, what: str, *, dry_run: bool, room_for: int) -> Edited:
    """Write a plan and return the answer, with diffs of at most `room_for` characters; none if it is refused.

    `what` names the work: "the rename of a". Raises WriteFailed.
    """
    writes = not (dry_run or plan.refused)
    refused, left = _rows(plan.refused, view.lines.at), _rows(plan.left, view.lines.at)
    if writes:
        write_all(view.snapshot.root, plan.changes, what)
    shown = () if plan.refused else plan.changes
    diff, undrawn = _drawn((difference(change) for change in shown), room_for)
    return Edited(
        element=element,
        written=writes,
        places=plan.places,
        refused=refused,
        refused_total=len(plan.refused),
        left=left,
        left_total=len(plan.left),
        diff=diff,
        undrawn=undrawn,
        note=plan.note,
    )


def _drawn(diffs: Iterable[str], room_for: int) -> tuple[str, int]:
    """The first whole diffs that fit, and the number of the others."""
    parts: list[str] = []
    left = 0
    for diff in diffs:
        if left or sum(map(len, parts)) + len(diff) > room_for:
            left += 1
        else:
            parts.append(diff)
    return "".join(parts), left


def _rows(places: Sequence[Row], source: Callable[[str, int], str]) -> tuple[PlaceOfName, ...]:
    """The first places, each once, with their lines of source."""
    some = list(dict.fromkeys(places))[:_MOST_PLACES]
    return tuple(
        PlaceOfName(file=file, line=line, why=why, source=clean_line(source(file, line)[:200]) or None)
        for file, line, why in some
    )
