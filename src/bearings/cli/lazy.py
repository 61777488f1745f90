"""Groups that make their commands on demand: help, versions and completion load no wing."""

import difflib
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

import click
from click.exceptions import NoArgsIsHelpError
from click.shell_completion import CompletionItem

from bearings.cli.wiring import version
from bearings.errors import BearingsError

_ALIKE = 0.7
"""The least likeness of a word to the command that it is taken for: `place` is not `cache`."""

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


class Refused(click.ClickException):
    """An unusable line or setting, printed like every error."""

    def __init__(self, error: BearingsError, status: int = 2) -> None:
        super().__init__(error.error)
        self._error = error
        self.exit_code = status  # type: ignore[misc]  # click's is of the class

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - overrides
        """Print it."""
        from bearings.cli.answer import refuse

        refuse(self._error)


_MEANT = {"distance": ["route"], "routes": ["explore", "routes"], "endpoints": ["explore", "endpoints"]}
"""Words that one types for a command."""


def meant(words: list[str], known: Collection[str]) -> list[str]:
    """The words with one of the `known` commands for the first, if it is another word for it."""
    other = _MEANT.get(words[0], []) if words and words[0] not in known else []
    return [*other, *words[1:]] if other and other[0] in known else words


@contextmanager
def _in_one_style() -> Iterator[None]:
    try:
        yield
    except NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        problem, ctx = error.format_message().rstrip("."), error.ctx
        hint = f"{' '.join(ctx.get_usage().split())}; see {ctx.command_path} --help." if ctx else ""
        raise Refused(BearingsError(problem[:1].lower() + problem[1:], hint)) from None


class OneStyle(click.Command):
    """A command whose usage errors are printed like every error."""

    def make_context(self, *given: Any, **named: Any) -> click.Context:
        """As click's."""
        with _in_one_style():
            return super().make_context(*given, **named)

    def invoke(self, ctx: click.Context) -> Any:
        """As click's."""
        with _in_one_style():
            return super().invoke(ctx)


class CommandWithExamples(OneStyle):
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


class LazyGroup(OneStyle, click.Group):
    """A group of `Lazy` commands in the given order. Its own options are read before any command is made.

    `asks` maps a subject to the command that asks about it, for words that are no command.
    """

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002 - click's word
        entries: Mapping[str, Lazy],
        examples: tuple[str, ...] = (),
        options: tuple[click.Option, ...] = (),
        asks: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name=name, help=help, params=list(options), context_settings=SETTINGS)
        self._entries = dict(entries)
        self.examples = examples
        self._asks = asks or {}

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
        args = meant(args, self._entries)
        if args and args[0] not in self._entries and not args[0].startswith("-") and not ctx.resilient_parsing:
            self.refuse(ctx, args, dict.fromkeys(self._entries, ("",)))
        return super().resolve_command(ctx, args)

    def refuse(self, ctx: click.Context, words: list[str], groups: Mapping[str, Sequence[str]]) -> NoReturn:
        """Name the commands that may be meant, each behind its groups ("": this one), or else the lines that ask."""
        near = difflib.get_close_matches(words[0], groups, cutoff=_ALIKE)
        if near or not self._asks:
            meant = " or ".join(repr(f"{group} {name}".strip()) for name in near for group in groups[name])
            raise click.UsageError(f"No such command {words[0]!r}.{meant and f' Did you mean {meant}?'}", ctx)
        lines = (f"{what}: {shlex.join([*line.split(), ' '.join(words)])}" for what, line in self._asks.items())
        raise Refused(BearingsError(f"no such command {words[0]!r}", ". ".join(lines)))

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
