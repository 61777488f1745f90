"""A worker process as its parent sees it: started, asked, killed with all that it started."""

import os
import subprocess
import threading
from contextlib import suppress
from typing import Any, BinaryIO, cast

import msgspec

from bearings.code.engine.protocol import Answer, AnyQuestion
from bearings.code.engine.questions.base import Question
from bearings.code.engine.standby_worker import StandbyWorker, kill_all, launched, tell
from bearings.code.engine.wire import (
    Advance,
    Answered,
    Asked,
    Closed,
    Failed,
    FromWorker,
    Hello,
    raised,
    read_frame,
    value_of,
    write_frame,
)
from bearings.progress import Progress

_REAP_S = 5.0
_FAREWELL_S = 15.0
"""How long one that was hung up on may take to end."""


class WorkerDied(Exception):
    """The worker ended, or sent what is no answer; the message says how."""


class Worker:
    """One process. `exchange` is for one thread at a time; `kill` may be called from any."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._decoder = msgspec.msgpack.Decoder(FromWorker)
        self._busy = threading.Lock()

    @classmethod
    def start(cls, hello: Hello, spare: StandbyWorker | None = None) -> "Worker":
        """A process, new or spare, at work for the project that `hello` names."""
        process = spare.take(hello) if spare else None
        if process is None:
            tell(process := launched(), hello)
        return cls(process)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet. A dead one is left unreaped, so that its number stands for its group."""
        if self._process.returncode is None and hasattr(os, "waitid"):
            with suppress(ChildProcessError):
                return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        return self._process.poll() is None

    def exchange(self, question: Question[Any], progress: Progress) -> Answer[Any]:
        """Asks and waits for the answer. Raises WorkerDied, or the error that the worker answers with."""
        with self._busy:
            try:
                write_frame(self._stdin, Asked(cast("AnyQuestion", question)))
                while isinstance(message := self._decoder.decode(read_frame(self._stdout)), Advance):
                    progress.update(message.done, message.total, message.message)
                if isinstance(message, Answered):
                    return Answer(value_of(message, question.answer), message.index)
            except (Closed, msgspec.MsgspecError) as error:
                self._end()
                raise WorkerDied(f"exit status {self._process.returncode}; {error}") from None
        assert isinstance(message, Failed)
        raise raised(message)

    def hang_up(self) -> None:
        """Tells the process that nobody will ask it again; it ends soon, whatever it is doing."""
        with suppress(OSError):
            self._stdin.close()
        threading.Thread(target=self._see_off, daemon=True).start()

    def kill(self) -> None:
        """Ends the process and whatever it started, at once."""
        self._signal()
        if self._busy.acquire(blocking=False):  # else the thread that reads from it finds the end, and tidies up
            try:
                self._end()
            finally:
                self._busy.release()

    def _see_off(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL_S)
        self._end()

    def _end(self) -> None:
        """Makes sure that it is dead, and leaves nothing of it behind."""
        self._signal()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP_S)
        for pipe in (self._stdin, self._stdout):
            with suppress(OSError):
                pipe.close()

    def _signal(self) -> None:
        """Kills the group: the process may be dead, and what it started not."""
        if self._process.returncode is not None:
            return
        kill_all(self._process)

    @property
    def _stdin(self) -> BinaryIO:
        assert self._process.stdin is not None
        return cast("BinaryIO", self._process.stdin)

    @property
    def _stdout(self) -> BinaryIO:
        assert self._process.stdout is not None
        return cast("BinaryIO", self._process.stdout)
