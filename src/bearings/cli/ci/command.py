"""`bearings code ci`: what a change breaks, its risk, the tests to run, in one run with one index."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import anyio
import click

from bearings.caller import Caller, calling
from bearings.cli.answer import ANSWERED, FAILED, USAGE, internal, print_json, print_text, refuse
from bearings.cli.bar import bar
from bearings.cli.ci.runners import RUNNERS
from bearings.cli.interrupt import leaving_at_once
from bearings.cli.lazy import CommandWithExamples
from bearings.cli.options import project_option
from bearings.cli.values import absolute
from bearings.cli.wiring import Wing, Wiring
from bearings.errors import BearingsError
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.cli.ci.outputs import Outcome
    from bearings.cli.ci.review import Level

Answer = TypeVar("Answer")

_HELP = """Check a change in a CI: what it breaks, its risk, the tests to run.

Compares the files on disk with the common ancestor of HEAD and the base. Status 0: passed; 1: the risk is at
--fail-on or above, or with --validate a CodeRef points to nothing; 2: an error.
"""


def ci_command() -> click.Command:
    """`bearings code ci`."""
    examples = (
        "--base origin/main --fail-on high",
        "--sarif bearings.sarif --summary review.md --annotations --validate",
        "--tests pytest --tests-file tests.txt",
    )
    return CommandWithExamples("ci", help=_HELP, params=_params(), callback=_run, examples=examples)


def _params() -> list[click.Parameter]:
    levels = click.Choice(["low", "medium", "high", "critical", "none"])
    return [
        click.Option(
            ["--base"], metavar="REF",
            help="Commit or branch to compare with.  [default: what GitHub, GitLab or Jenkins tells, else HEAD]",
        ),
        project_option(()),
        click.Option(["--fetch"], is_flag=True, help="Fetch the base from origin if a shallow clone lacks it."),
        click.Option(["--sarif"], type=_FILE, metavar="FILE", help="Write the findings as SARIF 2.1.0."),
        click.Option(["--summary"], type=_FILE, metavar="FILE", help="Write the review in Markdown."),
        click.Option(["--annotations"], is_flag=True, help="Print the findings as GitHub's annotations."),
        click.Option(["--tests"], type=click.Choice(list(RUNNERS)), help="The runner to select tests for."),
        click.Option(["--tests-file"], type=_FILE, metavar="FILE", help="Write its arguments there, for xargs -0."),
        click.Option(["--validate"], is_flag=True, help="Check all CodeRefs, too."),
        click.Option(
            ["--fail-on", "limit"], type=levels, default="none", show_default=True, help="The least risk that fails."
        ),
        click.Option(
            ["--github-output"], type=_FILE, metavar="FILE", help="Append risk, changed, tests … for later steps."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document."),
    ]  # fmt: skip


_FILE = click.Path(dir_okay=False, path_type=Path)


def ended(ctx: click.Context, error: Exception, as_json: bool = False) -> NoReturn:
    """Print an error, and end with status 2: a fault must not look like a finding."""
    shown = error if isinstance(error, BearingsError) else internal(ctx.info_name or "ci", error)
    refuse(shown, as_json)
    ctx.exit(USAGE)


@click.pass_context
def _run(ctx: click.Context, /, as_json: bool, project_path: str | None, **given: Any) -> None:
    from bearings.cli.ci.outputs import document, text

    try:
        project = Path(absolute("project_path", project_path or "."))
        outcome = _checked(ctx, project, **given)
    except Exception as error:  # noqa: BLE001 - see there
        ended(ctx, error, as_json)
    if as_json:
        print_json(document(outcome))
    else:
        print_text(text(outcome))
    ctx.exit(ANSWERED if outcome.passes else FAILED)


def _checked(
    ctx: click.Context,
    project: Path,
    base: str | None,
    fetch: bool,
    limit: Level,
    tests: str | None,
    validate: bool,
    **wanted: Any,
) -> Outcome:
    """Ask, and write what is wanted. Raises BearingsError."""
    from bearings.cli.ci.base import Git, base_of
    from bearings.cli.ci.outputs import Outcome
    from bearings.cli.ci.review import in_repository, reviewed
    from bearings.cli.ci.runners import Selected, selected
    from bearings.untrusted import escape_line

    git = Git(project)
    compared = base_of(git, base, os.environ, fetches=fetch)

    async def ask(wing: Wing, progress: Progress) -> Any:
        return await reviewed(wing, project, compared.commit, validates=validate, progress=progress)

    review = asked_of(ctx, ask)
    files = [*(row.file for row in review.changes.tests), *review.changes.further_tests]
    chosen = selected(tests, files, project) if tests else Selected((), 0)
    notes = [compared.note] if compared.note else []
    if review.risk.left:
        notes.append(f"The risk of {review.risk.left} more elements was not asked for.")
    if chosen.unnamed:
        notes.append(f"{chosen.unnamed} test files can't be named, because of characters in their names.")
    outcome = Outcome(in_repository(review, escape_line(git.prefix())), compared.commit, chosen, limit, tuple(notes))
    _write(outcome, **wanted)
    return outcome


def _write(
    outcome: Outcome,
    sarif: Path | None,
    summary: Path | None,
    annotations: bool,
    tests_file: Path | None,
    github_output: Path | None,
) -> None:
    """Write the files that are wanted, and print annotations. Raises WriteFailed."""
    from bearings.cli.ci import outputs
    from bearings.cli.ci.review import finding_of
    from bearings.code.formats import review

    further = [finding_of(reference) for reference in outcome.review.references or ()]
    if sarif is not None:
        outputs.written(sarif, review.sarif(outcome.review.changes, further))
    if summary is not None:
        outputs.written(summary, outputs.summary(outcome, "the files on disk"))
    if tests_file is not None:
        outputs.written(tests_file, outputs.null_separated(outcome.tests.arguments))
    if annotations and (lines := review.github(outcome.review.changes, further)):
        print_text(lines)
    if github_output is not None:
        files = (("sarif", sarif), ("summary", summary), ("tests-file", tests_file))
        outputs.written(github_output, outputs.github_outputs(outputs.values_of(outcome, files)), appends=True)


def asked_of(ctx: click.Context, ask: Callable[[Wing, Progress], Awaitable[Answer]]) -> Answer:
    """What `ask` answers with the code wing, which is closed afterwards. Raises BearingsError."""
    wiring = ctx.find_object(Wiring)
    assert wiring is not None
    wing = wiring.code(None, wiring.need)

    async def run(progress: Progress) -> Answer:
        try:
            return await ask(wing, progress)
        finally:
            await wing.aclose()

    with bar() as progress, leaving_at_once(), calling(Caller(is_command=True, has_pages=False)):
        return anyio.run(run, progress)
