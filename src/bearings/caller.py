"""Who calls a tool, where a server tells its callers apart.

A server sets the caller around a call (`calling`); a wing asks for it (`caller`) before it opens a directory or lets a
call wait for something scarce. Over stdio and on the command line there is one caller, without limits of its own.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

Roots = tuple[Path, ...] | None
"""Directories that may be read; None: any."""


async def _no_workspace() -> tuple[Path, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Caller:
    """`key` tells callers apart. `roots`: the directories that this one may read, symbolic links resolved; None: all.

    They only narrow what the server itself may read. `workspace` asks for the directories that the caller works in,
    which give no right to read them. `is_command`: a command line, whose output is for programs as well and has no
    budget, and whose user may write wherever the process may; its lists come in pages if it `has_pages`.
    """

    key: str = ""
    roots: Roots = None
    workspace: Callable[[], Awaitable[tuple[Path, ...]]] = _no_workspace
    is_command: bool = False
    has_pages: bool = True


ANYBODY = Caller()
"""The one caller, where they are not told apart."""


_caller: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


def caller() -> Caller:
    """Who calls."""
    return _caller.get()


@contextmanager
def calling(by: Caller) -> Iterator[None]:
    """What runs in the block, and in tasks and threads that it starts, is called by `by`."""
    token = _caller.set(by)
    try:
        yield
    finally:
        _caller.reset(token)
