"""What a review becomes: a summary, SARIF, annotations, a list of tests, outputs for later steps."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bearings.errors import WriteFailed

if TYPE_CHECKING:
    from bearings.cli.ci.review import Level, Review
    from bearings.cli.ci.runners import Selected

MOST_OF_SUMMARY = 900_000
"""Characters; GitHub shows 1 MiB of a step's summary, and characters beyond ASCII take more bytes."""

_MOST_REFERENCES = 200


class Outcome(NamedTuple):
    """A review, what was wanted of it, and whether it passes."""

    review: Review
    base: str
    tests: Selected
    limit: Level
    notes: tuple[str, ...] = ()

    @property
    def is_risky(self) -> bool:
        """Whether the risk is at the gate's limit or above."""
        return self.review.risk.reaches(self.limit)

    @property
    def passes(self) -> bool:
        """Whether the risk is below the limit and all references are valid, if they were asked for."""
        return not self.is_risky and not self.review.references


def document(outcome: Outcome) -> dict[str, Any]:
    """The outcome for programs."""
    changes, risk, references = outcome.review
    return {
        "success": True,
        "passes": outcome.passes,
        "base": outcome.base,
        "risk": risk.level,
        "risk_element": risk.element or None,
        "risk_why": risk.why or None,
        "changed": len(changes.changed),
        "files_changed": changes.files_changed,
        "breaking": len(changes.breaking),
        "invalid_references": None if references is None else len(references),
        "tests": list(outcome.tests.arguments),
        "notes": list(outcome.notes),
    }


def text(outcome: Outcome) -> str:
    """The outcome in lines. None begins with a name of the project's, which a CI may take for a command of its own."""
    changes, risk, references = outcome.review
    parts = [f"{len(changes.changed)} elements in {changes.files_changed} files changed"]
    parts += [f"{len(changes.breaking)} break callers"] if changes.breaking else []
    parts += [] if references is None else [f"{len(references)} invalid references"]
    gate = f" (fails from {outcome.limit} on)" if outcome.limit != "none" else ""
    lines = [f"risk {risk.level}{gate}: {', '.join(parts)}"]
    lines += [f"the highest: {risk.element}, {risk.why}"] if risk.element else []
    lines += [f"test: {word}" for word in outcome.tests.arguments]
    lines += [f"note: {note}" for note in outcome.notes]
    return "\n".join(" ".join(line.split()) for line in [*lines, "passed" if outcome.passes else "failed"])


def summary(outcome: Outcome, head: str) -> str:
    """The review in Markdown, with the risk first."""
    from bearings.code.formats.review import code, markdown

    changes, risk, references = outcome.review
    highest = f": {code(risk.element)}, {code(risk.why)}" if risk.element else ""
    verdict = "" if outcome.limit == "none" else f" The limit is {outcome.limit}."
    lines = [f"**Risk: {risk.level}**{highest}.{verdict}", "", *(line for note in outcome.notes for line in (note, ""))]
    if references:
        lines += ["### CodeRefs that point to nothing", ""]
        lines += [
            f"- {code(f'{reference.file}:{reference.line}')} {code(reference.reference)}: {code(reference.error)}"
            for reference in references[:_MOST_REFERENCES]
        ]
        left = len(references) - _MOST_REFERENCES
        lines += [f"- and {left} more", ""] if left > 0 else [""]
    return shortened("\n".join([*lines, markdown(changes, outcome.base[:12], head)]), MOST_OF_SUMMARY)


def shortened(document: str, most: int) -> str:
    """The first lines of a document, up to a length, and how many are left out."""
    if len(document) <= most:
        return document
    lines = document.splitlines()
    room = most - 100
    first: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        first.append(line)
    return "\n".join([*first, "", f"{len(lines) - len(first)} more lines are left out.", ""])


def github_outputs(values: Mapping[str, str]) -> str:
    """Values as GitHub reads them from `GITHUB_OUTPUT`: between delimiters that no value can hold."""
    parts = []
    for name, value in values.items():
        end = f"end_{secrets.token_hex(16)}"
        parts.append(f"{name}<<{end}\n{value}\n{end}\n")
    return "".join(parts)


def null_separated(words: Iterable[str]) -> str:
    """Words for `xargs -0`."""
    return "".join(f"{word}\0" for word in words)


def written(path: Path, content: str, *, appends: bool = False) -> None:
    """Write a file, or append to it. Raises WriteFailed."""
    try:
        with path.open("a" if appends else "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise WriteFailed(
            f"{path} can't be written: {error.strerror}", "Name a file in a folder that exists."
        ) from None


def values_of(outcome: Outcome, files: Sequence[tuple[str, Path | None]]) -> dict[str, str]:
    """The outputs for later steps; `files` are the names and paths of what was written."""
    values = {
        "risk": outcome.review.risk.level,
        "changed": str(len(outcome.review.changes.changed)),
        "tests": "\n".join(outcome.tests.arguments),
        "passed": "true" if outcome.passes else "false",
    }
    return values | {name: "" if path is None else str(path) for name, path in files}
