"""Holds each peer to its budgets of calls and event streams; what exceeds them is answered 429 or 503."""

from collections.abc import Callable

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.errors import Busy
from bearings.serving.budgets import Budget, Full
from bearings.serving.identity import PEER
from bearings.serving.peer import Peer
from bearings.serving.refusal import refuse

ALL_CALLS = 512
ALL_STREAMS = 1024

STREAM_S = 3600.0
"""How long one event stream may stay open; a client opens the next. So a token that was taken back ends here too."""

AGAIN_S = 1.0
"""When a refused client may try again."""

Refused = Callable[[Peer, str], None]
"""Hears of each request that a budget refused: its peer, and "calls", "streams" or "sessions"."""

_STREAM_PATHS = {"/mcp", "/sse"}


class Limits:
    """An event stream (GET) has a budget of its own and is no call; every other request is one."""

    def __init__(self, app: ASGIApp, *, calls: int, streams: int, refused: Refused, stream_s: float = STREAM_S) -> None:
        self._app = app
        self.calls = Budget(calls, ALL_CALLS)
        self.streams = Budget(streams, ALL_STREAMS)
        self._refused = refused
        self._stream_s = stream_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        peer: Peer = scope[PEER]
        is_stream = scope["method"] == "GET" and scope["path"] in _STREAM_PATHS
        budget, what = (self.streams, "streams") if is_stream else (self.calls, "calls")
        if problem := budget.problem(peer.key):
            self._refused(peer, what)
            await refuse_full(problem, what, budget.each, scope, receive, send)
            return
        with budget.held(peer.key):
            if is_stream and scope["path"] == "/mcp":
                await self._for_a_while(scope, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _for_a_while(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ends the answer properly where it takes too long."""
        ending = Ending(send)
        with anyio.move_on_after(self._stream_s):
            await self._app(scope, receive, ending.send)
        await ending.end()


async def refuse_full(problem: Full, what: str, each: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Say which budget is used up."""
    if problem == "peer":
        said = f"You have {each} {what} open, and no client may have more"
        hint = (
            f"End some, or try again in a moment. Clients behind a proxy that BEARINGS_TRUSTED_PROXIES does not name "
            f"count as one; the server's operator can raise BEARINGS_PEER_{what.upper()}."
        )
        await refuse(Busy(said, hint, retry_after_s=AGAIN_S), 429, scope, receive, send)
    else:
        error = Busy(f"This server has all the {what} open that it can hold", "Try again.", retry_after_s=AGAIN_S)
        await refuse(error, 503, scope, receive, send)


class Ending:
    """Passes an answer on, and knows how far it is, so that one that is cut off can still be ended as HTTP wants it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self._open_end = False

    async def send(self, message: Message) -> None:
        """ASGI."""
        if message["type"] == "http.response.start":
            self.started = True
            self._open_end = all(name.lower() != b"content-length" for name, _ in message.get("headers", ()))
        elif not message.get("more_body", False):
            self._open_end = False
        await self._send(message)

    async def end(self) -> None:
        """The last chunk of an answer in chunks that has begun and has not ended."""
        if self._open_end:
            await self.send({"type": "http.response.body", "body": b"", "more_body": False})
