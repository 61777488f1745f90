"""Requests as an abuser sends them, byte by byte, from any loopback address; and clients that behave, to measure by."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

BOTH = "application/json, text/event-stream"
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}  # fmt: skip


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """One connection from `source` to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connected(cls, port: int, source: str = "127.0.0.1") -> "Wire":
        return cls(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    def close(self) -> None:
        self._writer.close()

    def abort(self) -> None:
        self._writer.transport.abort()

    async def head(self) -> Answer:
        """The head of an answer. Raises IncompleteReadError where the server ended the connection."""
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        return Answer(int(lines[0].split()[1]), headers)

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A whole answer, or only its head if it is an event stream of a GET."""
        self.request(method, path, body, **headers)
        async with asyncio.timeout(30):
            answer = await self.head()
            if answer.headers.get("content-type", "").startswith("text/event-stream") and method == "GET":
                return answer
            answer.body = await self._body(answer.headers)
        return answer

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> None:
        """Send a request and wait for nothing."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Host": "127.0.0.1", "Accept": BOTH, **{k.replace("_", "-"): v for k, v in headers.items()}}
        if method == "POST":
            given |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data)

    async def rest(self) -> bytes:
        """The bytes until the server ends the connection."""
        with contextlib.suppress(ConnectionResetError):
            return await self._reader.read()
        return b""

    async def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return b""
        body = b""
        while size := int(await self._reader.readline(), 16):
            body += await self._reader.readexactly(size)
            await self._reader.readexactly(2)
        await self._reader.readexactly(2)
        return body


async def asked(
    port: int, method: str, path: str, body: Any = None, source: str = "127.0.0.1", **headers: str
) -> Answer:
    """One answer on a connection of its own."""
    wire = await Wire.connected(port, source)
    try:
        return await wire.ask(method, path, body, **headers)
    finally:
        wire.close()


@asynccontextmanager
async def client(url: str, source: str, token: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    """The SDK's client, from an address and with a token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx2.AsyncHTTPTransport(local_address=source)
    timeout = httpx2.Timeout(60)
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, timeout=timeout) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as made,
    ):
        yield made


@dataclass
class Seen:
    """How the others fared while the abuse went on."""

    calls: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    over: bool = False
    _due: anyio.Event = field(default_factory=anyio.Event)

    def go(self) -> None:
        """The abuse has gone on a little: each of the others calls once more."""
        self._due.set()
        self._due = anyio.Event()

    async def turn(self) -> bool:
        """Whether there is another turn, when it has come."""
        if not self.over:
            await self._due.wait()
        return not self.over

    def told(self) -> str:
        return f"calls: {_spread(self.calls)}; /health: {_spread(self.health)}"


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p50, p99 = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000 for part in (0.5, 0.99))
    return f"{len(ordered)} answered, p50 {p50:.0f} ms, p99 {p99:.0f} ms, longest {ordered[-1] * 1000:.0f} ms"


@asynccontextmanager
async def others(port: int, sources: tuple[str, ...], token: str = "") -> AsyncIterator[Seen]:
    """While the block runs, clients at `sources` call at each turn; all must be answered.

    So must questions after the server's health, from there and from 127.0.0.1, where the abuse comes from.
    """
    seen = Seen()

    async def call(source: str) -> None:
        async with client(f"http://127.0.0.1:{port}", source, token) as made:
            while await seen.turn():
                begun = time.perf_counter()
                result = await made.call_tool("echo", {"text": "x"})
                assert not result.is_error, result
                seen.calls.append(time.perf_counter() - begun)

    async def health(source: str) -> None:
        while await seen.turn():
            begun = time.perf_counter()
            answer = await asked(port, "GET", "/health", source=source)
            assert answer.status == 200, answer
            seen.health.append(time.perf_counter() - begun)

    async with anyio.create_task_group() as group:
        for source in sources:
            group.start_soon(call, source)
        for source in {*sources, "127.0.0.1"}:
            group.start_soon(health, source)
        with anyio.fail_after(30):
            while not (seen.calls and seen.health):
                seen.go()
                await anyio.sleep(0.01)
        yield seen
        seen.over = True
        seen.go()
