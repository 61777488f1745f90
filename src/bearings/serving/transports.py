"""How a server meets its clients: stdio, Streamable HTTP, and the HTTP+SSE of 2024, kept for old clients."""

import logging
import os
import signal
import sys
import threading
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from bearings.serving.app import ServerSpec, build_server
from bearings.settings import ServeSettings

EOF_GRACE_S = 0.8
"""How long after the end of input the process may still live, whatever its threads do: a client waits for a second."""

INTERRUPTED = 130
"""The status of a process that SIGINT ended, as shells count it."""


def configure_logging(level: str) -> None:
    """Logs go to stderr: stdout belongs to the protocol."""
    logging.basicConfig(stream=sys.stderr, level=level.upper(), format="%(levelname)s %(name)s: %(message)s")


def serve_stdio(spec: ServerSpec, settings: ServeSettings) -> None:
    """Serve one client over stdin and stdout until end of input or SIGINT; then the process ends, with 0 or 130."""
    configure_logging(settings.log_level)
    signal.signal(signal.SIGINT, _interrupted)
    try:
        anyio.run(_stdio, build_server(spec))
    except KeyboardInterrupt:
        _leave(INTERRUPTED)
    _leave()


async def _stdio(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(_UntilEof(incoming), outgoing, server.create_initialization_options())


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


def _interrupted(*_: object) -> None:
    """SIGINT ends the process although a thread waits for input, which nothing can stop."""
    _leave_soon(INTERRUPTED)
    raise KeyboardInterrupt


def _leave_soon(status: int) -> None:
    timer = threading.Timer(EOF_GRACE_S, _leave, [status])
    timer.daemon = True
    timer.start()


def _leave(status: int = 0) -> None:
    """End the process now: a thread that is still at work (a query, a build) must not keep a client waiting."""
    sys.stderr.flush()
    os._exit(status)
