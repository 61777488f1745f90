"""The transport over stdio; http.py has the others."""

import asyncio
import io
import os
import signal
import sys
import threading
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from bearings.logs import log_to_stderr
from bearings.serving.app import ServerSpec, build_server
from bearings.serving.lines import Incoming, taken_stdin
from bearings.settings import ServeSettings

EXIT_GRACE_S = 0.8
"""The longest life of the process after the end of input or SIGINT, whatever its threads do: clients wait for 1 s."""

INTERRUPTED = 130
"""The exit status after SIGINT, by the shells' convention."""


def serve_stdio(spec: ServerSpec, settings: ServeSettings) -> None:
    """Serve one client over stdin and stdout until end of input or SIGINT; then the process exits with 0 or 130."""
    log_to_stderr(settings.log_level.upper())
    _exit_now(anyio.run(_stdio, build_server(spec)))


async def _stdio(server: Server[Any]) -> int:
    """Serve; returns the exit status."""
    with anyio.CancelScope() as scope:
        _cancel_on_interrupt(scope)
        # The SDK writes stdout. Its reader gets an empty file: `Incoming` reads stdin instead (see lines.py).
        async with (
            stdio_server(stdin=anyio.wrap_file(io.StringIO())) as (sdk_reader, outgoing),
            sdk_reader,
            anyio.create_task_group() as tasks,
        ):
            incoming = Incoming(taken_stdin(), at_end=lambda: _exit_after_grace(0))
            tasks.start_soon(incoming.send_refusals, outgoing)
            await server.run(incoming, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()
    return INTERRUPTED if scope.cancel_called else 0


def _cancel_on_interrupt(scope: anyio.CancelScope) -> None:
    """On SIGINT cancel `scope`, and soon after end the process: nothing can stop a thread that waits for input."""
    loop = asyncio.get_running_loop()

    def interrupted(*_: object) -> None:
        _exit_after_grace(INTERRUPTED)
        loop.call_soon_threadsafe(scope.cancel)

    signal.signal(signal.SIGINT, interrupted)


def _exit_after_grace(status: int) -> None:
    """End the process in EXIT_GRACE_S, unless it ends before."""
    timer = threading.Timer(EXIT_GRACE_S, _exit_now, [status])
    timer.daemon = True
    timer.start()


def _exit_now(status: int = 0) -> None:
    """End the process now: a busy thread (a query, a build) must not keep a client waiting."""
    sys.stderr.flush()
    os._exit(status)
