"""Work on a Dask cluster: the order of results, lost workers, wrong addresses. Workers are processes over TCP."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bearings.cluster import workers
from bearings.errors import InvalidInput, Unavailable


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def deadly(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def untraced(**variables: str) -> dict[str, str]:
    """An environment in which coverage does not trace a program: it takes ten times as long."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")} | variables


@contextmanager
def scheduler(count: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and its workers, each a process of its own, as `dask scheduler` and `dask worker` start them."""
    from distributed import Client

    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
    ]
    with subprocess.Popen(command, env=untraced(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "Scheduler at:" in line)
        address = line.split("Scheduler at:")[1].strip()
        made = [worker(address) for _ in range(count)]
        try:
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(count, timeout=60)
            yield address, made
        finally:
            for each in made:
                each.kill()
                each.wait(10)
            process.kill()


def worker(address: str) -> subprocess.Popen[bytes]:
    """A worker of one thread that is not started again when it dies."""
    options = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", os.environ.get("TMPDIR", "/tmp")]
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, *options],
        env=untraced(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_this_process_works_alone() -> None:
    with workers(None) as there:
        assert [result for result, _ in there.results(squared, range(4))] == [0, 1, 4, 9]


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes can import this module."""
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.mark.slow
@pytest.mark.usefixtures("importable")
def test_processes_of_this_machine_answer_in_order() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(40):
            taken = number + 1
            yield number

    with workers(None, local=2) as there:
        results = there.results(squared, tasks())
        first = next(results)
        assert taken < 6
        rest = list(results)
    assert [first[0], *(square for square, _ in rest)] == [number * number for number in range(40)]
    pids = {pid for _, pid in rest}
    assert len(pids) == 2
    assert os.getpid() not in pids
    assert not any(is_running(pid) for pid in pids)


def test_processes_are_not_started_for_a_single_task() -> None:
    with workers(None, local=4) as there:
        assert list(there.results(squared, iter([3]))) == [(9, os.getpid())]
        assert list(there.results(squared, iter(()))) == []


@pytest.mark.slow
@pytest.mark.usefixtures("importable")
def test_a_process_of_this_machine_that_dies_is_said() -> None:
    with workers(None, local=2) as there, pytest.raises(Unavailable, match="a worker process ended"):
        list(there.results(deadly, range(3)))


@pytest.mark.slow
@pytest.mark.usefixtures("importable")
def test_processes_end_when_their_results_are_left() -> None:
    with workers(None, local=2) as there:
        results = there.results(squared, range(100))
        next(results)
        _, pid = next(results)
        results.close()  # type: ignore[attr-defined]
    assert not is_running(pid)


@pytest.mark.slow
@pytest.mark.usefixtures("importable")
def test_processes_end_with_the_one_that_started_them() -> None:
    code = (
        "import os, signal\nfrom bearings.cluster import workers\nfrom tests.test_cluster import squared\n"
        "with workers(None, local=1 + 1) as there:\n"
        "    for _, pid in there.results(squared, range(100)):\n"
        "        print(pid, flush=True)\n        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=untraced(), check=False)
    pid = int(done.stdout.split()[0])
    deadline = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Whether a process is there, and no zombie that nobody has waited for yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
def test_results_come_in_order_from_several_processes() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(200):
            taken += 1
            yield number

    with scheduler(2) as (address, _), workers(address) as there:
        results = there.results(squared, tasks())
        first = next(results)
        assert taken < 20
        found = [first, *results]
    assert [result for result, _ in found] == [number * number for number in range(200)]
    assert len({pid for _, pid in found} - {os.getpid()}) == 2


@pytest.mark.slow
def test_a_cluster_is_started_here() -> None:
    with workers("local", local=2) as there:
        assert [result for result, _ in there.results(squared, range(8))] == [number * number for number in range(8)]


@pytest.mark.slow
def test_a_task_that_kills_its_workers_is_given_up() -> None:
    with workers("local", local=1) as there, pytest.raises(Unavailable, match="again and again"):
        list(there.results(deadly, [1]))


@pytest.mark.slow
def test_an_address_that_is_none_is_said() -> None:
    with pytest.raises(InvalidInput, match="is no address of a Dask scheduler"), workers("nowhere"):
        pass


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_said() -> None:
    with pytest.raises(Unavailable, match="no Dask scheduler answers"), workers("tcp://127.0.0.1:9"):
        pass
