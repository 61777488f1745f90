"""An HTTP server on loopback that answers as a test tells it to, and records its requests."""

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass
class Asked:
    """One request as it arrived."""

    path: str
    params: dict[str, str]
    headers: dict[str, str]
    at: float


Behaviour = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


class Hangup(Exception):
    """Raised by a behaviour that wants the connection closed."""


@dataclass
class Server:
    """The server's URL, the requests so far, and its behaviour from now on."""

    url: str
    behave: Behaviour
    asked: list[Asked] = field(default_factory=list)
    open_connections: int = 0


def http(status: int, body: bytes, **headers: str) -> bytes:
    """A whole response; header names with _ for -."""
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def answers(status: int, body: bytes | str, **headers: str) -> Behaviour:
    """Always this response."""
    whole = http(status, body.encode() if isinstance(body, str) else body, **headers)

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(whole)
        await writer.drain()

    return behave


def says(value: Any, **headers: str) -> Behaviour:
    """Always this JSON, with 200."""
    return answers(200, json.dumps(value), Content_Type="application/json; charset=utf-8", **headers)


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """One after the other, then the last one for ever."""
    left = list(behaviours)

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(asked, writer)

    return behave


def by_path(**behaviours: Behaviour) -> Behaviour:
    """By the last part of the path."""

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await behaviours[asked.path.rpartition("/")[2]](asked, writer)

    return behave


async def drops(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """No answer, and the connection is gone."""
    raise Hangup


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    target = urlsplit(first.split(" ")[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    return Asked(unquote(target.path), dict(parse_qsl(target.query)), headers, time.monotonic())


@asynccontextmanager
async def serving(behave: Behaviour, context: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """A server that listens until the end of the block."""
    server = Server("", behave)
    writers: set[asyncio.StreamWriter] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.open_connections += 1
        writers.add(writer)
        try:
            while (asked := await _read(reader)) is not None:
                server.asked.append(asked)
                await server.behave(asked, writer)
        except (Hangup, ConnectionError, ssl.SSLError, asyncio.CancelledError):
            pass
        finally:
            server.open_connections -= 1
            writers.discard(writer)
            writer.close()

    listener = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
    port = listener.sockets[0].getsockname()[1]
    server.url = f"{'https' if context else 'http'}://127.0.0.1:{port}"
    try:
        yield server
    finally:
        listener.close()
        for writer in list(writers):
            writer.transport.abort()
        await asyncio.wait_for(listener.wait_closed(), 5)
