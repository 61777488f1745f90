"""Limit each peer's connections, event streams, requests and running calls.

A request beyond its budget is answered 429 or 503. A call beyond its budget gets the same error as its result: with
sessions a call outlives its request, so the number of requests does not limit it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.errors import Busy
from bearings.serving.addresses import Proxies, key_of
from bearings.serving.budgets import Budget, Full
from bearings.serving.connections import PLACE, Place
from bearings.serving.identity import PEER
from bearings.serving.peer import Peer
from bearings.serving.refusal import refuse

ALL_CALLS = 512
ALL_STREAMS = 1024

STREAM_S = 3600.0
"""The lifetime of an event stream of `/mcp`; a client then opens the next. A revoked token ends here at the latest."""

SESSION_S = 24 * 3600.0
"""The lifetime of a session; a client then opens another. With the SSE of 2024 the event stream is the session."""

AGAIN_S = 1.0
"""Seconds after which a refused client may try again."""

Refused = Callable[[Peer, str], None]
"""Called for each refused request: its peer, and "connections", "streams", "calls" or "sessions"."""

_STREAMS_S = {"/mcp": STREAM_S, "/sse": SESSION_S}


class Limits:
    """ASGI. An event stream (GET) has a budget of its own; every other request counts as a call."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        calls: int,
        streams: int,
        refused: Refused,
        streams_s: Mapping[str, float] = _STREAMS_S,
    ) -> None:
        """`streams_s`: the lifetime of an event stream of each path."""
        self._app = app
        self.requests = Budget(calls, ALL_CALLS)
        self.streams = Budget(streams, ALL_STREAMS)
        self._refused = refused
        self._streams_s = streams_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        peer: Peer = scope[PEER]
        is_stream = scope["method"] == "GET" and scope["path"] in self._streams_s
        budget, kind = (self.streams, "streams") if is_stream else (self.requests, "calls")
        if problem := budget.problem(peer.key):
            self._refused(peer, kind)
            await refuse_full(problem, kind, budget.each, scope, receive, send)
            return
        with budget.held(peer.key):
            if is_stream:
                await self._for_a_while(scope, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _for_a_while(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve for a limited time, and then end the answer properly."""
        ending = Ending(send)
        with anyio.move_on_after(self._streams_s[scope["path"]]):
            await self._app(scope, receive, ending.send)
        await ending.end()


class ConnectionGuard:
    """Refuses the requests of a connection beyond the budget, which lives in the reserve for health."""

    def __init__(self, app: ASGIApp, refused: Refused, proxies: Proxies) -> None:
        self._app = app
        self._refused = refused
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        place: Place | None = scope.get(PLACE)  # None if a test calls the application directly
        if place is None or not place.only_health:
            await self._app(scope, receive, send)
            return
        self._refused(Peer(key_of(self._proxies.client(scope)), "address"), "connections")
        error = Busy(
            "Your address, or all clients together, have as many connections open as this server can hold",
            "Close some, or try again in a moment. The server's operator can raise BEARINGS_PEER_CONNECTIONS.",
            retry_after_s=AGAIN_S,
        )
        await refuse(error, 429, scope, receive, send, close=True)


class CallBudget:
    """Counts running calls, from their start until the tool has ended, even if their client has left."""

    def __init__(self, each: int, refused: Refused) -> None:
        self._calls = Budget(each, ALL_CALLS)
        self._refused = refused

    @contextmanager
    def admitted(self, peer: Peer) -> Iterator[Busy | None]:
        """Count one call while the block runs; beyond the budget yield the error and count nothing."""
        if problem := self._calls.problem(peer.key):
            self._refused(peer, "calls")
            yield _busy(problem, "calls", self._calls.each)
        else:
            with self._calls.held(peer.key):
                yield None


async def refuse_full(problem: Full, kind: str, each: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that a budget is used up."""
    status = 429 if problem == "peer" else 503
    await refuse(_busy(problem, kind, each), status, scope, receive, send)


def _busy(problem: Full, kind: str, each: int) -> Busy:
    if problem == "all":
        return Busy(f"This server has all the {kind} open that it can hold", "Try again.", retry_after_s=AGAIN_S)
    hint = (
        f"End some, or try again in a moment. Clients behind a proxy that BEARINGS_TRUSTED_PROXIES does not name "
        f"count as one; the server's operator can raise BEARINGS_PEER_{kind.upper()}."
    )
    return Busy(f"You have {each} {kind} open, and no client may have more", hint, retry_after_s=AGAIN_S)


class Ending:
    """Passes an answer on and tracks its state, so that an interrupted one still ends as HTTP requires."""

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
        """Send the last chunk of a chunked answer that has begun and not ended."""
        if self._open_end:
            await self.send({"type": "http.response.body", "body": b"", "more_body": False})
