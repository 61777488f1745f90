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
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Generic, NamedTuple, TypeVar

import msgspec

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Packed, pack, unpack_facts
from bearings.code.file_facts import FileFacts
from bearings.code.index.frames import read, write
from bearings.code.index.installed_packages import InstalledPackages
from bearings.code.index.jobs import (
    Begin,
    Job,
    Learn,
    Parse,
    PoolWorker,
    Resolve,
    Task,
    job_chunks,
    resolve_chunks,
    start_worker,
)
from bearings.code.index.work_queue import SharedQueue, TwoEndedQueue
from bearings.code.models import ProjectFiles
from bearings.code.resolve.file_uses import FileUses

if TYPE_CHECKING:
    from bearings.code.resolve.file_resolver import FileResolver

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")

# -P: the directory that this process was started in may be a user's project, with modules named like ours.
COMMAND = (sys.executable, "-P", "-m", "bearings.code.index.worker_pool")

_MAX_WORKERS = 3
_MOST_ENTRIES = 1_000_000
"""Entries of the tables of a project of which each worker may have a copy: some 200 MB."""
_FACTS_BATCH = 100
"""The number of files whose facts are sent to a worker at once."""

_FAULTS = (OSError, EOFError, ValueError, msgspec.MsgspecError, Lost)
"""Errors that a worker which ended or answers wrongly causes, and that missing facts cause in this process too."""


class _Operation(NamedTuple, Generic[_Item, _Done]):
    """How to process a chunk: `run_here` does it in this process, `task_of` and `result_of` by a worker.

    `prepare` runs once for each worker. A worker holds up to `ahead` chunks; `waiting` more are queued for each.
    """

    run_here: Callable[[list[_Item]], _Done]
    task_of: Callable[[list[_Item]], Task]
    result_of: Callable[[PoolWorker, list[_Item]], _Done]
    prepare: Callable[[PoolWorker], None]
    ahead: int
    waiting: int


class WorkerPool:
    """Processes many files with `workers` processes beside this one; they start on first use and run until `close`.

    The result never depends on the workers: this process redoes the chunks of a worker that fails.
    """

    def __init__(
        self, workers: int | None = None, command: Sequence[str] = COMMAND, most_entries: int = _MOST_ENTRIES
    ) -> None:
        self._count = min(_MAX_WORKERS, _processors() - 1) if workers is None else workers
        self._command = command
        self._most_entries = most_entries
        self._running: list[PoolWorker] = []
        self._started = False

    def parse(
        self, jobs: Iterable[Job], behind: Iterable[Job] = (), *, alone: bool = False
    ) -> Iterator[tuple[Job, Packed[FileFacts]]]:
        """Yields the facts of each job in the order of completion. `alone` starts no workers, for few files.

        This process takes from `jobs`, workers take from `behind`, and each continues with the other's rest. The
        iterables are read on demand: few sources are in memory at once.
        """
        decoder = msgspec.msgpack.Decoder(list[bytes])

        def run_here(chunk: list[Job]) -> list[tuple[Job, Packed[FileFacts]]]:
            if alone:  # so few facts are packed later, when no caller waits
                return [(job, Packed(None, unpack_facts, _parsed(job))) for job in chunk]
            return [(job, Packed(pack(_parsed(job)), unpack_facts)) for job in chunk]

        def result_of(worker: PoolWorker, chunk: list[Job]) -> list[tuple[Job, Packed[FileFacts]]]:
            facts = worker.answer(decoder)
            worker.parsed.update(zip((job.path for job in chunk), facts, strict=True))
            return [(job, Packed(file, unpack_facts)) for job, file in zip(chunk, facts, strict=True)]

        operation = _Operation(run_here, Parse, result_of, prepare=lambda _worker: None, ahead=3, waiting=3)
        for done in self._run(job_chunks(jobs), job_chunks(behind), operation, alone=alone):
            yield from done

    def resolve(
        self, files: "FileResolver", paths: Sequence[str]
    ) -> Iterator[Mapping[str, FileUses | Packed[FileUses]]]:
        """Yields the uses of some files at a time. `files` resolves this process' part and accepts those of workers."""
        from bearings.code.resolve.file_resolver import ResolvedFiles

        decoder = msgspec.msgpack.Decoder(ResolvedFiles)

        def result_of(worker: PoolWorker, chunk: list[str]) -> Mapping[str, FileUses | Packed[FileUses]]:
            answer = worker.answer(decoder)
            if [file.path for file in answer.files] != chunk:
                raise ValueError("the worker answered for other files than its task names")
            return files.accept(answer)

        def run_here(chunk: list[str]) -> Mapping[str, FileUses | Packed[FileUses]]:
            return files.uses_packed(chunk) if alone else files.uses_sparingly(chunk)

        operation = _Operation[str, Mapping[str, FileUses | Packed[FileUses]]](
            run_here=run_here,
            task_of=Resolve,
            result_of=result_of,
            prepare=lambda worker: _send_facts(worker, files),
            ahead=2,  # the worker resolves the next chunk while this process reads its answer
            waiting=2,
        )
        alone = sum(table.size for table in files.tables) > self._most_entries
        if alone:
            self.close()  # their processes hold the facts that they have parsed
        chunks = TwoEndedQueue(resolve_chunks(paths))
        yield from self._run(chunks.front(), chunks.back(), operation, alone=alone)

    def _run(
        self,
        chunks: Iterator[list[_Item]],
        behind: Iterator[list[_Item]],
        operation: "_Operation[_Item, _Done]",
        *,
        alone: bool = False,
    ) -> Iterator[_Done]:
        """Yields the result of each chunk as soon as it is complete. Ends at once if `chunks` is empty."""
        first = next(chunks, None)
        if first is None:
            return
        if not alone:
            self._start()
        queue: SharedQueue[_Item] = SharedQueue(shared=bool(self._running))
        done: SimpleQueue[_Done] = SimpleQueue()
        threads = [
            threading.Thread(target=self._feed, args=(worker, operation, queue, done), daemon=True)
            for worker in list(self._running)
        ]
        complete = False
        try:
            for thread in threads:
                thread.start()
            own, others = chain([first], chunks), chain(behind, chunks)
            yield from self._distribute(own, others, operation, queue, done, len(threads))
            for thread in threads:
                thread.join()
            yield from _all(done)
            while (chunk := queue.first()) is not None:  # chunks of workers that failed
                yield operation.run_here(chunk)
            complete = True
        finally:
            if not complete:
                self.close()

    def _distribute(
        self,
        own: Iterator[list[_Item]],
        others: Iterator[list[_Item]],
        operation: "_Operation[_Item, _Done]",
        queue: SharedQueue[_Item],
        done: "SimpleQueue[_Done]",
        workers: int,
    ) -> Iterator[_Done]:
        """Keeps the queue filled for the workers, and processes chunks itself."""
        try:
            while True:
                while len(queue) < workers * operation.waiting and (more := next(others, None)):
                    queue.add(more)
                yield from _all(done)
                chunk = next(own, None) or queue.first() or next(others, None)
                if chunk is None:
                    return
                yield operation.run_here(chunk)
        finally:
            queue.end()

    def _feed(
        self,
        worker: PoolWorker,
        operation: "_Operation[_Item, _Done]",
        queue: SharedQueue[_Item],
        done: "SimpleQueue[_Done]",
    ) -> None:
        """Feeds one worker until the queue ends. A worker that fails is ended, and its chunks return to the queue."""
        in_hand: list[list[_Item]] = []
        ended = False
        try:
            operation.prepare(worker)
            while True:
                if not ended and len(in_hand) < operation.ahead:
                    with suppress(Empty):
                        chunk = queue.last(wait=not in_hand)
                        ended = chunk is None
                        if chunk is not None:
                            in_hand.append(chunk)
                            worker.send(operation.task_of(chunk))
                            continue
                if not in_hand:
                    return
                done.put(operation.result_of(worker, in_hand[0]))
                del in_hand[0]
        except BaseException as error:
            for chunk in in_hand:
                queue.add(chunk)
            self._running = [other for other in self._running if other is not worker]
            worker.end()
            if not isinstance(error, _FAULTS):
                raise

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._running = [worker for _ in range(self._count) if (worker := start_worker(self._command)) is not None]

    def close(self) -> None:
        """Ends the workers. The next use starts new ones."""
        for worker in self._running:
            worker.end()
        self._running = []
        self._started = False


def main() -> int:
    """Serves the process that started this one until it closes the pipe."""
    gc.disable()
    with open(0, "rb", buffering=0, closefd=False) as incoming:  # a waiting thread must hold no lock at exit
        serve(incoming, sys.stdout.buffer)
    return 0


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Does tasks until the input ends. A thread reads them meanwhile, so that the sender does not block."""
    from bearings.code.resolve.file_resolver import FileResolver
    from bearings.code.resolve.modules.lookups import Modules
    from bearings.code.resolve.strategies import tables_with

    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, tasks), daemon=True).start()
    decoder = msgspec.msgpack.Decoder(Task)
    facts: PackedMap[FileFacts] = PackedMap()
    files = FileResolver(facts, ProjectFiles(frozenset()))
    own: dict[str, bytes] = {}
    with suppress(OSError):
        while message := tasks.get():
            match decoder.decode(message):
                case Parse(jobs):
                    packed = [pack(_parsed(job)) for job in jobs]
                    own.update(zip((job.path for job in jobs), packed, strict=True))
                    result: object = packed
                case Begin(paths, manifests, entries, root, folders):
                    files.close()
                    installed = InstalledPackages(Path(root), folders) if root else None
                    facts, project = PackedMap(), ProjectFiles(frozenset(paths), manifests, installed)
                    tables = tables_with(project, entries)
                    files = FileResolver(facts, project, Modules(project, tables[0].names()), tables)
                    result = 0
                case Learn(more):
                    facts.update({path: Packed(data or own[path], unpack_facts) for path, data in more.items()})
                    result = len(facts)
                case Resolve(paths):
                    result = files.resolved(paths)
            write(outgoing, msgspec.msgpack.encode(result))


def _listen(incoming: BinaryIO, tasks: "SimpleQueue[bytes]") -> None:
    """Reads tasks into a queue; empty bytes stand for the end."""
    with suppress(EOFError, OSError):
        while True:
            tasks.put(read(incoming))
    tasks.put(b"")


def _send_facts(worker: PoolWorker, files: "FileResolver") -> None:
    """Sends a project's facts to a worker in batches, so that few are in memory twice.

    Empty bytes stand for facts that the worker parsed itself.
    """
    from bearings.code.resolve.strategies import Entries

    decoder = msgspec.msgpack.Decoder(int)
    project = files.project
    root, folders = ("", ()) if project.installed is None else (project.installed.root, project.installed.folders)
    begin = Begin(sorted(project.paths), dict(project.manifests), dict(Entries(files.tables)), root, folders)
    worker.send(begin)
    worker.answer(decoder)
    paths = list(files.facts)
    for start in range(0, len(paths), _FACTS_BATCH):
        batch = {path: _packed(files.facts, path) for path in paths[start : start + _FACTS_BATCH]}
        worker.send(Learn({path: b"" if worker.parsed.get(path) == data else data for path, data in batch.items()}))
        worker.answer(decoder)


def _packed(facts: Mapping[str, FileFacts], path: str) -> bytes:
    packed = facts.packed(path) if isinstance(facts, PackedMap) else None
    return pack(facts[path]) if packed is None else packed


def _parsed(job: Job) -> FileFacts:
    """The facts of one file. Imports the parser late: a process that finds all facts in the store loads no grammar."""
    from bearings.code.parse import parse_file

    return parse_file(*job)


def _all(queue: "SimpleQueue[_Item]") -> Iterator[_Item]:
    """Takes the items of a queue until it is empty."""
    with suppress(Empty):
        while True:
            yield queue.get_nowait()


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
