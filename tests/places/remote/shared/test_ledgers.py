"""The ledgers in a file and in Redis pass one suite, in real time with short intervals; then Redis's own rules."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest

from bearings.clock import SystemClock
from bearings.errors import Blocked, RateLimited
from bearings.places.remote.ledger import Ledger, LedgerFile
from bearings.places.remote.limiter import Limiter
from bearings.places.remote.pace import LONGEST_COOLDOWN_S, FileLedger, LedgerStore
from bearings.places.remote.shared import names
from bearings.places.remote.shared.ledger import RedisLedger
from tests.places.remote.conftest import a_server
from tests.places.remote.shared.conftest import Connect
from tests.redis_server import RedisServer

pytestmark = pytest.mark.anyio

PACE = 0.05
HOLD = 0.3
HOST = "geo.example.org"


@dataclass
class Arm:
    """Makes stores, which stand for processes or replicas; `later` moves all of a ledger's times into the past."""

    store: Callable[[float], LedgerStore]
    later: Callable[[float], None]

    def limiter(self, interval_s: float = PACE) -> Limiter:
        return Limiter(a_server(HOST, interval_s), self.store(interval_s), SystemClock())


@pytest.fixture(params=["file", "redis"])
def arm(request: pytest.FixtureRequest, tmp_path: Path, connect: Connect) -> Arm:
    if request.param == "file":
        file = LedgerFile(tmp_path / "pace", HOST)

        def aged(ledger: Ledger, seconds: float) -> Ledger:
            moved = {name: max(0.0, getattr(ledger, name) - seconds) for name in ("sent_at", "free_at", "refused_at")}
            return replace(ledger, **moved)

        return Arm(
            lambda interval_s: FileLedger(file, interval_s, SystemClock()),
            lambda seconds: file.change(lambda ledger: (aged(ledger, seconds), None)),
        )
    server: RedisServer = request.getfixturevalue("redis_server")
    warm(server)
    return Arm(lambda interval_s: redis_ledger(connect, server, interval_s), lambda seconds: age(server, seconds))


def redis_ledger(connect: Connect, server: RedisServer, interval_s: float = PACE) -> RedisLedger:
    return RedisLedger(connect(server), HOST, interval_s, SystemClock(), hold_s=HOLD)


def warm(server: RedisServer) -> None:
    """A ledger that this run of the server has written, long ago."""
    with server.client() as client:
        client.hset(names.ledger(HOST), "run", client.info("server")["run_id"])


def age(server: RedisServer, seconds: float) -> None:
    with server.client() as client:
        for field in ("sent_at", "free_at", "refused_at", "granted"):
            if float(client.hget(names.ledger(HOST), field) or 0):
                client.hincrbyfloat(names.ledger(HOST), field, -seconds)


async def granted(ledger: RedisLedger) -> None:
    """Take a grant; on a busy machine the first one may come too late to be used."""
    while (await ledger.confirm())[1] is not None:
        pass


async def leave(limiter: Limiter) -> None:
    await limiter.slot()
    await limiter.sent()


@pytest.mark.slow
async def test_requests_leave_an_interval_apart_whoever_sends_them(arm: Arm) -> None:
    async def send(limiter: Limiter) -> None:
        for _ in range(3):
            await leave(limiter)

    started = time.monotonic()
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(send, arm.limiter())
    assert time.monotonic() - started >= 8 * PACE - 0.01


async def test_the_first_request_goes_at_once_and_a_pause_earns_no_burst(arm: Arm) -> None:
    with anyio.fail_after(30):
        await leave(arm.limiter(100))
    arm.later(1000)
    limiter, started = arm.limiter(), time.monotonic()
    for _ in range(3):
        await leave(limiter)
    assert time.monotonic() - started >= 2 * PACE - 0.01


async def test_a_server_without_a_pace_is_asked_at_once(arm: Arm) -> None:
    limiter = arm.limiter(0)
    with anyio.fail_after(30):
        for _ in range(10):
            await limiter.slot()
            await limiter.answered()
    assert (await limiter.status()).next_slot_s == 0


async def test_a_request_that_left_late_delays_the_next(arm: Arm) -> None:
    late, punctual = arm.limiter(), arm.limiter()
    await late.slot()
    await anyio.sleep(PACE)
    left = time.monotonic()
    await late.sent()
    await punctual.slot()
    assert time.monotonic() - left >= PACE - 0.01


async def test_a_cancelled_waiter_frees_its_slot(arm: Arm) -> None:
    limiter = arm.limiter(100)
    await leave(limiter)
    before = (await limiter.status()).next_slot_s
    async with anyio.create_task_group() as group:
        group.start_soon(arm.limiter(100).slot)
        with anyio.fail_after(30):
            while (await limiter.status()).next_slot_s <= before:
                await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    assert (await limiter.status()).next_slot_s <= before


async def test_a_slot_with_another_behind_it_is_not_freed(arm: Arm) -> None:
    first, second = arm.store(100), arm.store(100)
    _, start = await first.reserve()
    await second.reserve()
    await first.give_back(start)
    standing = await first.read()
    assert standing.ledger.free_at == pytest.approx(start + 200, abs=0.01)


async def test_a_refusal_stops_everyone(arm: Arm) -> None:
    refused, other = arm.limiter(), arm.limiter(0)
    assert isinstance(await refused.refused(429, 30), RateLimited)
    for limiter in (refused, other, arm.limiter()):
        with pytest.raises(RateLimited) as caught:
            await limiter.slot()
        assert caught.value.retry_after_s == pytest.approx(30, abs=1)
        assert (await limiter.status()).reason == f"{HOST} answered HTTP 429"
    arm.later(31)
    await other.slot()
    assert (await other.status()).reason is None


@pytest.mark.slow
async def test_a_refusal_during_the_wait_stops_the_waiters(arm: Arm) -> None:
    limiter, caught = arm.limiter(0.5), []

    async def wait() -> None:
        try:
            await limiter.slot()
        except RateLimited as error:
            caught.append(error)

    await leave(limiter)
    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await arm.limiter().refused(429, 60)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("status", "asked", "lasts"),
    [(429, None, 60), (429, 0, 1.05), (429, 7, 7), (429, 1e9, LONGEST_COOLDOWN_S), (403, None, 900), (403, 5, 900)],
)
async def test_how_long_a_cool_down_lasts(arm: Arm, status: int, asked: float | None, lasts: float) -> None:
    standing = await arm.store(1.05).strike(status, asked)
    assert standing.cooldown_s == pytest.approx(lasts, abs=0.01)


async def test_refusals_that_go_on_last_longer_and_end_in_blocked(arm: Arm) -> None:
    seen = []
    for _ in range(4):
        error = await arm.limiter().refused(429, None)
        seen.append((type(error), error.retry_after_s))
        arm.later((error.retry_after_s or 0) + 1)
    assert seen == [(RateLimited, 60), (RateLimited, 120), (Blocked, 240), (Blocked, 480)]


async def test_refusals_of_one_volley_count_once_and_never_shorten(arm: Arm) -> None:
    limiter = arm.limiter()
    for wait in (100, 5, None):
        await limiter.refused(429, wait)
    assert (await limiter.status()).cooldown_s == pytest.approx(100, abs=1)
    assert isinstance(await limiter.refused(429, 1), RateLimited)


async def test_an_answer_makes_up_for_earlier_refusals(arm: Arm) -> None:
    for _ in range(2):
        await arm.limiter().refused(429, None)
        arm.later(3600)
    other = arm.limiter()
    await other.check()
    await other.answered()
    assert isinstance(await arm.limiter().refused(429, None), RateLimited)


async def test_a_clock_set_back_delays_requests_only_briefly(arm: Arm) -> None:
    limiter = arm.limiter()
    await leave(limiter)
    arm.later(-3600)
    started = time.monotonic()
    await limiter.slot()
    assert time.monotonic() - started < 60


# Redis alone: the answer that a request may leave takes a while


async def test_a_grant_holds_back_the_others_until_its_request_has_left(
    connect: Connect, redis_server: RedisServer
) -> None:
    warm(redis_server)
    first, second = (redis_ledger(connect, redis_server) for _ in range(2))
    await granted(first)
    standing, again = await second.confirm()
    assert again is not None
    assert standing.now < again <= standing.now + HOLD / 10 + 0.001
    await first.depart()
    standing, again = await second.confirm()
    assert again == pytest.approx(standing.ledger.sent_at + PACE, abs=1e-5)


@pytest.mark.slow
async def test_a_holder_that_died_holds_back_the_others_for_a_while_only(
    connect: Connect, redis_server: RedisServer
) -> None:
    warm(redis_server)
    started = time.monotonic()
    await granted(redis_ledger(connect, redis_server))
    await Limiter(a_server(HOST, PACE), redis_ledger(connect, redis_server), SystemClock()).slot()
    assert HOLD + PACE - 0.01 <= time.monotonic() - started < 60


async def test_a_departure_that_is_noted_too_late_does_not_end_the_grant_of_another(
    connect: Connect, redis_server: RedisServer
) -> None:
    warm(redis_server)
    first, second = (redis_ledger(connect, redis_server) for _ in range(2))
    await granted(first)
    age(redis_server, 10)
    await granted(second)
    await first.depart()
    with redis_server.client() as client:
        assert float(client.hget(names.ledger(HOST), "granted")) > 0


@pytest.mark.slow
async def test_a_server_that_may_have_forgotten_the_last_grant_assumes_one_now(
    connect: Connect, redis_server: RedisServer
) -> None:
    with redis_server.client() as client:
        client.hset(names.ledger(HOST), "run", "another")
    started = time.monotonic()
    await Limiter(a_server(HOST, PACE), redis_ledger(connect, redis_server), SystemClock()).slot()
    assert time.monotonic() - started >= HOLD + PACE - 0.01


class Slow(SystemClock):
    """A clock on which every answer takes as long as a grant holds."""

    def __init__(self) -> None:
        self.calls = 0

    def monotonic(self) -> float:
        self.calls += 1
        return self.calls * HOLD


async def test_a_grant_that_comes_late_is_not_used(connect: Connect, redis_server: RedisServer) -> None:
    warm(redis_server)
    late = RedisLedger(connect(redis_server), HOST, PACE, Slow(), hold_s=HOLD)
    standing, again = await late.confirm()
    assert again is not None
    assert again > standing.now


@pytest.mark.parametrize("value", ["", "x", "nan", "inf", "-1", "1e400", b"\xff"])
async def test_a_ledger_that_makes_no_sense_is_begun_anew(
    connect: Connect, redis_server: RedisServer, value: str | bytes
) -> None:
    warm(redis_server)
    with redis_server.client() as client:
        for field in ("sent_at", "free_at", "refused_at", "cooldown_s", "refused_with", "strikes", "granted"):
            client.hset(names.ledger(HOST), field, value)
    store = redis_ledger(connect, redis_server)
    assert (await store.read()).ledger == Ledger()
    with anyio.fail_after(30):
        await Limiter(a_server(HOST, PACE), store, SystemClock()).slot()


async def test_a_key_of_another_kind_is_replaced_by_a_new_ledger(connect: Connect, redis_server: RedisServer) -> None:
    shared = redis_ledger(connect, redis_server)
    with redis_server.client() as client:
        for make in (lambda key: client.set(key, "text"), lambda key: client.lpush(key, "a", "b")):
            client.delete(names.ledger(HOST))
            make(names.ledger(HOST))
            assert (await shared.read()).ledger == Ledger()
            make(names.ledger(HOST))
            _, start = await shared.reserve()
            assert client.type(names.ledger(HOST)) == b"hash"
            await shared.give_back(start)


async def test_a_cool_down_without_end_is_none(connect: Connect, redis_server: RedisServer) -> None:
    shared = redis_ledger(connect, redis_server)
    with redis_server.client() as client:
        client.hset(names.ledger(HOST), mapping={"cooldown_s": "1e300", "refused_at": "1e300", "free_at": "soon"})
    ledger = (await shared.read()).ledger
    assert (ledger.cooldown_s, ledger.free_at) == (LONGEST_COOLDOWN_S, 0)
