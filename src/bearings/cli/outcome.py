"""Commands that no tool answers: what they tell is printed as text or as JSON, and their errors as every error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from bearings.cli.answer import ANSWERED, print_json, print_text, refuse
from bearings.cli.lazy import CommandWithExamples
from bearings.errors import BearingsError


class Outcome(NamedTuple):
    """A command's text, its JSON document, and its exit status."""

    text: str
    document: Mapping[str, Any]
    status: int = ANSWERED


def json_command(
    name: str,
    summary: str,
    run: Callable[..., Outcome],
    params: Sequence[click.Parameter] = (),
    examples: tuple[str, ...] = ("", "--json"),
) -> click.Command:
    """A command that prints what `run` returns, with an option for its document."""

    def printed(as_json: bool, **arguments: Any) -> None:
        outcome = run(**arguments)
        if as_json:
            print_json(outcome.document)
        else:
            print_text(outcome.text)
        click.get_current_context().exit(outcome.status)

    option = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document.")
    return CommandWithExamples(
        name, help=summary, params=[*params, option], callback=refusing(printed), examples=examples
    )


def refusing(run: Callable[..., None]) -> Callable[..., None]:
    """`run` as a command's callback: its BearingsError is printed, and decides the exit status."""

    def callback(*arguments: Any, **given: Any) -> None:
        try:
            run(*arguments, **given)
        except BearingsError as error:
            click.get_current_context().exit(refuse(error, bool(given.get("as_json"))))

    return callback
