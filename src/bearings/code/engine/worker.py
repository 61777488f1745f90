"""The worker process, which holds a project's graph: `python -m bearings.code.engine.worker`.

It reads questions from its standard input and writes answers to its original standard output; anything that is printed
goes to standard error. The process ends when its input ends, even during work.
"""

import gc
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from bearings.code.engine.deadline import Deadline
from bearings.code.engine.project_sessions import ProjectSessions
from bearings.code.engine.wire import (
    Answered,
    Asked,
    Closed,
    Hello,
    ToWorker,
    read_frame,
    write_frame,
)
from bearings.code.facts.store import LateFacts, NoFacts, SqliteFacts
from bearings.code.index.collector import collector_paused
from bearings.code.index.snapshot_store import GraphStore, warm_up
from bearings.code.project.whole import stop
from bearings.code.questions import decoded
from bearings.errors import BearingsError, InvalidInput
from bearings.logs import log_to_stderr
from bearings.messages import Advance, Failed, failed

Leave = Callable[[int], object]
"""Ends the process, outside of tests."""

_LOG = logging.getLogger(__name__)
_GRACE_S = 0.5
"""How long the current question may go on after the input has ended."""

_STORE_S = 10.0
"""The processor time that storing the snapshot may take after the input has ended."""

_STORE_SHARE = 0.2
"""The same as a share of the processor time that this process has used, if that is more."""

_BUSY = 12
"""Storing may take so many times longer on a busy machine."""

_SOON_S = 0.2
"""A snapshot for which other processes may wait is stored after this time without a question."""

_REST_S = 5.0
"""Any snapshot is stored after this time without a question."""

_PROGRESS_S = 0.1

_NICENESS = 10
"""How much less than other work indexing counts while a worker answers without an index."""

_RENAMES_S = 10.0
"""How long files that are written together may take after the input has ended."""


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    log_to_stderr(logging.WARNING, "bearings worker: %(message)s")
    incoming, outgoing = _own_pipes()
    return serve(incoming, outgoing, leave=_leave_with_all, fall_silent=_fall_silent, end=os._exit)


def _fall_silent() -> None:
    """Releases standard error: the parent may have ended, and another process may wait for the pipe's end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _leave_with_all(status: int) -> None:
    """Ends this process, and its process group if it leads one, but not in the middle of renames."""
    stop(_RENAMES_S)
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(status)


def serve(
    incoming: BinaryIO,
    outgoing: BinaryIO,
    leave: Leave,
    fall_silent: Callable[[], object] = lambda: None,
    end: Callable[[int], object] = lambda _: None,
) -> int:
    """Answers questions until the input ends, then stores the snapshot. Returns the exit status.

    `leave` is called if work goes on too long after the input has ended, `fall_silent` after the last question, and
    `end` last, with the status: it ends the process without freeing the graph, which takes time.
    """
    inbox = _Inbox(incoming, leave)
    warm_up()
    hello = inbox.messages.get()
    if not isinstance(hello, Hello):
        inbox.ended.set()
        return 2 if hello else 0
    store = LateFacts(SqliteFacts(Path(hello.cache_dir)) if hello.cache_dir else NoFacts())
    session = _session(hello, store)
    try:
        if hello.behind:
            _index(session)
            return 0
        if hello.ahead and inbox.messages.empty():
            _preload(session, outgoing)
        while isinstance(request := _next(inbox, session, store), Asked):
            write_frame(outgoing, _reply(session, request, outgoing))
    except Closed:
        pass
    finally:
        inbox.resting.set()
        fall_silent()
        store.settle()
        session.keep()
        store.close()
        inbox.ended.set()
    end(0)
    return 0


def _session(hello: Hello, store: LateFacts) -> ProjectSessions:
    """The sessions of the project that the parent names."""
    graphs = GraphStore(Path(hello.cache_dir)) if hello.cache_dir else None
    roots = None if hello.roots is None else tuple(map(Path, hello.roots))
    return ProjectSessions(Path(hello.root), store, hello.max_file_bytes, graphs, roots)


def _index(session: ProjectSessions) -> None:
    """Indexes the project at a low priority. An error is left to the worker that answers questions."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with suppress(Exception), _graph_uncollected():
        session.index()


def _preload(session: ProjectSessions, outgoing: BinaryIO) -> None:
    """Reads the project ahead of the first question. That question reports any error, because it tries again."""
    try:
        with _graph_uncollected():
            session.preload(_Reports(outgoing))
    except Closed:
        raise
    except Exception:  # noqa: BLE001, S110 - as of a question
        pass


def _next(inbox: "_Inbox", session: ProjectSessions, store: LateFacts) -> ToWorker | None:
    """Waits for the next message.

    Meanwhile facts are written, caches filled, and the snapshot is stored for other processes.
    """
    messages = inbox.messages
    if messages.empty():
        store.settle()
    with suppress(queue.Empty):  # a command ends now: its output is released before the snapshot is stored
        return messages.get(timeout=_SOON_S)
    with inbox.storing():
        session.keep(if_awaited=True)
    while messages.empty() and session.prepare():
        pass
    try:
        return messages.get(timeout=_REST_S)
    except queue.Empty:
        with inbox.storing():
            session.keep()
        return messages.get()


def _reply(session: ProjectSessions, request: Asked, outgoing: BinaryIO) -> Answered | Failed:
    try:
        with _graph_uncollected():
            question, progress = decoded(request.question), _Reports(outgoing)
            within = progress if request.seconds is None else Deadline(progress, request.seconds)
            answer = session.answer(question, within)
        return Answered(msgspec.Raw(msgspec.msgpack.encode(answer.value)), answer.index)
    except BearingsError as error:
        return failed(error)
    except Closed:
        raise
    except msgspec.ValidationError as error:
        return failed(InvalidInput("question", None, "is out of bounds", str(error)))
    except Exception:  # noqa: BLE001 - a question that fails must not end the process with its graph
        _LOG.exception("a question could not be answered")
        return Failed("internal", "the engine failed on this question", "This is a bug; the log has the details.")


@contextmanager
def _graph_uncollected() -> Iterator[None]:
    """Keeps a new graph from the garbage collector: it has no cycles, and one search takes a twentieth of a second."""
    with collector_paused():
        yield
        gc.freeze()


class _Inbox:
    """The parent's messages, read in a thread; None stands for the end of the input.

    When the input has ended, `leave` is called unless the work has `ended` soon, or is `resting` and ends a bit later.
    """

    def __init__(self, incoming: BinaryIO, leave: Leave) -> None:
        self.messages: queue.SimpleQueue[ToWorker | None] = queue.SimpleQueue()
        self.ended = threading.Event()
        self.resting = threading.Event()
        threading.Thread(target=self._listen, args=(incoming, leave), daemon=True).start()

    @contextmanager
    def storing(self) -> Iterator[None]:
        """A context that may outlast the input for as long as storing may."""
        self.resting.set()
        yield
        self.resting.clear()

    def _listen(self, incoming: BinaryIO, leave: Leave) -> None:
        decoder = msgspec.msgpack.Decoder(ToWorker)
        try:
            while True:
                self.messages.put(decoder.decode(read_frame(incoming)))
        except (Closed, msgspec.MsgspecError):
            self.messages.put(None)
        if not self.ended.wait(_GRACE_S):
            seconds = max(_STORE_S, time.process_time() * _STORE_SHARE)
            if not (self.resting.is_set() and ends(self.ended, seconds, seconds * _BUSY)):
                leave(0)


def ends(event: threading.Event, processor_s: float, seconds: float) -> bool:
    """Waits for an event until this process has used its processor time, or the time has passed: whether it came."""
    used, late = time.process_time() + processor_s, time.monotonic() + seconds
    while time.process_time() < used and (left := late - time.monotonic()) > 0:
        if event.wait(min(1.0, left)):
            return True
    return event.is_set()


class _Reports:
    """Sends progress to the parent, at most every _PROGRESS_S."""

    def __init__(self, outgoing: BinaryIO) -> None:
        self._outgoing = outgoing
        self._next = 0.0

    def update(self, done: float, total: float | None, message: str) -> None:
        """Sends progress, unless the last report is too recent."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS_S
            write_frame(self._outgoing, Advance(done, total, message))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent as private files. Standard output becomes standard error, so stray output is safe."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


if __name__ == "__main__":
    sys.exit(main())
