"""The native engine: a worker process for each project, which holds its graph and can be killed at any moment."""

import os
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
from msgspec.structs import replace

from bearings.caller import Roots, caller
from bearings.code.engine.deadline import SHARE
from bearings.code.engine.process import Worker, WorkerDied
from bearings.code.engine.standby_worker import StandbyWorker
from bearings.code.engine.wire import Hello
from bearings.code.project.roots import shared
from bearings.code.question import ENGINE_NAME, A_co, Answer, Question
from bearings.errors import DeadlineExceeded, Internal
from bearings.progress import NoProgress, Progress

MAX_IDLE = 3
"""Idle projects whose graphs stay in memory: the most recently used."""

MAX_AT_WORK = 16
"""Projects that are worked on at the same time; questions about others wait."""

EACH_AT_WORK = 4
"""Questions of one caller that may work or queue for a project; the rest wait, so that no caller fills every queue."""

_THREADS = 4 * MAX_AT_WORK
"""More than the calls at work: the thread of a cancelled call needs a moment to notice."""


class NativeEngine:
    """Drives worker processes: one question at a time for each project, several projects at once.

    A question has `timeout_s` seconds, including its time in the queue. After a `share` of them its worker stops and
    says how far it came; at the end it is killed, as it is when the caller cancels. A worker that dies is replaced, and
    its question is asked once more. Facts are stored in `cache_dir`; None stores nothing, so a new worker reads
    everything. The `spare` worker, if any, becomes the first one. Git directories outside `roots`, and outside the
    caller's own roots, are not read; None allows any. Callers with different roots therefore have separate workers.
    `index_behind`: after an answer without an index, one is made in a process of its own, at a low priority.
    """

    def __init__(
        self,
        *,
        timeout_s: float,
        cache_dir: Path | None,
        max_file_bytes: int,
        max_idle: int = MAX_IDLE,
        spare: StandbyWorker | None = None,
        roots: Sequence[Path] | None = None,
        index_behind: bool = False,
        share: float = SHARE,
    ) -> None:
        self._index_behind = index_behind and cache_dir is not None
        self._timeout_s = timeout_s
        self._share = share
        self._cache_dir = cache_dir
        self._max_file_bytes = max_file_bytes
        self._max_idle = max_idle
        self._queues: OrderedDict[tuple[Path, Roots], _ProjectQueue] = OrderedDict()
        self._threads = anyio.CapacityLimiter(_THREADS)
        """A limit of its own, so that long scans take no threads from other work."""
        self._busy_slots = anyio.Semaphore(MAX_AT_WORK)
        """Limits the number of busy workers."""
        self._caller_slots: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._spare = spare
        self._roots = None if roots is None else tuple(Path(os.path.realpath(root)) for root in roots)
        self._closed = False

    @property
    def name(self) -> str:
        """The engine's name in replies."""
        return ENGINE_NAME

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine. Raises DeadlineExceeded after `timeout_s`, whatever the worker does."""
        started = time.perf_counter()
        roots = shared(self._roots, caller().roots)
        queue = self._queues.setdefault((root, roots), _ProjectQueue(root, roots))
        self._queues.move_to_end((root, roots))
        queue.callers += 1
        has_turn = False
        try:
            with anyio.fail_after(self._timeout_s):
                async with self._caller_slot(), queue.turn, self._busy_slots:
                    has_turn = True
                    until = started + self._share * self._timeout_s
                    answer = await self._ask_worker(queue, question, progress or NoProgress(), until)
                    return answer.after(time.perf_counter() - started)
        except DeadlineExceeded:
            if self._makes_index(question):
                queue.index_behind(self._hello(queue))
            raise
        except TimeoutError:
            goes_on = has_turn and self._makes_index(question)
            if goes_on:
                queue.index_behind(self._hello(queue))
            raise self._deadline_error(question, has_turn=has_turn, goes_on=goes_on) from None
        finally:
            queue.callers -= 1
            self._evict(self._max_idle)

    def is_idle(self, root: Path) -> bool:
        """Whether no question about the project is open."""
        return not any(queue.callers for queue in self._queues.values() if queue.root == root)

    def is_ready(self, root: Path) -> bool:
        """Whether a worker holds the project for callers without roots, and no question about it is open."""
        queue = self._queues.get((root, None))
        return queue is not None and not queue.callers and queue.has_worker

    async def aclose(self) -> None:
        """Ends every worker: busy ones at once, idle ones after they have stored their snapshots."""
        self._closed = True
        if self._spare is not None:
            self._spare.close()
        for queue in self._queues.values():
            queue.kill() if queue.callers else queue.hang_up()
            queue.end_behind()
        self._queues.clear()

    def _makes_index(self, question: Question[Any]) -> bool:
        """Whether a process beside the worker may make the index that a question needs."""
        return self._index_behind and question.at is None and not question.edits

    def _hello(self, queue: "_ProjectQueue") -> Hello:
        roots = None if queue.roots is None else tuple(map(str, queue.roots))
        cache = str(self._cache_dir) if self._cache_dir else None
        return Hello(str(queue.root), cache, self._max_file_bytes, roots=roots)

    def _deadline_error(self, question: Question[Any], *, has_turn: bool, goes_on: bool) -> DeadlineExceeded:
        if has_turn and question.edits:
            return DeadlineExceeded(
                f"no answer within {self._timeout_s:g} s, so the work was stopped: all files are written, or none",
                "Look whether they are, then ask again. CODEREF_TIMEOUT sets how long a call may take.",
            )
        if goes_on:
            return DeadlineExceeded(
                f"no answer within {self._timeout_s:g} s; indexing the project goes on",
                "Ask again: the answer comes once that is done. For a very large project pass a smaller directory as "
                "project_path, or raise CODEREF_TIMEOUT.",
            )
        if has_turn:
            return DeadlineExceeded(
                f"no answer within {self._timeout_s:g} s, so the work was stopped",
                "Ask again: the facts read so far are stored. For a very large project pass a smaller directory as "
                "project_path, or raise CODEREF_TIMEOUT.",
            )
        return DeadlineExceeded(
            f"no answer within {self._timeout_s:g} s: earlier calls were still running",
            "Ask again when they have ended; they continue. CODEREF_TIMEOUT sets how long a call may wait.",
        )

    async def _ask_worker(
        self, queue: "_ProjectQueue", question: Question[A_co], progress: Progress, until: float
    ) -> Answer[A_co]:
        """The answer of the project's worker; if it dies, of a second one."""
        cause = ""
        for _ in range(2):
            if self._closed:
                raise Internal("the engine is closed", "Create a new engine.")
            worker = queue.worker_for(self._hello(queue), self._spare)
            seconds = round(max(until - time.perf_counter(), 0), 1)
            try:
                answer = await anyio.to_thread.run_sync(
                    worker.exchange, question, progress, seconds, abandon_on_cancel=True, limiter=self._threads
                )
            except WorkerDied as error:
                cause = str(error)
                queue.kill()
            except BaseException as error:
                if isinstance(error, anyio.get_cancelled_exc_class()):
                    queue.kill()  # the caller has cancelled
                raise
            else:
                if answer.index.read is not None and self._makes_index(question):
                    queue.index_behind(self._hello(queue))
                return answer
        raise Internal(
            f"the engine's process ended twice while it worked on this question ({cause})",
            "Memory may have run out: pass a smaller directory as project_path. The log may say more.",
        )

    def _evict(self, keep: int) -> None:
        """Kills idle workers beyond the `keep` most recently used."""
        idle = [key for key, queue in self._queues.items() if not queue.callers]
        for key in idle[: max(0, len(idle) - keep)]:
            queue = self._queues.pop(key)
            queue.kill()
            queue.end_behind()

    def _caller_slot(self) -> AbstractAsyncContextManager[object]:
        """Limits the open questions of one caller; an unnamed caller is the only one and has no limit."""
        key = caller().key
        if not key:
            return nullcontext()
        slot = self._caller_slots.get(key)
        if slot is None:
            slot = self._caller_slots[key] = anyio.Semaphore(EACH_AT_WORK)
        return slot


class _ProjectQueue:
    """The queue and the worker, if any, of one project and its callers with equal roots."""

    def __init__(self, root: Path, roots: Roots) -> None:
        self.root = root
        self.roots = roots
        self.turn = anyio.Lock()
        self.callers = 0
        self._worker: Worker | None = None
        self._behind: Worker | None = None

    @property
    def has_worker(self) -> bool:
        """Whether a worker runs."""
        return self._worker is not None and self._worker.alive

    def worker_for(self, hello: Hello, spare: StandbyWorker | None) -> Worker:
        """A running worker: the current one, the standby one, or a new one."""
        if self._worker is not None and not self._worker.alive:
            self.kill()
        if self._worker is None:
            self._worker = Worker.start(hello, spare)
        return self._worker

    def index_behind(self, hello: Hello) -> None:
        """Lets a process of its own index the project, once."""
        if self._behind is None:
            self._behind = Worker.start(replace(hello, behind=True))
            self._behind.work_alone()

    def end_behind(self) -> None:
        """Kills that process, unless it has ended."""
        if self._behind is not None:
            with suppress(ProcessLookupError):
                self._behind.kill()

    def hang_up(self) -> None:
        """Lets the worker store its snapshot and end, without waiting for it."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.hang_up()

    def kill(self) -> None:
        """Kills the worker, if any."""
        worker, self._worker = self._worker, None
        if worker is not None:
            with suppress(ProcessLookupError):
                worker.kill()
