"""A command made from a tool: an option for each argument, help from the schema, the reply printed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import FAILED, USAGE, Ask, answer, print_reply, print_rows, print_text, refuse
from bearings.cli.lazy import CommandWithExamples, Lazy
from bearings.cli.likely import likely_project
from bearings.cli.lines import ask_lines, is_stdin, lines
from bearings.cli.options import Typed, format_option, hidden, project_option, project_word, rows_option, shape_options
from bearings.cli.pages import checked, page_options, show_page
from bearings.cli.parameters import Parameter, Shape, parameters_of
from bearings.cli.spelling import Spelling
from bearings.cli.values import absolute, argument, guarded
from bearings.cli.wiring import Wing, Wiring
from bearings.cli.writing import chosen, show
from bearings.errors import BearingsError, InvalidInput
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.reply import Reply
    from bearings.tool import Tool


Show = Callable[["Reply", Mapping[str, Any]], None]
"""Shows the reply to a question with these arguments."""

_OUTLINED = {"geometry": "simplified"}
"""Arguments that a page adds, where the tool has them and none are typed."""

WingOf = Callable[[Wiring], Wing]


def entries(spellings: Mapping[str, Spelling], wing: WingOf) -> dict[str, Lazy]:
    """Commands by name, each made on demand."""
    return {name: _entry(name, spelling, wing) for name, spelling in spellings.items()}


def _entry(name: str, spelling: Spelling, wing: WingOf) -> Lazy:
    def make(ctx: click.Context) -> click.Command:
        wiring = ctx.find_object(Wiring)
        assert wiring is not None
        try:
            soon = wiring.soon and not ctx.resilient_parsing
            project = likely_project(name, spelling, sys.argv) if soon else None
            return ToolCommand(name, spelling, wing(replace(wiring, soon=soon, project=project)))
        except BearingsError as error:
            raise Refused(error) from None

    return Lazy(spelling.summary, make)


class Refused(click.ClickException):
    """A wing that can't be built because of an unusable setting."""

    def __init__(self, error: BearingsError) -> None:
        super().__init__(error.error)
        self._error = error

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """2, as for every unusable value."""
        return USAGE if isinstance(self._error, InvalidInput) else FAILED

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - overrides
        """Print it like every error."""
        refuse(self._error)


class ToolCommand(CommandWithExamples):
    """Runs one tool of a wing with the arguments of the command line."""

    def __init__(self, name: str, spelling: Spelling, wing: Wing) -> None:
        self.tool = next(tool for tool in wing.tools if tool.name == spelling.tool)
        self._wing = wing
        self._spelling = spelling
        self._known = {
            parameter.name: replace(parameter, default=spelling.preset.get(parameter.name, parameter.default))
            for parameter in parameters_of(self.tool)
        }
        self._old = {
            old: self._known[name]
            for old, name in self.tool.habits.names.items()
            if name in self._known and name not in spelling.positional and "-" not in old
        }
        self._project = spelling.project if "project_path" in self._known else "none"
        super().__init__(
            name,
            params=self._params(),
            help=self._spelling.help or _help(self.tool),
            short_help=spelling.summary,
            examples=spelling.examples,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click, but negative numbers are values, never options."""
        return super().parse_args(ctx, guarded(args))

    def invoke(self, ctx: click.Context) -> None:
        """Ask the tool, print its reply in the requested form, exit with its status."""
        given = dict(ctx.params)
        form, output = given.pop("format_alias", None), given.pop("output_alias", None)
        as_json, as_rows = given.pop("as_json") or form == "json", given.pop("as_rows", False)
        as_sites = given.pop("as_sites", False) or self._spelling.always_sites
        html, is_opened = given.pop("html_path", None), given.pop("as_open", False)
        # The first of these that is requested: a page, places alone, rows, shapes; else text or JSON.
        try:
            if html or is_opened:
                others = {
                    "--json": as_json, "--format": form, "--output": output, "--jsonl": as_rows, "--lines": as_sites
                }  # fmt: skip
                checked(html, is_opened, others)
                ctx.exit(self._on_page(given, html, is_opened))
            if as_sites and not as_json:
                ctx.exit(self._in_grep_s_format(given))
            # `--format json` of a tool means the reply, as `--json`; an export's is the document that it writes.
            if given.get("format") == "json" and self._spelling.document != "content":
                as_json = True
                if "json" not in self._known["format"].choices:
                    given["format"] = None
            if as_rows:
                ctx.exit(self._in_rows({**given, **self._spelling.row_by}))
            shape = chosen(None if as_json and output is None else form, output)
        except InvalidInput as error:
            ctx.exit(refuse(error, as_json, self._explained))
        ctx.exit(self._as_shapes(given, shape, output) if shape else self._as_text(given, as_json))

    def _on_page(self, given: Mapping[str, Any], html: str | None, is_opened: bool) -> int:
        """Write the answer as a page, with outlines; returns the exit status."""
        added = {**_OUTLINED, **self._spelling.paged(given)}
        whole = {**given, **{name: given[name] or value for name, value in added.items() if name in given}}
        return self._answered(whole, lambda reply, asked: show_page(self.tool, asked, reply, html, is_opened))

    def _in_grep_s_format(self, given: Mapping[str, Any]) -> int:
        """Print the places alone, with paths relative to the working directory; returns the exit status."""
        from bearings.cli.sites import print_sites

        project = given.get("project_path") or "."
        prefix = "" if Path(project) == Path() else f"{project.rstrip('/')}/"
        arguments = partial(self._arguments, given)
        return print_sites(self._wing, self.tool, arguments, self._spelling.sites or "all", prefix, self._explained)

    def _in_rows(self, given: Mapping[str, Any]) -> int:
        """Print the reply's list, one object a line; returns the exit status."""
        return self._answered(given, lambda reply, _: print_rows(reply.structured()[self._spelling.rows or ""] or ()))

    def _as_shapes(self, given: Mapping[str, Any], shape: str, output: str | None) -> int:
        """Print the results as shapes, or write them to a file; returns the exit status."""
        whole = {**given, **{name: given.get(name) or value for name, value in self._spelling.featured.items()}}
        return self._answered(whole, lambda reply, asked: show(reply, self._spelling, asked, shape, output))

    def _as_text(self, given: Mapping[str, Any], as_json: bool) -> int:
        """Print the reply as text or as JSON, or the document inside; returns the exit status."""
        field = self._spelling.document

        def document(reply: Reply, _: Mapping[str, Any]) -> None:
            text = getattr(reply, field or "")
            if text is None:
                print_reply(self.tool.name, reply)
            else:
                print_text(text)

        on_terminal = sys.stdout.isatty() and not as_json
        return self._answered(given, document if field and not as_json else None, as_json, has_pages=on_terminal)

    def _answered(
        self, given: Mapping[str, Any], show: Show | None, as_json: bool = False, *, has_pages: bool = False
    ) -> int:
        """Ask, and show the reply; returns the exit status. Lists come in pages if one was asked for."""
        asked: dict[str, Any] = {}

        def arguments() -> Mapping[str, Any]:
            asked.update(self._arguments(given))
            return asked

        return answer(
            self._wing, self.tool, arguments, as_json, found=self._spelling.found, explain=self._explained,
            ask=self._ask_lines(given), show=show and (lambda reply: show(reply, asked)),
            has_pages=has_pages or bool(given.get("limit") or given.get("cursor")),
        )  # fmt: skip

    def _ask_lines(self, given: Mapping[str, Any]) -> Ask | None:
        """The way to ask if a list's words come from standard input; otherwise None."""
        name = self._spelling.lines
        if name is None or not is_stdin(given[name]):
            return None

        async def ask(wing: Wing, tool: Tool, arguments: Mapping[str, Any], progress: Progress) -> Reply:
            return await ask_lines(wing, tool, arguments, name, progress)

        return ask

    def _arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The tool's arguments: typed ones only, so that the tool's own defaults apply."""
        known = {**self._known, **self._old}
        arguments: dict[str, Any] = {"detail": "full"} if "detail" in self.tool.arguments.model_fields else {}
        arguments |= self._spelling.preset
        arguments |= {
            name: value
            if known[name].shape is Shape.FLAG
            else argument(known[name], _words(value), positional=name in self._spelling.positional)
            for name, value in given.items()
            if name in known and value is not None and value != ()
        }
        for name, value in self._spelling.whole.items():
            arguments.setdefault(name, value)
        if self._spelling.lines and is_stdin(arguments.get(self._spelling.lines, ())):
            arguments[self._spelling.lines] = lines(self._spelling.lines)
        if self._project != "none":
            project = given.get("project_word") or arguments.get("project_path") or "."
            arguments["project_path"] = absolute("project_path", project)
        for name in self._spelling.absolute:
            if arguments.get(name):
                arguments[name] = absolute(name, arguments[name])
        return arguments

    def _explained(self, error: BearingsError) -> str:
        """The error in the command line's words: options instead of parameters."""
        if not isinstance(error, InvalidInput):
            return error.error
        for parameter in self.params:
            if error.field.partition(".")[0] == parameter.name and parameter.name in self._known:
                label = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
                inner = error.field.partition(".")[2]
                label = f"{label} {inner}" if inner else label
                return re.sub(rf"^{re.escape(error.field)} = (None: )?", f"{label} ", error.error)
        return error.error

    def _params(self) -> list[click.Parameter]:
        words = [self._word(self._known[name]) for name in self._spelling.positional]
        options = [
            self._option(parameter)
            for name, parameter in self._known.items()
            if name not in self._spelling.positional
            and (name != "project_path" or self._project == "none")
            and (self._spelling.options is None or name in self._spelling.options)
        ]
        if self._project != "none":
            options.append(project_option(self._spelling.aliases.get("project_path", ())))
        if self._project == "word":
            words.append(project_word())
        if self._spelling.sites and not self._spelling.always_sites:
            text = "Print path:line:source alone, as grep does, all of it."
            options.append(click.Option(["--lines", "as_sites"], is_flag=True, help=text))
        options.append(click.Option(["--json", "as_json"], is_flag=True, help="Print the structured reply, whole."))
        if self._spelling.rows:
            options.append(rows_option(self._spelling.rows))
        if self._spelling.features is not None:
            options += shape_options()
        elif "format" not in self._known:
            options.append(format_option())
        options += page_options() if self.tool.view else []
        taken = {spelling for option in options for spelling in option.opts}
        old = [self._option(replace(parameter, name=name)) for name, parameter in self._old.items()]
        return [*words, *options, *(hidden(option) for option in old if taken.isdisjoint(option.opts))]

    def _word(self, parameter: Parameter) -> click.Argument:
        """A positional argument; a list takes all remaining words."""
        many = parameter.shape is Shape.LIST
        word = parameter.name.upper() if parameter.required else f"[{parameter.name.upper()}]"
        return click.Argument(
            [parameter.name],
            type=Typed(parameter),
            required=parameter.required,
            nargs=-1 if many else 1,
            metavar=f"{word}…" if many else word,
            help=parameter.help,
        )

    def _option(self, parameter: Parameter) -> click.Option:
        """An option, under its own name and the command's aliases."""
        spellings = (parameter.option, *self._spelling.aliases.get(parameter.name, ()))
        if parameter.shape is Shape.FLAG:
            declared = [f"{spelling}/--no-{spelling.removeprefix('--')}" for spelling in spellings]
            return click.Option([*declared, parameter.name], default=None, help=parameter.help)
        return click.Option(
            [*spellings, parameter.name],
            type=Typed(parameter),
            required=parameter.required and parameter.name not in self._spelling.preset,
            multiple=parameter.shape in (Shape.LIST, Shape.OBJECT),
            metavar=parameter.metavar,
            help=parameter.help,
        )


def _words(value: Any) -> list[str]:
    return list(value) if isinstance(value, tuple) else [value]


def _help(tool: Tool) -> str:
    """The tool's description without its example, which is for models."""
    return re.split(r"\s*Example:", tool.description)[0]
