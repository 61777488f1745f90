"""The peer that sends a request: a named token, else an address. A missing required token is answered with 401."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.errors import Unauthorized
from bearings.serving.addresses import Proxies, connection_address, is_forwarded, key_of
from bearings.serving.connections import PLACE
from bearings.serving.hosts import no_request
from bearings.serving.peer import NAMED, Peer
from bearings.serving.refusal import refuse, take_small_body
from bearings.serving.tokens import Token, TokenFile

PEER = "bearings.peer"
"""The key of an ASGI scope for its peer."""

SERVER_READ_ONLY = "This server was started without --allow-write."
WRITING_NOT_GRANTED = "Your token does not allow writing; the server's operator can set write = true."

_NEEDED = "Send the header Authorization: Bearer TOKEN, with a token that the server's operator gave you."


_CHALLENGE_BASIC = 'Basic realm="bearings", charset="UTF-8"'


@dataclass(frozen=True)
class Identity:
    """Tells peers apart. `token` is BEARINGS_TOKEN, shared by its users; `named` holds the named tokens.

    `takes_basic`: requests whose token may also be the password of HTTP Basic, because a browser sends them.
    """

    proxies: Proxies
    token: str = ""
    named: TokenFile | None = None
    allow_write: bool = False
    takes_basic: Callable[[Scope], bool] = no_request

    @property
    def needs_token(self) -> bool:
        """Whether a request needs a token."""
        return bool(self.token) or self.named is not None

    def peer(self, scope: Scope) -> Peer | None:
        """The sender of the request; None if it lacks a required valid token."""
        if not self.needs_token:
            return self._at_address(scope)
        sent = _token(scope, with_basic=self.takes_basic(scope))
        if sent is None:
            return None
        token = self.named.find(sent) if self.named else None
        if token is not None:
            return self._named(token)
        return self._at_address(scope) if self.token and _same(sent, self.token.encode()) else None

    def challenge(self, scope: Scope) -> str:
        """The ways to send a token, as WWW-Authenticate names them. A browser asks its user for Basic's password."""
        return _CHALLENGE_BASIC if self.takes_basic(scope) else "Bearer"

    def is_known(self, scope: Scope) -> bool:
        """Whether the sender of a health request has a valid token or, if none is required, is on this machine."""
        if self.needs_token:
            return self.peer(scope) is not None
        address = connection_address(scope)
        return address is not None and address.is_loopback and not is_forwarded(scope)

    def _at_address(self, scope: Scope) -> Peer:
        key = key_of(self.proxies.client(scope))
        return Peer(key, "address", no_writes="" if self.allow_write else SERVER_READ_ONLY)

    def _named(self, token: Token) -> Peer:
        peer = Peer(NAMED + token.name, token.name, toolsets=token.toolsets, roots=token.roots)
        if not self.allow_write:
            return replace(peer, no_writes=SERVER_READ_ONLY)
        return peer if token.write else replace(peer, no_writes=WRITING_NOT_GRANTED)


class IdentityGuard:
    """Puts the peer into each request's scope, or refuses the request with 401."""

    def __init__(self, app: ASGIApp, identity: Identity) -> None:
        self._app = app
        self._identity = identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        peer = self._identity.peer(scope)
        if peer is None:
            error = Unauthorized("This server needs a token, and the request has none that is valid", _NEEDED)
            await take_small_body(scope, receive)
            await refuse(error, 401, scope, receive, send, challenge=self._identity.challenge(scope))
            return
        if PLACE in scope:
            scope[PLACE].used_by(peer)
        await self._app({**scope, PEER: peer, **owner(peer)}, receive, send)


def owner(peer: Peer) -> dict[str, Any]:
    """The scope entries that bind sessions to a named peer in the SDK: no other peer may use them.

    Sessions of addresses are not bound: a client's address may change, and the session's id is a secret.
    """
    if not peer.is_named:
        return {}
    return {"user": AuthenticatedUser(AccessToken(token="", client_id=peer.key, scopes=[]))}


def _token(scope: Scope, *, with_basic: bool) -> bytes | None:
    """The token of a request. The scheme's case is ignored; two headers count as none.

    `with_basic`: it may also be the password of HTTP Basic, whatever the user's name.
    """
    sent = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(sent) != 1:
        return None
    scheme, _, token = sent[0].partition(b" ")
    if with_basic and scheme.lower() == b"basic":
        return _password(token.strip(b" "))
    return token.strip(b" ") if scheme.lower() == b"bearer" else None


def _password(credentials: bytes) -> bytes | None:
    """The password in Basic's credentials; None if they can't be read."""
    try:
        _, colon, password = base64.b64decode(credentials, validate=True).partition(b":")
    except binascii.Error:
        return None
    return password if colon else None


def _same(one: bytes, other: bytes) -> bool:
    """Compare in constant time, whatever the lengths."""
    return hmac.compare_digest(hashlib.sha256(one).digest(), hashlib.sha256(other).digest())
