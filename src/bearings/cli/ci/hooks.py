"""`bearings code pre-commit`: the checks that pre-commit runs on staged files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bearings.cli.answer import ANSWERED, FAILED, print_text
from bearings.cli.ci.command import asked_of, ended
from bearings.cli.lazy import CommandWithExamples, Lazy, LazyGroup
from bearings.cli.wiring import Wing
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.code.questions.validate import FindingPart
    from bearings.code.replies.changes import ChangesReply

_ONE_BY_ONE = 8
"""Files that are asked about one at a time; the references of all files are read for more."""

_SPECIAL = re.compile(r"[\\*?\[\]!# ]")


def pre_commit_group() -> click.Group:
    """The group of hooks."""
    entries = {
        "validate": Lazy("Whether the CodeRefs of files point to something.", lambda _: _validate_command()),
        "changes": Lazy("Whether callers were adapted to changed signatures.", lambda _: _changes_command()),
    }
    help_text = "Checks for pre-commit (.pre-commit-hooks.yaml). They run in the repository's top directory."
    return LazyGroup("pre-commit", help_text, entries, examples=("validate docs/auth.md", "changes"))


def _validate_command() -> click.Command:
    argument = click.Argument(["files"], nargs=-1, metavar="FILE…", help="The files whose CodeRefs are checked.")
    help_text = "Check the CodeRefs in files. Prints path:line:column and the fault; status 1 if there is any."
    examples = ("src/auth.ts docs/auth.md",)
    return CommandWithExamples("validate", help=help_text, params=[argument], callback=_validate, examples=examples)


def _changes_command() -> click.Command:
    option = click.Option(
        ["--base"], metavar="REF", help="Commit to compare with.  [default: PRE_COMMIT_FROM_REF, else HEAD]"
    )
    help_text = (
        "Find callers that were not adapted to exported elements whose signature changed, or that are gone or renamed. "
        "Prints path:line and the reason; status 1 if there is any."
    )
    examples = ("", "--base origin/main")
    return CommandWithExamples("changes", help=help_text, params=[option], callback=_changes, examples=examples)


@click.pass_context
def _validate(ctx: click.Context, /, files: tuple[str, ...]) -> None:
    from bearings.cli.ci.review import invalid_references
    from bearings.untrusted import escape_line

    here = Path.cwd()
    patterns = [_pattern(file) for file in files] if len(files) <= _ONE_BY_ONE else ["**/*"]
    named = {escape_line(os.path.normpath(file)) for file in files}

    async def ask(wing: Wing, progress: Progress) -> list[FindingPart]:
        answers = [await invalid_references(wing, here, pattern, progress) for pattern in patterns]
        return [finding for answer in answers for finding in answer if finding.file in named]

    try:
        findings = asked_of(ctx, ask) if files else []
    except Exception as error:  # noqa: BLE001 - see there
        ended(ctx, error)
    _end(ctx, [finding.to_text() for finding in findings])


def _pattern(file: str) -> str:
    """A pattern, as in .gitignore, of one file."""
    return "/" + _SPECIAL.sub(r"\\\g<0>", os.path.normpath(file))


@click.pass_context
def _changes(ctx: click.Context, /, base: str | None) -> None:
    from bearings.cli.ci.base import Git
    from bearings.cli.ci.review import changes_since

    here = Path.cwd()
    wanted = base or os.environ.get("PRE_COMMIT_FROM_REF") or "HEAD"

    async def ask(wing: Wing, progress: Progress) -> ChangesReply:
        return await changes_since(wing, here, wanted, progress)

    try:
        is_first = wanted == "HEAD" and Git(here).commit("HEAD") is None  # nothing that a first commit could break
        lines = [] if is_first else _broken(asked_of(ctx, ask))
    except Exception as error:  # noqa: BLE001 - see there
        ended(ctx, error)
    _end(ctx, lines)


def _broken(changes: ChangesReply) -> list[str]:
    """A line for each caller that was not adapted."""
    from bearings.code.formats.review import findings

    broken = findings(changes)
    return [
        f"{finding.file}:{finding.line}: {finding.text}" for finding in broken if finding.rule.id == "broken-caller"
    ]


def _end(ctx: click.Context, lines: Sequence[str]) -> None:
    if lines:
        print_text("\n".join(lines))
    ctx.exit(FAILED if lines else ANSWERED)
