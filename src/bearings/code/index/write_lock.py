"""Telling other processes that something is being written, so that they wait for it. Nothing here raises."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

_PATIENCE_S = 5.0
"""How long a writer is waited for: what it writes takes longer to work out anew."""

_LOOK_S = 0.01


@contextmanager
def announced(lock: Path) -> Iterator[None]:
    """Within, `await_writer` waits. The system lets go of the lock of a writer that is killed."""
    from filelock import FileLock, Timeout

    with ExitStack() as held:
        with suppress(OSError, Timeout):
            lock.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(FileLock(lock, timeout=0))
            held.callback(_forget, lock)
        yield


def await_writer(lock: Path) -> None:
    """Waits while somebody writes; nearly always nobody does, and then this costs nothing."""
    with suppress(OSError):
        if not lock.exists():
            return
        from filelock import FileLock, Timeout

        with suppress(Timeout), FileLock(lock, timeout=_PATIENCE_S, poll_interval=_LOOK_S):
            _forget(lock)


def _forget(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink(missing_ok=True)
