"""Clients of three replicas while their Redis is killed, hangs and comes back."""

import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from bearings.clock import SystemClock
from bearings.errors import BadResponse, Blocked, RateLimited, Unavailable
from bearings.places.remote.cache import ReplyCache
from bearings.places.remote.client import Question, Reading, RemoteClient
from bearings.places.remote.server import Server as Described
from bearings.places.remote.shared.replicas import Replicas
from tests.places.remote.conftest import FakeClock, a_server
from tests.places.remote.server import Server, answers, says, serving
from tests.redis_server import RedisServer

pytestmark = pytest.mark.anyio

PACE = 0.3


class Replica:
    """A client with a machine, and a Redis that it shares."""

    def __init__(self, server: Described, shared: RedisServer, directory: Path, clock: SystemClock | FakeClock) -> None:
        replicas = Replicas(shared.url, clock)
        cache = ReplyCache(ttl_s=60, entries=9, store=replicas.answers(None), clock=clock)
        self.remote = RemoteClient(server, cache, clock=clock, pace_dir=directory, replicas=replicas)

    async def ask(self, path: str) -> list[int]:
        return (await self.remote.ask(Question(path, {}, path, read))).value

    async def ask_until_answered(self, path: str) -> float:
        """The time at which the question was answered, although it may be refused for a while."""
        with anyio.fail_after(30):
            while True:
                try:
                    await self.ask(path)
                    return time.monotonic()
                except Unavailable:
                    await anyio.sleep(0.05)


def read(body: bytes) -> Reading[list[int]] | BadResponse:
    return Reading(json.loads(body))


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(says([1])) as running:
        yield running


def strict(server: Server, pace: float = PACE) -> Described:
    return replace(a_server(interval_s=pace, base_url=server.url), is_strict=True)


@pytest.mark.slow
async def test_a_strict_pace_holds_over_a_kill_and_a_restart(
    server: Server, own_redis: RedisServer, tmp_path: Path
) -> None:
    """While Redis is gone nothing leaves, and its new run waits as if a request had just left."""
    described = strict(server)
    replicas = [Replica(described, own_redis, tmp_path / name, SystemClock()) for name in "abc"]

    async def work(name: str, replica: Replica) -> None:
        for number in range(6):
            await replica.ask_until_answered(f"{name}{number}")

    async with anyio.create_task_group() as group:
        for name, replica in zip("abc", replicas, strict=True):
            group.start_soon(work, name, replica)
        await anyio.sleep(1.5)
        own_redis.kill()
        before = len(server.asked)
        await anyio.sleep(1.5)
        assert len(server.asked) <= before + 1  # a granted request may have been leaving
        own_redis.start()
    moments = [asked.at for asked in server.asked]
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    print(f"{len(moments)} requests, gaps {min(gaps):.3f}…{max(gaps):.3f} s")  # noqa: T201 - a figure for the docs
    assert len(moments) == 18
    assert min(gaps) >= PACE - 0.1  # arrivals, on a busy machine
    for replica in replicas:
        await replica.remote.close()


@pytest.mark.slow
async def test_a_strict_server_is_not_asked_while_redis_is_gone(
    server: Server, own_redis: RedisServer, tmp_path: Path, clock: FakeClock
) -> None:
    replica = Replica(strict(server), own_redis, tmp_path, clock)
    assert await replica.ask("a") == [1]
    own_redis.kill()
    for _ in range(2):
        with pytest.raises(Unavailable) as caught:
            await replica.ask("b")
    assert caught.value.retryable
    assert f"{own_redis.name}, where all replicas keep its pace, can't be reached" in caught.value.error
    assert "BEARINGS_SHARED" in caught.value.hint
    assert await replica.ask("a") == [1]  # from memory
    assert len(server.asked) == 1
    with pytest.raises(Unavailable):
        await replica.remote.limiter_status()
    own_redis.start()
    clock.time += 1
    assert await replica.ask("b") == [1]
    await replica.remote.close()


async def test_another_server_is_asked_at_this_machine_s_pace_until_redis_is_back(
    server: Server, own_redis: RedisServer, tmp_path: Path, clock: FakeClock
) -> None:
    replica = Replica(a_server(interval_s=10, base_url=server.url), own_redis, tmp_path, clock)
    own_redis.kill()
    started = clock.time
    for path in "abc":
        assert await replica.ask(path) == [1]
    assert clock.time - started >= 20
    assert list(tmp_path.glob("*.json"))  # noqa: ASYNC240 - after the work
    status = replica.remote.shared_status()
    assert status is not None
    assert (status.name, status.trouble) == (own_redis.name, "can't be reached")
    own_redis.start()
    clock.time += 1
    assert (await replica.remote.limiter_status()).interval_s == 10
    assert replica.remote.shared_status().trouble is None
    await replica.remote.close()


@pytest.mark.slow
@pytest.mark.parametrize(("status", "error"), [(429, RateLimited), (403, Blocked)])
async def test_a_refusal_while_redis_is_gone_counts_also_when_it_is_back(
    server: Server, own_redis: RedisServer, tmp_path: Path, clock: FakeClock, status: int, error: type[Exception]
) -> None:
    async def killing(*asked: object) -> None:
        own_redis.kill()
        await answers(status, "")(*asked)  # type: ignore[arg-type]

    server.behave = killing
    replica = Replica(strict(server, 0.01), own_redis, tmp_path, clock)
    with pytest.raises(error):
        await replica.ask("a")
    own_redis.start()
    clock.time += 1.5
    with pytest.raises(error):
        await replica.ask("b")
    assert len(server.asked) == 1
    await replica.remote.close()


@pytest.mark.slow
async def test_an_answer_that_comes_when_redis_is_gone_is_an_answer(
    server: Server, own_redis: RedisServer, tmp_path: Path, clock: FakeClock
) -> None:
    async def killing(*asked: object) -> None:
        own_redis.kill()
        await says([2])(*asked)  # type: ignore[arg-type]

    server.behave = killing
    replica = Replica(strict(server, 0.01), own_redis, tmp_path, clock)
    assert await replica.ask("a") == [2]
    assert await replica.ask("a") == [2]
    await replica.remote.close()
