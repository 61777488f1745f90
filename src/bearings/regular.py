"""Files that somebody else may have put there: only regular ones are read, up to a size, and none is waited for."""

import errno
import os
import select
import stat
import time
from pathlib import Path

NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A flag that refuses a link as the last part of a path."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 1 << 16


class NoRegularFile(OSError):
    """The path is a directory, a FIFO, a socket or a device instead of a file."""


def read_regular(path: str | Path, most: int, flags: int = 0) -> tuple[bytes, os.stat_result]:
    """A regular file's first `most` bytes, one more if it has more, and its status. Raises OSError (NoRegularFile)."""
    descriptor = os.open(path, _FLAGS | flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NoRegularFile(errno.EINVAL, "no regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(min(most, status.st_size) + 1), status
    finally:
        os.close(descriptor)


def read_any(path: str | Path, most: int, patience_s: float) -> bytes:
    """As `read_regular`, also of a pipe, which must end within `patience_s`. Raises OSError, TimeoutError."""
    descriptor = os.open(path, _FLAGS)
    deadline = time.monotonic() + patience_s
    try:
        is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
        data = b""
        while len(data) <= most:
            if is_pipe and not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError(errno.ETIMEDOUT, "nothing is written into it")
            piece = os.read(descriptor, _PIECE)
            if not piece:
                break
            data += piece
        return data
    finally:
        os.close(descriptor)
