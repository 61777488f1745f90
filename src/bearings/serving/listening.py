"""The listening end of HTTP: sockets bound before the server starts, and time limits for slow clients."""

import asyncio
import errno
import os
import socket
from typing import Any

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bearings.errors import InvalidInput
from bearings.serving.connections import PLACE, RESERVE_ALL, Connections, Place

SEND_S = 30.0
"""The time for which a client may read nothing of its answer, once the buffers between are full."""

ALL_CONNECTIONS = 1024

OTHER_FILES = 128
"""File descriptors left for other uses than connections."""

BACKLOG = 2048
"""Connections that may wait to be accepted; uvicorn's own default."""

BATCH = 64
"""Connections accepted at a time; their requests are read before the next batch, so that a flood does not hide them."""

_REMEDIES = {
    errno.EADDRINUSE: ("port", "is taken by another program", "Pass another --port; 0 takes any that is free."),
    errno.EACCES: ("port", "is not allowed to this user", "Pass a --port above 1023."),
    errno.EADDRNOTAVAIL: ("host", "is no address of this machine", "Pass --host 127.0.0.1, or 0.0.0.0 for all."),
}


def bound(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at every address of `host`, on one port. Raises InvalidInput, with a remedy."""
    listeners: list[socket.socket] = []
    try:
        for address in _addresses(host, port):
            listeners.append(_listening(*address, port=listeners[0].getsockname()[1] if listeners else port))
    except OSError as error:
        for listener in listeners:
            listener.close()
        if isinstance(error, socket.gaierror):
            raise InvalidInput("host", host, "can't be resolved", "Pass --host 127.0.0.1, or an address.") from None
        fallback = ("port", f"can't be bound ({os.strerror(error.errno or 0)})", "Pass another --host or --port.")
        field, problem, remedy = _REMEDIES.get(error.errno or 0, fallback)
        raise InvalidInput(field, port if field == "port" else host, problem, remedy) from None
    return listeners


def _addresses(host: str, port: int) -> list[tuple[int, tuple[Any, ...]]]:
    """Each family and address, once."""
    infos = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((int(family), address) for family, _, _, _, address in infos))


def _listening(family: int, address: tuple[Any, ...], *, port: int) -> socket.socket:
    # The protocol is named because asyncio sends small answers at once (TCP_NODELAY) only then.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option lets two programs share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address[0], port, *address[2:]))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def all_connections() -> int:
    """The number of connections for the process: ALL_CONNECTIONS, or as many as its limit of open files allows."""
    try:
        import resource  # missing on Windows
    except ImportError:
        return ALL_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return ALL_CONNECTIONS
    return max(RESERVE_ALL, min(ALL_CONNECTIONS, soft - RESERVE_ALL - OTHER_FILES))


def protocol(connections: Connections, receive_s: float) -> type["PromptProtocol"]:
    """The protocol of a server whose clients are counted by `connections` and have `receive_s` for each request."""
    return type("CountedProtocol", (PromptProtocol,), {"counter": connections, "receive_s": receive_s})


class PromptProtocol(H11Protocol):
    """HTTP/1.1 with time limits: a connection that stalls is closed.

    uvicorn waits forever for a first request, for the rest of its headers, for its body, and for a client that does not
    read. A few hundred such connections, which cost a client nothing, would use up a server. Idle connections between
    requests are left to uvicorn's keep-alive.
    """

    receive_s: float
    """The time for a request to arrive completely."""
    send_s = SEND_S
    counter: Connections | None = None

    _due: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As asyncio."""
        super().connection_made(transport)
        self._expect()
        host = self.client[0] if self.client else None
        if self.counter is not None:
            self.app = _Placed(self.app, self.counter.opened(self, host))

    def data_received(self, data: bytes) -> None:
        """As asyncio."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect()
        else:
            self._forget()

    def pause_writing(self) -> None:
        """As asyncio: the client does not read."""
        super().pause_writing()
        self._watch(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """As asyncio."""
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio."""
        self._forget()
        self._stop_waiting()
        if self.counter is not None:
            self.counter.closed(self)
        super().connection_lost(exc)

    @property
    def was_used(self) -> bool:
        """See Connection."""
        return self.cycle is not None

    @property
    def silent(self) -> bool:
        """See Connection."""
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_answered and not self.transport.get_write_buffer_size()

    def drop(self) -> None:
        """See Connection."""
        self.transport.abort()

    def _expect(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self.receive_s, self.transport.close)

    def _forget(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _watch(self, unread: int) -> None:
        """Check again in a while, and close the connection if the client has read nothing by then."""
        self._stop_waiting()
        self._unread = self.loop.call_later(self.send_s, self._check, unread)

    def _check(self, before: int) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread < before:
            self._watch(unread)
        else:
            self.drop()

    def _stop_waiting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class _Placed:
    """Puts the Place of a connection into its requests' scopes."""

    def __init__(self, app: ASGIApp, place: Place) -> None:
        self._app = app
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        await self._app({**scope, PLACE: self._place}, receive, send)
