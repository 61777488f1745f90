"""The native engine under failures: workers that die, calls that take too long, callers that cancel."""

import os
import random
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from bearings.caller import Caller, calling
from bearings.code.engine.native import EACH_AT_WORK, NativeEngine
from bearings.code.engine.process import Worker, WorkerDied
from bearings.code.engine.standby_worker import COMMAND, StandbyWorker
from bearings.code.engine.wire import Hello
from bearings.code.facts.store import NoFacts
from bearings.code.question import Question
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan, ScanReply
from bearings.errors import DeadlineExceeded, Internal, InvalidInput, Unsupported
from bearings.progress import NoProgress
from tests.code.in_process import InProcessEngine
from tests.code.trees import SHOP, write

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(os.name != "posix", reason="workers are found and killed by signals"),
]

MAX = 10_000_000
SLOW = {f"slow{number}.py": "x = [" + "(1, 'a'), " * 40_000 + "]\n" for number in range(40)}
"""Takes seconds to parse, and far longer than any deadline here."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path) -> Path:
    return write(tmp_path.resolve() / "shop", SHOP)


@pytest.fixture
async def make() -> AsyncIterator[Callable[..., NativeEngine]]:
    """Creates engines and closes them at the end of the test."""
    engines: list[NativeEngine] = []

    def made(timeout_s: float = 60, cache_dir: Path | None = None, max_idle: int = 3) -> NativeEngine:
        engines.append(NativeEngine(timeout_s=timeout_s, cache_dir=cache_dir, max_file_bytes=MAX, max_idle=max_idle))
        return engines[-1]

    yield made
    for engine in engines:
        await engine.aclose()


class StartedProgress:
    """Progress that sets an event when work begins."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def update(self, done: float, total: float | None, message: str) -> None:
        self.begun.set()

    async def wait(self) -> None:
        assert await anyio.to_thread.run_sync(self.begun.wait, 30)


def children() -> set[int]:
    """The child processes of this process in the system, zombies included."""
    own = os.getpid()
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if entry.name.isdecimal() and int(fields[1]) == own:
            found.add(int(entry.name))
    return found


async def until(condition: Callable[[], object]) -> None:
    """Waits until a condition is true."""
    with anyio.fail_after(30):
        while not condition():
            await anyio.lowlevel.checkpoint()


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")


@needs_proc
class TestDeath:
    @pytest.mark.slow
    async def test_a_worker_killed_between_calls_is_replaced(self, make, shop):
        engine = make()
        for _ in range(8):
            before = children()
            assert (await engine.ask(shop, Scan())).index.files == 4
            for pid in children() - before:
                os.kill(pid, signal.SIGKILL)

    @pytest.mark.slow
    async def test_a_worker_killed_during_a_call_is_replaced_and_asked_again(self, make, tmp_path):
        root = write(tmp_path.resolve(), dict(list(SLOW.items())[:6]))
        engine, progress, before = make(), StartedProgress(), children()
        found = []

        async def asked() -> None:
            found.append(await engine.ask(root, Scan(), progress))

        async with anyio.create_task_group() as group:
            group.start_soon(asked)
            await progress.wait()
            [worker] = children() - before
            os.kill(worker, signal.SIGKILL)
        assert found[0].index.files == 6

    @pytest.mark.slow
    async def test_a_worker_killed_at_any_moment_never_gives_a_wrong_answer(self, make, shop):
        """A thread kills workers at random during calls; each answer is right or an error about dead workers."""
        engine, stop, chance = make(), threading.Event(), random.Random(7)
        before = children()
        kills = 0

        def kill_some() -> None:
            nonlocal kills
            while not stop.wait(chance.uniform(0.005, 0.12)):
                for pid in children() - before:
                    try:
                        os.kill(pid, signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass

        killer = threading.Thread(target=kill_some)
        killer.start()
        right = 0
        try:
            for number in range(40):
                write(shop, {"now.py": f"def now{number}(): pass\n"})
                try:
                    page = (await engine.ask(shop, Scan(path="now.py"))).value
                except Internal as error:
                    assert "ended twice" in error.error  # noqa: PT017 - one of two good ends
                else:
                    assert [symbol.name for symbol in page.elements] == [f"now{number}"]
                    right += 1
        finally:
            stop.set()
            killer.join()
        assert kills
        assert (await engine.ask(shop, Scan())).index.files == 5

    async def test_a_question_whose_workers_die_twice_is_an_error(self, make, tmp_path):
        root = write(tmp_path.resolve(), SLOW)
        engine, before, stop = make(), children(), threading.Event()

        def kill_all() -> None:
            while not stop.wait(0.01):
                for pid in children() - before:
                    os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_all)
        killer.start()
        try:
            with pytest.raises(Internal, match="ended twice") as caught:
                await engine.ask(root, Scan())
        finally:
            stop.set()
            killer.join()
        assert "smaller directory" in caught.value.hint

    @pytest.mark.slow
    async def test_the_time_in_the_queue_counts_as_waiting_time(self, make, tmp_path):
        root = write(tmp_path.resolve() / "big", {f"m{n}.py": f"def f{n}(a): return a\n" * 20 for n in range(200)})
        engine = make()
        took: list[float] = []

        async def ask() -> None:
            took.append((await engine.ask(root, Scan(most=1))).index.took_ms)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            tasks.start_soon(ask)
        again = (await engine.ask(root, Scan(most=1))).index.took_ms
        assert max(took) > again, "the tree was read for one of them"
        assert took[1] > 0.9 * took[0], "the second waited as long as the first"

    @pytest.mark.slow
    async def test_a_closed_engine_leaves_no_process(self, make, shop):
        before = children()
        engine = make()
        await engine.ask(shop, Scan())
        assert len(children() - before) == 1
        await engine.aclose()
        await until(lambda: children() <= before)
        with pytest.raises(Internal, match="closed"):
            await engine.ask(shop, Scan())

    @pytest.mark.slow
    async def test_closing_ends_running_calls(self, make, tmp_path):
        root = write(tmp_path.resolve(), SLOW)
        engine, progress, before = make(), StartedProgress(), children()

        async def asked() -> None:
            with pytest.raises(Internal, match="closed"):
                await engine.ask(root, Scan(), progress)

        async with anyio.create_task_group() as group:
            group.start_soon(asked)
            await progress.wait()
            await engine.aclose()
        await until(lambda: children() <= before)


class TestDeadline:
    @pytest.mark.slow
    async def test_a_call_that_takes_too_long_is_stopped(self, make, tmp_path):
        root = write(tmp_path.resolve(), SLOW)
        engine, before = make(timeout_s=0.5), children()
        started = time.monotonic()
        with pytest.raises(DeadlineExceeded, match=r"within 0\.5 s") as caught:
            await engine.ask(root, Scan())
        assert time.monotonic() - started < 10
        assert "CODEREF_TIMEOUT" in caught.value.hint
        assert caught.value.retryable
        await until(lambda: children() <= before)

    @pytest.mark.slow
    async def test_the_call_after_a_timeout_is_answered(self, make, tmp_path, shop):
        engine = make(timeout_s=0.05)
        with pytest.raises(DeadlineExceeded):
            await engine.ask(write(tmp_path.resolve() / "slow", SLOW), Scan())
        patient = make()
        assert (await patient.ask(shop, Scan())).index.files == 4
        for name in SLOW:
            (tmp_path / "slow" / name).unlink()
        calm = make(timeout_s=30)
        assert (await calm.ask(tmp_path.resolve() / "slow", Scan())).index.files == 0

    @pytest.mark.slow
    async def test_waiting_in_the_queue_counts_and_disturbs_no_other_call(self, make, tmp_path):
        root = write(tmp_path.resolve(), dict(list(SLOW.items())[:8]))
        patient, progress, found = make(), StartedProgress(), []

        async def asked() -> None:
            found.append(await patient.ask(root, Scan(), progress))

        async with anyio.create_task_group() as group:
            group.start_soon(asked)
            await progress.wait()
            with anyio.move_on_after(0.05) as scope:
                await patient.ask(root, Scan())
            assert scope.cancelled_caught
        assert found[0].index.files == 8


class TestCancellation:
    @pytest.mark.slow
    @needs_proc
    async def test_cancelled_work_stops_at_once(self, make, tmp_path):
        root = write(tmp_path.resolve(), SLOW)
        engine, progress, before = make(), StartedProgress(), children()
        async with anyio.create_task_group() as group:
            group.start_soon(engine.ask, root, Scan(), progress)
            await progress.wait()
            group.cancel_scope.cancel()
        await until(lambda: children() <= before)

    @pytest.mark.slow
    async def test_the_call_after_a_cancelled_one_is_answered(self, make, shop):
        engine = make()
        for wait in (0.0, 0.001, 0.01, 0.05, 0.1, 0.2):
            with anyio.move_on_after(wait):
                await engine.ask(shop, Scan())
        assert (await engine.ask(shop, Scan())).index.files == 4

    @pytest.mark.slow
    async def test_cancelling_an_in_process_call_returns_at_once(self, tmp_path):
        root = write(tmp_path.resolve(), dict(list(SLOW.items())[:3]))
        engine, progress = InProcessEngine(store=NoFacts(), max_file_bytes=MAX), StartedProgress()
        async with anyio.create_task_group() as group:
            group.start_soon(engine.ask, root, Scan(), progress)
            await progress.wait()
            group.cancel_scope.cancel()
        assert (await engine.ask(root, Scan())).index.files == 3


class TestManyProjects:
    @pytest.mark.slow
    async def test_a_slow_project_does_not_delay_another(self, make, tmp_path, shop):
        slow = write(tmp_path.resolve() / "slow", SLOW)
        engine, progress = make(), StartedProgress()
        async with anyio.create_task_group() as group:
            group.start_soon(engine.ask, slow, Scan(), progress)
            await progress.wait()
            for _ in range(5):
                await engine.ask(shop, Query(query_type="calls", element="fill"))
            assert not engine.is_idle(slow)
            group.cancel_scope.cancel()

    @needs_proc
    @pytest.mark.slow
    async def test_only_the_most_recent_projects_stay_in_memory(self, make, tmp_path):
        roots = [write(tmp_path.resolve() / str(number), SHOP) for number in range(5)]
        engine, before = make(max_idle=2), children()
        for root in roots * 2:
            assert (await engine.ask(root, Scan())).index.files == 4
            assert len(children() - before) <= 2


class TestWorker:
    def hello(self, root: Path) -> Hello:
        return Hello(str(root), None, MAX)

    @pytest.mark.slow
    async def test_modules_beside_the_server_are_not_imported(self, make, tmp_path, shop, monkeypatch):
        write(
            tmp_path / "trap", {"msgspec.py": "raise SystemExit(9)\n", "bearings/__init__.py": "raise SystemExit(9)\n"}
        )
        monkeypatch.chdir(tmp_path / "trap")
        assert (await make().ask(shop, Scan())).index.files == 4

    @pytest.mark.slow
    async def test_a_worker_ends_with_its_pipe(self, shop):
        worker = Worker.start(self.hello(shop))
        worker.exchange(Scan(), NoProgress())
        assert worker.alive
        worker.hang_up()
        await until(lambda: not worker.alive)
        with pytest.raises(WorkerDied):
            worker.exchange(Scan(), NoProgress())

    @pytest.mark.slow
    async def test_a_busy_worker_ends_with_its_pipe(self, tmp_path):
        root = write(tmp_path.resolve(), SLOW)
        worker, progress = Worker.start(self.hello(root)), StartedProgress()
        ends: list[WorkerDied] = []

        def exchange() -> None:
            try:
                worker.exchange(Scan(), progress)
            except WorkerDied as error:
                ends.append(error)

        thread = threading.Thread(target=exchange)
        thread.start()
        await progress.wait()
        worker.hang_up()
        await until(lambda: not worker.alive)
        thread.join()
        assert len(ends) == 1

    async def test_killing_twice_is_no_error(self, shop):
        worker = Worker.start(self.hello(shop))
        assert worker.pid > 0
        worker.kill()
        worker.kill()
        assert not worker.alive


class UnknownQuestion(Question[ScanReply], frozen=True, kw_only=True):
    answer = ScanReply


async def test_an_unknown_question_is_unsupported(shop):
    engine = InProcessEngine(store=NoFacts(), max_file_bytes=MAX)
    with pytest.raises(Unsupported, match="UnknownQuestion"):
        await engine.ask(shop, UnknownQuestion())


@pytest.mark.slow
async def test_errors_cross_the_pipe_unchanged(make, shop):
    native, direct = make(), InProcessEngine(store=NoFacts(), max_file_bytes=MAX)
    for engine in (native, direct):
        with pytest.raises(InvalidInput) as caught:
            await engine.ask(shop, Scan(cursor="??"))
        assert (caught.value.field, caught.value.code) == ("cursor", "invalid_input")
        assert "next_cursor" in caught.value.hint


def test_the_worker_command_is_this_python():
    assert COMMAND[0] == sys.executable


@needs_proc
class TestSpare:
    @pytest.mark.slow
    async def test_the_standby_worker_answers_first(self, shop):
        before, spare = children(), StandbyWorker()
        (ready,) = children() - before
        engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare)
        assert (await engine.ask(shop, Scan())).index.files == 4
        assert children() - before == {ready}
        await engine.aclose()

    @pytest.mark.slow
    @pytest.mark.parametrize("is_right", [True, False])
    async def test_a_standby_worker_with_a_project_serves_its_current_state_only(self, shop, is_right):
        before, spare = children(), StandbyWorker()
        (standby,) = children() - before
        spare.expect(Hello(str(shop if is_right else shop.parent), None, MAX))
        (shop / "late.py").write_text("def late(): pass\n")
        engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare)
        assert (await engine.ask(shop, Scan())).index.files == 5
        assert (standby in children()) is is_right
        assert len(children() - before) == 1
        await engine.aclose()

    @pytest.mark.slow
    async def test_a_standby_worker_reads_a_project_that_was_missing_when_asked(self, tmp_path):
        spare, gone = StandbyWorker(), tmp_path / "gone"
        spare.expect(Hello(str(gone), None, MAX))
        engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare)
        gone.mkdir()
        assert (await engine.ask(gone, Scan())).index.files == 0
        await engine.aclose()

    @pytest.mark.slow
    async def test_a_standby_worker_without_a_hello_serves_any_project(self, shop):
        before, spare = children(), StandbyWorker()
        spare.expect(Hello(str(shop) + "\udcff", None, MAX))
        engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare)
        assert (await engine.ask(shop, Scan())).index.files == 4
        assert len(children() - before) == 1
        await engine.aclose()

    @pytest.mark.slow
    async def test_a_dead_standby_worker_is_replaced(self, shop):
        before, spare = children(), StandbyWorker()
        os.kill((children() - before).pop(), signal.SIGKILL)
        engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare)
        assert (await engine.ask(shop, Scan())).index.files == 4
        await engine.aclose()

    async def test_an_unused_standby_worker_ends_with_its_engine(self):
        before, spare = children(), StandbyWorker()
        (unasked,) = children() - before
        await NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, spare=spare).aclose()
        assert unasked not in children()
        assert spare.take(Hello("/", None, MAX)) is None


@pytest.mark.slow
async def test_a_caller_with_many_questions_does_not_block_the_others(make, shop):
    engine = make()
    answered: list[str] = []

    async def ask(key: str) -> None:
        with calling(Caller(key)):
            await engine.ask(shop, Scan())
        answered.append(key)

    async with anyio.create_task_group() as group:
        for _ in range(30):
            group.start_soon(ask, "greedy")
        await anyio.wait_all_tasks_blocked()
        group.start_soon(ask, "modest")
    assert len(answered) == 31
    assert answered.index("modest") <= 2 * EACH_AT_WORK
