"""The caller of a tool, on servers that tell their callers apart.

A server sets the caller around a call (`calling`). A wing reads it (`caller`) before it opens a directory or lets a
call wait for a scarce resource. Over stdio and on the command line there is one caller, without limits of its own.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

Roots = tuple[Path, ...] | None
"""Readable directories; None: all."""


async def no_workspace() -> tuple[Path, ...]:
    """The directories of a caller that works in none."""
    return ()


@dataclass(frozen=True, slots=True)
class Caller:
    """`key` tells callers apart. `roots`: the directories that this caller may read, links resolved; None: all.

    They narrow the server's own roots, never widen them. `workspace` returns the directories that the caller works in,
    without any right to read them. `is_command`: a command line. Its output is for programs too, so it has no budget;
    its user may write wherever the process may; its lists come in pages if it `has_pages`.
    """

    key: str = ""
    roots: Roots = None
    workspace: Callable[[], Awaitable[tuple[Path, ...]]] = no_workspace
    is_command: bool = False
    has_pages: bool = True


ANYBODY = Caller()
"""The only caller, where callers are not told apart."""


_caller: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


def caller() -> Caller:
    """The current caller."""
    return _caller.get()


@contextmanager
def calling(by: Caller) -> Iterator[None]:
    """Set the caller for the block, and for the tasks and threads that it starts."""
    token = _caller.set(by)
    try:
        yield
    finally:
        _caller.reset(token)
