"""How a server meets its clients: stdio, Streamable HTTP, and the HTTP+SSE of 2024, kept for old clients."""

import asyncio
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
from bearings.settings import ServeSettings

EOF_GRACE_S = 0.8
"""How long after the end of input the process may still live, whatever its threads do: a client waits for a second."""

INTERRUPTED = 130
"""The status of a process that SIGINT ended, as shells count it."""


def configure_logging(level: str) -> None:
    """Logs go to stderr: stdout belongs to the protocol."""
    log_to_stderr(level.upper(), "%(levelname)s %(name)s: %(message)s")


def serve_stdio(spec: ServerSpec, settings: ServeSettings) -> None:
    """Serve one client over stdin and stdout until end of input or SIGINT; then the process ends, with 0 or 130."""
    configure_logging(settings.log_level)
    _leave(anyio.run(_stdio, build_server(spec)))


async def _stdio(server: Server[Any]) -> int:
    """Serve; the status to end with."""
    with anyio.CancelScope() as scope:
        _cancel_on_interrupt(scope)
        async with stdio_server() as (incoming, outgoing):
            await server.run(_UntilEof(incoming), outgoing, server.create_initialization_options())
    return INTERRUPTED if scope.cancel_called else 0


def _cancel_on_interrupt(scope: anyio.CancelScope) -> None:
    """SIGINT cancels `scope`; soon after, it ends the process, since nothing can stop a thread that waits for input."""
    loop = asyncio.get_running_loop()

    def interrupted(*_: object) -> None:
        _leave_soon(INTERRUPTED)
        loop.call_soon_threadsafe(scope.cancel)

    signal.signal(signal.SIGINT, interrupted)


def serve_http(spec: ServerSpec, settings: ServeSettings, host: str, port: int, *, sse: bool = False) -> None:
    """Serve over HTTP until a signal. Raises InvalidInput for a public address without a token."""
    from bearings.serving.http import run_http  # the web stack is loaded when it is asked for

    configure_logging(settings.log_level)
    run_http(spec, settings, host, port, sse=sse)


class _UntilEof:
    """The incoming messages; at their end, a timer that ends the process even where a thread can't be stopped."""

    def __init__(self, incoming: Any) -> None:
        self._incoming = incoming

    def __aiter__(self) -> "_UntilEof":
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._incoming.__anext__()
        except StopAsyncIteration:
            _leave_soon(0)
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._incoming, name)


def _leave_soon(status: int) -> None:
    timer = threading.Timer(EOF_GRACE_S, _leave, [status])
    timer.daemon = True
    timer.start()


def _leave(status: int = 0) -> None:
    """End the process now: a thread that is still at work (a query, a build) must not keep a client waiting."""
    sys.stderr.flush()
    os._exit(status)
