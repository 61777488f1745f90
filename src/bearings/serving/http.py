"""A server as an ASGI application: Streamable HTTP or the older HTTP+SSE, its guard, and the operations routes."""

import contextlib
import hmac
import ipaddress
import logging
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.errors import InvalidInput
from bearings.serving.app import ServerSpec, build_server, closing
from bearings.serving.listening import PromptProtocol, bound
from bearings.serving.metrics import Metrics, metrics_route
from bearings.serving.operations import health_route, live_route
from bearings.settings import ServeSettings

MAX_BODY_BYTES = 1024 * 1024
"""A call is a few kilobytes; the largest lists that tools take stay under 100 kB."""

MAX_CONCURRENT = 256
"""Connections and requests at once; one more is answered 503."""

DRAIN_S = 10
"""How long calls may go on after SIGTERM."""

CANCEL_S = 2
"""How long the rest may take to end once that time is over: streams are closed, calls cancelled."""

_NO_START = 3
"""uvicorn's own status for a server that could not start."""

_LOOPBACK_ORIGINS = ["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"]


logger = logging.getLogger(__name__)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a socket bound to `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def run_http(spec: ServerSpec, settings: ServeSettings, host: str, port: int, *, sse: bool) -> None:
    """Serve over HTTP until SIGINT or SIGTERM, then let running calls finish.

    Raises InvalidInput for an address that others can reach without a token, or that can't be listened at.
    """
    drain = Drain(http_app(spec, settings, host, sse=sse))
    sockets = bound(host, port)
    config = uvicorn.Config(
        drain,
        http=PromptProtocol,
        log_level=settings.log_level.lower(),
        log_config=None,  # as all logs: to stderr
        limit_concurrency=MAX_CONCURRENT,
        timeout_graceful_shutdown=CANCEL_S,
        server_header=False,
    )
    server = _DrainingServer(config, drain)
    shown_host = f"[{host}]" if ":" in host else host
    logger.info("running on http://%s:%d", shown_host, sockets[0].getsockname()[1])
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises the signal again once it has ended well
        server.run(sockets=sockets)
    if not server.started:
        sys.exit(_NO_START)


def http_app(spec: ServerSpec, settings: ServeSettings, host: str, *, sse: bool = False) -> ASGIApp:
    """The application: `/mcp` (or `/sse`, `/messages/`), metrics, health; a token guards all but health."""
    token = settings.token.get_secret_value() if settings.token else ""
    if not token and not is_loopback(host):
        raise InvalidInput(
            "host", host, "can be reached from other machines", "Set BEARINGS_TOKEN to a secret, or bind 127.0.0.1."
        )
    security = _security(host)
    metrics = Metrics(spec.readings)
    routes = [health_route(spec), live_route(), metrics_route(metrics, security)]
    server = build_server(spec.kept_open() if sse else spec, metrics.called)
    app = _sse_app(spec, server, security, routes) if sse else _streamable_app(server, security, routes, host)
    return TokenGuard(app, token) if token else app


def _security(host: str) -> TransportSecuritySettings:
    """On loopback, foreign Host and Origin headers are refused (DNS rebinding); elsewhere the token does that."""
    if not is_loopback(host):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[origin.removeprefix("http://") for origin in _LOOPBACK_ORIGINS],
        allowed_origins=_LOOPBACK_ORIGINS,
    )


def _streamable_app(
    server: Server[Any], security: TransportSecuritySettings, routes: list[Route], host: str
) -> Starlette:
    return server.streamable_http_app(
        streamable_http_path="/mcp",
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=security,
        host=host,
        custom_starlette_routes=routes,
    )


def _sse_app(
    spec: ServerSpec, server: Server[Any], security: TransportSecuritySettings, routes: list[Route]
) -> Starlette:
    """Here the SDK starts and ends the server with every connection; what the tools hold outlives them."""
    transport = SseServerTransport("/messages/", security_settings=security, max_request_body_size=MAX_BODY_BYTES)

    async def connect(request: Request) -> Response:
        async with transport.connect_sse(request.scope, request.receive, request._send) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        return Response()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with closing(spec):
            yield

    return Starlette(
        routes=[
            *routes,
            Route("/sse", connect, methods=["GET"]),
            Mount("/messages/", app=transport.handle_post_message),
        ],
        lifespan=lifespan,
    )


class TokenGuard:
    """Lets a request through that carries `Authorization: Bearer TOKEN`; health may be asked without."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["path"].startswith("/health") or self._allowed(scope):
            await self._app(scope, receive, send)
            return
        refusal = JSONResponse(
            {"error": "This server needs its token: send Authorization: Bearer with the value of BEARINGS_TOKEN."},
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )
        await refusal(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        sent = dict(scope["headers"]).get(b"authorization", b"")
        return hmac.compare_digest(sent, self._expected)


class Drain:
    """Counts the requests that bring calls; after `begin` it refuses new ones, with 503, and the others go on.

    A client's stream for notifications (GET) is no call: it has no end, so nobody waits for it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0
        self._deadline: float | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        if self._deadline is not None:
            refusal = JSONResponse(
                {"error": "This server is shutting down."}, status_code=503, headers={"Connection": "close"}
            )
            await refusal(scope, receive, send)
            return
        self._running += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._running -= 1

    def begin(self) -> None:
        """Refuse calls from now on."""
        self._deadline = time.monotonic() + DRAIN_S

    @property
    def begun(self) -> bool:
        """Whether calls are refused."""
        return self._deadline is not None

    @property
    def over(self) -> bool:
        """Whether no call runs any more, or their time is over."""
        return self._deadline is not None and (self._running == 0 or time.monotonic() >= self._deadline)


class _DrainingServer(uvicorn.Server):
    """Lets calls finish before uvicorn is told to end: from then on every event stream is cut, also a call's."""

    def __init__(self, config: uvicorn.Config, drain: Drain) -> None:
        super().__init__(config)
        self._drain = drain
        self._signal: tuple[int, FrameType | None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal begins the drain, a second ends it."""
        if self._drain.begun:
            super().handle_exit(sig, frame)
            return
        self._signal = sig, frame
        self._drain.begin()

    async def on_tick(self, counter: int) -> bool:
        """Uvicorn asks ten times a second whether to end."""
        if self._signal is not None and self._drain.over and not self.should_exit:
            super().handle_exit(*self._signal)
        return await super().on_tick(counter)
