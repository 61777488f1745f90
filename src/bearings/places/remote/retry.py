"""One retry after a transient fault: a dropped connection or a server error.

The retry stays within the caller's deadline and takes a slot of its own. Retry libraries sleep by themselves, which a
test's clock can't replace, and they count the wait for a slot as time spent.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bearings.clock import Clock
from bearings.errors import UpstreamError

Answer = TypeVar("Answer")

PAUSE_S = 0.5
"""Seconds before the retry: enough for the server to replace a worker. A paced server's interval is longer anyway."""


class Transient(Exception):
    """A fault that a retry may cure; raise `error` if it does not."""

    def __init__(self, error: UpstreamError) -> None:
        super().__init__(error.error)
        self.error = error


async def once_more(attempt: Callable[[], Awaitable[Answer]], clock: Clock) -> Answer:
    """Return the result of the first attempt, or of a second one after a transient fault."""
    try:
        return await attempt()
    except Transient:
        await clock.sleep(PAUSE_S)
    try:
        return await attempt()
    except Transient as again:
        raise again.error from again
