"""A lock file that makes other processes wait for a writer. Nothing here raises."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bearings.private import private_folder

_PATIENCE_S = 5.0
"""How long a reader waits for a writer: computing the result anew takes longer."""

_POLL_S = 0.01


@contextmanager
def announced(lock: Path) -> Iterator[None]:
    """A context in which `await_writer` waits. The system releases the lock of a writer that is killed."""
    from filelock import FileLock, Timeout

    with ExitStack() as held:
        with suppress(OSError, Timeout):
            private_folder(lock.parent)
            held.enter_context(FileLock(lock, timeout=0, mode=0o600))
            held.callback(_remove, lock)
        yield


def await_writer(lock: Path) -> None:
    """Waits while another process writes. Costs one `stat` if none does, which is nearly always."""
    with suppress(OSError):
        if not lock.exists():
            return
        from filelock import FileLock, Timeout

        with suppress(Timeout), FileLock(lock, timeout=_PATIENCE_S, mode=0o600, poll_interval=_POLL_S):
            _remove(lock)


def _remove(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink(missing_ok=True)
