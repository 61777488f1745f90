"""A command made from a tool: an option for each argument, help from the schema, the reply printed.

    bearings places search "Mersea Island" --limit 3 --json   ->   geocode(query="Mersea Island", limit=3)

The command line's values are `options`; the values that the tool gets are `arguments`.
"""

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
from bearings.cli.lazy import CommandWithExamples, Lazy, Refused
from bearings.cli.likely import likely_project
from bearings.cli.lines import MOST_TEXT, STDIN, ask_lines, is_stdin, lines
from bearings.cli.options import Typed, format_option, hidden, project_option, project_word, rows_option, shape_options
from bearings.cli.pages import checked, page_options, show_page
from bearings.cli.parameters import Parameter, Shape, parameters_of
from bearings.cli.spelling import Spelling
from bearings.cli.streams import streams
from bearings.cli.values import absolute, argument, guarded
from bearings.cli.wiring import Wing, Wiring
from bearings.cli.writing import shape_format, show
from bearings.errors import BearingsError, InvalidInput
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.reply import Reply
    from bearings.tool import Tool


Show = Callable[["Reply", Mapping[str, Any]], None]
"""Shows the reply to a question with these arguments."""

_PAGE_ARGUMENTS = {"geometry": "simplified"}
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
            soon = wiring.need.soon and not ctx.resilient_parsing
            project = likely_project(name, spelling, sys.argv) if soon else None
            need = replace(wiring.need, soon=soon, project=project, only=spelling.tool)
            return ToolCommand(name, spelling, wing(replace(wiring, need=need)))
        except BearingsError as error:
            raise Refused(error, USAGE if isinstance(error, InvalidInput) else FAILED) from None

    return Lazy(spelling.summary, make)


class ToolCommand(CommandWithExamples):
    """Runs one tool of a wing with the arguments of the command line."""

    def __init__(self, name: str, spelling: Spelling, wing: Wing) -> None:
        self.tool = next(tool for tool in wing.tools if tool.name == spelling.tool)
        self._wing = wing
        self._spelling = spelling
        self._parameters = {
            parameter.name: replace(parameter, default=spelling.preset.get(parameter.name, parameter.default))
            for parameter in parameters_of(self.tool)
        }
        self._old_parameters = {
            old: self._parameters[name]
            for old, name in self.tool.habits.names.items()
            if name in self._parameters and name not in spelling.positional and "-" not in old
        }
        self._project = spelling.project if "project_path" in self._parameters else "none"
        super().__init__(
            name,
            params=self._params(),
            help=self._spelling.help or re.split(r"\s*Example:", self.tool.description)[0],  # it is for models
            short_help=spelling.summary,
            examples=spelling.examples,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click, but the words are mended, and negative numbers are values, never options."""
        return super().parse_args(ctx, guarded(self._spelling.mend(args)))

    def invoke(self, ctx: click.Context) -> None:
        """Ask the tool, print its reply in the requested form, exit with its status."""
        options = dict(ctx.params)
        form, output = options.pop("format_alias", None), options.pop("output_alias", None)
        as_json, as_rows = options.pop("as_json") or form == "json", options.pop("as_rows", False)
        as_sites = options.pop("as_sites", False) or self._spelling.always_sites
        html, is_opened = options.pop("html_path", None), options.pop("as_open", False)
        # The first of these that is requested: a page, places alone, rows, shapes; else text or JSON.
        try:
            if html or is_opened:
                others = {
                    "--json": as_json, "--format": form, "--output": output, "--jsonl": as_rows, "--lines": as_sites
                }  # fmt: skip
                checked(html, is_opened, others)
                ctx.exit(self._show_as_page(options, html, is_opened))
            if as_sites and not as_json:
                ctx.exit(self._print_sites(options))
            # `--format json` of a tool means the reply, as `--json`; an export's is the document that it writes.
            if options.get("format") == "json" and self._spelling.document != "content":
                as_json = True
                if "json" not in self._parameters["format"].choices:
                    options["format"] = None
            if as_rows:
                ctx.exit(self._print_rows({**options, **self._spelling.row_by}))
            shape = shape_format(None if as_json and output is None else form, output)
        except InvalidInput as error:
            ctx.exit(refuse(error, as_json, self._error_text))
        ctx.exit(self._show_as_shapes(options, shape, output) if shape else self._print_text(options, as_json))

    def _show_as_page(self, options: Mapping[str, Any], html: str | None, is_opened: bool) -> int:
        """Write the answer as a page, with outlines; returns the exit status."""
        added = {**_PAGE_ARGUMENTS, **self._spelling.paged(options)}
        all_options = {**options, **{name: options[name] or value for name, value in added.items() if name in options}}
        return self._ask_and_show(
            all_options, lambda reply, arguments: show_page(self.tool, arguments, reply, html, is_opened)
        )

    def _print_sites(self, options: Mapping[str, Any]) -> int:
        """Print the places alone, with paths relative to the working directory; returns the exit status."""
        from bearings.cli.sites import print_sites

        project = options.get("project_path") or "."
        prefix = "" if Path(project) == Path() else f"{project.rstrip('/')}/"
        arguments = partial(self._arguments, options)
        return print_sites(self._wing, self.tool, arguments, self._spelling.sites or "all", prefix, self._error_text)

    def _print_rows(self, options: Mapping[str, Any]) -> int:
        """Print the reply's list, one object a line; returns the exit status."""
        field = self._spelling.rows or ""
        return self._ask_and_show(options, lambda reply, _: print_rows(reply.structured()[field] or ()))

    def _show_as_shapes(self, options: Mapping[str, Any], shape: str, output: str | None) -> int:
        """Print the results as shapes, or write them to a file; returns the exit status."""
        added = {name: options.get(name) or value for name, value in self._spelling.featured.items()}
        all_options = {**options, **added}
        return self._ask_and_show(
            all_options, lambda reply, arguments: show(reply, self._spelling, arguments, shape, output)
        )

    def _print_text(self, options: Mapping[str, Any], as_json: bool) -> int:
        """Print the reply as text or as JSON, or the document inside; returns the exit status."""
        field = self._spelling.document

        def document(reply: Reply, _: Mapping[str, Any]) -> None:
            text = getattr(reply, field or "")
            if text is None:
                print_reply(self.tool.name, reply)
            else:
                print_text(text)

        on_terminal = streams().out.isatty() and not as_json
        return self._ask_and_show(options, document if field and not as_json else None, as_json, has_pages=on_terminal)

    def _ask_and_show(
        self, options: Mapping[str, Any], show: Show | None, as_json: bool = False, *, has_pages: bool = False
    ) -> int:
        """Ask, and show the reply; returns the exit status. Lists come in pages if one was asked for."""
        sent_arguments: dict[str, Any] = {}

        def arguments() -> Mapping[str, Any]:
            sent_arguments.update(self._arguments(options))
            return sent_arguments

        return answer(
            self._wing, self.tool, arguments, as_json, found=self._spelling.found, explain=self._error_text,
            ask=self._ask_lines(options), show=show and (lambda reply: show(reply, sent_arguments)),
            has_pages=has_pages or bool(options.get("limit") or options.get("cursor")),
        )  # fmt: skip

    def _ask_lines(self, options: Mapping[str, Any]) -> Ask | None:
        """The way to ask if a list's words come from standard input; otherwise None."""
        name = self._spelling.lines
        if name is None or not is_stdin(options[name]):
            return None

        async def ask(wing: Wing, tool: Tool, arguments: Mapping[str, Any], progress: Progress) -> Reply:
            return await ask_lines(wing, tool, arguments, name, progress)

        return ask

    def _arguments(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The tool's arguments. An option that was not typed is left out, so that the tool's own default applies."""
        parameters = {**self._parameters, **self._old_parameters}
        arguments: dict[str, Any] = {"detail": "full"} if "detail" in self.tool.arguments.model_fields else {}
        arguments |= self._spelling.preset
        arguments |= {
            name: value
            if parameters[name].shape is Shape.FLAG
            else argument(parameters[name], _as_list(value), positional=name in self._spelling.positional)
            for name, value in options.items()
            if name in parameters and value is not None and value != ()
        }
        for name, value in self._spelling.whole.items():
            arguments.setdefault(name, value)
        if self._spelling.lines and is_stdin(arguments.get(self._spelling.lines, ())):
            arguments[self._spelling.lines] = lines(self._spelling.lines)
        if self._spelling.stdin and arguments.get(self._spelling.stdin) == STDIN:
            arguments[self._spelling.stdin] = sys.stdin.read()[-MOST_TEXT:].strip()
        if self._project != "none":
            project = options.get("project_word") or arguments.get("project_path") or "."
            arguments["project_path"] = absolute("project_path", project)
        for name in self._spelling.absolute:
            if arguments.get(name):
                arguments[name] = absolute(name, arguments[name])
        return arguments

    def _error_text(self, error: BearingsError) -> str:
        """The error in the command line's words: options instead of parameters."""
        if not isinstance(error, InvalidInput):
            return error.error
        for parameter in self.params:
            if error.field.partition(".")[0] == parameter.name and parameter.name in self._parameters:
                is_option = isinstance(parameter, click.Option)
                label = parameter.opts[0] if is_option else parameter.human_readable_name.strip("[]…")
                inner = error.field.partition(".")[2]
                label = f"{label} {inner}" if inner else label
                return re.sub(rf"^{re.escape(error.field)} = (None: )?", f"{label} ", error.error)
        return error.error

    def _params(self) -> list[click.Parameter]:
        words = [self._word(self._parameters[name]) for name in self._spelling.positional]
        options = [
            self._option(parameter)
            for name, parameter in self._parameters.items()
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
        elif "format" not in self._parameters:
            options.append(format_option())
        options += page_options() if self.tool.view else []
        taken = {spelling for option in options for spelling in option.opts}
        old = [self._option(replace(parameter, name=name)) for name, parameter in self._old_parameters.items()]
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


def _as_list(value: Any) -> list[str]:
    return list(value) if isinstance(value, tuple) else [value]
