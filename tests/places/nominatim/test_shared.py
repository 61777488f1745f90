"""Nominatim's client and source with BEARINGS_SHARED: what replicas share, and what they say of it."""

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from bearings.errors import InvalidInput, Unavailable
from bearings.places.models import SearchQuery
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import PUBLIC_URL
from bearings.places.nominatim.source import NominatimSource
from tests.places.nominatim.conftest import row, settings
from tests.places.nominatim.test_client import Counting
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import Server, says
from tests.redis_server import PASSWORD, QUOTED, RedisServer, guarded_redis, own_redis, redis_server, running_redis

__all__ = ["guarded_redis", "own_redis", "redis_server", "running_redis"]

pytestmark = pytest.mark.anyio

SEAFORD = SearchQuery(text="Seaford")
MakeReplica = Callable[..., NominatimClient]


@pytest.fixture
async def make_replica(tmp_path: Path, clock: FakeClock) -> AsyncIterator[MakeReplica]:
    """Makes clients, each with a machine of its own, that share a Redis; closes them."""
    made: list[NominatimClient] = []

    def make(shared: RedisServer | str, transport: httpx2.AsyncBaseTransport | None = None, **values: Any) -> Any:
        url = shared if isinstance(shared, str) else shared.url
        machine = tmp_path / f"machine {len(made)}"
        made.append(
            NominatimClient(
                settings(shared=url, **values),
                cache_dir=machine / "cache",
                pace_dir=machine / "pace",
                clock=clock,
                transport=transport,
            )
        )
        return made[-1]

    yield make
    for client in made:
        await client.close()


DAMAGED = {
    "broken JSON": lambda whole: whole[:18] + b"{broken",
    "JSON of another kind": lambda whole: whole[:18] + b'"text"',
    "rows of other kinds": lambda whole: whole[:18] + b'[null, 7, {"place_id": "x"}]',
    "cut": lambda whole: whole[:30],
    "cut in its time": lambda whole: whole[:9],
    "another flag": lambda whole: b"x" + whole[1:],
    "another time": lambda whole: whole[:1] + b"yesterday--------" + whole[18:],
    "too large": lambda whole: whole + b" " * 2_000_000,
    "bytes": lambda whole: bytes(range(256)),
    "nothing": lambda whole: b"",
}


@pytest.mark.parametrize("damage", DAMAGED)
async def test_a_damaged_answer_is_asked_anew_and_replaced(
    make_replica: MakeReplica, server: Server, redis_server: RedisServer, damage: str
) -> None:
    here, there, third = (make_replica(redis_server, base_url=server.url) for _ in range(3))
    good = (await here.search(SEAFORD)).value
    with redis_server.client() as client:
        for key in client.scan_iter("bearings:1:entry:*"):
            client.set(key, DAMAGED[damage](client.get(key)))
    assert (await there.search(SEAFORD)).value == good
    assert len(server.asked) == 2
    assert (await third.search(SEAFORD)).value == good
    assert len(server.asked) == 2


async def test_keys_of_other_kinds_stop_no_question(
    make_replica: MakeReplica, server: Server, redis_server: RedisServer
) -> None:
    here, there = (make_replica(redis_server, base_url=server.url) for _ in range(2))
    good = (await here.search(SEAFORD)).value
    with redis_server.client() as client:
        for key in client.scan_iter("bearings:1:*"):
            client.delete(key)
            client.lpush(key, "a", "b")
        client.delete("bearings:1:generation")
        client.sadd("bearings:1:generation", "a")
    assert (await there.search(SEAFORD)).value == good
    status = there.shared_status()
    assert status is not None
    assert status.trouble is None


async def test_a_second_replica_answers_without_a_request(
    make_replica: MakeReplica, server: Server, redis_server: RedisServer, tmp_path: Path, clock: FakeClock
) -> None:
    here, there = (make_replica(redis_server, base_url=server.url) for _ in range(2))
    assert not (await here.search(SEAFORD)).cached
    clock.time += 5
    answer = await there.search(SEAFORD)
    assert answer.cached
    assert answer.age_s < 5
    assert (await there.search(SEAFORD)).cached
    assert len(server.asked) == 1
    stats = await there.cache_stats()
    assert (stats.shared, stats.shared_hits, stats.hits) == (redis_server.name, 1, 2)
    assert not list(tmp_path.rglob("*.sqlite3"))  # noqa: ASYNC240 - after the work


async def test_clearing_forgets_in_every_replica(
    make_replica: MakeReplica, server: Server, redis_server: RedisServer, clock: FakeClock
) -> None:
    here, there = (make_replica(redis_server, base_url=server.url) for _ in range(2))
    await here.search(SEAFORD)
    await there.search(SEAFORD)
    await there.clear_cache()
    clock.time += 1
    assert not (await here.search(SEAFORD)).cached
    assert len(server.asked) == 2


@pytest.mark.parametrize("ttl", [3600, 0])
async def test_identical_calls_of_replicas_are_one_request_whatever_is_cached(
    make_replica: MakeReplica, redis_server: RedisServer, ttl: float
) -> None:
    transport = Counting()
    replicas = [make_replica(redis_server, transport, cache_ttl=ttl) for _ in range(3)]
    names: list[str] = []

    async def ask(replica: NominatimClient) -> None:
        names.extend(place.name for place in (await replica.search(SEAFORD)).value.places)

    async with anyio.create_task_group() as group:
        for replica in replicas:
            for _ in range(100):
                group.start_soon(ask, replica)
        with anyio.fail_after(30):
            while not transport.requests:
                await anyio.lowlevel.checkpoint()
            await anyio.sleep(0.1)
        transport.go.set()
    assert names == ["Seaford"] * 300
    assert len(transport.requests) == 1
    await replicas[0].search(SEAFORD)
    assert len(transport.requests) == (1 if ttl else 2)


async def test_an_answer_with_unreadable_rows_reaches_the_others_and_is_not_kept(
    make_replica: MakeReplica, server: Server, redis_server: RedisServer
) -> None:
    server.behave = says([row(), {"lat": None}])
    here, there = (make_replica(redis_server, base_url=server.url) for _ in range(2))
    for client in (here, there):
        assert len((await client.search(SEAFORD)).value.places) == 1
    assert len(server.asked) == 2


@pytest.mark.slow
async def test_over_tls_with_a_password_and_without_a_trace_of_it(
    make_replica: MakeReplica, server: Server, guarded_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_replica(guarded_redis, base_url=server.url)
    source = NominatimSource(client, settings(base_url=server.url, shared=guarded_redis.url))
    await source.search(SEAFORD)
    said = await source.status()
    assert said.ready
    assert said.detail.endswith(f"pace and cache are shared through {guarded_redis.name}")
    assert said.cache_path == guarded_redis.name
    assert said.counters["cache_shared_hits"] == 0
    everything = f"{said} {caplog.text} {settings(shared=guarded_redis.url)!r}"
    assert PASSWORD not in everything
    assert QUOTED not in everything
    with guarded_redis.client() as redis:
        assert not [key for key in redis.keys("*") if b"eaford" in key]


async def test_a_server_of_one_s_own_is_asked_while_redis_is_gone_and_the_answer_says_so(
    make_replica: MakeReplica, server: Server, own_redis: RedisServer, clock: FakeClock, tmp_path: Path
) -> None:
    values = settings(base_url=server.url)
    source = NominatimSource(make_replica(own_redis, base_url=server.url), values)
    own_redis.kill()
    found = await source.search(SEAFORD)
    assert found.places
    reason = f"{own_redis.name} can't be reached: pace and cache are this machine's"
    assert (found.provenance.degraded, found.provenance.reason) == (True, reason)
    assert (tmp_path / "machine 0" / "cache" / "nominatim-v1.sqlite3").exists()
    cached = await source.search(SEAFORD)
    assert (cached.provenance.cached, cached.provenance.degraded) == (True, False)
    said = await source.status()
    assert said.ready
    assert reason in said.detail
    own_redis.start()
    clock.time += 1
    again = await source.search(SearchQuery(text="Strood"))
    assert (again.provenance.degraded, again.provenance.reason) == (False, None)
    assert "are shared through" in (await source.status()).detail


@pytest.mark.slow
async def test_around_a_point_the_answer_says_so_too(
    make_replica: MakeReplica, server: Server, own_redis: RedisServer
) -> None:
    source = NominatimSource(make_replica(own_redis, base_url=server.url), settings(base_url=server.url))
    own_redis.kill()
    place = (await source.search(SEAFORD)).places[0]
    around = await source.nearby(place.point, radius_m=99, categories=["shop"], limit=1, language="en")
    assert around.provenance.degraded
    assert "pace and cache are this machine's" in (around.provenance.reason or "")


async def test_the_public_server_is_not_asked_while_redis_is_gone(
    make_replica: MakeReplica, own_redis: RedisServer
) -> None:
    transport = Counting()
    transport.go.set()
    client = make_replica(own_redis, transport, base_url=PUBLIC_URL)
    source = NominatimSource(client, settings(base_url=PUBLIC_URL))
    own_redis.kill()
    with pytest.raises(Unavailable) as caught:
        await source.search(SEAFORD)
    assert "BEARINGS_SHARED" in caught.value.hint
    assert not transport.requests
    said = await source.status()
    assert not said.ready
    assert f"{own_redis.name} can't be reached: nothing is asked" in said.detail
    assert said.counters["interval_s"] == 1.05


def test_an_unusable_address_is_an_error_at_the_start_and_is_not_shown() -> None:
    with pytest.raises(InvalidInput) as caught:
        NominatimClient(settings(shared="http://me:secret@h"), cache_dir=None)
    assert "secret" not in f"{caught.value.error} {caught.value.hint}"


UNSET = """
import sys
from pathlib import Path
from bearings.places.opening import geocoder_of
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
geocoder_of(PlacesSettings(backend="nominatim"), NominatimSettings(base_url="http://127.0.0.1:9"))
print([name for name in sys.modules if name.partition(".")[0] == "redis" or ".shared" in name])
"""


@pytest.mark.slow
def test_nothing_of_it_is_imported_where_nothing_is_shared() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", UNSET], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert "remote.shared" not in ran.stdout
    assert "'redis" not in ran.stdout
