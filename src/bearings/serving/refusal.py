"""A request refused before any tool sees it: a status, and an error with a remedy."""

import math

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from bearings.errors import BearingsError


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
