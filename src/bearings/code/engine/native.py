"""Our own engine: a worker process for each project, which holds its graph and can be killed at any moment."""

import os
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from pathlib import Path
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from bearings.caller import Roots, caller
from bearings.code.engine.process import Worker, WorkerDied
from bearings.code.engine.protocol import ENGINE_NAME, Answer
from bearings.code.engine.questions.base import A_co, Question
from bearings.code.engine.standby_worker import StandbyWorker
from bearings.code.engine.wire import Hello
from bearings.code.project.roots import shared
from bearings.errors import DeadlineExceeded, Internal
from bearings.progress import NoProgress, Progress

MAX_IDLE = 3
"""Idle projects whose graphs stay in memory: those asked about last."""

MAX_AT_WORK = 16
"""Projects that are worked on at the same time; a question about another one waits for its turn."""

EACH_AT_WORK = 4
"""Questions of one caller that may work or queue for a project; its others wait, so that it can't fill every queue."""

_THREADS = 4 * MAX_AT_WORK
"""More than calls at work: a thread whose call was given up needs a moment to notice."""


class NativeEngine:
    """Drives worker processes: one question at a time for each project, any number of projects at once.

    A question has `timeout_s` seconds, waiting for its turn included; then its worker is killed, and so it is when the
    caller gives up. A worker that dies is replaced, and its question asked once more. Facts are stored in `cache_dir`;
    None stores nothing, so a new worker reads everything. The first worker is the `spare` one, if there is one.
    No git directory outside `roots`, or outside the caller's own, is read; None: any may be. So callers who may read
    different directories have workers of their own.
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
    ) -> None:
        self._timeout_s = timeout_s
        self._cache_dir = cache_dir
        self._max_file_bytes = max_file_bytes
        self._max_idle = max_idle
        self._desks: OrderedDict[tuple[Path, Roots], _Desk] = OrderedDict()
        self._threads: anyio.CapacityLimiter | None = None
        self._at_work: anyio.Semaphore | None = None
        self._shares: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._spare = spare
        self._roots = None if roots is None else tuple(Path(os.path.realpath(root)) for root in roots)
        self._closed = False

    @property
    def name(self) -> str:
        """What replies call it."""
        return ENGINE_NAME

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine. Raises DeadlineExceeded in time, whatever the worker does."""
        started = time.perf_counter()
        roots = shared(self._roots, caller().roots)
        desk = self._desks.setdefault((root, roots), _Desk(root, roots))
        self._desks.move_to_end((root, roots))
        desk.callers += 1
        has_turn = False
        try:
            with anyio.fail_after(self._timeout_s):
                async with self._share(), desk.turn, self._room():
                    has_turn = True
                    answer = await self._asked(desk, question, progress or NoProgress())
                    return answer.after(time.perf_counter() - started)
        except TimeoutError:
            raise self._late(has_turn) from None
        finally:
            desk.callers -= 1
            self._dismiss(self._max_idle)

    def is_idle(self, root: Path) -> bool:
        """Whether nobody waits for an answer about the project."""
        return not any(desk.callers for desk in self._desks.values() if desk.root == root)

    async def aclose(self) -> None:
        """Ends every worker: those at work at once, others as soon as they have kept what they know."""
        self._closed = True
        if self._spare is not None:
            self._spare.close()
        for desk in self._desks.values():
            desk.dismiss() if desk.callers else desk.release()
        self._desks.clear()

    def _late(self, has_turn: bool) -> DeadlineExceeded:
        if has_turn:
            return DeadlineExceeded(
                f"no answer within {self._timeout_s:g} s, so the work was stopped",
                "Ask again: what was read so far is kept. For a very large project pass a smaller directory as "
                "project_path, or raise CODEREF_TIMEOUT.",
            )
        return DeadlineExceeded(
            f"no answer within {self._timeout_s:g} s: calls that came before this one took all of it",
            "Ask again when they are answered: they go on. CODEREF_TIMEOUT sets how long a call may wait.",
        )

    async def _asked(self, desk: "_Desk", question: Question[A_co], progress: Progress) -> Answer[A_co]:
        """The answer of the project's worker, or of the next, if the first dies."""
        died = ""
        for _ in range(2):
            if self._closed:
                raise Internal("the engine was closed", "Ask a new one.")
            roots = None if desk.roots is None else tuple(map(str, desk.roots))
            hello = Hello(str(desk.root), self._cache(), self._max_file_bytes, roots=roots)
            worker = desk.staffed(hello, self._spare)
            try:
                return await anyio.to_thread.run_sync(
                    worker.exchange, question, progress, abandon_on_cancel=True, limiter=self._limiter()
                )
            except WorkerDied as error:
                died = str(error)
                desk.dismiss()
            except BaseException as error:
                if isinstance(error, anyio.get_cancelled_exc_class()):
                    desk.dismiss()  # nobody waits for what it does
                raise
        raise Internal(
            f"the engine's process ended twice while it worked on this question ({died})",
            "Memory may have run out: pass a smaller directory as project_path. The log may say more.",
        )

    def _dismiss(self, keep: int) -> None:
        """Lets idle workers go, beyond the `keep` that were asked last."""
        idle = [key for key, desk in self._desks.items() if not desk.callers]
        for key in idle[: max(0, len(idle) - keep)]:
            self._desks.pop(key).dismiss()

    def _cache(self) -> str | None:
        return str(self._cache_dir) if self._cache_dir else None

    def _room(self) -> anyio.Semaphore:
        """Bounds how many workers are busy."""
        if self._at_work is None:
            self._at_work = anyio.Semaphore(MAX_AT_WORK)
        return self._at_work

    def _share(self) -> AbstractAsyncContextManager[object]:
        """Bounds what one of several callers has in the queues; a caller without a name is the only one."""
        key = caller().key
        if not key:
            return nullcontext()
        share = self._shares.get(key)
        if share is None:
            share = self._shares[key] = anyio.Semaphore(EACH_AT_WORK)
        return share

    def _limiter(self) -> anyio.CapacityLimiter:
        """Threads of our own, so that long scans take none from other work."""
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(_THREADS)
        return self._threads


class _Desk:
    """The place of a project and its callers of equal rights: the queue, and the worker, if there is one."""

    def __init__(self, root: Path, roots: Roots) -> None:
        self.root = root
        self.roots = roots
        self.turn = anyio.Lock()
        self.callers = 0
        self._worker: Worker | None = None

    def staffed(self, hello: Hello, spare: StandbyWorker | None) -> Worker:
        """The worker, alive as far as can be seen; the spare or a new one where there is none."""
        if self._worker is not None and not self._worker.alive:
            self.dismiss()
        if self._worker is None:
            self._worker = Worker.start(hello, spare)
        return self._worker

    def release(self) -> None:
        """Lets the worker end by itself: it keeps what it knows, which nobody need wait for."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.hang_up()

    def dismiss(self) -> None:
        """Kills the worker, if there is one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            with suppress(ProcessLookupError):
                worker.kill()
