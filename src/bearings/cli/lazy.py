"""Groups that make their commands on demand: help, versions and completion load no wing."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from bearings.cli.wiring import version

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""The click settings of every command."""


def version_option(banner: str) -> click.Option:
    """The option `--version`; the version is looked up on demand."""

    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(f"{banner} {version()}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show the version and exit."
    )


@dataclass(frozen=True, slots=True)
class Lazy:
    """A command that is made later: its summary, and a function that makes it.

    The function may be named, as "serve:serve_both" for one of the module `cli.serve`, which is imported then.
    """

    summary: str
    make: Callable[[click.Context], click.Command] | str

    def made(self, ctx: click.Context) -> click.Command:
        """The command."""
        if not isinstance(self.make, str):
            return self.make(ctx)
        module, _, function = self.make.partition(":")
        command: click.Command = getattr(import_module(f"bearings.cli.{module}"), function)()
        return command


class CommandWithExamples(click.Command):
    """A command whose help ends with examples: the words after its name."""

    def __init__(self, name: str, *, examples: tuple[str, ...] = (), **given: Any) -> None:
        super().__init__(name, context_settings=SETTINGS, **given)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are typed here."""
        write_examples(self.examples, ctx, formatter)


def write_examples(examples: tuple[str, ...], ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write a section of examples, each behind its command's path."""
    if examples:
        with formatter.section("Examples" if len(examples) > 1 else "Example"):
            for example in examples:
                formatter.write(f"{'':{formatter.current_indent}}{ctx.command_path} {example}".rstrip() + "\n")


class LazyGroup(click.Group):
    """A group of `Lazy` commands in the given order. Its own options are read before any command is made."""

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002 - click's word
        entries: Mapping[str, Lazy],
        examples: tuple[str, ...] = (),
        options: tuple[click.Option, ...] = (),
    ) -> None:
        super().__init__(name=name, help=help, params=list(options), context_settings=SETTINGS)
        self._entries = dict(entries)
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - overrides
        """The names in the given order."""
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, made now; None for an unknown name."""
        entry = self._entries.get(cmd_name)
        return entry.made(ctx) if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, without its suggestions: these need commands that are already made."""
        if args and args[0] not in self._entries and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], self._entries, n=3)
            meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - overrides
        """Write names and summaries, without loading a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self._entries.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(self.examples, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands with that beginning, without loading them; then the group's own options."""
        words = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self._entries.items()
            if name.startswith(incomplete)
        ]
        return words + click.Command.shell_complete(self, ctx, incomplete)
