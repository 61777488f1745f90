"""The stores of answers pass one suite: memory alone, a disk, a Redis, and a Redis with the disk behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bearings.clock import Clock
from bearings.errors import Unavailable
from bearings.places.remote.answer_store import AnswerStore, DiskAnswers
from bearings.places.remote.cache import EMPTY_TTL_S, ReplyCache
from bearings.places.remote.disk import Disk, Entry
from bearings.places.remote.shared import names
from bearings.places.remote.shared.answers import CLEARED_WITHIN_S, LARGEST, RedisAnswers
from bearings.places.remote.shared.connection import Gone
from bearings.places.remote.shared.fallback import AnswersOrDisk
from tests.places.remote.conftest import FakeClock
from tests.places.remote.shared.conftest import Connect
from tests.redis_server import RedisServer

pytestmark = pytest.mark.anyio

HIDDEN = names.Hidden("password")
MakeStore = Callable[[Clock], AnswerStore]


@dataclass
class Arm:
    """Makes stores, which stand for processes or replicas."""

    store: MakeStore
    clock: FakeClock

    def cache(self, ttl_s: float = 3600) -> ReplyCache:
        return ReplyCache(ttl_s=ttl_s, entries=9, store=self.store(self.clock), clock=self.clock)


def disk(directory: Path, name: str = "geo") -> DiskAnswers:
    return DiskAnswers(Disk(directory, name, 1_000_000))


def redis_answers(connect: Connect, server: RedisServer | str, clock: Clock) -> RedisAnswers:
    return RedisAnswers(connect(server, clock), HIDDEN, clock)


@pytest.fixture(params=["disk", "redis", "redis or disk"])
def arm(request: pytest.FixtureRequest, tmp_path: Path, connect: Connect, clock: FakeClock) -> Arm:
    if request.param == "disk":
        return Arm(lambda _: disk(tmp_path), clock)
    server: RedisServer = request.getfixturevalue("redis_server")
    if request.param == "redis":
        return Arm(lambda clock: redis_answers(connect, server, clock), clock)
    return Arm(lambda clock: AnswersOrDisk(redis_answers(connect, server, clock), disk(tmp_path), server.name), clock)


async def test_an_entry_is_there_for_another_process(arm: Arm, clock: FakeClock) -> None:
    here, there = arm.store(clock), arm.store(clock)
    assert await there.get("a") is None
    for key, kept in (("a", Entry(b"\x00\xff body", clock.now(), False)), ("b", Entry(b"[]", clock.now(), True))):
        await here.put(key, kept, 60)
        found = await there.get(key)
        assert found is not None
        assert (found.body, found.empty) == (kept.body, kept.empty)
        assert found.stored == pytest.approx(clock.now(), abs=1)
    await here.close()


async def test_an_entry_that_is_too_large_is_not_stored(arm: Arm, clock: FakeClock) -> None:
    store = arm.store(clock)
    await store.put("big", Entry(b"x" * (LARGEST + 1), clock.now(), False), 60)
    assert await store.get("big") is None


async def test_clearing_deletes_all_for_every_process_and_from_its_memory(arm: Arm, clock: FakeClock) -> None:
    here, there = arm.cache(), arm.cache()
    for key in ("a", "b"):
        await here.keep(key, b"body", empty=False)
        assert await there.stored(key)
        assert await there.remembered(key)
    await here.clear()
    assert await here.remembered("a") is None
    clock.time += CLEARED_WITHIN_S
    assert await there.remembered("a") is None
    assert await there.stored("a") is None
    await there.keep("a", b"anew", empty=False)
    assert (await here.stored("a")).body == b"anew"


async def test_a_lifetime_of_0_keeps_nothing(arm: Arm) -> None:
    cache = arm.cache(ttl_s=0)
    await cache.keep("a", b"body", empty=False)
    assert await cache.remembered("a") is None
    assert await cache.stored("a") is None


async def test_hits_and_misses_are_counted(arm: Arm) -> None:
    here, there = arm.cache(), arm.cache()
    assert await here.stored("a") is None
    await here.keep("a", b"body", empty=False)
    assert await there.stored("a")
    assert await there.remembered("a")
    assert await there.found("a")
    stats = await there.stats()
    assert (stats.hits, stats.misses, stats.disk_faults) == (2, 0, 0)
    assert (await here.stats()).misses == 1


# Redis alone


async def test_entries_expire_on_the_server_and_empty_ones_sooner(
    connect: Connect, redis_server: RedisServer, clock: FakeClock
) -> None:
    cache = ReplyCache(ttl_s=3600, entries=9, store=redis_answers(connect, redis_server, clock), clock=clock)
    await cache.keep("full", b"body", empty=False)
    with redis_server.client() as client:
        [key] = client.keys("*entry*")
        assert 3590 < client.ttl(key) <= 3600
        client.flushall()
        await cache.keep("empty", b"[]", empty=True)
        [key] = client.keys("*entry*")
        assert EMPTY_TTL_S - 10 < client.ttl(key) <= EMPTY_TTL_S


async def test_age_is_told_by_the_server_s_clock(connect: Connect, redis_server: RedisServer, clock: FakeClock) -> None:
    fast = FakeClock(clock.now() + 10_000)
    await redis_answers(connect, redis_server, fast).put("a", Entry(b"body", fast.now(), False), 60)
    found = await redis_answers(connect, redis_server, clock).get("a")
    assert found is not None
    assert found.stored == pytest.approx(clock.now(), abs=1)


async def test_keys_have_neither_the_question_nor_a_digest_that_others_can_make(
    connect: Connect, redis_server: RedisServer, clock: FakeClock
) -> None:
    await redis_answers(connect, redis_server, clock).put("seaford", Entry(b"body", 1.0, False), 60)
    with redis_server.client() as client:
        [key] = client.keys("*")
    assert key.startswith(b"bearings:1:entry:0:")
    assert b"seaford" not in key
    assert names.Hidden("password").digest("seaford") != names.Hidden("other").digest("seaford")
    assert names.Hidden("").digest("seaford") == names.Hidden("").digest("seaford")


STORED = b"1700000000.123456"


@pytest.mark.parametrize(
    "value",
    [b"", b"f", b"f" + STORED, b"x" + STORED + b"body", b"f9999999999.123456body", b"fnan" + b" " * 14 + b"body",
     b"finf" + b" " * 14 + b"body", b"f" + STORED + b"x" * (LARGEST + 1), b"\x80\x04pickle" * 9],
    ids=["empty", "flag", "no body", "other flag", "future", "nan", "inf", "too large", "pickle"],
)  # fmt: skip
async def test_what_is_no_entry_is_not_known(
    connect: Connect, redis_server: RedisServer, clock: FakeClock, value: bytes
) -> None:
    store = redis_answers(connect, redis_server, clock)
    await store.put("a", Entry(b"body", 1.0, False), 60)
    with redis_server.client() as client:
        [key] = client.keys("*")
        client.set(key, value)
    assert await store.get("a") is None


async def test_keys_of_other_kinds_are_not_known(connect: Connect, redis_server: RedisServer, clock: FakeClock) -> None:
    store = redis_answers(connect, redis_server, clock)
    with redis_server.client() as client:
        client.rpush(f"{names.ENTRIES}0:{HIDDEN.digest('a')}", "x")
        client.rpush(names.GENERATION, "x")
    assert await store.get("a") is None
    await store.put("b", Entry(b"body", 1.0, False), 60)
    assert await store.get("b")


async def test_clearing_leaves_other_keys_alone(connect: Connect, redis_server: RedisServer, clock: FakeClock) -> None:
    store = redis_answers(connect, redis_server, clock)
    with redis_server.client() as client:
        client.set("theirs", "x")
        client.set(names.ledger("geo.example.org"), "x")
    for number in range(300):
        await store.put(str(number), Entry(b"body", 1.0, False), 60)
    await store.clear()
    with redis_server.client() as client:
        assert {key.decode() for key in client.keys("*")} == {
            "theirs", names.ledger("geo.example.org"), names.GENERATION,
        }  # fmt: skip


# While Redis is gone


NOWHERE = "redis://127.0.0.1:1"


async def test_the_disk_stands_in_while_the_server_is_gone(connect: Connect, tmp_path: Path, clock: FakeClock) -> None:
    store = AnswersOrDisk(redis_answers(connect, NOWHERE, clock), disk(tmp_path), "redis")
    cache = ReplyCache(ttl_s=60, entries=9, store=store, clock=clock)
    assert await cache.stored("a") is None
    await cache.keep("a", b"body", empty=False)
    assert await disk(tmp_path).get("a")
    assert await cache.remembered("a")
    with pytest.raises(Unavailable, match="the answers that replicas share stay"):
        await cache.clear()
    assert await disk(tmp_path).get("a") is None
    assert (await cache.stats()).disk_faults == 1
    await cache.close()


async def test_without_a_disk_memory_works_alone(connect: Connect, clock: FakeClock) -> None:
    store = AnswersOrDisk(redis_answers(connect, NOWHERE, clock), None, "redis")
    cache = ReplyCache(ttl_s=60, entries=9, store=store, clock=clock)
    await cache.keep("a", b"body", empty=False)
    assert await cache.stored("a") is None
    assert await cache.remembered("a")
    with pytest.raises(Unavailable):
        await cache.clear()
    await cache.close()


async def test_a_cache_that_was_cleared_elsewhere_clears_the_disk_too(
    connect: Connect, redis_server: RedisServer, tmp_path: Path, clock: FakeClock
) -> None:
    local = disk(tmp_path)
    store = AnswersOrDisk(redis_answers(connect, redis_server, clock), local, "redis")
    await store.cleared()
    await local.put("a", Entry(b"body", 1.0, False), 60)
    await redis_answers(connect, redis_server, clock).clear()
    clock.time += CLEARED_WITHIN_S
    await store.cleared()
    assert await local.get("a") is None


async def test_a_gone_server_is_said_so(connect: Connect, clock: FakeClock) -> None:
    store = redis_answers(connect, NOWHERE, clock)
    for step in (store.get("a"), store.put("a", Entry(b"body", 1.0, False), 60), store.clear()):
        with pytest.raises(Gone):
            await step
