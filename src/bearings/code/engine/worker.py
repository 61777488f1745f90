"""The process that holds a project's graph: `python -m bearings.code.engine.worker`.

It reads questions from its standard input and writes answers to what was its standard output; anything printed goes to
standard error. When the input ends, so does it, whatever it is doing.
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
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from bearings.code.engine.session import Session
from bearings.code.engine.wire import (
    Advance,
    Answered,
    Asked,
    Closed,
    Failed,
    Hello,
    ToWorker,
    failed,
    read_frame,
    write_frame,
)
from bearings.code.facts.store import LateFacts, NoFacts, SqliteFacts
from bearings.code.index.project_index import collector_paused
from bearings.code.index.snapshot_store import GraphStore, warm_up
from bearings.errors import BearingsError
from bearings.logs import log_to_stderr

Leave = Callable[[int], object]
"""Ends the process, outside of tests."""

_LOG = logging.getLogger(__name__)
_FAREWELL_S = 0.5
"""How long the work in hand may go on when nobody will hear of it."""

_KEEPING_S = 10.0
"""How long it may take to keep what is known for the next process."""

_REST_S = 5.0
"""After how long without a question that is done."""

_PROGRESS_S = 0.1


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    log_to_stderr(logging.WARNING, "bearings worker: %(message)s")
    incoming, outgoing = _own_pipes()
    return serve(incoming, outgoing, leave=_leave_with_all, fall_silent=_fall_silent, end=os._exit)


def _fall_silent() -> None:
    """Lets go of standard error: who started this one may have ended, and somebody may wait for all that it says."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _leave_with_all(status: int) -> None:
    """Ends this process, and what it started if it leads a group of its own."""
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
    """Answers what comes in until it ends, and keeps what is known; the exit status.

    `leave` is called if the input ends during work that goes on too long; `fall_silent` when nobody will ask any more;
    `end` last, with the status, while all that would take time to be freed is still there.
    """
    inbox: queue.SimpleQueue[ToWorker | None] = queue.SimpleQueue()
    ended = threading.Event()
    resting = threading.Event()
    threading.Thread(target=_listen, args=(incoming, inbox, ended, resting, leave), daemon=True).start()
    warm_up()
    hello = inbox.get()
    if not isinstance(hello, Hello):
        ended.set()
        return 2 if hello else 0
    store = LateFacts(SqliteFacts(Path(hello.cache_dir)) if hello.cache_dir else NoFacts())
    graphs = GraphStore(Path(hello.cache_dir)) if hello.cache_dir else None
    roots = None if hello.roots is None else tuple(Path(root) for root in hello.roots)
    session = Session(Path(hello.root), store, hello.max_file_bytes, graphs, roots)
    try:
        if hello.ahead and inbox.empty():
            _look_ahead(session, outgoing)
        while isinstance(asked := _next(inbox, session, store), Asked):
            write_frame(outgoing, _reply(session, asked, outgoing))
    except Closed:
        pass
    finally:
        resting.set()
        fall_silent()
        store.settle()
        session.keep()
        store.close()
        ended.set()
    end(0)
    return 0


def _look_ahead(session: Session, outgoing: BinaryIO) -> None:
    """Reads the project. Whatever is wrong is for the first question to say, which looks again."""
    try:
        with _graph_uncollected():
            session.look_ahead(_Reports(outgoing))
    except Closed:
        raise
    except Exception:  # noqa: BLE001, S110 - as of a question
        pass


def _next(inbox: "queue.SimpleQueue[ToWorker | None]", session: Session, store: LateFacts) -> ToWorker | None:
    """The next message.

    Meanwhile facts are stored and answers made ready; if it is long in coming, what is known is kept for others.
    """
    if inbox.empty():
        store.settle()
    while inbox.empty() and session.prepare():
        pass
    try:
        return inbox.get(timeout=_REST_S)
    except queue.Empty:
        session.keep()
        return inbox.get()


def _reply(session: Session, asked: Asked, outgoing: BinaryIO) -> Answered | Failed:
    try:
        with _graph_uncollected():
            answer = session.answer(asked.question, _Reports(outgoing))
        return Answered(msgspec.Raw(msgspec.msgpack.encode(answer.value)), answer.index)
    except BearingsError as error:
        return failed(error)
    except Closed:
        raise
    except Exception:  # noqa: BLE001 - one bad question must not cost the graph
        _LOG.exception("a question could not be answered")
        return Failed("internal", "the engine failed on this question", "This is a bug; the log has the details.")


@contextmanager
def _graph_uncollected() -> Iterator[None]:
    """A graph that is made within has no cycles: to look for some just once would take a twentieth of a second."""
    with collector_paused():
        yield
        gc.freeze()


def _listen(
    incoming: BinaryIO,
    inbox: "queue.SimpleQueue[ToWorker | None]",
    ended: threading.Event,
    resting: threading.Event,
    leave: Leave,
) -> None:
    """Passes messages on; at the end of the input, sees to it that the process ends."""
    decoder = msgspec.msgpack.Decoder(ToWorker)
    try:
        while True:
            inbox.put(decoder.decode(read_frame(incoming)))
    except (Closed, msgspec.MsgspecError):
        inbox.put(None)
    if not ended.wait(_FAREWELL_S) and not (resting.is_set() and ended.wait(_KEEPING_S)):
        leave(0)


class _Reports:
    """Progress, sent to whoever asked; not more often than anyone could look."""

    def __init__(self, outgoing: BinaryIO) -> None:
        self._outgoing = outgoing
        self._next = 0.0

    def update(self, done: float, total: float | None, message: str) -> None:
        """Sends it, unless the last was sent just now."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS_S
            write_frame(self._outgoing, Advance(done, total, message))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent, kept from everything else in this process: stray output goes to standard error."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


if __name__ == "__main__":
    sys.exit(main())
