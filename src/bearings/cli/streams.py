"""The streams and the working directory of a command: the process's own, or those of a command that asks over a socket.

A command about code prints through these, so that a server can answer it (see command_server.py).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import anyio


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a command prints, its working directory, and a function that runs an async one to its end."""

    out: TextIO
    err: TextIO
    directory: Path = Path()
    run: Callable[..., Any] = anyio.run


_given: ContextVar[Streams | None] = ContextVar("streams", default=None)


def streams() -> Streams:
    """The current ones."""
    return _given.get() or Streams(sys.stdout, sys.stderr)


@contextmanager
def printing_to(given: Streams) -> Iterator[None]:
    """Let commands in the block print there."""
    token = _given.set(given)
    try:
        yield
    finally:
        _given.reset(token)
