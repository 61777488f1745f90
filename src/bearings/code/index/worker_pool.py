"""A pool of processes that parse and resolve files. `python -m bearings.code.index.worker_pool` is one worker.

A worker reads jobs from its standard input and writes their results to its standard output. It ends when the input
ends. It belongs to the process group of the process that started it.
"""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from queue import Empty, SimpleQueue
from typing import BinaryIO, Generic, NamedTuple, TypeVar

import msgspec

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Packed, pack, unpack_facts
from bearings.code.index.jobs import Begin, Job, Learn, Parse, PoolWorker, Resolve, Task, read, started, write
from bearings.code.index.work_queue import SharedQueue, TwoEndedQueue
from bearings.code.models import FileFacts, ProjectFiles
from bearings.code.resolve import FileUses
from bearings.code.resolve.partition import Found, Share

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")

# -P: the directory that this process was started in may be somebody's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.index.worker_pool")

_MOST = 3
_CHUNK_BYTES = 64_000
"""A chunk takes a process some 25 ms, so that all are done at about the same time."""

_PART = 8
"""Of what is left to resolve on either side, one in so many is a chunk: the last are small, and all end together."""

_PARTS = 96
"""The smallest chunk, one in so many: less would have more answers worked out twice."""

_LESSON = 100
"""Files whose facts are told to a helper at once."""

_FAULTS = (OSError, EOFError, ValueError, msgspec.MsgspecError, Lost)
"""What a helper that ended, or says what it should not, makes us raise; and what lacks facts, as is found here, too."""


class _Errand(NamedTuple, Generic[_Item, _Done]):
    """How a chunk is done: `here`; or by a helper, that `prepare` made ready, with `ahead` chunks in hand at a time.

    As many as `waiting` lie ready for each helper.
    """

    here: Callable[[list[_Item]], _Done]
    ask: Callable[[list[_Item]], Task]
    take: Callable[[PoolWorker, list[_Item]], _Done]
    prepare: Callable[[PoolWorker], None]
    ahead: int
    waiting: int


class WorkerPool:
    """Works on many files, with `helpers` processes beside this one; they run from the first need until `close`.

    Whatever becomes of a helper, the result is what this process alone would come to.
    """

    def __init__(self, helpers: int | None = None, command: Sequence[str] = COMMAND) -> None:
        self._count = min(_MOST, _processors() - 1) if helpers is None else helpers
        self._command = command
        self._running: list[PoolWorker] = []
        self._started = False

    def parse(
        self, jobs: Iterable[Job], behind: Iterable[Job] = (), *, alone: bool = False
    ) -> Iterator[tuple[Job, Packed[FileFacts]]]:
        """The facts of each job, in whatever order they are done. `alone`: start nobody for so little.

        This process does `jobs` and helpers those `behind`; whoever is done goes on with the others' part. They are
        taken from the iterables when there is room for them: few are in memory at once.
        """
        decoder = msgspec.msgpack.Decoder(list[bytes])

        def here(chunk: list[Job]) -> list[tuple[Job, Packed[FileFacts]]]:
            if alone:  # what is as little as that is packed when there is time
                return [(job, Packed(None, unpack_facts, _parsed(job))) for job in chunk]
            return [(job, Packed(pack(_parsed(job)), unpack_facts)) for job in chunk]

        def take(helper: PoolWorker, chunk: list[Job]) -> list[tuple[Job, Packed[FileFacts]]]:
            facts = helper.answer(decoder)
            helper.parsed.update(zip((job.path for job in chunk), facts, strict=True))
            return [(job, Packed(file, unpack_facts)) for job, file in zip(chunk, facts, strict=True)]

        errand = _Errand(here, Parse, take, prepare=lambda _helper: None, ahead=3, waiting=3)
        for done in self._done(_chunks(jobs), _chunks(behind), errand, alone=alone):
            yield from done

    def resolve(self, share: Share, paths: Sequence[str]) -> dict[str, FileUses | Packed[FileUses]]:
        """What each file uses; `share` does what is done in this process, and is told of all that was asked."""
        decoder = msgspec.msgpack.Decoder(Found)

        def take(helper: PoolWorker, chunk: list[str]) -> Mapping[str, FileUses | Packed[FileUses]]:
            theirs = helper.answer(decoder)
            if [file.path for file in theirs.files] != chunk:
                raise ValueError("other files than were asked for")
            return share.accept(theirs)

        errand = _Errand[str, Mapping[str, FileUses | Packed[FileUses]]](
            here=share.sparing,
            ask=Resolve,
            take=take,
            prepare=lambda helper: _teach(helper, share),
            ahead=2,  # it is at the next while we read its answer
            waiting=2,
        )
        chunks = TwoEndedQueue(_parts(paths))
        found: dict[str, FileUses | Packed[FileUses]] = {}
        for done in self._done(chunks.front(), chunks.back(), errand):
            found.update(done)
        return found

    def _done(
        self,
        chunks: Iterator[list[_Item]],
        behind: Iterator[list[_Item]],
        errand: "_Errand[_Item, _Done]",
        *,
        alone: bool = False,
    ) -> Iterator[_Done]:
        """What comes of each chunk, as soon as it is there. None is behind where there are none before."""
        first = next(chunks, None)
        if first is None:
            return
        if not alone:
            self._start()
        todo: SharedQueue[_Item] = SharedQueue(shared=bool(self._running))
        done: SimpleQueue[_Done] = SimpleQueue()
        threads = [
            threading.Thread(target=self._attend, args=(helper, errand, todo, done), daemon=True)
            for helper in list(self._running)
        ]
        whole = False
        try:
            for thread in threads:
                thread.start()
            mine, theirs = chain([first], chunks), chain(behind, chunks)
            yield from self._shared(mine, theirs, errand, todo, done, len(threads))
            for thread in threads:
                thread.join()
            yield from _all(done)
            while (chunk := todo.first()) is not None:  # what a helper could not do
                yield errand.here(chunk)
            whole = True
        finally:
            if not whole:
                self.close()

    def _shared(
        self,
        mine: Iterator[list[_Item]],
        theirs: Iterator[list[_Item]],
        errand: "_Errand[_Item, _Done]",
        todo: SharedQueue[_Item],
        done: "SimpleQueue[_Done]",
        helpers: int,
    ) -> Iterator[_Done]:
        """This process' part: it sees to it that helpers always have something to do, and does the rest itself."""
        try:
            while True:
                while len(todo) < helpers * errand.waiting and (more := next(theirs, None)):
                    todo.add(more)
                yield from _all(done)
                chunk = next(mine, None) or todo.first() or next(theirs, None)
                if chunk is None:
                    return
                yield errand.here(chunk)
        finally:
            todo.end()

    def _attend(
        self,
        helper: PoolWorker,
        errand: "_Errand[_Item, _Done]",
        todo: SharedQueue[_Item],
        done: "SimpleQueue[_Done]",
    ) -> None:
        """Has a helper work until all is done; one that fails gives back what it had in hand, and ends."""
        in_hand: list[list[_Item]] = []
        ended = False
        try:
            errand.prepare(helper)
            while True:
                if not ended and len(in_hand) < errand.ahead:
                    with suppress(Empty):
                        chunk = todo.last(wait=not in_hand)
                        ended = chunk is None
                        if chunk is not None:
                            in_hand.append(chunk)
                            helper.ask(errand.ask(chunk))
                            continue
                if not in_hand:
                    return
                done.put(errand.take(helper, in_hand[0]))
                del in_hand[0]
        except BaseException as error:
            for chunk in in_hand:
                todo.add(chunk)
            self._running = [other for other in self._running if other is not helper]
            helper.end()
            if not isinstance(error, _FAULTS):
                raise

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._running = [helper for _ in range(self._count) if (helper := started(self._command)) is not None]

    def close(self) -> None:
        """Ends the helpers. Others are started when there is need again."""
        for helper in self._running:
            helper.end()
        self._running = []
        self._started = False


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    gc.disable()
    with open(0, "rb", buffering=0, closefd=False) as incoming:  # no lock that a waiting thread could hold at the end
        serve(incoming, sys.stdout.buffer)
    return 0


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Does tasks until there are no more. They are read while others are done, so that who asks never waits long."""
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, tasks), daemon=True).start()
    decoder = msgspec.msgpack.Decoder(Task)
    facts: PackedMap[FileFacts] = PackedMap()
    share = Share(facts, ProjectFiles(frozenset()))
    mine: dict[str, bytes] = {}
    with suppress(OSError):
        while asked := tasks.get():
            match decoder.decode(asked):
                case Parse(jobs):
                    packed = [pack(_parsed(job)) for job in jobs]
                    mine.update(zip((job.path for job in jobs), packed, strict=True))
                    result: object = packed
                case Begin(paths, manifests):
                    facts = PackedMap()
                    share = Share(facts, ProjectFiles(frozenset(paths), manifests))
                    result = 0
                case Learn(more):
                    facts.update({path: Packed(data or mine[path], unpack_facts) for path, data in more.items()})
                    result = len(facts)
                case Resolve(paths):
                    result = share.found(paths)
            write(outgoing, msgspec.msgpack.encode(result))


def _listen(incoming: BinaryIO, tasks: "SimpleQueue[bytes]") -> None:
    """Reads tasks; an empty one stands for the end."""
    with suppress(EOFError, OSError):
        while True:
            tasks.put(read(incoming))
    tasks.put(b"")


def _teach(helper: PoolWorker, share: Share) -> None:
    """Tells a helper all about a project but what it parsed, some files at a time, so that few are in memory twice."""
    decoder = msgspec.msgpack.Decoder(int)
    helper.ask(Begin(sorted(share.project.paths), dict(share.project.manifests)))
    helper.answer(decoder)
    paths = list(share.facts)
    for start in range(0, len(paths), _LESSON):
        lesson = {path: _packed(share.facts, path) for path in paths[start : start + _LESSON]}
        helper.ask(Learn({path: b"" if helper.parsed.get(path) == data else data for path, data in lesson.items()}))
        helper.answer(decoder)


def _packed(facts: Mapping[str, FileFacts], path: str) -> bytes:
    packed = facts.packed(path) if isinstance(facts, PackedMap) else None
    return pack(facts[path]) if packed is None else packed


def _parsed(job: Job) -> FileFacts:
    """The facts of one; whoever finds them all in the store never imports a grammar."""
    from bearings.code.parse import parse_file

    return parse_file(*job)


def _parts(paths: Sequence[str]) -> list[list[str]]:
    """Files in chunks, the smaller the nearer the middle."""
    least = max(1, len(paths) // _PARTS)
    front: list[list[str]] = []
    back: list[list[str]] = []
    start, end = 0, len(paths)
    while start < end:
        size = min(max(least, (end - start) // (2 * _PART)), end - start)
        front.append(list(paths[start : start + size]))
        start += size
        size = min(size, end - start)
        back.append(list(paths[end - size : end]))
        end -= size
    return [chunk for chunk in (*front, *reversed(back)) if chunk]


def _chunks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Jobs in chunks of about the same size, in their order."""
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


def _all(queue: "SimpleQueue[_Item]") -> Iterator[_Item]:
    """What is in a queue, until it is empty."""
    with suppress(Empty):
        while True:
            yield queue.get_nowait()


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
