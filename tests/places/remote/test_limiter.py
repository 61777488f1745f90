"""The pace between requests and the cool-downs, within one process and among several."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from bearings.errors import Blocked, RateLimited, WriteFailed
from bearings.places.remote.ledger import Ledger, LedgerFile
from bearings.places.remote.limiter import Limiter
from bearings.places.remote.pace import LONGEST_COOLDOWN_S, FileLedger
from tests.places.remote.conftest import FakeClock, a_server

pytestmark = pytest.mark.anyio

PACE = 1.05
MakeLimiter = Callable[..., Limiter]


def a_limiter(directory: Path, clock: FakeClock, host: str = "geo.example.org", interval_s: float = PACE) -> Limiter:
    """A limiter over a file in the directory."""
    store = FileLedger(LedgerFile(directory, host), interval_s, clock)
    return Limiter(a_server(host, interval_s), store, clock)


@pytest.fixture
def make_limiter(tmp_path: Path, clock: FakeClock) -> MakeLimiter:
    """Makes limiters that stand for processes: they share a directory and the time only."""

    def make(host: str = "geo.example.org", interval_s: float = PACE) -> Limiter:
        return a_limiter(tmp_path / "pace", clock, host, interval_s)

    return make


def ledger_file(tmp_path: Path) -> Path:
    return tmp_path / "pace" / "geo.example.org.json"


async def test_the_first_request_goes_at_once_and_each_further_one_an_interval_later(
    make_limiter: MakeLimiter, clock: FakeClock
) -> None:
    start, limiter = clock.time, make_limiter()
    moments = []
    for _ in range(5):
        await limiter.slot()
        moments.append(round(clock.time - start, 3))
    assert moments == [0, 1.05, 2.1, 3.15, 4.2]


async def test_processes_share_one_pace_and_a_pause_earns_no_burst(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    first, second = make_limiter(), make_limiter()
    await first.slot()
    clock.time += 100
    moments = []
    for limiter in (first, second, first, second):
        await limiter.slot()
        moments.append(clock.time)
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert min(gaps) >= PACE - 0.001


async def test_another_host_has_a_pace_of_its_own(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    await make_limiter().slot()
    await make_limiter("other.example.org").slot()
    assert sum(clock.slept) == 0


async def test_a_server_without_a_pace_is_asked_at_once_and_no_file_is_written(
    make_limiter: MakeLimiter, clock: FakeClock, tmp_path: Path
) -> None:
    limiter = make_limiter(interval_s=0)
    for _ in range(10):
        await limiter.slot()
        await limiter.answered()
    assert clock.slept == []
    assert not (tmp_path / "pace").exists()
    assert (await limiter.status()).next_slot_s == 0


class LateClock(FakeClock):
    """Wakes its sleepers late."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds + 0.4 if seconds else 0)


async def test_a_late_waiter_delays_the_next(tmp_path: Path) -> None:
    clock = LateClock()
    late = a_limiter(tmp_path, clock)
    await late.slot()
    await late.slot()
    sent = clock.time
    others = FakeClock(sent + 0.1)
    await a_limiter(tmp_path, others).slot()
    assert others.now() - sent >= PACE - 0.001


async def test_a_reserved_slot_is_checked_against_the_last_request_sent(
    make_limiter: MakeLimiter, clock: FakeClock, tmp_path: Path
) -> None:
    file = LedgerFile(tmp_path / "pace", "geo.example.org")

    class Interfering(FakeClock):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds)
            if len(self.slept) == 2:  # another process's request has just left late
                file.change(lambda _: (Ledger(sent_at=self.time - 0.05, free_at=self.time + 1), None))

    late = Interfering()
    limiter = a_limiter(tmp_path / "pace", late)
    await limiter.slot()
    await limiter.slot()
    assert late.slept[-1] == pytest.approx(1.0)


async def test_a_request_that_left_late_pushes_the_next(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    late, punctual = make_limiter(), make_limiter()
    await late.slot()
    clock.time += 0.4
    await late.sent()
    left = clock.time
    await punctual.slot()
    assert clock.time - left >= PACE - 0.001


async def test_a_cancelled_waiter_frees_the_last_slot(tmp_path: Path, clock: FakeClock) -> None:
    class Stuck(FakeClock):
        async def sleep(self, seconds: float) -> None:
            if seconds:
                await anyio.sleep_forever()

    limiter = a_limiter(tmp_path, Stuck())
    await limiter.slot()
    before = (await limiter.status()).next_slot_s
    async with anyio.create_task_group() as group:
        group.start_soon(limiter.slot)
        with anyio.fail_after(10):
            while (await limiter.status()).next_slot_s == before:
                await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    assert (await limiter.status()).next_slot_s == before


async def test_a_refusal_stops_every_process(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    refused, other = make_limiter(), make_limiter(interval_s=0)
    assert isinstance(await refused.refused(429, 30), RateLimited)
    for limiter in (refused, other):
        with pytest.raises(RateLimited) as caught:
            await limiter.slot()
        assert caught.value.retry_after_s == 30
        assert (await limiter.status()).reason == "geo.example.org answered HTTP 429"
        assert (await limiter.status()).cooldown_s == 30
    clock.time += 30.5
    await other.slot()
    assert (await other.status()).reason is None


async def test_a_refusal_during_the_wait_stops_the_waiters(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path, "geo.example.org")

    class Refusing(FakeClock):
        async def sleep(self, seconds: float) -> None:
            file.change(lambda _: (Ledger(refused_at=self.time, cooldown_s=60, refused_with=429, strikes=1), None))
            await super().sleep(seconds)

    with pytest.raises(RateLimited):
        await a_limiter(tmp_path, Refusing()).slot()


@pytest.mark.parametrize(
    ("status", "asked", "lasts"),
    [
        (429, None, 60),
        (429, 0, PACE),
        (429, 7, 7),
        (429, 1e9, LONGEST_COOLDOWN_S),
        (403, None, 900),
        (403, 5, 900),
        (403, 1800, 1800),
    ],
)
async def test_how_long_a_cool_down_lasts(
    make_limiter: MakeLimiter, status: int, asked: float | None, lasts: float
) -> None:
    limiter = make_limiter()
    await limiter.refused(status, asked)
    assert (await limiter.status()).cooldown_s == pytest.approx(lasts)


async def test_refusals_that_go_on_last_longer_and_end_in_blocked(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    seen = []
    for _ in range(4):
        limiter = make_limiter()
        error = await limiter.refused(429, None)
        seen.append((type(error), error.retry_after_s))
        clock.time += (await limiter.status()).cooldown_s + 1
    assert seen == [(RateLimited, 60), (RateLimited, 120), (Blocked, 240), (Blocked, 480)]
    assert "geo.example.org/policy" in error.hint


async def test_refusals_of_one_volley_count_once_and_never_shorten(make_limiter: MakeLimiter) -> None:
    limiter = make_limiter()
    for wait in (100, 5, None):
        await limiter.refused(429, wait)
    assert (await limiter.status()).cooldown_s == 100
    assert isinstance(await limiter.refused(429, 1), RateLimited)


async def test_an_answer_makes_up_for_earlier_refusals(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    limiter = make_limiter()
    for _ in range(2):
        await limiter.refused(429, None)
        clock.time += 3600
    other = make_limiter()
    await other.slot()
    await other.answered()
    assert isinstance(await limiter.refused(429, None), RateLimited)


async def test_a_ban_is_blocked_and_cites_the_policy(make_limiter: MakeLimiter) -> None:
    error = await make_limiter().refused(403, None)
    assert isinstance(error, Blocked)
    assert "geo.example.org/policy" in error.hint


# The clock and the file


@pytest.mark.parametrize("back", [10, 3600, 10**9])
async def test_a_clock_set_back_delays_requests_only_briefly(
    make_limiter: MakeLimiter, clock: FakeClock, back: float
) -> None:
    limiter = make_limiter()
    for _ in range(3):
        await limiter.slot()
    clock.time -= back
    clock.slept.clear()
    await limiter.slot()
    assert PACE - 0.001 <= sum(clock.slept) < back + 3 * PACE
    assert sum(clock.slept) <= 110


async def test_a_clock_set_back_does_not_prolong_a_cool_down(make_limiter: MakeLimiter, clock: FakeClock) -> None:
    limiter = make_limiter()
    await limiter.refused(429, 60)
    clock.time -= 86400
    assert (await limiter.status()).cooldown_s == 60


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff", b'{"sent_at": "x"}', b'{"sent_at": NaN}', b'{"sent_at": -1}', b"[" * 9999],
)
async def test_a_ledger_that_makes_no_sense_is_begun_anew(
    make_limiter: MakeLimiter, tmp_path: Path, content: bytes
) -> None:
    file = ledger_file(tmp_path)
    file.parent.mkdir()
    await anyio.Path(file).write_bytes(content)
    await make_limiter().slot()
    said = json.loads(await anyio.Path(file).read_bytes())
    assert said["sent_at"] > 0


async def test_a_draft_that_a_killed_writer_left_does_no_harm(make_limiter: MakeLimiter, tmp_path: Path) -> None:
    draft = ledger_file(tmp_path).with_suffix(".new")
    draft.parent.mkdir()
    await anyio.Path(draft).write_text('{"sent_at": 17')
    await make_limiter().slot()
    assert not draft.exists()


async def test_without_a_writable_directory_nothing_is_sent(tmp_path: Path, clock: FakeClock) -> None:
    blocked = tmp_path / "file"
    await anyio.Path(blocked).write_text("not a directory")
    with pytest.raises(WriteFailed) as caught:
        await a_limiter(blocked, clock).slot()
    assert str(blocked) in caught.value.hint


@pytest.mark.parametrize("host", ["../../etc/passwd", "[::1]:8080", "x" * 300, "..", "GEO.example.org"])
async def test_any_host_has_a_file_in_the_directory(tmp_path: Path, clock: FakeClock, host: str) -> None:
    await a_limiter(tmp_path / "pace", clock, host).slot()
    assert [path async for path in anyio.Path(tmp_path / "pace").glob("*.json")]
    assert [path.name async for path in anyio.Path(tmp_path).iterdir()] == ["pace"]
