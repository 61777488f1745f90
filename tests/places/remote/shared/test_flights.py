"""Single flight: within a process and over replicas, by one suite; then what holds for replicas alone."""

import asyncio
from collections.abc import Awaitable, Callable

import anyio
import pytest

from bearings.clock import SystemClock
from bearings.places.remote.disk import Entry
from bearings.places.remote.inflight import InFlight
from bearings.places.remote.shared import names
from bearings.places.remote.shared.answers import LARGEST
from bearings.places.remote.shared.flights import RedisFlights
from tests.places.remote.shared.conftest import Connect
from tests.redis_server import RedisServer

pytestmark = pytest.mark.anyio

Join = Callable[[str, Callable[[], Awaitable[Entry]]], Awaitable[Entry]]
MakeJoin = Callable[[], Join]
LEASE = 0.3


def replica(connect: Connect, server: RedisServer | str) -> RedisFlights:
    return RedisFlights(connect(server), names.Hidden(""), SystemClock(), lease_s=LEASE)


@pytest.fixture(params=["process", "replicas"])
def make(request: pytest.FixtureRequest, connect: Connect) -> MakeJoin:
    """Makes places to call from: one process, or a replica each."""
    if request.param == "process":
        flights: InFlight[Entry] = InFlight()
        return lambda: flights.join  # type: ignore[return-value]
    server: RedisServer = request.getfixturevalue("redis_server")
    return lambda: replica(connect, server).join


class Work:
    """Counts its runs and ends when it may."""

    def __init__(self, *, fails: int = 0, body: bytes = b"body") -> None:
        self.runs = 0
        self.together = 0
        self.most_together = 0
        self.go = anyio.Event()
        self.begun = anyio.Event()
        self.cancelled = 0
        self._fails = fails
        self._body = body

    async def __call__(self) -> Entry:
        self.runs += 1
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        self.begun.set()
        try:
            await self.go.wait()
            if self.runs <= self._fails:
                raise ValueError("no luck")
            return Entry(self._body, 1.0, False)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.together -= 1


async def together(joins: list[Join], work: Work, keys: list[str] | None = None) -> list[object]:
    """What each caller gets, or its error."""
    got: list[object] = []

    async def call(join: Join, key: str) -> None:
        try:
            got.append((await join(key, work)).body)
        except ValueError as error:
            got.append(error)

    async with anyio.create_task_group() as group:
        for join, key in zip(joins, keys or ["a"] * len(joins), strict=True):
            group.start_soon(call, join, key)
        await work.begun.wait()
        await anyio.sleep(0.1)
        work.go.set()
    return got


async def test_identical_questions_at_once_are_asked_once(make: MakeJoin) -> None:
    work = Work()
    assert await together([make() for _ in range(5)], work) == [b"body"] * 5
    assert work.runs == 1


async def test_different_questions_are_asked_apart(make: MakeJoin) -> None:
    work = Work()
    await together([make() for _ in range(3)], work, ["a", "b", "c"])
    assert work.runs == 3


async def test_a_later_question_is_asked_again(make: MakeJoin) -> None:
    work = Work()
    for _ in range(2):
        await together([make()], work)
    assert work.runs == 2


async def test_a_cancelled_caller_leaves_the_others_their_answer(make: MakeJoin) -> None:
    work, got = Work(), []
    hasty: asyncio.Task[Entry] = asyncio.create_task(make()("a", work))  # type: ignore[arg-type]
    await work.begun.wait()

    async def patient(join: Join) -> None:
        got.append((await join("a", work)).body)

    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(patient, make())
        await anyio.sleep(0.1)
        hasty.cancel()
        await asyncio.wait([hasty])
        work.go.set()
    assert got == [b"body"] * 2


async def test_an_error_reaches_its_caller(make: MakeJoin) -> None:
    assert [type(error) for error in await together([make()], Work(fails=1))] == [ValueError]


# Replicas


@pytest.mark.slow
async def test_after_a_failure_the_others_ask_one_after_another(connect: Connect, redis_server: RedisServer) -> None:
    work = Work(fails=2)
    got = await together([replica(connect, redis_server).join for _ in range(4)], work)
    assert [type(one) for one in got].count(ValueError) == 2
    assert got.count(b"body") == 2
    assert work.most_together == 1
    assert work.runs in (3, 4)  # the last one may look only after the third has asked and left


async def test_an_answer_that_is_too_large_to_share_is_asked_for_one_after_another(
    connect: Connect, redis_server: RedisServer
) -> None:
    work = Work(body=b"x" * (LARGEST + 1))
    await together([replica(connect, redis_server).join for _ in range(2)], work)
    assert (work.runs, work.most_together) == (2, 1)


async def test_a_lease_ends_with_its_holder(connect: Connect, redis_server: RedisServer) -> None:
    with redis_server.client() as client:
        client.set(names.Hidden("").lease("a"), "a dead holder", px=200)
    work = Work()
    work.go.set()
    with anyio.fail_after(30):
        await replica(connect, redis_server).join("a", work)
    assert work.runs == 1


@pytest.mark.slow
async def test_a_lease_is_prolonged_while_its_holder_works(connect: Connect, redis_server: RedisServer) -> None:
    first, second = Work(), Work()
    second.go.set()
    async with anyio.create_task_group() as group:
        group.start_soon(replica(connect, redis_server).join, "a", first)
        await first.begun.wait()
        group.start_soon(replica(connect, redis_server).join, "a", second)
        await anyio.sleep(2 * LEASE)
        first.go.set()
    assert (first.runs, second.runs) == (1, 0)


@pytest.mark.slow
async def test_what_a_flight_left_is_no_entry(connect: Connect, redis_server: RedisServer) -> None:
    with redis_server.client() as client:
        client.set(names.Hidden("").lease("a"), "holder", px=400)
        client.set(f"{names.LANDED}holder", "nonsense")
    work = Work()
    work.go.set()
    with anyio.fail_after(30):
        assert (await replica(connect, redis_server).join("a", work)).body == b"body"


async def test_nothing_stays_behind_but_the_answer_for_a_while(connect: Connect, redis_server: RedisServer) -> None:
    work = Work()
    await together([replica(connect, redis_server).join], work)
    with redis_server.client() as client:
        [key] = client.keys("*")
        assert key.startswith(names.LANDED.encode())
        assert 0 < client.pttl(key) <= 5000


async def test_while_the_server_is_gone_each_asks_for_itself(connect: Connect) -> None:
    work = Work()
    assert await together([replica(connect, "redis://127.0.0.1:1").join for _ in range(2)], work) == [b"body"] * 2
    assert work.runs == 2


async def test_a_server_that_is_gone_in_the_meantime_lets_all_ask(connect: Connect, own_redis: RedisServer) -> None:
    work = Work()
    got: list[bytes] = []

    async def call() -> None:
        got.append((await replica(connect, own_redis).join("a", work)).body)

    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(call)
        await work.begun.wait()
        await anyio.sleep(0.1)
        own_redis.kill()
        with anyio.fail_after(30):
            while work.runs < 2:
                await anyio.lowlevel.checkpoint()
        work.go.set()
    assert got == [b"body"] * 2
