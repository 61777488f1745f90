"""Pause a request's deadline while the request waits for its turn."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import anyio


@contextmanager
def paused(scope: anyio.CancelScope) -> Iterator[None]:
    """Suspend the scope's deadline; afterwards as much time is left as before."""
    left = scope.deadline - anyio.current_time()
    scope.deadline = math.inf
    try:
        yield
    finally:
        scope.deadline = anyio.current_time() + left
