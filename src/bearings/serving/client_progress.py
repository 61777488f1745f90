"""Progress as MCP notifications: from any thread, at a limited rate."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bearings.progress import NoProgress, Progress

INTERVAL_S = 0.1
"""The least time between two notifications of one call: ten a second look smooth."""

Send = Callable[[float, float | None, str], Awaitable[None]]


class ClientProgress:
    """Sends the latest report and drops those in between.

    MCP requires `progress` to grow with every notification: where a step counts from its beginning, what was sent
    before is added to it. No task starts before the first report: most calls have none, and a task costs as much as
    their answer from memory.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._latest: tuple[float, float | None, str] | None = None
        self._sent = -1.0
        self._done = 0.0
        self._before = 0.0
        self._relay: asyncio.Task[None] | None = None
        self._ended = False

    def update(self, done: float, total: float | None, message: str) -> None:
        """Take a report; see Progress."""
        self._latest = (done, total, message)
        self._loop.call_soon_threadsafe(self._wake)

    async def end(self) -> None:
        """Stop; `flush` sends the last report."""
        self._ended = True
        if self._relay is not None:
            self._relay.cancel()
            await asyncio.wait([self._relay])
            if not self._relay.cancelled():
                self._relay.result()  # the client could not be reached

    async def flush(self) -> None:
        """Send the latest report, unless it has been sent."""
        latest, self._latest = self._latest, None
        if latest is None:
            return
        done, total, message = latest
        if done < self._done:
            self._before = self._sent
        self._done = done
        if self._before + done > self._sent:
            self._sent = self._before + done
            await self._send(self._sent, None if total is None else self._before + total, message)

    def _wake(self) -> None:
        self._news.set()
        if self._relay is None and not self._ended:
            self._relay = self._loop.create_task(self._run())

    async def _run(self) -> None:
        """Send reports as they come, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self.flush()
            await asyncio.sleep(INTERVAL_S)


@asynccontextmanager
async def reporting(send: Send | None) -> AsyncIterator[Progress]:
    """A Progress that sends to `send` while the block runs, including its last report; None: the tool has none."""
    if send is None:
        yield NoProgress()
        return
    progress = ClientProgress(send)
    try:
        yield progress
    finally:
        await progress.end()
    await progress.flush()
