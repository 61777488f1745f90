"""Bounds the sessions of the protocol's handshake era: how many a peer has, how old they get, how many bytes open one.

The SDK makes sessions and forgets idle ones. From outside, this sees their numbers go by (`Mcp-Session-Id`) and ends
the peer's longest unused one with a DELETE, as a client would, when the peer opens one too many.
"""

import time
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field

from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.serving.budgets import Full
from bearings.serving.identity import PEER, owner
from bearings.serving.limits import Refused, refuse_full
from bearings.serving.peer import Peer

ALL_SESSIONS = 2048

AGE_S = 24 * 3600.0
"""How long a session may be used; a client then opens another."""

OPENING_BYTES = 64 * 1024
"""The largest request that opens a session, most of which the session keeps; those of common clients have 1 kB."""

_ID = b"mcp-session-id"


@dataclass(slots=True)
class _Session:
    number: bytes
    peer: Peer
    opened: float = field(default_factory=time.monotonic)
    requests: int = 0
    """How many of its requests are being answered, an open event stream among them."""


class Sessions:
    """ASGI, around the SDK's application."""

    def __init__(
        self, app: ASGIApp, *, each: int, refused: Refused, total: int = ALL_SESSIONS, age_s: float = AGE_S
    ) -> None:
        self._app = app
        self._opening_app = RequestBodyLimitMiddleware(app, OPENING_BYTES)
        self._each = each
        self._total = total
        self._age_s = age_s
        self._refused = refused
        self._open: dict[bytes, _Session] = {}
        self._of_peer: defaultdict[str, OrderedDict[bytes, _Session]] = defaultdict(OrderedDict)
        """The longest unused first."""
        self._opening: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["path"] != "/mcp":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        session = self._open.get(headers.get(_ID, b""))
        if session is not None:
            await self._used(session, scope, receive, send)
        elif scope["method"] == "POST" and _ID not in headers and _is_of_handshake_era(headers):
            await self._opened(scope[PEER], scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _used(self, session: _Session, scope: Scope, receive: Receive, send: Send) -> None:
        """A request of a session; one that is too old ends first, and the SDK answers that it is not known."""
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
        """A request that may open a session."""
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
        """Ends unused sessions till the peer may have one more; which budget is used up, where none can be ended."""
        while len(self._of_peer.get(peer.key, ())) + self._opening[peer.key] >= self._each:
            if not await self._end_unused(peer.key):
                return "peer"
        while len(self._open) + self._opening.total() >= self._total:
            richest = max(self._of_peer, key=lambda key: len(self._of_peer[key]), default=peer.key)
            if not await self._end_unused(richest):
                return "all"
        return None

    async def _end_unused(self, key: str) -> bool:
        """Ends the peer's longest unused session, if there is one."""
        for session in self._of_peer.get(key, OrderedDict()).values():
            if not session.requests:
                await self._end(session)
                return True
        return False

    async def _end(self, session: _Session) -> None:
        """What a client does that needs its session no longer."""
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


def _is_of_handshake_era(headers: dict[bytes, bytes]) -> bool:
    """Whether the SDK would take the request for one that belongs to a session, as its version tells."""
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER.encode())
    return version is None or version.decode("latin-1") in HANDSHAKE_PROTOCOL_VERSIONS


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _no_answer(_: Message) -> None:
    return None
