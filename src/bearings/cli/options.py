"""The commands' options beside their tools' arguments, and the type of every word."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from bearings.cli.features import FORMATS
from bearings.cli.parameters import Parameter
from bearings.cli.values import unguarded


class Typed(click.ParamType[str]):
    """A word as typed. The tool validates it; the parameter's choices are for completion only."""

    def __init__(self, parameter: Parameter) -> None:
        self.name = parameter.metavar
        self._choices = parameter.choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """The word without the mark of a negative number."""
        return unguarded(str(value))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """The choices with that beginning; after a comma, the next one of a list."""
        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(before + comma + choice) for choice in self._choices if choice.startswith(last)]


def hidden(option: click.Option) -> click.Option:
    """A hidden option under an old name; the reply names the current one."""
    option.hidden, option.required = True, False
    return option


def project_option(aliases: tuple[str, ...]) -> click.Option:
    """`--project` and its aliases."""
    path = click.Path(file_okay=False)
    return click.Option(
        ["--project", *aliases, "project_path"], type=path, help="The project's directory.  [default: here]"
    )


def project_word() -> click.Argument:
    """The project as a positional argument."""
    path = click.Path(file_okay=False)
    text = "The project's directory.  [default: here]"
    return click.Argument(["project_word"], type=path, required=False, metavar="[PATH]", help=text)


def rows_option(rows: str) -> click.Option:
    """`--jsonl`, for the list of that name."""
    text = f"Print the {rows.replace('_', ' ')} alone, one JSON object a line."
    return click.Option(["--jsonl", "as_rows"], is_flag=True, help=text)


def format_option() -> click.Option:
    """`--format json`, an alias of `--json`."""
    kinds = click.Choice(["json", "text"])
    return click.Option(["--format", "format_alias"], type=kinds, hidden=True, help="json means the same as --json.")


def shape_options() -> list[click.Option]:
    """The format of shapes, and their file."""
    kinds = click.Choice(["text", "json", *FORMATS])
    return [
        click.Option(["--format", "format_alias"], type=kinds, help="geojson and wkt: outlines, whole; else points."),
        click.Option(["--output", "-o", "output_alias"], metavar="FILE", help="Write geojson or wkt there."),
    ]
