"""Tasks of the worker pool, and the process that does them."""

import subprocess
from collections.abc import Sequence
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
    """A task: start a new project without facts. Its result is 0."""

    paths: list[str]
    manifests: dict[str, bytes]
    names: dict[str, list[tuple[str, Entry]]]


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
