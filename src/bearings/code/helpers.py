"""Parsing with the help of other processes: `python -m bearings.code.helpers` is one of them.

A helper reads chunks of sources from its standard input and writes their facts to its standard output; when the input
ends, so does it. It belongs to the process group of whoever started it.
"""

import gc
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple, cast

import msgspec

from bearings.code.models import FileFacts, Language
from bearings.code.parse import parse_file

# -P: the directory that this process was started in may be somebody's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.helpers")

_MOST = 3
_CHUNK_BYTES = 64_000
"""A chunk takes a process some 25 ms, so that all are done at about the same time."""

_LENGTH_BYTES = 4


class Job(NamedTuple):
    """A source to parse."""

    path: str
    language: Language
    source: bytes


class Parsers:
    """Parses many files, with `helpers` processes beside this one; they run from the first need until `close`.

    Whatever becomes of a helper, the facts are those of `parse_file`.
    """

    def __init__(self, helpers: int | None = None, command: Sequence[str] = COMMAND) -> None:
        self._count = min(_MOST, _processors() - 1) if helpers is None else helpers
        self._command = command
        self._running: list[subprocess.Popen[bytes]] = []
        self._started = False

    def parse(self, jobs: Iterable[Job], *, alone: bool = False) -> dict[str, FileFacts]:
        """The facts of each job, by path, in the order of the jobs. `alone`: start nobody for so little."""
        jobs = list(jobs)
        if not alone and not self._started:
            self._started = True
            self._running = [helper for _ in range(self._count) if (helper := _start(self._command)) is not None]
        queue = deque(_chunks(jobs))
        found: dict[str, FileFacts] = {}
        threads = [threading.Thread(target=self._ask, args=(helper, queue, found)) for helper in self._running]
        for thread in threads:
            thread.start()
        _work(queue, found)
        for thread in threads:
            thread.join()
        _work(queue, found)  # what a helper could not do
        return {job.path: found[job.path] for job in jobs}

    def close(self) -> None:
        """Ends the helpers. Others are started when there is need again."""
        for helper in self._running:
            _end(helper)
        self._running = []
        self._started = False

    def _ask(self, helper: "subprocess.Popen[bytes]", queue: "deque[list[Job]]", found: dict[str, FileFacts]) -> None:
        """Has a helper parse chunks until there are none; one that fails gives its chunk back, and ends."""
        decoder = msgspec.msgpack.Decoder(list[FileFacts])
        while (chunk := _next(queue)) is not None:
            try:
                _write(cast("BinaryIO", helper.stdin), msgspec.msgpack.encode(chunk))
                facts = decoder.decode(_read(cast("BinaryIO", helper.stdout)))
                found.update({job.path: file for job, file in zip(chunk, facts, strict=True)})
            except (OSError, EOFError, ValueError, msgspec.MsgspecError):
                queue.append(chunk)
                self._running = [other for other in self._running if other is not helper]
                _end(helper)
                return


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    gc.disable()
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answers chunks until there are no more."""
    decoder = msgspec.msgpack.Decoder(list[Job])
    with suppress(EOFError, OSError):
        while True:
            _write(outgoing, msgspec.msgpack.encode([parse_file(*job) for job in decoder.decode(_read(incoming))]))


def _chunks(jobs: Iterable[Job]) -> list[list[Job]]:
    """Jobs in chunks of about the same size, the largest files first."""
    chunks: list[list[Job]] = []
    size = _CHUNK_BYTES
    for job in sorted(jobs, key=lambda job: -len(job.source)):
        if size >= _CHUNK_BYTES:
            chunks.append([])
            size = 0
        chunks[-1].append(job)
        size += len(job.source)
    return chunks


def _work(queue: "deque[list[Job]]", found: dict[str, FileFacts]) -> None:
    while (chunk := _next(queue)) is not None:
        found.update({job.path: parse_file(*job) for job in chunk})


def _next(queue: "deque[list[Job]]") -> list[Job] | None:
    try:
        return queue.popleft()
    except IndexError:
        return None


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
    except OSError:
        return None


def _end(helper: "subprocess.Popen[bytes]") -> None:
    helper.kill()
    helper.wait()
    for pipe in (helper.stdin, helper.stdout):
        with suppress(OSError):
            cast("BinaryIO", pipe).close()


def _write(pipe: BinaryIO, data: bytes) -> None:
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    pipe.flush()


def _read(pipe: BinaryIO) -> bytes:
    size = int.from_bytes(_exactly(pipe, _LENGTH_BYTES), "big")
    return _exactly(pipe, size)


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
