"""End a server over HTTP: every accepted call is answered, with its result or the error "shutting down".

    signal        new requests are refused with 503, except health and the end of a session; calls go on
    drain_s later calls that still run are answered `shutting_down`, and abandoned
    then          event streams and other open answers end as HTTP requires, and uvicorn is told to stop

uvicorn alone would cut streams off at once, with the answers of running calls, and log a traceback for each.
"""

import asyncio
import time
from collections.abc import Coroutine
from types import FrameType
from typing import Any

import anyio
import anyio.to_thread
import uvicorn
from mcp.types import CallToolResult
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.errors import ShuttingDown
from bearings.serving.call import failure
from bearings.serving.limits import Ending
from bearings.serving.listening import BACKLOG
from bearings.serving.operations import is_health
from bearings.serving.refusal import refuse

SENDING_S = 2.0
"""Seconds for answers to be sent once the calls are over."""

THREADS = 256
"""The size of anyio's pool for blocking work: enough that a few peers' calls don't wait for each other."""


class Calls:
    """Runs tools so that each call is answered, even if the server must end before the tool does."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[CallToolResult]] = set()
        self._cut: asyncio.Future[None] | None = None

    @property
    def running(self) -> int:
        """The number of running calls."""
        return len(self._running)

    async def answer(self, work: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
        """The result of `work`, or the error.

        Cancelling cancels the work and waits for a thread that it has started: the call is over when its thread is.
        """
        cut = self._cut = self._cut or asyncio.get_running_loop().create_future()
        scope = anyio.CancelScope()
        task = asyncio.create_task(_within(scope, work))
        self._running.add(task)
        try:
            await asyncio.wait([task, cut], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            scope.cancel()  # task.cancel() would leave a thread behind that no budget counts
            with anyio.CancelScope(shield=True):
                await asyncio.wait([task, cut], return_when=asyncio.FIRST_COMPLETED)
            raise
        finally:
            self._running.discard(task)
        if task.done():
            return task.result()
        task.cancel()  # does not wait, because a thread may delay it
        return failure(ShuttingDown("The server is shutting down, and this call was not finished", "Call again."))

    def cut(self) -> None:
        """Answer all running calls now."""
        if self._cut is not None and not self._cut.done():
            self._cut.set_result(None)


async def _within(scope: anyio.CancelScope, work: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
    with scope:
        return await work
    raise asyncio.CancelledError


class Drain:
    """The outermost ASGI application: refuses requests after the end has begun, and ends the open ones."""

    def __init__(self, app: ASGIApp, calls: Calls, drain_s: float) -> None:
        self._app = app
        self._calls = calls
        self._drain_s = drain_s
        self._open: dict[anyio.CancelScope, bool] = {}
        """Open requests, and whether each is a call that has arrived completely."""
        self._begun: float | None = None
        self._quiet = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self.begun and scope["method"] != "DELETE" and not is_health(scope):
            await _refused(scope, receive, send)
        else:
            await self._watched(scope, receive, send)

    async def _watched(self, scope: Scope, receive: Receive, send: Send) -> None:
        ending = Ending(send)
        with anyio.CancelScope() as cancel_scope:
            self._open[cancel_scope] = False

            async def heard() -> Message:
                message = await receive()
                if scope["method"] == "POST" and not message.get("more_body", False) and cancel_scope in self._open:
                    self._open[cancel_scope] = True
                return message

            try:
                await self._app(scope, heard, ending.send)
            finally:
                del self._open[cancel_scope]
        if cancel_scope.cancelled_caught:
            await (ending.end() if ending.started else _refused(scope, receive, send))

    def begin(self) -> None:
        """Refuse requests from now on."""
        self._begun = time.monotonic()

    @property
    def begun(self) -> bool:
        """Whether requests are refused."""
        return self._begun is not None

    def is_over(self) -> bool:
        """Continue the end; returns whether all is answered. Call it several times a second."""
        if self._begun is None:
            return False
        now = time.monotonic()
        is_late = now > self._begun + self._drain_s
        if is_late:
            self._calls.cut()
        busy = self._calls.running or any(self._open.values())
        self._quiet = 0 if busy else self._quiet + 1
        if self._quiet < 2 and now < self._begun + self._drain_s + SENDING_S:
            return False  # the older transport sends answers on another stream, a moment after the call has ended
        for request in list(self._open):
            request.cancel()
        return not self._open or now > self._begun + self._drain_s + 2 * SENDING_S


async def _refused(scope: Scope, receive: Receive, send: Send) -> None:
    error = ShuttingDown("This server is shutting down", "Send the request to its successor.", retry_after_s=1.0)
    await refuse(error, 503, scope, receive, send, close=True)


class DrainingServer(uvicorn.Server):
    """uvicorn, which receives a signal only when `drain` is over."""

    def __init__(self, config: uvicorn.Config, drain: Drain) -> None:
        super().__init__(config)
        self._drain = drain
        self._signal: tuple[int, FrameType | None] | None = None

    async def startup(self, sockets: Any = None) -> None:
        """As uvicorn."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets=sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)  # asyncio also uses the number as the size of a batch

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the drain at the first signal, end it at the second."""
        if self._drain.begun:
            super().handle_exit(sig, frame)
            return
        self._signal = sig, frame
        self._drain.begin()

    async def on_tick(self, counter: int) -> bool:
        """Whether to end; uvicorn calls this ten times a second."""
        if self._signal is not None and not self.should_exit and self._drain.is_over():
            super().handle_exit(*self._signal)
        return await super().on_tick(counter)
