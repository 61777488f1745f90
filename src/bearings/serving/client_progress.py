"""Progress as MCP notifications: from any thread, never faster than a client cares to read."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from bearings.progress import NoProgress, Progress

INTERVAL_S = 0.1
"""Least time between two notifications of one call: ten a second are as smooth as a person can see."""

Send = Callable[[float, float | None, str], Awaitable[None]]


class ClientProgress:
    """Keeps the latest report and sends it; what comes in between is dropped.

    MCP wants `progress` to grow with every notification, so a report that does not is not sent.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = anyio.Event()
        self._latest: tuple[float, float | None, str] | None = None
        self._sent = -1.0

    def update(self, done: float, total: float | None, message: str) -> None:
        """Take a report; see Progress."""
        self._latest = (done, total, message)
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._news.set()

    async def relay(self, send: Send) -> None:
        """Send what comes, until cancelled."""
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            await self.flush(send)
            await anyio.sleep(INTERVAL_S)

    async def flush(self, send: Send) -> None:
        """Send the latest report, if it is news."""
        latest, self._latest = self._latest, None
        if latest is not None and latest[0] > self._sent:
            self._sent = latest[0]
            await send(*latest)


@asynccontextmanager
async def reporting(send: Send | None) -> AsyncIterator[Progress]:
    """A Progress that reaches `send` while the block runs, its last report included; None: the tool has none."""
    if send is None:
        yield NoProgress()
        return
    progress = ClientProgress()
    async with anyio.create_task_group() as group:
        group.start_soon(progress.relay, send)
        yield progress
        group.cancel_scope.cancel()
    await progress.flush(send)
