"""Parsing and resolving with the help of other processes: `python -m bearings.code.helpers` is one of them.

A helper reads tasks from its standard input and writes what comes of them to its standard output; when the input ends,
so does it. It belongs to the process group of whoever started it.
"""

import gc
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple, TypeVar, cast

import msgspec

from bearings.code.models import FileFacts, Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve import FileUses
from bearings.code.resolve.share import Found, Share, StoredFacts, encoded

_Given = TypeVar("_Given", bound="Job | str")
_Result = TypeVar("_Result")

# -P: the directory that this process was started in may be somebody's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.helpers")

_MOST = 3
_CHUNK_BYTES = 64_000
"""A chunk takes a process some 25 ms, so that all are done at about the same time."""

_CHUNKS = 24
"""Into how many the files to resolve are divided: more would have more answers worked out twice."""

_LESSON = 100
"""Files whose facts are told to a helper at once."""

_LENGTH_BYTES = 4


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
    """A task: remember the facts of some more files of the project, as they are. Its result is how many there are."""

    facts: dict[str, msgspec.Raw]


class Resolve(msgspec.Struct, tag=True, array_like=True):
    """A task: what these files of the project use."""

    paths: list[str]


Task = Parse | Begin | Learn | Resolve


class Helpers:
    """Works on many files, with `helpers` processes beside this one; they run from the first need until `close`.

    Whatever becomes of a helper, the result is what this process alone would come to.
    """

    def __init__(self, helpers: int | None = None, command: Sequence[str] = COMMAND) -> None:
        self._count = min(_MOST, _processors() - 1) if helpers is None else helpers
        self._command = command
        self._running: list[subprocess.Popen[bytes]] = []
        self._started = False

    def parse(self, jobs: Iterable[Job], *, alone: bool = False) -> dict[str, FileFacts]:
        """The facts of each job, by path, in the order of the jobs. `alone`: start nobody for so little."""
        jobs = list(jobs)
        if not alone:
            self._start()
        found: dict[str, FileFacts] = {}
        decoder = msgspec.msgpack.Decoder(list[FileFacts])

        def here(chunk: list[Job]) -> None:
            found.update({job.path: parse_file(*job) for job in chunk})

        def there(helper: "subprocess.Popen[bytes]", chunk: list[Job]) -> None:
            facts = _asked(helper, Parse(chunk), decoder)
            found.update({job.path: file for job, file in zip(chunk, facts, strict=True)})

        self._share(deque(_chunks(jobs)), here, there)
        return {job.path: found[job.path] for job in jobs}

    def resolve(self, share: Share, paths: Sequence[str]) -> dict[str, FileUses]:
        """What each file uses; `share` does what is done in this process, and is told of all that was asked."""
        self._start()
        found: dict[str, FileUses] = {}
        decoder = msgspec.msgpack.Decoder(Found)
        taught: set[int] = set()

        def here(chunk: list[str]) -> None:
            found.update(share.uses(chunk))

        def there(helper: "subprocess.Popen[bytes]", chunk: list[str]) -> None:
            if helper.pid not in taught:
                _teach(helper, share)
                taught.add(helper.pid)
            theirs = _asked(helper, Resolve(chunk), decoder)
            if [path for path, _ in theirs.uses] != chunk:
                raise ValueError("other files than were asked for")
            found.update(share.accept(theirs))

        size = max(1, len(paths) // _CHUNKS)
        chunks = deque(list(paths[start : start + size]) for start in range(0, len(paths), size))
        self._share(chunks, here, there)
        return found

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._running = [helper for _ in range(self._count) if (helper := _start(self._command)) is not None]

    def _share(
        self,
        queue: "deque[list[_Given]]",
        here: Callable[[list[_Given]], None],
        there: "Callable[[subprocess.Popen[bytes], list[_Given]], None]",
    ) -> None:
        """Has chunks worked on, here from the first and by helpers from the last; at the end all are done."""
        threads = [
            threading.Thread(target=self._have_done, args=(helper, queue, there)) for helper in list(self._running)
        ]
        for thread in threads:
            thread.start()
        _work(queue, here)
        for thread in threads:
            thread.join()
        _work(queue, here)  # what a helper could not do

    def _have_done(
        self,
        helper: "subprocess.Popen[bytes]",
        queue: "deque[list[_Given]]",
        there: "Callable[[subprocess.Popen[bytes], list[_Given]], None]",
    ) -> None:
        """Has a helper work on chunks until there are none; one that fails gives its chunk back, and ends."""
        while (chunk := _next(queue.pop)) is not None:
            try:
                there(helper, chunk)
            except (OSError, EOFError, ValueError, msgspec.MsgspecError):
                queue.append(chunk)
                self._running = [other for other in self._running if other is not helper]
                _end(helper)
                return

    def close(self) -> None:
        """Ends the helpers. Others are started when there is need again."""
        for helper in self._running:
            _end(helper)
        self._running = []
        self._started = False


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    gc.disable()
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Does tasks until there are no more."""
    decoder = msgspec.msgpack.Decoder(Task)
    facts = StoredFacts()
    share = Share(facts, ProjectFiles(frozenset()))
    with suppress(EOFError, OSError):
        while True:
            match decoder.decode(_read(incoming)):
                case Parse(jobs):
                    result: object = [parse_file(*job) for job in jobs]
                case Begin(paths, manifests):
                    facts = StoredFacts()
                    share = Share(facts, ProjectFiles(frozenset(paths), manifests))
                    result = 0
                case Learn(more):
                    facts.add(more)
                    result = len(facts)
                case Resolve(paths):
                    result = share.found(paths)
            _write(outgoing, msgspec.msgpack.encode(result))


def _teach(helper: "subprocess.Popen[bytes]", share: Share) -> None:
    """Tells a helper all about a project, some files at a time, so that few are in memory twice."""
    decoder = msgspec.msgpack.Decoder(int)
    _asked(helper, Begin(sorted(share.project.paths), dict(share.project.manifests)), decoder)
    paths = list(share.facts)
    for start in range(0, len(paths), _LESSON):
        lesson = {path: msgspec.Raw(encoded(share.facts[path])) for path in paths[start : start + _LESSON]}
        _asked(helper, Learn(lesson), decoder)


def _asked(
    helper: "subprocess.Popen[bytes]",
    task: Parse | Begin | Learn | Resolve,
    decoder: "msgspec.msgpack.Decoder[_Result]",
) -> _Result:
    _write(cast("BinaryIO", helper.stdin), msgspec.msgpack.encode(task))
    return decoder.decode(_read(cast("BinaryIO", helper.stdout)))


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


def _work(queue: "deque[list[_Given]]", here: Callable[[list[_Given]], None]) -> None:
    while (chunk := _next(queue.popleft)) is not None:
        here(chunk)


def _next(take: Callable[[], _Result]) -> _Result | None:
    try:
        return take()
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
