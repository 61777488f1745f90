"""Ctrl-C ends a command now: work in a thread can't be stopped, and nobody who pressed it wants to wait for it."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""What a shell reports of a command that SIGINT ended."""

_SHOW_CURSOR = "\x1b[?25h\r\x1b[K"


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Within, SIGINT ends the process with status 130, says nothing and leaves the terminal as it was."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: _leave())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave() -> None:
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), _SHOW_CURSOR.encode())
    os._exit(INTERRUPTED)
