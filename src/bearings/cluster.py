"""Where pieces of long work run: in this process, in others of this machine, or on a Dask cluster.

    with workers("tcp://10.0.0.1:8786") as there:
        for result in there.results(scanned, tasks):
            ...

`work` is a function of a module that the workers can import, and tasks and results are pickled, so both are plain data.
An error that a task can meet is a part of its result: most of ours can't be pickled.
"""

import gc
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bearings.errors import InvalidInput, Unavailable, Unsupported

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

Task = TypeVar("Task")
Result = TypeVar("Result")

LOCAL = "local"
"""The scheduler's address for a cluster of processes that is started here, and stopped at the end."""

_ANY_PORT = {"dashboard_address": "127.0.0.1:0"}
"""Where the scheduler's HTTP server listens: its usual port may be another cluster's, and is open to other machines."""

_PATIENCE_S = 20
"""How long a scheduler, and its first worker, may take to answer."""

_AHEAD = 4
"""Tasks under way for each thread of a worker: enough that none waits, few enough that results need little memory."""


class Workers(Protocol):
    """Runs tasks and gives their results back in order."""

    def results(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in the order of the tasks. Tasks are taken as they are needed; a bounded number is under way.

        Raises Unavailable if workers are lost again and again, and whatever `work` raises.
        """
        ...


def workers(scheduler: str | None, *, local: int | None = None) -> AbstractContextManager[Workers]:
    """Workers at a scheduler's address ("tcp://host:8786"), of a cluster started here ("local"), or of this machine.

    `local` is the number of processes, of the cluster (None: one a processor) or without any (None: this one alone).
    Raises InvalidInput for an address that is none, Unsupported without the extra, Unavailable if no worker answers.
    """
    if scheduler is not None:
        return _on_dask(scheduler.strip(), local)
    return nullcontext(_Here() if local in (None, 1) else _Processes(local or 1))


def processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Here:
    """This process."""

    def results(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """One after another; see Workers."""
        return map(work, tasks)


class _Processes:
    """Processes beside this one, which end with it."""

    def __init__(self, count: int) -> None:
        self._count = count

    def results(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """In order, with a task more under way than there are processes; a single task is done here. See Workers."""
        tasks = iter(tasks)
        head = list(islice(tasks, 2))
        if len(head) < 2:
            yield from map(work, head)
            return
        with ProcessPoolExecutor(self._count, get_context("spawn"), _begin) as pool:
            under_way: deque[Future[Result]] = deque()
            try:
                for task in chain(head, tasks):
                    under_way.append(pool.submit(work, task))
                    if len(under_way) > self._count:
                        yield under_way.popleft().result()
                while under_way:
                    yield under_way.popleft().result()
            except BrokenProcessPool as error:
                hint = "Most often the memory is too small: use fewer workers."
                raise Unavailable("a worker process ended", hint) from error
            finally:
                pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Begin a process: Ctrl-C is for the one that started it, and it ends when that one does, killed or not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000, 20, 20)  # most of what it makes stays
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()


class _Dask:
    """The workers of a Dask cluster."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def results(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """In order, with a window of tasks under way; see Workers."""
        under_way: deque[DaskFuture[Any]] = deque()
        for task in tasks:
            under_way.append(self._client.submit(work, task, pure=False))
            while len(under_way) >= self._window():
                yield _result(under_way.popleft())
        while under_way:
            yield _result(under_way.popleft())

    def _window(self) -> int:
        """Tasks under way at most: workers come and go."""
        return _AHEAD * max(1, sum(self._client.nthreads().values()))  # type: ignore[no-untyped-call]


def _result(future: "DaskFuture[Any]") -> Any:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        raise Unavailable(
            f"workers are lost at the same task again and again ({error.allowed_failures + 1} times)",
            "Look at the workers' logs: most often their memory is too small.",
        ) from error


@contextmanager
def _on_dask(scheduler: str, local: int | None) -> Iterator[Workers]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise Unsupported(
            "a scheduler needs Dask, which is not installed", "Install it: pip install '.[dask]' in a checkout."
        ) from error
    if scheduler != LOCAL:
        with _connected(Client, scheduler) as client:
            yield _Dask(client)
        return
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=local,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs=_ANY_PORT,
            silence_logs=logging.ERROR,  # on a busy machine it warns that workers end slowly
        ) as cluster,
        _connected(Client, cluster) as client,
    ):
        yield _Dask(client)


def _connected(client: "type[Client]", address: Any) -> "Client":
    """A client with at least one worker. Raises InvalidInput, Unavailable."""
    try:
        connected = client(address, timeout=_PATIENCE_S, set_as_default=False)
    except ValueError as error:
        remedy = "Give the address that dask-scheduler prints, such as tcp://10.0.0.1:8786, or local."
        raise InvalidInput("scheduler", address, "is no address of a Dask scheduler", remedy) from error
    except (OSError, TimeoutError) as error:
        raise Unavailable(f"no Dask scheduler answers at {address}", "Start it: dask scheduler.") from error
    try:
        connected.wait_for_workers(1, timeout=_PATIENCE_S)
    except TimeoutError as error:
        connected.close()  # type: ignore[no-untyped-call]
        raise Unavailable(
            f"the Dask scheduler at {address} has no worker", f"Start one: dask worker {address} --nthreads 1."
        ) from error
    return connected
