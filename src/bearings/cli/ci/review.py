"""Asks the tools what a change breaks, how risky it is, and whether CodeRefs are valid: one run, one index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from bearings.cli.wiring import Wing
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.code.formats.review import Finding
    from bearings.code.questions.validate import FindingPart
    from bearings.code.replies.changes import Breaking, ChangedElement, ChangesReply
    from bearings.reply import Reply

Level = Literal["none", "low", "unknown", "medium", "high", "critical"]
LEVELS: tuple[Level, ...] = ("none", "low", "unknown", "medium", "high", "critical")
"""From the least; `none`: nothing changed that may break another part."""

_MOST_ASKED = 100
"""The most elements whose risk is asked for: those with a new signature first, then those with most changed lines."""

_AT_ONCE = 10
"""The tool's limit for one call."""

Row = TypeVar("Row")


class Risk(NamedTuple):
    """The highest level of the changed elements, and the element that has it; `left` elements were not asked about."""

    level: Level
    element: str = ""
    why: str = ""
    left: int = 0

    def reaches(self, limit: Level) -> bool:
        """Whether the risk is at the limit or above it; no risk reaches `none`."""
        return limit != "none" and LEVELS.index(self.level) >= LEVELS.index(limit)


class Review(NamedTuple):
    """All that was answered; `references` are the invalid ones, None if they were not asked for."""

    changes: ChangesReply
    risk: Risk
    references: tuple[FindingPart, ...] | None


async def reviewed(wing: Wing, project: Path, base: str, *, validates: bool, progress: Progress) -> Review:
    """The review of the files on disk against a commit. Raises what the tools raise."""
    changes = await changes_since(wing, project, base, progress)
    risk = await _risk(wing, project, changes, progress)
    return Review(changes, risk, await invalid_references(wing, project, "**/*", progress) if validates else None)


async def changes_since(wing: Wing, project: Path, base: str, progress: Progress) -> ChangesReply:
    """The answer of coderef_changes, for the writers of documents."""
    reply: Any = await _asked(wing, "coderef_changes", project, {"base": base, "detail": "full"}, progress)
    return cast("ChangesReply", reply)


async def invalid_references(wing: Wing, project: Path, pattern: str, progress: Progress) -> tuple[FindingPart, ...]:
    """The CodeRefs in matching files that point to nothing."""
    arguments = {"pattern": pattern, "detail": "full"}
    reply: Any = await _asked(wing, "coderef_validate", project, arguments, progress)
    return tuple(reply.invalid)


async def _asked(wing: Wing, name: str, project: Path, arguments: Mapping[str, Any], progress: Progress) -> Reply:
    tool = next(tool for tool in wing.tools if tool.name == name)
    reply, _ = await tool.run({"project_path": str(project), **arguments}, progress)
    return reply


async def _risk(wing: Wing, project: Path, changes: ChangesReply, progress: Progress) -> Risk:
    """The highest risk that coderef_impact gives to a changed element; a broken caller makes it high at least.

    Elements that are new have no users yet, and those that are gone none but broken ones.
    """
    asked = sorted(_with_users(changes), key=lambda change: (not change.signature_changed, -change.lines))
    risk = Risk("none", left=max(0, len(asked) - _MOST_ASKED))
    asked = asked[:_MOST_ASKED]
    for operation in ("modify", "refactor"):
        ids = [change.element for change in asked if _operation(change) == operation]
        for elements in _parts(ids, _AT_ONCE):
            question = {"element": list(elements), "operation": operation, "detail": "full"}
            reply = await _asked(wing, "coderef_impact", project, question, progress)
            for element, answer in zip(elements, reply.separately(), strict=True):
                risk = _higher(risk, _answered_risk(element, answer))
    return _higher(risk, _broken_risk(changes.breaking[0])) if changes.breaking else risk


def _operation(change: ChangedElement) -> Literal["modify", "refactor"]:
    """What the change is to coderef_impact; a new value of a variable is no new signature."""
    from bearings.code.models import SymbolKind

    has_value = change.type in (SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.PROPERTY)
    return "refactor" if change.signature_changed and not has_value else "modify"


def _with_users(changes: ChangesReply) -> Iterator[ChangedElement]:
    """The changed elements that may have users: no new or removed ones, no tests, no lines outside of all elements."""
    from bearings.code.languages.shared.test_paths import is_test
    from bearings.code.models import SymbolKind

    for change in changes.changed:
        if (
            change.status not in ("added", "removed")
            and change.type is not SymbolKind.MODULE
            and not is_test(change.element)
        ):
            yield change


def _answered_risk(element: str, answer: Any) -> Risk:
    """The risk of one answer; an element that could not be asked about is an unknown risk."""
    named = getattr(answer, "risk_level", "UNKNOWN")
    level = next(one for one in LEVELS if one.upper() == named)
    score = getattr(answer, "risk_score", None)
    terms = " + ".join(term.to_text() for term in getattr(answer, "risk_terms", ()))
    return Risk(level, element, f"{score:g}: {terms}" if score is not None else "its users are not all known")


def _broken_risk(breaking: Breaking) -> Risk:
    count = f"{breaking.uses_total} uses were" if breaking.uses_total > 1 else "1 use was"
    return Risk("high", breaking.was or breaking.element, f"{breaking.why}, and {count} not adapted")


def _higher(one: Risk, other: Risk) -> Risk:
    higher = other if LEVELS.index(other.level) > LEVELS.index(one.level) else one
    return higher._replace(left=one.left)


def _parts(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def finding_of(reference: FindingPart) -> Finding:
    """An invalid reference as a finding."""
    from bearings.code.formats.review import REFERENCE, Finding

    instead = f"; did you mean {reference.suggestions[0]}?" if reference.suggestions else ""
    return Finding(REFERENCE, reference.file, reference.line, f"{reference.reference}: {reference.error}{instead}")


def in_repository(review: Review, prefix: str) -> Review:
    """The same with paths from the top of the repository; tests and their commands stay relative to the project."""
    if not prefix:
        return review
    below = review.changes

    def named(ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(prefix + element for element in ids)

    changes = replace(
        below,
        changed=[replace(change, element=prefix + change.element) for change in below.changed],
        breaking=[_broken_below(breaking, prefix) for breaking in below.breaking],
        new_cycles=[replace(cycle, file=prefix + cycle.file) for cycle in below.new_cycles],
        lost_users=named(below.lost_users),
        lost_tests=named(below.lost_tests),
        untested=named(below.untested),
        other_files=named(below.other_files),
    )
    references = review.references and tuple(
        replace(finding, file=prefix + finding.file) for finding in review.references
    )
    risk = review.risk._replace(element=prefix + review.risk.element if review.risk.element else "")
    return Review(changes, risk, references)


def _broken_below(breaking: Breaking, prefix: str) -> Breaking:
    return replace(
        breaking,
        element=prefix + breaking.element,
        file=prefix + breaking.file,
        was=breaking.was and prefix + breaking.was,
        uses=[replace(use, element=prefix + use.element, file=prefix + use.file) for use in breaking.uses],
    )
