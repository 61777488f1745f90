"""Ctrl-C ends a command at once: work in a thread can't be stopped, and its user does not want to wait."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit status after SIGINT, by the shells' convention."""

_SHOW_CURSOR = "\x1b[?25h\r\x1b[K"


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """In the block SIGINT ends the process with status 130, silently, and restores the terminal."""
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
