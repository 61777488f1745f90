"""Ask one tool and print its reply: for a person, or as JSON for a program. Returns the command's exit status."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from bearings.caller import Caller, calling
from bearings.cli.interrupt import leaving_at_once
from bearings.cli.streams import streams
from bearings.cli.wiring import Wing
from bearings.errors import BearingsError, Internal, InvalidInput
from bearings.progress import NoProgress, Progress

if TYPE_CHECKING:
    from bearings.reply import Reply
    from bearings.tool import Tool

Ask = Callable[[Wing, "Tool", Mapping[str, Any], Progress], "Awaitable[Reply]"]
"""Puts a question to a tool of a wing."""

ANSWERED, FAILED, USAGE = 0, 1, 2

logger = logging.getLogger(__name__)


def answer(
    wing: Wing,
    tool: Tool,
    arguments: Callable[[], Mapping[str, Any]],
    as_json: bool,
    *,
    found: str | None,
    explain: Callable[[BearingsError], str],
    ask: Ask | None = None,
    show: Callable[[Reply], None] | None = None,
    has_pages: bool = False,
) -> int:
    """Run `tool` and print its reply; return the exit status. `arguments` may raise; `explain` words an error.

    With `as_json` stdout holds one JSON document and nothing else: the reply or the error's body. `ask` replaces the
    usual call of the tool, `show` the usual output. Nothing is cut to a budget; lists are cut into pages only if the
    answer `has_pages`.
    """
    try:
        with (
            progress_bar(tool) as progress,
            leaving_at_once(),
            calling(Caller(is_command=True, has_pages=has_pages)),
        ):
            reply = streams().run(_answered, wing, tool, arguments(), progress, ask or _ask)
        if show is not None:
            show(reply)
    except BearingsError as error:
        return refuse(error, as_json, explain)
    except Exception as error:  # noqa: BLE001 - nothing of ours ends a command with a traceback
        return refuse(internal(tool.name, error), as_json, explain)
    structured = reply.structured()
    if as_json:
        print_json(structured)
    elif show is None:
        print_reply(tool.name, reply)
    if not as_json and (earlier := earlier_of(structured)):
        click.echo(f"note: {earlier}", file=streams().err, err=True)
    refused = any("code" in answer for answer in structured.get("answers", ()))
    return FAILED if refused or (found is not None and not structured.get(found)) else ANSWERED


async def _answered(wing: Wing, tool: Tool, arguments: Mapping[str, Any], progress: Progress, ask: Ask) -> Reply:
    try:
        return await ask(wing, tool, arguments, progress)
    finally:
        await wing.aclose()


async def _ask(_: Wing, tool: Tool, arguments: Mapping[str, Any], progress: Progress) -> Reply:
    reply, _mode = await tool.run(arguments, progress)
    return reply


def earlier_of(structured: Mapping[str, Any]) -> str | None:
    """What a reply says of an earlier command that was stopped while it wrote."""
    index = structured.get("index")
    earlier: str | None = index.get("earlier") if isinstance(index, dict) else None
    return earlier


def internal(name: str, error: Exception) -> Internal:
    """The error for a fault of ours in what is called `name`; the log has the place."""
    logger.debug("%s failed", name, exc_info=error)
    return Internal(
        f"{name} failed: {type(error).__name__}: {error}",
        "This is a fault of bearings. BEARINGS_LOG_LEVEL=DEBUG shows where; please report it.",
    )


def refuse(error: BearingsError, as_json: bool = False, explain: Callable[[BearingsError], str] | None = None) -> int:
    """Print an error and its hint; returns the exit status: 2 if the command line was at fault, otherwise 1.

    `explain` words an error for a command whose options have other names than the arguments.
    """
    if as_json:
        print_json(error.body())
    else:
        click.secho("error: ", fg="red", bold=True, nl=False, file=streams().err, err=True)
        click.echo(explain(error) if explain else error.error, file=streams().err, err=True)
        if error.hint:
            click.secho("hint:  ", fg="cyan", nl=False, file=streams().err, err=True)
            click.echo(_spoken(error.hint), file=streams().err, err=True)
    return USAGE if isinstance(error, InvalidInput) else FAILED


def _spoken(hint: str) -> str:
    from bearings.cli.speech import spoken

    return spoken(hint)


def print_json(value: Any) -> None:
    """Print one JSON document in UTF-8 under any locale: indented on a terminal, otherwise on one line.

    The caller passes clean values: replies and errors already are.
    """
    indent = 2 if streams().out.isatty() else None
    separators = None if indent else (",", ":")
    write(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators) + "\n")


def print_rows(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line, in UTF-8."""
    write("".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows))


def print_text(text: str) -> None:
    """Print a document in UTF-8, with a newline at its end."""
    write(text if text.endswith("\n") else f"{text}\n")


def write(text: str) -> None:
    """Write to stdout in UTF-8 under any locale."""
    out = streams().out
    out.flush()
    out.buffer.write(text.encode())
    out.buffer.flush()


def print_reply(tool: str, reply: Reply) -> None:
    """Print a reply's text; on a terminal in colours, or its tables."""
    from bearings.cli.speech import in_commands

    reply = in_commands(reply)
    text = _on_terminal(tool, reply) if streams().out.isatty() else reply.to_text()
    streams().out.write(text + "\n")
    streams().out.flush()


def _on_terminal(tool: str, reply: Reply) -> str:
    from rich.console import Console

    from bearings.cli.terminal import rendered

    return rendered(tool, reply, Console())


def progress_bar(tool: Tool) -> AbstractContextManager[Progress]:
    """A progress bar on a terminal, for a tool that reports progress."""
    if not tool.takes_progress:
        return nullcontext(NoProgress())
    from bearings.cli.bar import bar

    return bar()
