"""The worker's loop and its messages, run in this process over real pipes."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings import messages
from bearings.code.engine import wire
from bearings.code.engine.wire import Answered, Asked, Closed, FromWorker, Hello
from bearings.code.engine.worker import ends, serve
from bearings.code.index.demand import FEWEST
from bearings.code.questions.export import Export
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan, ScanReply
from bearings.code.questions.symbol import Describe
from bearings.code.replies.element import not_indexed
from bearings.errors import (
    Ambiguous,
    BearingsError,
    ElementNotFound,
    Internal,
    InvalidInput,
    PathNotAllowed,
    Unsupported,
    WriteFailed,
)
from bearings.messages import Advance, Failed
from tests.code.trees import SHOP, write

MAX = 100_000
_MESSAGES = msgspec.msgpack.Decoder(FromWorker)


class Served:
    """A worker in a thread: its pipes from the parent's side."""

    def __init__(self) -> None:
        reading, self.to = _pipe()
        self.back, writing = _pipe()
        self.status: list[int] = []
        self.left: list[int] = []

        def run() -> None:
            self.status.append(serve(reading, writing, leave=self.left.append))
            with suppress(OSError):
                writing.close()

        self._reading = reading
        self.thread = threading.Thread(target=run)
        self.thread.start()

    def ask(self, question: Scan | Query | Describe | Export) -> tuple[list[Advance], Answered | Failed]:
        wire.write_frame(self.to, Asked.of(question))
        reports = []
        while isinstance(message := _MESSAGES.decode(wire.read_frame(self.back)), Advance):
            reports.append(message)
        return reports, message

    def end(self) -> int:
        with suppress(OSError):
            self.to.close()
        self.thread.join(30)
        self.back.close()
        self._reading.close()
        return self.status[0]


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


@pytest.fixture
def worker() -> Iterator[Served]:
    served = Served()
    yield served
    if served.thread.is_alive():
        served.end()


def hello(root: Path, cache: Path | None = None) -> Hello:
    return Hello(str(root), str(cache) if cache else None, MAX)


def test_answers_until_the_pipe_ends(worker, tmp_path):
    wire.write_frame(worker.to, hello(write(tmp_path / "p", SHOP), tmp_path / "cache"))
    reports, answer = worker.ask(Scan())
    assert reports
    assert isinstance(answer, Answered)
    assert wire.value_of(answer, ScanReply).by_type["class"] == 1
    assert answer.index.files == 4
    assert worker.end() == 0
    assert worker.left == []
    assert (tmp_path / "cache").exists()


def test_a_worker_releases_its_output_before_it_stores_the_snapshot(tmp_path):
    """A reader of the command's output does not wait for the snapshot."""
    reading, to = _pipe()
    back, writing = _pipe()
    events: list[tuple[str, bool]] = []

    def note(event: str) -> None:
        events.append((event, any((tmp_path / "cache").rglob("*.graph"))))

    steps = {"fall_silent": lambda: note("silent"), "end": lambda status: note(f"ends: {status}")}
    thread = threading.Thread(target=serve, args=(reading, writing), kwargs={"leave": print, **steps})
    thread.start()
    wire.write_frame(to, hello(write(tmp_path / "p", SHOP), tmp_path / "cache"))
    wire.write_frame(to, Asked.of(Scan()))
    while isinstance(_MESSAGES.decode(wire.read_frame(back)), Advance):
        pass
    to.close()
    thread.join(30)
    assert events == [("silent", False), ("ends: 0", True)]
    for pipe in (reading, back, writing):
        pipe.close()


@pytest.mark.slow
def test_a_snapshot_that_is_being_stored_when_the_parent_leaves_is_stored(tmp_path):
    """Other processes may wait for it, so that it is stored between two questions, too."""
    left, cache = threading.Event(), tmp_path / "cache"
    reading, to = _pipe()
    back, writing = _pipe()
    thread = threading.Thread(target=serve, args=(reading, writing), kwargs={"leave": lambda status: left.set()})
    thread.start()
    files = {f"f{number}.py": f"def f{number}(): pass\n" for number in range(FEWEST)}
    wire.write_frame(to, hello(write(tmp_path / "p", files), cache))
    wire.write_frame(to, Asked.of(Scan()))
    while isinstance(_MESSAGES.decode(wire.read_frame(back)), Advance):
        pass
    with closing(sqlite3.connect(cache / "facts.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")  # storing waits for it
        while not any(path for path in cache.rglob("*.lock") if ".first" not in path.name):
            assert thread.is_alive()
        to.close()
        assert not left.wait(1.0)
        other.rollback()
    thread.join(30)
    assert any(cache.rglob("*.graph"))
    assert not any(cache.rglob("*.lock"))
    for pipe in (reading, back, writing):
        pipe.close()


def test_errors_are_answers(worker, tmp_path):
    wire.write_frame(worker.to, hello(write(tmp_path, SHOP)))
    _, failure = worker.ask(Query(query_type="calls", element="nobody"))
    assert isinstance(failure, Failed)
    assert failure.code == "element_not_found"
    _, answer = worker.ask(Query(query_type="calls", element="fill"))
    assert isinstance(answer, Answered)


def test_a_parent_that_leaves_at_once_is_no_error(worker):
    assert worker.end() == 0


def test_a_parent_that_leaves_before_asking_is_no_error(worker, tmp_path):
    wire.write_frame(worker.to, hello(tmp_path))
    assert worker.end() == 0


def test_a_question_before_the_hello_is_not_served(worker):
    wire.write_frame(worker.to, Asked.of(Scan()))
    assert worker.end() == 2


@pytest.mark.parametrize("noise", [b"\xff\xff\xff\xff", b"\0\0\0\x01\xc1", b"\0\0\0\x09abc"])
def test_an_invalid_frame_ends_the_worker(worker, tmp_path, noise):
    wire.write_frame(worker.to, hello(tmp_path))
    worker.to.write(noise)
    worker.to.flush()
    assert worker.end() == 0


def test_a_parent_that_does_not_read_ends_the_worker(worker, tmp_path):
    wire.write_frame(worker.to, hello(write(tmp_path, SHOP)))
    worker.back.close()
    wire.write_frame(worker.to, Asked.of(Scan()))
    worker.thread.join(30)
    assert worker.end() == 0


@pytest.mark.slow
def test_work_is_abandoned_after_the_parent_has_left(tmp_path):
    """The work is a reply that is never read: it fills the pipe and would block for ever."""
    left = threading.Event()
    reading, to = _pipe()
    back, writing = _pipe()
    files = {f"f{number}.py": "".join(f"def f{n}_{'x' * 60}(): pass\n" for n in range(60)) for number in range(40)}
    root = write(tmp_path, files)
    thread = threading.Thread(target=serve, args=(reading, writing), kwargs={"leave": lambda status: left.set()})
    thread.start()
    wire.write_frame(to, hello(root))
    wire.write_frame(to, Asked.of(Scan(most=5000)))
    while (length := int.from_bytes(back.read(4), "big")) < 65_536:
        back.read(length)  # a report of progress
    to.close()
    assert left.wait(30)
    back.read(length)
    thread.join(30)
    for pipe in (reading, back, writing):
        pipe.close()


def test_storing_may_take_longer_than_its_processor_time_but_not_for_ever():
    event = threading.Event()
    assert not ends(event, processor_s=0, seconds=60)
    assert not ends(event, processor_s=60, seconds=0)
    event.set()
    assert ends(event, processor_s=60, seconds=60)
    assert ends(event, processor_s=0, seconds=60)


ERRORS: list[BearingsError] = [
    InvalidInput("cursor", "?", "is no cursor", "Leave it out."),
    Unsupported("a", "b"),
    WriteFailed("a", "b"),
    PathNotAllowed("a", "b"),
    ElementNotFound("a", "b"),
    Ambiguous("f", ["a.py#f:1", "b.py#f:1"]),
    Internal("a", "b"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_every_error_crosses_the_pipe_unchanged(error):
    crossed = messages.raised(msgspec.msgpack.decode(msgspec.msgpack.encode(messages.failed(error)), type=Failed))
    assert type(crossed) is type(error)
    assert crossed.body() == error.body()
    assert str(getattr(crossed, "field", "")) == str(getattr(error, "field", ""))


def test_an_error_of_an_unknown_kind_is_internal():
    assert type(messages.raised(Failed("new_code", "a", "b"))) is Internal


def test_an_answer_of_another_type_is_invalid():
    with pytest.raises(Closed):
        wire.value_of(Answered(msgspec.Raw(msgspec.msgpack.encode("text")), not_indexed()), ScanReply)


@given(st.lists(st.binary(max_size=200), max_size=5), st.binary(max_size=3))
def test_frames_are_read_as_they_were_written(payloads, rest):
    reading, writing = _pipe()
    with reading, writing:
        messages = [Failed("c", payload.hex(), "") for payload in payloads]
        for message in messages:
            wire.write_frame(writing, message)
        writing.write(rest)
        writing.close()
        assert [_MESSAGES.decode(wire.read_frame(reading)) for _ in messages] == messages
        with pytest.raises(Closed):
            wire.read_frame(reading)
        reading.close()
        with pytest.raises(Closed):
            wire.read_frame(reading)
        with pytest.raises(Closed):
            wire.write_frame(writing, Failed("", "", ""))
