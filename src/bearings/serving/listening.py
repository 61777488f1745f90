"""The listening end of HTTP: a socket that is ours before the server starts, and clients that must not dawdle."""

import asyncio
import errno
import os
import socket
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bearings.errors import InvalidInput

RECEIVE_S = 15.0
"""How long a request may take to come in whole; the largest body is 1 MiB."""

BACKLOG = 2048
"""Connections that may wait to be accepted; uvicorn's own default."""

_REMEDIES = {
    errno.EADDRINUSE: ("port", "is taken by another program", "Pass another --port; 0 takes any that is free."),
    errno.EACCES: ("port", "is not allowed to this user", "Pass a --port above 1023."),
    errno.EADDRNOTAVAIL: ("host", "is no address of this machine", "Pass --host 127.0.0.1, or 0.0.0.0 for all."),
}


def bound(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at every address of `host`, all at one port. Raises InvalidInput, with a remedy."""
    made: list[socket.socket] = []
    try:
        for address in _addresses(host, port):
            made.append(_listening(*address, port=made[0].getsockname()[1] if made else port))
    except OSError as error:
        for one in made:
            one.close()
        if isinstance(error, socket.gaierror):
            raise InvalidInput("host", host, "can't be resolved", "Pass --host 127.0.0.1, or an address.") from None
        fallback = ("port", f"can't be listened at ({os.strerror(error.errno or 0)})", "Pass another --host or --port.")
        field, problem, remedy = _REMEDIES.get(error.errno or 0, fallback)
        raise InvalidInput(field, port if field == "port" else host, problem, remedy) from None
    return made


def _addresses(host: str, port: int) -> list[tuple[int, tuple[Any, ...]]]:
    """Family and address of each, once."""
    found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((int(family), address) for family, _, _, _, address in found))


def _listening(family: int, address: tuple[Any, ...], *, port: int) -> socket.socket:
    # The protocol is named, for asyncio lets small answers leave at once (TCP_NODELAY) only where it is.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option lets two programs have one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address[0], port, *address[2:]))
        made.listen(BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


class PromptProtocol(H11Protocol):
    """HTTP/1.1 to clients that send: a connection whose request is not there whole in time is closed.

    uvicorn waits for ever for a first request, for the rest of its headers, and for its body; a few hundred such
    connections, which cost a client nothing, are all that a server has. Idle connections between requests are its own
    keep-alive's.
    """

    receive_s = RECEIVE_S

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As asyncio."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """As asyncio."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect()
        else:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio."""
        self._forget()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self.receive_s, self.transport.close)

    def _forget(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
