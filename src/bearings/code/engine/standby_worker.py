"""A worker process that starts before its project is known, so that it imports its modules in parallel."""

import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, cast

from bearings.child import command_of, kill_all
from bearings.child import launch as launch_module

if TYPE_CHECKING:
    from bearings.code.engine.wire import Hello

_MODULE = "bearings.code.engine.worker"

COMMAND = command_of(_MODULE)


def launch() -> "subprocess.Popen[bytes]":
    """Starts a worker process, which waits for its Hello. Raises OSError if it can't be started."""
    return launch_module(_MODULE)


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
