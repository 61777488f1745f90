"""One more try for what may pass: a dropped connection, an error of the server's own.

A loop of two is all that the contract asks, within the caller's deadline and through the limiter; libraries of
retries sleep by themselves, where no test's clock reaches, and count the wait for a slot as time spent.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bearings.clock import Clock
from bearings.errors import UpstreamError

Answer = TypeVar("Answer")

PAUSE_S = 0.5
"""Long enough for a worker of the server to be replaced; on a paced server the pace alone waits longer."""


class Passing(Exception):
    """A fault that may be gone at the next try; `error` is what to raise if it is not."""

    def __init__(self, error: UpstreamError) -> None:
        super().__init__(error.error)
        self.error = error


async def once_more(attempt: Callable[[], Awaitable[Answer]], clock: Clock) -> Answer:
    """The answer of the first attempt, or of the second where the first met a passing fault."""
    try:
        return await attempt()
    except Passing:
        await clock.sleep(PAUSE_S)
    try:
        return await attempt()
    except Passing as again:
        raise again.error from again
