"""Work that its time ends says how far it came, and the next attempt goes on from there."""

from itertools import count
from pathlib import Path

import pytest

from bearings.code.engine.deadline import Deadline
from bearings.code.engine.native import NativeEngine
from bearings.code.engine.session import Session
from bearings.code.index.demand import FEWEST
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.questions.unused import AskUnused
from bearings.errors import DeadlineExceeded
from bearings.progress import NoProgress, Progress
from tests.code.in_process import MemoryFacts
from tests.code.test_without_an_index import LARGE, MAX
from tests.code.trees import write


class Steps:
    """Progress that notes how many files were to be resolved."""

    def __init__(self) -> None:
        self.totals: list[float] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        if message == "resolving names" and done and total is not None:
            self.totals.append(total)


def reports(number: int, steps: Progress) -> Deadline:
    """A deadline that ends with so many reports."""
    return Deadline(steps, number, count().__next__)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    more = {f"halls/h{number}.py": f"from rooms.r{number} import sweep{number}\n" for number in range(FEWEST)}
    return write(tmp_path.resolve() / "large", {**LARGE, **more})


def test_a_report_after_the_deadline_says_how_far_the_work_came() -> None:
    times = iter((0.0, 107.9, 108.0))
    deadline = Deadline(NoProgress(), 108, times.__next__)
    deadline.update(4_119, 17_000, "reading files")
    with pytest.raises(DeadlineExceeded, match=r"^no answer within 108 s: reading files, 4,120 of 17,000$") as raised:
        deadline.update(4_120, 17_000, "reading files")
    assert "it goes on from there" in raised.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("is_same", [True, False], ids=["one process", "a process an attempt"])
def test_each_attempt_resolves_what_is_left(large: Path, tmp_path: Path, *, is_same: bool) -> None:
    facts = MemoryFacts()
    expected = Session(large, facts, MAX).answer(AskUnused(), NoProgress())
    session, steps = Session(large, facts, MAX, GraphStore(tmp_path / "cache")), Steps()
    for attempt in range(20):
        try:
            answer = session.answer(AskUnused(), reports(6, steps))
            break
        except DeadlineExceeded:
            assert attempt < 19
        if not is_same:
            session.keep()
            session = Session(large, facts, MAX, GraphStore(tmp_path / "cache"))
    assert answer.value == expected.value
    assert GraphStore(tmp_path / "cache").has(large)  # before the question is computed
    assert steps.totals == sorted(steps.totals, reverse=True)
    assert len(set(steps.totals)) > 2


@pytest.mark.slow
def test_an_edit_between_two_attempts_is_seen(large: Path, tmp_path: Path) -> None:
    session = Session(large, MemoryFacts(), MAX, GraphStore(tmp_path / "cache"))
    with pytest.raises(DeadlineExceeded, match="resolving names"):
        session.answer(AskUnused(), reports(9, Steps()))
    write(large, {"rooms/r1.py": "", "rooms/r999.py": "from rooms.house import air\nair()\n"})
    indexed = Session(large, MemoryFacts(), MAX).answer(AskUnused(), NoProgress())
    assert session.answer(AskUnused(), NoProgress()).value == indexed.value


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_worker_stops_before_it_is_killed(large: Path) -> None:
    engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX, share=0)
    try:
        with pytest.raises(DeadlineExceeded, match="no answer within 0 s: "):
            await engine.ask(large, AskUnused())
    finally:
        await engine.aclose()
