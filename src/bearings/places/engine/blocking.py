"""Blocking work of the local sources: run in a thread, after a check of its point."""

import math
from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread

from bearings.errors import InvalidInput
from bearings.places.models import Point

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """The result of `work`. A cancelled caller waits for its end, so that a server counts the call until then."""
    return await anyio.to_thread.run_sync(work)


def check(point: Point) -> None:
    """Raise InvalidInput for an impossible position."""
    for name, value, limit in (("lat", point.lat, 90), ("lon", point.lon, 180)):
        if not math.isfinite(value) or abs(value) > limit:
            raise InvalidInput(name, value, f"not within -{limit} to {limit}", "Give degrees, WGS 84.")
