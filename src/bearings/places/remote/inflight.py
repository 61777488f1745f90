"""Single flight: concurrent identical requests share one answer."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import anyio

Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Flight(Generic[Answer]):
    scope: anyio.CancelScope
    task: "asyncio.Task[Answer]"
    waiters: int = 0


class InFlight(Generic[Answer]):
    """Runs a piece of work once for all concurrent callers with the same key.

    A cancelled caller leaves the work running for the others. The last one to leave cancels it, through an anyio scope,
    so that shielded parts of the work (changing a file in a thread) finish.
    """

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[Answer]] = {}

    async def join(self, key: str, work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """The result of the work under that key, which starts now unless it is under way."""
        flight = self._flights.get(key)
        if flight is None:
            scope = anyio.CancelScope()
            flight = self._flights[key] = _Flight(scope, asyncio.create_task(_run(scope, work)))
            flight.task.add_done_callback(lambda task: self._landed(key, task))
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task)  # a caller that is cancelled does not cancel the work of others
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                self._forget(key, flight.task)
                flight.scope.cancel()

    async def cancel(self) -> None:
        """Cancel all work under way, and wait until it has stopped."""
        flights = list(self._flights.values())
        for flight in flights:
            flight.scope.cancel()
        await asyncio.gather(*(flight.task for flight in flights), return_exceptions=True)

    def _landed(self, key: str, task: "asyncio.Task[Answer]") -> None:
        self._forget(key, task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not warn when no caller is left

    def _forget(self, key: str, task: "asyncio.Task[Answer]") -> None:
        """Drop the flight of this task; a later one under the same key stays."""
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:
            del self._flights[key]


async def _run(scope: anyio.CancelScope, work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run the work within its scope. Raises CancelledError if the scope was cancelled."""
    with scope:
        return await work()
    raise asyncio.CancelledError
