"""One GET request to a server, within its pace, a deadline and a size limit, and with one retry."""

import math
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import anyio
import httpx2

from bearings.clock import Clock
from bearings.places.remote import faults
from bearings.places.remote.limiter import Limiter
from bearings.places.remote.retry import once_more
from bearings.places.remote.server import Server

ANSWERED = 200

_REFUSALS = (403, 429)

CAP_BYTES = 5_000_000
"""The default limit. Forty places with addresses take 25 kB; a country's simplified border takes some 100 kB."""

_ANY_ZLIB = 47  # zlib's window bits for "gzip or zlib, look at the header"


class Upstream:
    """Sends requests to a server: over one connection if it has a pace, over `server.parallel` otherwise.

    `transport` replaces the network.
    """

    def __init__(
        self,
        server: Server,
        *,
        limiter: Limiter,
        clock: Clock,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._server = server
        self._limiter = limiter
        self._clock = clock
        self._traces = transport is None
        self._parallel = 1 if server.is_paced else server.parallel
        self._turns: anyio.CapacityLimiter | None = None
        self._http: httpx2.AsyncClient | None = None
        self._make = partial(
            httpx2.AsyncClient,
            transport=transport,
            follow_redirects=False,
            timeout=server.timeout_s,
            headers={"User-Agent": server.user_agent, "Accept": "application/json", "Accept-Encoding": "gzip"},
            limits=httpx2.Limits(max_connections=self._parallel, max_keepalive_connections=self._parallel),
        )
        self.requests = 0

    async def get(self, endpoint: str, params: Mapping[str, str]) -> bytes:
        """Return the body of an HTTP 200. Raises a typed error for every other outcome, within the deadline.

        The wait for a turn, in this process and among all that keep the pace together, does not count.
        """
        if self._turns is None:
            self._turns = anyio.CapacityLimiter(self._parallel)
        async with self._turns:
            with anyio.move_on_after(self._server.timeout_s) as scope:
                return await once_more(partial(self._attempt, endpoint, params, scope), self._clock)
        raise faults.too_slow(self._server)

    async def close(self) -> None:
        """Close the connections."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _attempt(self, endpoint: str, params: Mapping[str, str], scope: anyio.CancelScope) -> bytes:
        await self._limiter.check()
        if self._http is None:
            self._http = self._make(verify=_certificates())
        turn = _Turn(self, scope)
        if not self._traces:
            await turn.take()
            await self.sent()
        url, trace = f"{self._server.base_url}/{endpoint}", {"trace": turn.on_event}
        try:
            async with self._http.stream("GET", url, params=dict(params), extensions=trace) as response:
                return await self._read(response)
        except httpx2.RequestError as error:
            raise faults.of_transport(error, self._server) from error

    async def _read(self, response: httpx2.Response) -> bytes:
        status = response.status_code
        wait = faults.retry_after_s(response.headers.get("retry-after"), self._clock.now())
        if status in _REFUSALS:
            raise await self._limiter.refused(status, wait)
        if status != ANSWERED:
            raise faults.of_status(status, self._server, wait)
        answer = await _body(response, self._server)
        await self._limiter.answered()
        return answer

    async def take_slot(self) -> None:
        """Wait until the pace allows a request, and count the request."""
        await self._limiter.slot()
        self.requests += 1

    async def sent(self) -> None:
        """Note that a request has left."""
        await self._limiter.sent()


class _Turn:
    """Takes the slot of one request at the last moment, after the connection is open.

    An earlier slot would include the time to connect, and so shorten the gap to the next process's request.
    """

    def __init__(self, upstream: Upstream, scope: anyio.CancelScope) -> None:
        self._upstream = upstream
        self._scope = scope

    async def take(self) -> None:
        with _paused(self._scope):
            await self._upstream.take_slot()

    async def on_event(self, name: str, info: dict[str, Any]) -> None:
        """Take the slot before a GET's headers are sent. A proxy's CONNECT is not a request to the server."""
        if name.endswith(".send_request_headers.started") and info["request"].method == b"GET":
            await self.take()
        elif name.endswith(".send_request_headers.complete"):
            await self._upstream.sent()


@cache
def _certificates() -> ssl.SSLContext:
    """The authorities that this machine trusts: reading them takes 30 ms, and a process may have many clients."""
    return httpx2.create_ssl_context()


@contextmanager
def _paused(scope: anyio.CancelScope) -> Iterator[None]:
    """Suspend a request's deadline while it waits for its turn; afterwards as much time is left as before."""
    left = scope.deadline - anyio.current_time()
    scope.deadline = math.inf
    try:
        yield
    finally:
        scope.deadline = anyio.current_time() + left


async def _body(response: httpx2.Response, server: Server, cap: int = CAP_BYTES) -> bytes:
    """Return the body of a streamed response. Raises BadResponse past `cap` unpacked bytes, and never holds more."""
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > cap:
        raise faults.too_big(server, cap)
    encoding = response.headers.get("content-encoding", "identity").strip().casefold()
    if response.is_stream_consumed:  # by a test's transport
        return await _joined(_once(response.content), server, cap)
    if encoding in ("", "identity"):
        return await _joined(response.aiter_raw(), server, cap)
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise faults.not_json(server)
    unpacker = zlib.decompressobj(_ANY_ZLIB)
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            body += unpacker.decompress(chunk, cap + 1 - len(body))
            if len(body) > cap:
                body.clear()
                raise faults.too_big(server, cap)
    except zlib.error as error:
        raise faults.not_json(server) from error
    if not unpacker.eof:
        raise faults.not_json(server)
    return bytes(body)


async def _joined(chunks: AsyncIterator[bytes], server: Server, cap: int) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        if len(body) + len(chunk) > cap:
            body.clear()  # the error's traceback keeps this frame alive until the garbage collector runs
            raise faults.too_big(server, cap)
        body += chunk
    return bytes(body)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
