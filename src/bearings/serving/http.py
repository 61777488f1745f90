"""A server as an ASGI application: Streamable HTTP or the older HTTP+SSE, and the guards around it.

From the outside in, a request passes the drain, health (which answers itself), the guards of connection, host and
identity, the budgets of requests, streams and sessions, and the SDK. Below all of them, `listening.py` counts
connections; above them, the hooks of `app.py` count running calls.
"""

import contextlib
import json
import logging
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.errors import InvalidInput
from bearings.logs import log_to_stderr
from bearings.serving.addresses import Proxies, is_loopback
from bearings.serving.app import ServerSpec, build_server, closing
from bearings.serving.bodies import CheckedBodies
from bearings.serving.calls import CallEnded, Context, Hooks
from bearings.serving.connections import Connections
from bearings.serving.draining import SENDING_S, Calls, Drain, DrainingServer
from bearings.serving.endpoints import endpoint_routes
from bearings.serving.exploring import explore_routes, is_explored
from bearings.serving.hosts import HostGuard, Names
from bearings.serving.identity import PEER, Identity, IdentityGuard
from bearings.serving.limits import CallBudget, ConnectionGuard, Limits
from bearings.serving.listening import BATCH, all_connections, bound, protocol
from bearings.serving.messages import MAX_MESSAGE_BYTES
from bearings.serving.metrics import Metrics, metrics_route
from bearings.serving.operations import Health
from bearings.serving.peer import NAMED, Peer
from bearings.serving.secret import SecretPath
from bearings.serving.sessions import ALL_SESSIONS, Sessions
from bearings.serving.tokens import TokenFile
from bearings.settings import ServeSettings

LOOPBACK = "127.0.0.1"

_NO_START = 3
"""uvicorn's own status for a server that could not start."""

_UNGUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Disables the SDK's check of Host and Origin, which compares beginnings; `hosts.py` parses them first."""

logger = logging.getLogger(__name__)
_calls_logger = logging.getLogger("bearings.access")


def serve_http(
    spec: ServerSpec, settings: ServeSettings, host: str, port: int, *, sse: bool = False, allow_write: bool = False
) -> None:
    """Serve over HTTP until SIGINT or SIGTERM, then let running calls finish.

    Tools that write are offered only with `allow_write`.

    Raises InvalidInput for a public address without a token, or an address that can't be bound.
    """
    log_to_stderr(settings.log_level.upper())
    drain = http_app(spec, settings, host, sse=sse, allow_write=allow_write)
    sockets = bound(host, port)
    logger.info("running on http://%s:%d", f"[{host}]" if ":" in host else host, sockets[0].getsockname()[1])
    _serve(drain, drain, settings, sockets)


def serve_explore(spec: ServerSpec, settings: ServeSettings, port: int, ready: Callable[[str, str], None]) -> None:
    """Serve the pages of `spec` to this machine alone, below a secret path, until SIGINT or SIGTERM.

    `ready` is called with their address, and with another that leads there once. Raises InvalidInput for a port that
    can't be bound.
    """
    log_to_stderr(settings.log_level.upper())
    secret = secrets.token_urlsafe(32)
    own = {"token": SecretStr(secret), "tokens": "", "allowed_hosts": "", "allowed_origins": "", "trusted_proxies": ""}
    settings = settings.model_copy(update=own)
    drain = http_app(replace(spec, is_explored=True), settings, LOOPBACK)
    front = SecretPath(drain, secret)
    sockets = bound(LOOPBACK, port)
    base = f"http://{LOOPBACK}:{sockets[0].getsockname()[1]}"
    ready(base + front.path, base + front.path_once)
    _serve(front, drain, settings, sockets)


def _serve(app: ASGIApp, drain: Drain, settings: ServeSettings, sockets: list[socket.socket]) -> None:
    proxies = Proxies.parsed(settings.trusted_proxies)
    config = uvicorn.Config(
        app,
        http=protocol(Connections(settings.peer_connections, all_connections(), proxies), settings.request_timeout),
        ws="none",
        backlog=BATCH,
        log_level=settings.log_level.lower(),
        log_config=None,  # all logs go to stderr
        access_log=False,  # it would name the sessions of the older transport, which are secrets
        proxy_headers=False,  # uvicorn trusts X-Forwarded-For from every client on this machine
        timeout_keep_alive=settings.idle_timeout,
        timeout_graceful_shutdown=round(SENDING_S),
        server_header=False,
    )
    server = DrainingServer(config, drain)
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises the signal again after a clean end
        server.run(sockets=sockets)
    if not server.started:
        sys.exit(_NO_START)


def http_app(
    spec: ServerSpec, settings: ServeSettings, host: str, *, sse: bool = False, allow_write: bool = False
) -> Drain:
    """The application: `/mcp` (or `/sse`, `/messages/`), `/metrics`, `/health`, the server's endpoints and `/explore`.

    Raises InvalidInput for settings that can't be used, and for a public address without a token.
    """
    identity = _identity(settings, host, allow_write, spec)
    names = Names.of(settings.allowed_hosts, settings.allowed_origins, loopback=is_loopback(host))
    names = replace(names, from_own_pages=is_explored) if spec.is_explored else names
    metrics, calls = Metrics(spec.readings), Calls()
    running = CallBudget(settings.peer_calls, metrics.refused)
    hooks = Hooks(_peer_of, running.admitted, calls.answer, _on_call_end(metrics, settings))
    inner: ASGIApp
    routes = [metrics_route(metrics), *endpoint_routes(spec.endpoints)]
    routes += explore_routes(spec, hooks) if spec.is_explored else []
    if sse:
        inner = _sse_app(spec, build_server(spec.kept_open(), hooks), routes)
    else:
        inner = _streamable_app(build_server(spec, hooks), routes, settings.session_timeout)
        inner = CheckedBodies(inner, MAX_MESSAGE_BYTES)
        inner = Sessions(inner, each=settings.peer_sessions, refused=metrics.refused)
    inner = Limits(inner, calls=settings.peer_calls, streams=settings.peer_streams, refused=metrics.refused)
    guarded = ConnectionGuard(HostGuard(IdentityGuard(inner, identity), names), metrics.refused, identity.proxies)

    def is_known(scope: Scope) -> bool:
        return names.problem(scope) is None and identity.is_known(scope)

    health = Health(guarded, spec, is_known=is_known, ending=lambda: drain.begun)
    drain = Drain(health, calls, settings.drain_timeout)
    return drain


def _identity(settings: ServeSettings, host: str, allow_write: bool, spec: ServerSpec) -> Identity:
    token = settings.token.get_secret_value() if settings.token else ""
    tools = frozenset(tool.name for tool in spec.tools)
    path = Path(settings.tokens).expanduser() if settings.tokens else None
    is_public = not is_loopback(host)
    named = TokenFile(path, tools=tools, sets=spec.toolsets, must_be_private=is_public) if path else None
    identity = Identity(Proxies.parsed(settings.trusted_proxies), token, named, allow_write)
    if spec.is_explored:
        identity = replace(identity, takes_basic=is_explored)
    if not identity.needs_token and is_public:
        remedy = "Set BEARINGS_TOKEN to a secret or BEARINGS_TOKENS to a file of tokens, or bind 127.0.0.1."
        raise InvalidInput("host", host, "can be reached from other machines", remedy)
    return identity


def _on_call_end(metrics: Metrics, settings: ServeSettings) -> Callable[[CallEnded], None]:
    """Count each finished call, and log it if the settings ask for that."""
    if not settings.access_log:
        return metrics.on_call_end
    _start_access_log()

    def counted_and_logged(call: CallEnded) -> None:
        metrics.on_call_end(call)
        _log_call(call)

    return counted_and_logged


def _log_call(ended: CallEnded) -> None:
    """Write a line of JSON (`BEARINGS_ACCESS_LOG=json`) without the call's arguments.

    It has time, peer, tool, outcome, ms and bytes (of the reply's text).
    """
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "peer": ended.peer.key.removeprefix(NAMED),
        "tool": ended.tool,
        "outcome": ended.outcome,
        "ms": round(ended.seconds * 1000, 1),
        "bytes": ended.size,
    }
    _calls_logger.info(json.dumps(line, separators=(",", ":")))


def _start_access_log() -> None:
    """Enable these lines at any level of the other log, and nothing else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    _calls_logger.handlers = [handler]
    _calls_logger.setLevel(logging.INFO)
    _calls_logger.propagate = False


def _peer_of(context: Context) -> Peer:
    """The peer that sent a call's request."""
    assert isinstance(context.request, Request)  # every HTTP transport passes it on
    peer: Peer = context.request.scope[PEER]
    return peer


def _streamable_app(server: Server[Any], routes: list[Route], session_s: float) -> Starlette:
    return server.streamable_http_app(
        streamable_http_path="/mcp",
        max_request_body_size=MAX_MESSAGE_BYTES,
        transport_security=_UNGUARDED,
        session_idle_timeout=session_s,
        max_sessions=2 * ALL_SESSIONS,  # never reached: sessions.py limits them to half
        custom_starlette_routes=routes,
    )


def _sse_app(spec: ServerSpec, server: Server[Any], routes: list[Route]) -> Starlette:
    """The SDK starts and ends this server with every connection; the tools' resources outlive them."""
    transport = SseServerTransport("/messages/", security_settings=_UNGUARDED, max_request_body_size=MAX_MESSAGE_BYTES)

    class Connect:
        """ASGI; a class, so that Starlette expects no response."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            async with transport.connect_sse(scope, receive, send) as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with closing(spec):
            yield

    return Starlette(
        routes=[
            *routes,
            Route("/sse", Connect(), methods=["GET"]),
            Mount("/messages/", app=transport.handle_post_message),
        ],
        lifespan=lifespan,
    )
