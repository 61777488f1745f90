"""Tasks of the worker pool, the process that does them, and the chunks of work that it gets.

Files to parse are divided by size, files to resolve by number.
"""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple, TypeVar, cast

import msgspec

from bearings.code.index.frames import read, write
from bearings.code.models import Language
from bearings.code.resolve.modules.cells import Entry

_Answer = TypeVar("_Answer")

_PIPE_BYTES = 1 << 20
"""Room for several tasks and answers, so that writers do not block. Linux grants it by default."""


class Job(NamedTuple):
    """A file to parse."""

    path: str
    language: Language
    source: bytes


class Parse(msgspec.Struct, tag=True, array_like=True):
    """A task: parse these files. Its result is their packed facts, in order."""

    jobs: list[Job]


class Begin(msgspec.Struct, tag=True, array_like=True):
    """A task: start a new project without facts, but with the entries of its tables. Its result is 0.

    `root` is where packages are installed, empty for none; `installed` are the folders of Python's.
    """

    paths: list[str]
    manifests: dict[str, bytes]
    entries: dict[str, Sequence[Entry]]
    root: str = ""
    installed: Sequence[str] = ()


class Learn(msgspec.Struct, tag=True, array_like=True):
    """A task: add the packed facts of some files to the project. Its result is the number of files that have facts.

    Empty bytes stand for the facts that the worker itself parsed.
    """

    facts: dict[str, bytes]


class Resolve(msgspec.Struct, tag=True, array_like=True):
    """A task: resolve these files of the project."""

    paths: list[str]


Task = Parse | Begin | Learn | Resolve


class PoolWorker:
    """A process that does tasks in order. It accepts the next task while it works on one, so that it need not wait.

    `parsed` holds the packed facts that it has answered with; the process remembers them too.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.parsed: dict[str, bytes] = {}
        self._process = process

    def send(self, task: Task) -> None:
        """Sends a task. Raises OSError if the process has ended."""
        write(cast("BinaryIO", self._process.stdin), msgspec.msgpack.encode(task))

    def answer(self, decoder: "msgspec.msgpack.Decoder[_Answer]") -> _Answer:
        """Waits for the result of the oldest unanswered task. Raises EOFError, OSError and MsgspecError."""
        return decoder.decode(read(cast("BinaryIO", self._process.stdout)))

    def end(self) -> None:
        """Kills the process. A thread that waits in `answer` gets EOFError."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("BinaryIO", pipe).close()


def start_worker(command: Sequence[str]) -> PoolWorker | None:
    """A worker that runs a command; None if the command can't be run."""
    for size in (_PIPE_BYTES, -1):
        with suppress(OSError):
            return PoolWorker(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=size)  # noqa: S603 - ourselves
            )
    return None


_CHUNK_BYTES = 64_000
"""A chunk of this size takes a process some 25 ms, so that all processes end at about the same time."""

_FRACTION = 8
"""A chunk is an eighth of the files that are left on its side: the last chunks are small, and all end together."""

_MAX_CHUNKS = 96
"""The smallest chunk is a 96th of all files: smaller ones make processes compute more answers twice."""

_MOST_FILES = 250
"""The most files of a chunk: their facts are unpacked at once, and an attempt whose time is over loses one."""


def resolve_chunks(paths: Sequence[str]) -> list[list[str]]:
    """Divides files into chunks that get smaller towards the middle."""
    least = max(1, len(paths) // _MAX_CHUNKS)
    front: list[list[str]] = []
    back: list[list[str]] = []
    start, end = 0, len(paths)
    while start < end:
        size = min(max(least, (end - start) // (2 * _FRACTION)), _MOST_FILES, end - start)
        front.append(list(paths[start : start + size]))
        start += size
        size = min(size, end - start)
        back.append(list(paths[end - size : end]))
        end -= size
    return [chunk for chunk in (*front, *reversed(back)) if chunk]


def job_chunks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Divides jobs into chunks of about the same size, in order."""
    chunk: list[Job] = []
    size = 0
    for job in jobs:
        chunk.append(job)
        size += len(job.source)
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
