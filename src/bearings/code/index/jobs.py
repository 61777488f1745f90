"""Jobs of the worker pool, and how they pass a pipe: four bytes of length, then msgpack."""

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple, TypeVar, cast

import msgspec

from bearings.code.models import Language

_Answer = TypeVar("_Answer")

_LENGTH_BYTES = 4
_PIPE_BYTES = 1 << 20
"""Room for some tasks and answers, where the system gives it (Linux, by default), so that nobody waits to write."""


class Job(NamedTuple):
    """A source to parse."""

    path: str
    language: Language
    source: bytes


class Parse(msgspec.Struct, tag=True, array_like=True):
    """A task: the facts of these."""

    jobs: list[Job]


class Begin(msgspec.Struct, tag=True, array_like=True):
    """A task: a project of which nothing is known yet. Its result is 0."""

    paths: list[str]
    manifests: dict[str, bytes]


class Learn(msgspec.Struct, tag=True, array_like=True):
    """A task: remember the facts of some more files of the project, packed. Its result is how many there are.

    Empty ones are as they were parsed here.
    """

    facts: dict[str, bytes]


class Resolve(msgspec.Struct, tag=True, array_like=True):
    """A task: what these files of the project use."""

    paths: list[str]


Task = Parse | Begin | Learn | Resolve


class PoolWorker:
    """A process that does tasks, one after the other. Asked for more while it is at one, it need not wait for us.

    `parsed` are the facts that it gave, packed, which it remembers.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.parsed: dict[str, bytes] = {}
        self._process = process

    def ask(self, task: Task) -> None:
        """Hands it a task. Raises OSError where it is gone."""
        write(cast("BinaryIO", self._process.stdin), msgspec.msgpack.encode(task))

    def answer(self, decoder: "msgspec.msgpack.Decoder[_Answer]") -> _Answer:
        """What came of the first task that was not answered yet. Raises EOFError, OSError and MsgspecError."""
        return decoder.decode(read(cast("BinaryIO", self._process.stdout)))

    def end(self) -> None:
        """Kills it; whoever waits for an answer gets EOFError."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("BinaryIO", pipe).close()


def started(command: Sequence[str]) -> PoolWorker | None:
    """A helper that runs a command; None where that can't be run."""
    for size in (_PIPE_BYTES, -1):
        with suppress(OSError):
            return PoolWorker(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=size)  # noqa: S603 - ourselves
            )
    return None


def write(pipe: BinaryIO, data: bytes) -> None:
    """Writes one message."""
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    pipe.flush()


def read(pipe: BinaryIO) -> bytes:
    """Reads one message. Raises EOFError where it is not whole."""
    size = int.from_bytes(_exactly(pipe, _LENGTH_BYTES), "big")
    return _exactly(pipe, size)


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    while len(data) < size:
        more = pipe.read(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data
