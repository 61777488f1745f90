"""One GET to the server, with all the manners: pace, deadline, cap, one more try."""

from functools import partial
from typing import Any

import anyio
import httpx2

from bearings.clock import Clock
from bearings.places.nominatim import body, faults
from bearings.places.nominatim.deadline import paused
from bearings.places.nominatim.limiter import Limiter
from bearings.places.nominatim.retry import once_more

ANSWERED = 200

_REFUSALS = (403, 429)

_PARALLEL = 4
"""Requests at a time to a server without a pace: what a small Nominatim has workers for."""


class Upstream:
    """Asks a server below `base_url`, with one connection where there is a pace, as its policy wants.

    A transport that is handed in is asked instead of the network.
    """

    def __init__(
        self,
        base_url: str,
        *,
        host: str,
        user_agent: str,
        timeout_s: float,
        limiter: Limiter,
        paced: bool,
        clock: Clock,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._base_url = base_url
        self._host = host
        self._timeout_s = timeout_s
        self._limiter = limiter
        self._clock = clock
        self._traces = transport is None
        self._parallel = 1 if paced else _PARALLEL
        self._turns: anyio.CapacityLimiter | None = None
        self._http: httpx2.AsyncClient | None = None
        self._make = partial(
            httpx2.AsyncClient,
            transport=transport,
            follow_redirects=False,
            timeout=timeout_s,
            headers={"User-Agent": user_agent, "Accept": "application/json", "Accept-Encoding": "gzip"},
            limits=httpx2.Limits(max_connections=self._parallel, max_keepalive_connections=self._parallel),
        )
        self.requests = 0

    async def get(self, endpoint: str, params: dict[str, str]) -> bytes:
        """The body of an HTTP 200. Raises a typed error for everything else, within the deadline.

        Waiting for a turn, here and among the processes of this machine, is not counted.
        """
        if self._turns is None:
            self._turns = anyio.CapacityLimiter(self._parallel)
        async with self._turns:
            with anyio.move_on_after(self._timeout_s) as scope:
                return await once_more(partial(self._attempt, endpoint, params, scope), self._clock)
        raise faults.too_slow(self._host)

    async def close(self) -> None:
        """Close the connections."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _attempt(self, endpoint: str, params: dict[str, str], scope: anyio.CancelScope) -> bytes:
        self._limiter.check()
        if self._http is None:
            self._http = self._make()
        turn = _Turn(self, scope)
        if not self._traces:
            await turn.take()
        url = f"{self._base_url}/{endpoint}"
        try:
            async with self._http.stream("GET", url, params=params, extensions={"trace": turn.on_event}) as response:
                return await self._read(response)
        except httpx2.RequestError as error:
            raise faults.of_transport(error, self._host) from error

    async def _read(self, response: httpx2.Response) -> bytes:
        status = response.status_code
        wait = faults.retry_after_s(response.headers.get("retry-after"), self._clock.now())
        if status in _REFUSALS:
            raise await self._limiter.refused(status, wait)
        if status != ANSWERED:
            raise faults.of_status(status, self._host, wait)
        answer = await body.read(response, self._host)
        await self._limiter.answered()
        return answer

    async def take_slot(self) -> None:
        """Wait until the machine's pace allows a request, and count it."""
        await self._limiter.slot()
        self.requests += 1

    async def sent(self) -> None:
        """A request has left."""
        await self._limiter.sent()


class _Turn:
    """Takes the slot of one request at the last moment: the connection stands, nothing is left but to send.

    Were it taken before, the time that a new connection takes would shorten the gap to the next process's request.
    """

    def __init__(self, upstream: Upstream, scope: anyio.CancelScope) -> None:
        self._upstream = upstream
        self._scope = scope

    async def take(self) -> None:
        with paused(self._scope):
            await self._upstream.take_slot()

    async def on_event(self, name: str, info: dict[str, Any]) -> None:
        """The transport's trace hook; a proxy's CONNECT is no request to the server."""
        if name.endswith(".send_request_headers.started") and info["request"].method == b"GET":
            await self.take()
        elif name.endswith(".send_request_headers.complete"):
            await self._upstream.sent()
