"""A server for one person at this machine: its pages lie below a path that holds a secret.

    /SECRET/explore…   as /explore… of a server whose token is SECRET
    /ONCE              sends to /SECRET/explore, the first time only

A path needs no cookie, which every server of this machine would get, and no password, which a browser would send to
calls from other sites. ONCE is for the browser's command line, which all users of a machine can read.
"""

import hmac
import secrets

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.serving.exploring import EXPLORE, is_explored


class SecretPath:
    """ASGI: passes the requests below the secret path on, with the token; all others are not found."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app = app
        self._secret = secret
        self._once: str | None = secrets.token_urlsafe(16)
        self.path = f"/{secret}{EXPLORE}"
        self.path_once = f"/{self._once}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        first, _, rest = scope["path"].removeprefix("/").partition("/")
        inner = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}
        if _same(first, self._secret) and is_explored(inner):
            token = (b"authorization", f"Bearer {self._secret}".encode())
            others = [header for header in scope["headers"] if header[0] != b"authorization"]
            await self._app({**inner, "headers": [*others, token]}, receive, send)
        elif self._once is not None and not rest and scope["method"] == "GET" and _same(first, self._once):
            self._once = None
            await RedirectResponse(self.path, 303, {"Cache-Control": "no-store"})(scope, receive, send)
        else:
            await Response("Not found: open the address that bearings explore printed.\n", 404)(scope, receive, send)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
