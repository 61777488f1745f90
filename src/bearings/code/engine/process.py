"""The parent's side of a worker process: start it, ask it, kill it with its process group."""

import os
import subprocess
import threading
from contextlib import suppress
from typing import Any, BinaryIO, cast

import msgspec

from bearings.child import kill_all
from bearings.code.engine.standby_worker import StandbyWorker, launch, send_hello
from bearings.code.engine.wire import (
    Answered,
    Asked,
    Closed,
    FromWorker,
    Hello,
    read_frame,
    value_of,
    write_frame,
)
from bearings.code.question import Answer, Question
from bearings.messages import Advance, Failed, raised
from bearings.progress import Progress

_REAP_S = 5.0
_HANG_UP_S = 15.0
"""How long a process may take to end after `hang_up`."""


class WorkerDied(Exception):
    """The worker ended, or sent an invalid answer; the message says how."""


class Worker:
    """One worker process. `exchange` is for one thread at a time; `kill` may be called from any thread."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._stdin = cast("BinaryIO", process.stdin)
        self._stdout = cast("BinaryIO", process.stdout)
        self._decoder = msgspec.msgpack.Decoder(FromWorker)
        self._busy = threading.Lock()
        self._edits = False

    @classmethod
    def start(cls, hello: Hello, standby: StandbyWorker | None = None) -> "Worker":
        """A process, new or the standby one, for the project of `hello`."""
        process = standby.take(hello) if standby else None
        if process is None:
            send_hello(process := launch(), hello)
        return cls(process)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs. A dead one is not reaped, so that its id still names its process group."""
        if self._process.returncode is None and hasattr(os, "waitid"):
            with suppress(ChildProcessError):
                return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        return self._process.poll() is None

    def exchange(self, question: Question[Any], progress: Progress, seconds: float | None = None) -> Answer[Any]:
        """Sends a question and waits for the answer. Raises WorkerDied, or the error that the worker answers with.

        The worker stops before the answer after `seconds`, and says so.
        """
        with self._busy:
            self._edits = question.edits
            try:
                write_frame(self._stdin, Asked.of(question, seconds))
                while isinstance(message := self._decoder.decode(read_frame(self._stdout)), Advance):
                    progress.update(message.done, message.total, message.message)
                if isinstance(message, Answered):
                    return Answer(value_of(message, question.answer), message.index)
            except (Closed, msgspec.MsgspecError) as error:
                self._end()
                raise WorkerDied(f"exit status {self._process.returncode}; {error}") from None
        assert isinstance(message, Failed)
        raise raised(message)

    def work_alone(self) -> None:
        """Lets a process whose Hello says all come to its end, without questions."""
        threading.Thread(target=self._await_own_end, daemon=True).start()

    def _await_own_end(self) -> None:
        self._process.wait()
        self._end()

    def hang_up(self) -> None:
        """Closes the process's input; it then stores its snapshot and ends."""
        with suppress(OSError):
            self._stdin.close()
        threading.Thread(target=self._await_end, daemon=True).start()

    def kill(self) -> None:
        """Kills the process and its process group; while it writes files, it ends by itself, soon."""
        if self._edits and self._busy.locked():
            self.hang_up()
            return
        self._signal()
        if self._busy.acquire(blocking=False):  # else the reading thread sees the end, and cleans up
            try:
                self._end()
            finally:
                self._busy.release()

    def _await_end(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_HANG_UP_S)
        self._end()

    def _end(self) -> None:
        """Kills and reaps the process, and closes its pipes."""
        self._signal()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP_S)
        for pipe in (self._stdin, self._stdout):
            with suppress(OSError):
                pipe.close()

    def _signal(self) -> None:
        """Kills the process group, which may outlive the process."""
        if self._process.returncode is None:
            kill_all(self._process)
