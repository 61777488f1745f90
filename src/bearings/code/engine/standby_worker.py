"""A worker process that is started before anyone knows what for: it imports its modules while the caller does."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from bearings.code.engine.wire import Hello

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


def kill_all(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process that `launched` gave and was not waited for, and all that it started."""
    with suppress(OSError):
        if POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def tell(process: "subprocess.Popen[bytes]", hello: "Hello") -> None:
    """Tells a process what it is for. One that is dead is found out by the first exchange."""
    from bearings.code.engine.wire import Closed, write_frame

    with suppress(Closed):
        write_frame(cast("BinaryIO", process.stdin), hello)


class StandbyWorker:
    """Such a process, for the first who takes it. If nobody does it ends when this process does, or by `close`.

    It may be told what it is for, most likely, before anybody asks: then it is for that alone.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._told: Hello | None = None
        with suppress(OSError):  # whoever needs one will try again, and say so
            self._process = launched()

    def expect(self, hello: "Hello") -> None:
        """Has it read a project while the question is still being put together."""
        from msgspec.structs import replace

        if self._process is not None and self._told is None:
            with suppress(ValueError):  # a text that can't be sent: the question will say so
                tell(self._process, replace(hello, ahead=True))
                self._told = hello

    def take(self, hello: "Hello") -> "subprocess.Popen[bytes] | None":
        """The process, told what it is for; once. None if there is none, or it was told otherwise."""
        if self._told is not None and self._told != hello:
            self.close()
        process, self._process = self._process, None
        if process is not None and self._told is None:
            tell(process, hello)
        return process

    def close(self) -> None:
        """Ends it, unless it was taken."""
        process, self._process = self._process, None
        if process is None:
            return
        kill_all(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
