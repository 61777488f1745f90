"""Where `bearings`, `coderef` and the two launchers enter. Nothing here loads a wing."""

import gc
import io
import os
import sys
from dataclasses import replace
from typing import NoReturn, TextIO, cast

import click

from bearings.cli.collector import collect_seldom
from bearings.cli.interrupt import INTERRUPTED
from bearings.cli.lazy import Lazy, LazyGroup, version_option
from bearings.cli.wiring import WIRING, Wiring

BROKEN_PIPE = 1
"""The status of a command whose reader went away, which click gives it too."""

_HELP = """Bearings in the world and in a codebase: geocoding and code intelligence.

Every command is also a tool of an MCP server (`serve`). Answers are for reading; --json prints the structured reply.
Exit status: 0 answered, 1 not found or failed, 2 bad usage.
"""


def main() -> NoReturn:
    """`bearings`."""
    run(bearings(), "bearings")


def coderef() -> NoReturn:
    """`coderef`, which is `bearings code`."""
    from bearings.cli import code

    run(_versioned(code.group("coderef"), "coderef (bearings-mcp)"), "coderef")


def places_server() -> NoReturn:
    """`bearings-places`, which is `bearings places serve`."""
    from bearings.cli.serve import PLACES, serve_command

    run(serve_command(PLACES, "bearings-places"), "bearings-places")


def code_server() -> NoReturn:
    """`bearings-code`, which is `bearings code serve`."""
    from bearings.cli.serve import CODE, serve_command

    run(serve_command(CODE, "bearings-code"), "bearings-code")


def run(command: click.Command, program: str, wiring: Wiring = WIRING) -> NoReturn:
    """Run `command` with this process's arguments and end with its status, whatever happens, without a traceback."""
    collect_seldom()
    _configure()
    try:
        status = command.main(prog_name=program, standalone_mode=False, obj=replace(wiring, soon=True))
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except BrokenPipeError:
        status = _silenced()
    gc.freeze()  # what is left ends with the process
    sys.exit(status if isinstance(status, int) else 0)


def bearings() -> click.Group:
    """The command that has all others."""
    group = LazyGroup(
        "bearings",
        _HELP,
        {
            "places": Lazy("Geocoding: names, points, boxes, boundaries.", _places),
            "code": Lazy("Code intelligence: elements, callers, dependencies.", _code),
            "serve": Lazy("Serve the tools of both to an MCP client.", _serve),
            "doctor": Lazy("What is set, found and reachable.", _doctor),
            "completion": Lazy("Teach your shell these commands.", _completion),
        },
        examples=(
            'places geocode "Springfield, Illinois"',
            "code query parse_file --type calls-me",
            "serve http",
        ),
    )
    return _versioned(group, "bearings")


def _versioned(group: click.Group, banner: str) -> click.Group:
    group.params.append(version_option(banner))
    return group


def _places(_: click.Context) -> click.Command:
    from bearings.cli import places

    return places.group()


def _code(_: click.Context) -> click.Command:
    from bearings.cli import code

    return code.group()


def _serve(_: click.Context) -> click.Command:
    from bearings.cli.serve import BOTH, serve_command

    return serve_command(BOTH)


def _doctor(_: click.Context) -> click.Command:
    from bearings.cli.doctor import doctor_command

    return doctor_command()


def _completion(_: click.Context) -> click.Command:
    from bearings.cli.completion import completion_command

    return completion_command()


def _configure() -> None:
    """Characters that a terminal can't show never end a command; a reader that goes away always does."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        sys.stdout = _buffered(sys.stdout)
    if os.environ.get("BEARINGS_LOG_LEVEL", "").strip():
        _log_to_stderr(os.environ["BEARINGS_LOG_LEVEL"].strip().upper())


def _buffered(raw: TextIO) -> TextIO:
    """The same stream with a buffer: under PYTHONUNBUFFERED Python takes half a write for a whole one."""
    buffer = io.BufferedWriter(cast("io.RawIOBase", raw.buffer))
    return io.TextIOWrapper(buffer, raw.encoding, raw.errors, line_buffering=True)


def _log_to_stderr(level: str) -> None:
    import logging

    if level in logging.getLevelNamesMapping():
        logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")


def _silenced() -> int:
    """Nobody reads any more: what is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
