"""Carries out a plan: writes it, unless it is refused or a dry run."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from bearings.code.models import Symbol
from bearings.code.refactoring.edits import difference, is_escaped, write_all
from bearings.code.refactoring.outcome import Outcome, outcome
from bearings.code.refactoring.plans import Plan, Row
from bearings.code.replies.edits import EditedFile, EditReply, PlaceOfName
from bearings.code.replies.element import not_indexed, path_line
from bearings.code.replies.tests import FEW
from bearings.code.replies.tidying import all_escaped
from bearings.code.search.view import WholeGraph
from bearings.untrusted import clean_line, escape_text

R = TypeVar("R", bound=EditReply)

_MOST_PLACES = 200
_SHOWN = 20
"""Places that stay as they are in a reply."""


def carried_out(
    kind: type[R], view: WholeGraph, symbol: Symbol, plan: Plan, what: str, dry_run: bool, room_for: int, **others: Any
) -> R:
    """Write a plan and return the reply, with diffs of at most `room_for` characters; none if it is written or refused.

    `what` names the work: "the rename of a". `others` are further fields of the reply. Raises WriteFailed.
    """
    writes = not (dry_run or plan.refused)
    once = dict.fromkeys(plan.refused)
    plan.refused, plan.left = list(once), list(dict.fromkeys(row for row in plan.left if row not in once))
    refused, left = _rows(plan.refused, view.lines.at), _rows(plan.left, view.lines.at)
    after = Outcome() if plan.refused else outcome(view.snapshot, symbol, plan.changes)
    if writes:
        write_all(view.snapshot.root, plan.changes, what)
    shown = plan.changes if dry_run and not plan.refused else ()
    diff, undrawn = _drawn((difference(change) for change in shown), room_for)
    return kind(
        element=path_line(symbol.id),
        dry_run=dry_run,
        written=writes,
        places=sum(plan.places.values()),
        files_changed=len(plan.places),
        refused=all_escaped(refused),
        refused_total=len(plan.refused),
        files=[EditedFile(file=path_line(path), places=places) for path, places in plan.places.items()],
        left=all_escaped(left[:_SHOWN]),
        left_total=len(plan.left),
        diff=escape_text(diff) or None,
        reached=after.reached,
        tests=[path_line(path) for path in after.tests[:FEW]],
        tests_total=len(after.tests),
        run=[path_line(command) for command in after.run],
        note=" ".join(filter(None, (plan.note, after.note, _advice(plan, undrawn, diff, dry_run=dry_run)))) or None,
        index=not_indexed(),
        **others,
    )


def _advice(plan: Plan, undrawn: int, diff: str, *, dry_run: bool) -> str:
    """The next step, as a sentence."""
    if plan.refused:
        return "Nothing was written. Change the refused places first, or pass leave_unsure for those that may be uses."
    hidden = f" The diffs of {undrawn} files are left out." if undrawn else ""
    # A reply has no carriage returns: they could hide text on a terminal.
    hidden += " Line ends are CR LF, shown as LF: git apply refuses this diff." if "\r\n" in diff else ""
    hidden += " Hidden characters are escaped: git apply refuses this diff." if is_escaped(diff) else ""
    return f"Nothing was written. Pass dry_run false to write this.{hidden}" if dry_run else hidden.strip()


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
    """The first places, with their lines of source."""
    return tuple(
        PlaceOfName(file=file, line=line, why=why, source=clean_line(source(file, line)[:200]) or None)
        for file, line, why in places[:_MOST_PLACES]
    )
