"""What those who run a server over HTTP ask it: is it alive, is it ready."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bearings.serving.app import ServerSpec


def health_route(spec: ServerSpec) -> Route:
    """`GET /health`: 200 while the process answers, 503 with `ready: false` while its data are not there yet."""
    started = time.monotonic()

    async def health(_: Request) -> JSONResponse:
        ready = await spec.ready()
        body: dict[str, Any] = {
            "status": "ok" if ready else "not ready",
            "ready": ready,
            "server": spec.name,
            "version": spec.version,
            "uptime_s": round(time.monotonic() - started, 1),
            "tools": len(spec.tools),
        }
        return JSONResponse(body, status_code=200 if ready else 503)

    return Route("/health", health, methods=["GET"])


def live_route() -> Route:
    """`GET /health/live`: 200 as long as the process answers at all."""

    async def live(_: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    return Route("/health/live", live, methods=["GET"])
