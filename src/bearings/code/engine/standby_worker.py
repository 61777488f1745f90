"""A worker process that starts before its project is known, so that it imports its modules in parallel."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from bearings.code.engine.wire import Hello

# -P: the directory that this process was started in may be a user's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.engine.worker")

POSIX = os.name == "posix"


def launch() -> "subprocess.Popen[bytes]":
    """Starts a worker process, which waits for its Hello. Raises OSError if it can't be started."""
    return subprocess.Popen(  # noqa: S603 - this interpreter and a module of this package
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=POSIX,
        creationflags=0 if POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def kill_all(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process of `launch` that was not waited for, with its process group."""
    with suppress(OSError):
        if POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def send_hello(process: "subprocess.Popen[bytes]", hello: "Hello") -> None:
    """Sends the Hello. A dead process is detected by the first exchange."""
    from bearings.code.engine.wire import Closed, write_frame

    with suppress(Closed):
        write_frame(cast("BinaryIO", process.stdin), hello)


class StandbyWorker:
    """A worker process for the first caller of `take`. Untaken, it ends with this process, or by `close`.

    `expect` announces the likely project before the first question; the process then serves that project only.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._hello: Hello | None = None
        with suppress(OSError):  # a caller that needs a process tries again, and reports the error
            self._process = launch()

    def expect(self, hello: "Hello") -> None:
        """Lets the worker read a project before the first question."""
        from msgspec.structs import replace

        if self._process is not None and self._hello is None:
            with suppress(ValueError):  # a text that can't be encoded: the question reports it
                send_hello(self._process, replace(hello, ahead=True))
                self._hello = hello

    def take(self, hello: "Hello") -> "subprocess.Popen[bytes] | None":
        """Hands over the process for a project. None if it is taken, could not start, or has another project."""
        if self._hello is not None and self._hello != hello:
            self.close()
        process, self._process = self._process, None
        if process is not None and self._hello is None:
            send_hello(process, hello)
        return process

    def close(self) -> None:
        """Ends the process, unless it was taken."""
        process, self._process = self._process, None
        if process is None:
            return
        kill_all(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
