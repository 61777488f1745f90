"""A request refused before any tool sees it: a status, and an error with a remedy."""

import math
from typing import Final

import anyio
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from bearings.errors import BearingsError

_SMALL_BYTES: Final = 16 * 1024
_REST_S: Final = 1.0


def retry_after(seconds: float | None) -> dict[str, str]:
    """The header that tells when to ask again; none for None."""
    return {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}


async def refuse(
    error: BearingsError,
    status: int,
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    close: bool = False,
    challenge: str = "Bearer",
) -> None:
    """Answer with the body of `error`, and `Retry-After` if it has a wait. `close` ends the connection.

    `challenge` names the ways to send a token to a request that has none.
    """
    headers = retry_after(error.retry_after_s)
    if status == 401:
        headers["WWW-Authenticate"] = challenge
    if close:
        headers["Connection"] = "close"
    await JSONResponse(error.body(), status_code=status, headers=headers)(scope, receive, send)


async def take_small_body(scope: Scope, receive: Receive) -> None:
    """Read a body that declares at most 16 KiB, for a second at most, and throw it away.

    Behind Caddy a request that is refused earlier may lose its answer: its connection closes while the body is sent.
    """
    length = dict(scope["headers"]).get(b"content-length", b"")
    if not length.isdigit() or not 0 < int(length[:9]) <= _SMALL_BYTES:
        return
    with anyio.move_on_after(_REST_S):
        while (await receive()).get("more_body", False):
            pass
