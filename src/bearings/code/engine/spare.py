"""A worker process that is started before anyone knows what for: it imports its modules while the caller does."""

import os
import subprocess
import sys
from contextlib import suppress

# -P: the directory that this process was started in may be somebody's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.engine.worker")

POSIX = os.name == "posix"


def launched() -> "subprocess.Popen[bytes]":
    """A worker's process, which waits to be told its project. Raises OSError where none can be started."""
    return subprocess.Popen(  # noqa: S603 - our own interpreter and module
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=POSIX,
        creationflags=0 if POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


class Spare:
    """Such a process, for the first who takes it. If nobody does it ends when this process does, or by `close`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):  # whoever needs one will try again, and say so
            self._process = launched()

    def take(self) -> "subprocess.Popen[bytes] | None":
        """The process, once; None if there is none."""
        process, self._process = self._process, None
        return process

    def close(self) -> None:
        """Ends it, unless it was taken."""
        process = self.take()
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
