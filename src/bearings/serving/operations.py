"""Health over HTTP, for operators: liveness and readiness. Answered before any budget or guard."""

import time
from collections.abc import Callable
from typing import Any

import anyio
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.serving.app import ServerSpec

READY_S = 1.0
"""The time limit of the readiness check; after it the last answer holds."""

HEALTH = "/health"
LIVE = "/health/live"


class Health:
    """`GET /health`: 200, or 503 with `ready: false` while data are missing or the server is ending.

    `GET /health/live`: 200 as long as the process answers. All other requests go to `app`. Only senders for
    whom `is_known` is true see the server's name and version.
    """

    def __init__(
        self, app: ASGIApp, spec: ServerSpec, *, is_known: Callable[[Scope], bool], ending: Callable[[], bool]
    ) -> None:
        self._app = app
        self._spec = spec
        self._is_known = is_known
        self._ending = ending
        self._started = time.monotonic()
        self._was_ready = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if not is_health(scope):
            await self._app(scope, receive, send)
            return
        answer = JSONResponse({"status": "ok"}) if scope["path"] == LIVE else await self._health(self._is_known(scope))
        await answer(scope, receive, send)

    async def _health(self, is_known: bool) -> JSONResponse:
        ready = await self._ready() and not self._ending()
        status = "shutting down" if self._ending() else "ok" if ready else "not ready"
        body: dict[str, Any] = {"status": status, "ready": ready}
        if is_known:
            body |= {
                "server": self._spec.name,
                "version": self._spec.version,
                "uptime_s": round(time.monotonic() - self._started, 1),
                "tools": len(self._spec.tools),
            }
        return JSONResponse(body, status_code=200 if ready else 503)

    async def _ready(self) -> bool:
        with anyio.move_on_after(READY_S):
            self._was_ready = await self._spec.ready()
        return self._was_ready


def is_health(scope: Scope) -> bool:
    """Whether a request is for health."""
    return scope["type"] == "http" and scope["path"] in (HEALTH, LIVE) and scope["method"] in ("GET", "HEAD")
