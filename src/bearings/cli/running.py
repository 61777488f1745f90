"""Run a command as this process: its streams, its exit status, its end."""

import gc
import io
import os
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn, TextIO, cast

import click

from bearings.cli.collector import collect_seldom
from bearings.cli.interrupt import INTERRUPTED
from bearings.cli.wiring import WIRING, Need, Wiring

if TYPE_CHECKING:
    from bearings.code.engine.standby_worker import StandbyWorker

BROKEN_PIPE = 1
"""The exit status after the reader has closed the pipe, as click has it."""


def run(
    command: click.Command, program: str, wiring: Wiring = WIRING, spare: "StandbyWorker | None" = None
) -> NoReturn:
    """Run `command` with this process's arguments and exit with its status, always without a traceback.

    `spare` is a worker for its question.
    """
    collect_seldom()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # the search reads every package's metadata
    _configure()
    try:
        status = command.main(
            prog_name=program, standalone_mode=False, obj=replace(wiring, need=Need(soon=True, spare=spare))
        )
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except BrokenPipeError:
        status = _silenced()
    _leave(status if isinstance(status, int) else 0)


def _leave(status: int) -> NoReturn:
    """End the process without freeing its memory, which takes as long as some answers."""
    if all(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    gc.freeze()
    sys.exit(status)


def _configure() -> None:
    """Never end a command for an unprintable character; always end it when its reader has gone."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        sys.stdout = _buffered(sys.stdout)
    if os.environ.get("BEARINGS_LOG_LEVEL", "").strip():
        _log_to_stderr(os.environ["BEARINGS_LOG_LEVEL"].strip().upper())


def _buffered(raw: TextIO) -> TextIO:
    """The same stream with a buffer: under PYTHONUNBUFFERED Python takes a partial write for a complete one."""
    buffer = io.BufferedWriter(cast("io.RawIOBase", raw.buffer))
    return io.TextIOWrapper(buffer, raw.encoding, raw.errors, line_buffering=True)


def _log_to_stderr(level: str) -> None:
    import logging

    if level in logging.getLevelNamesMapping():
        from bearings.logs import log_to_stderr

        log_to_stderr(level)


def _silenced() -> int:
    """Discard buffered output after the reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
