"""A deadline on the work of a request, which stands still while the request waits for its turn."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import anyio


@contextmanager
def paused(scope: anyio.CancelScope) -> Iterator[None]:
    """Within it the scope's deadline can't pass; afterwards as much time is left as before."""
    left = scope.deadline - anyio.current_time()
    scope.deadline = math.inf
    try:
        yield
    finally:
        scope.deadline = anyio.current_time() + left
