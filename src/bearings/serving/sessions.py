"""Limit the sessions of the protocol's handshake era: their number for a peer, their age, and the bytes that open one.

The SDK makes sessions and forgets idle ones. This application wraps the SDK's. It reads the session ids that pass
(`Mcp-Session-Id`). If a peer opens one session too many, it ends the peer's longest unused one with a DELETE, as a
client would. It must read requests as the SDK does: otherwise some open sessions are not counted.
"""

import time
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field

from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.errors import InvalidInput
from bearings.serving.budgets import Full
from bearings.serving.identity import PEER, owner
from bearings.serving.limits import SESSION_S, Refused, refuse_full
from bearings.serving.peer import Peer
from bearings.serving.refusal import refuse

ALL_SESSIONS = 2048

OPENING_BYTES = 64 * 1024
"""The largest request that opens a session; the session keeps most of it. Common clients send 1 kB."""

_ID = b"mcp-session-id"
_LAST_EVENT = b"last-event-id"
_VERSION = MCP_PROTOCOL_VERSION_HEADER.encode()


@dataclass(slots=True)
class _Session:
    number: bytes
    peer: Peer
    opened: float = field(default_factory=time.monotonic)
    requests: int = 0
    """The requests in progress, including an open event stream."""


class Sessions:
    """ASGI, around the SDK's application."""

    def __init__(
        self, app: ASGIApp, *, each: int, refused: Refused, total: int = ALL_SESSIONS, age_s: float = SESSION_S
    ) -> None:
        self._app = app
        self._opening_app = RequestBodyLimitMiddleware(app, OPENING_BYTES)
        self._each = each
        self._total = total
        self._age_s = age_s
        self._refused = refused
        self._open: dict[bytes, _Session] = {}
        self._of_peer: defaultdict[str, OrderedDict[bytes, _Session]] = defaultdict(OrderedDict)
        """Sessions by peer, the longest unused first."""
        self._opening: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["path"] != "/mcp":
            await self._app(scope, receive, send)
            return
        if repeated := _repeated(scope):
            problem = "is sent more than once, and servers differ in which one they take"
            await refuse(InvalidInput(repeated, 2, problem, "Send the header once."), 400, scope, receive, send)
            return
        # Without a store of events the SDK gives no answer to this header. The client gets a new stream.
        scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != _LAST_EVENT]}
        headers = dict(scope["headers"])
        session = self._open.get(headers.get(_ID, b""))
        if not _is_of_handshake_era(headers):
            await self._app(scope, receive, send)
        elif session is not None and scope[PEER].may_use_session_of(session.peer):
            await self._used(session, scope, receive, send)
        elif scope["method"] == "POST" and _ID not in headers:
            await self._opened(scope[PEER], scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _used(self, session: _Session, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of a session. A session that is too old ends first; the SDK then answers 404.

        In the handshake era the SDK answers 404 to a session's own peer only if it does not know the session.
        """
        if time.monotonic() - session.opened > self._age_s:
            await self._end(session)
        session.requests += 1
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            session.requests -= 1
            if status == 404 or (scope["method"] == "DELETE" and status == 200):
                self._forget(session)
            elif session.number in self._of_peer.get(session.peer.key, ()):
                self._of_peer[session.peer.key].move_to_end(session.number)

    async def _opened(self, peer: Peer, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request that may open a session."""
        if problem := await self._make_room(peer):
            self._refused(peer, "sessions")
            await refuse_full(problem, "sessions", self._each, scope, receive, send)
            return
        self._opening[peer.key] += 1
        session: _Session | None = None

        async def watched(message: Message) -> None:
            nonlocal session
            if message["type"] == "http.response.start" and message["status"] == 200:
                number = dict(message.get("headers", ())).get(_ID)
                if number and session is None:
                    session = self._remember(number, peer)
                    self._opening_is_over(peer.key)
            await send(message)

        try:
            await self._opening_app(scope, receive, watched)
        finally:
            if session is None:
                self._opening_is_over(peer.key)
            else:
                session.requests -= 1

    def _opening_is_over(self, key: str) -> None:
        self._opening[key] -= 1
        if not self._opening[key]:
            del self._opening[key]

    def _remember(self, number: bytes, peer: Peer) -> _Session:
        session = _Session(number, peer, requests=1)
        self._open[number] = self._of_peer[peer.key][number] = session
        return session

    async def _make_room(self, peer: Peer) -> Full | None:
        """End unused sessions until the peer may have one more; returns the used-up budget if none can be ended."""
        while len(self._of_peer.get(peer.key, ())) + self._opening[peer.key] >= self._each:
            if not await self._end_unused(peer.key):
                return "peer"
        while len(self._open) + self._opening.total() >= self._total:
            most_first = sorted(self._of_peer, key=lambda key: -len(self._of_peer[key]))
            if not await self._end_unused(*most_first):
                return "all"
        return None

    async def _end_unused(self, *keys: str) -> bool:
        """End the longest unused session of the first of these peers that has one; returns whether there was one."""
        held = (session for key in keys for session in self._of_peer.get(key, OrderedDict()).values())
        unused = next((session for session in held if not session.requests), None)
        if unused is not None:
            await self._end(unused)
        return unused is not None

    async def _end(self, session: _Session) -> None:
        """End a session as a client does."""
        self._forget(session)
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "DELETE",
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "root_path": "",
            "query_string": b"",
            "headers": [(_ID, session.number)],
            "client": None,
            "server": None,
            PEER: session.peer,
            **owner(session.peer),
        }
        await self._app(scope, _no_body, _no_answer)

    def _forget(self, session: _Session) -> None:
        self._open.pop(session.number, None)
        of_peer = self._of_peer.get(session.peer.key)
        if of_peer is not None:
            of_peer.pop(session.number, None)
            if not of_peer:
                del self._of_peer[session.peer.key]


def _repeated(scope: Scope) -> str:
    """The header of sessions or eras that was sent more than once; "" if none was."""
    names = [name for name, _ in scope["headers"]]
    return next((name.decode() for name in (_ID, _VERSION) if names.count(name) > 1), "")


def _is_of_handshake_era(headers: dict[bytes, bytes]) -> bool:
    """Whether the SDK would treat the request as part of a session, by its version."""
    version = headers.get(_VERSION)
    return version is None or version.decode("latin-1") in HANDSHAKE_PROTOCOL_VERSIONS


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _no_answer(_: Message) -> None:
    return None
