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

QUIET_TICKS = 2
"""Ticks without a running call after which the drain ends.

The older transport sends an answer on another stream, a moment after its call has ended.
"""

THREADS = 256
"""The size of anyio's pool for blocking work: enough that a few peers' calls don't wait for each other."""


class Calls:
    """Runs tools so that each call is answered, even if the server must end before the tool does."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[CallToolResult]] = set()
        self._drain_expired: asyncio.Future[None] | None = None
        """Done once all running calls must be answered. It is made with the first call, because it needs a loop."""

    @property
    def running(self) -> int:
        """The number of running calls."""
        return len(self._running)

    async def answer(self, work: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
        """The result of `work`, or the error.

        Cancelling cancels the work and waits for a thread that it has started: the call is over when its thread is.
        """
        expired = self._drain_expired = self._drain_expired or asyncio.get_running_loop().create_future()
        scope = anyio.CancelScope()
        task = asyncio.create_task(_within(scope, work))
        self._running.add(task)
        try:
            await asyncio.wait([task, expired], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            scope.cancel()  # task.cancel() would leave a thread behind that no budget counts
            with anyio.CancelScope(shield=True):
                await asyncio.wait([task, expired], return_when=asyncio.FIRST_COMPLETED)
            raise
        finally:
            self._running.discard(task)
        if task.done():
            return task.result()
        task.cancel()  # does not wait, because a thread may delay it
        return failure(ShuttingDown("The server is shutting down, and this call was not finished", "Call again."))

    def cut(self) -> None:
        """Answer all running calls now."""
        if self._drain_expired is not None and not self._drain_expired.done():
            self._drain_expired.set_result(None)


async def _within(scope: anyio.CancelScope, work: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
    with scope:
        return await work
    raise asyncio.CancelledError  # the scope swallowed the cancellation; the waiting task must still see it


class Drain:
    """The outermost ASGI application: refuses requests after the end has begun, and ends the open ones."""

    def __init__(self, app: ASGIApp, calls: Calls, drain_s: float) -> None:
        self._app = app
        self._calls = calls
        self._drain_s = drain_s
        self._is_call_received: dict[anyio.CancelScope, bool] = {}
        """Open requests → whether each is a call that has arrived completely.

        The end waits for these alone: an event stream never ends by itself, and half a call may never become whole.
        """
        self._begun: float | None = None
        self._quiet_ticks = 0

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
            self._is_call_received[cancel_scope] = False

            async def receive_and_note() -> Message:
                message = await receive()
                if (
                    scope["method"] == "POST"
                    and not message.get("more_body", False)
                    and cancel_scope in self._is_call_received
                ):
                    self._is_call_received[cancel_scope] = True
                return message

            try:
                await self._app(scope, receive_and_note, ending.send)
            finally:
                del self._is_call_received[cancel_scope]
        if cancel_scope.cancelled_caught:
            await (ending.end() if ending.started else _refused(scope, receive, send))

    def begin(self) -> None:
        """Refuse requests from now on."""
        self._begun = time.monotonic()

    @property
    def begun(self) -> bool:
        """Whether requests are refused."""
        return self._begun is not None

    def advance(self) -> bool:
        """Continue the end; returns whether it is over. Call it several times a second: each call is a tick."""
        if self._begun is None:
            return False
        now, expiry = time.monotonic(), self._begun + self._drain_s
        answers_until, streams_until = expiry + SENDING_S, expiry + 2 * SENDING_S
        if now > expiry:
            self._calls.cut()
        is_busy = self._calls.running or any(self._is_call_received.values())
        self._quiet_ticks = 0 if is_busy else self._quiet_ticks + 1
        if self._quiet_ticks < QUIET_TICKS and now < answers_until:
            return False
        for request in list(self._is_call_received):
            request.cancel()
        return not self._is_call_received or now > streams_until


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
            listener.listen(BACKLOG)  # not by uvicorn's `backlog`: asyncio would accept as many connections at a time

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the drain at the first signal, end it at the second."""
        if self._drain.begun:
            super().handle_exit(sig, frame)
            return
        self._signal = sig, frame
        self._drain.begin()

    async def on_tick(self, counter: int) -> bool:
        """Whether to end; uvicorn calls this ten times a second."""
        if self._signal is not None and not self.should_exit and self._drain.advance():
            super().handle_exit(*self._signal)
        return await super().on_tick(counter)
