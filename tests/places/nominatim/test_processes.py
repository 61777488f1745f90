"""Several processes against one counting server: those of one machine, and replicas that share a Redis.

`BEARINGS_SOAK=1` asks as much as the contract requires (8 processes × 20 queries, 3 replicas × 40: five minutes).
"""

import asyncio
import sys
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from tests.places.nominatim.conftest import row
from tests.places.remote.server import Asked, Server, says
from tests.redis_server import RedisServer, own_redis
from tests.soak import SOAK

__all__ = ["own_redis"]

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
PACE = 1.05 if SOAK else 1.5
"""Seconds between requests. They are timed where they arrive, which a busy machine delays by some tenths."""


async def process(server: Server, directory: Path, name: str, queries: int, pace: float, *shared: str) -> int:
    """The number of requests that one process sent. A replica has a directory of its own and the address of a Redis."""
    done = await anyio.run_process(
        [
            sys.executable,
            "-m",
            "tests.places.nominatim.counted",
            server.url,
            str(directory),
            name,
            str(queries),
            str(pace),
            *shared,
        ],
        cwd=ROOT,
    )
    return int(done.stdout)


async def test_processes_together_never_ask_more_than_once_a_second(server: Server, tmp_path: Path) -> None:
    processes, queries = (8, 20) if SOAK else (6, 2)
    async with anyio.create_task_group() as group:
        for number in range(processes):
            group.start_soon(process, server, tmp_path, str(number), queries, PACE)
    assert_paced(server, processes * queries)


def assert_paced(server: Server, requests: int) -> None:
    """Each question was asked once, a second or more apart."""
    moments = [asked.at for asked in server.asked]
    assert len(moments) == requests
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    print(f"{len(moments)} requests, gaps {min(gaps):.3f}…{max(gaps):.3f} s")  # noqa: T201 - a figure for the docs
    assert min(gaps) >= 1.0
    assert len({asked.params["q"] for asked in server.asked}) == len(moments)


async def test_a_second_process_answers_from_disk_with_no_request(server: Server, tmp_path: Path) -> None:
    assert await process(server, tmp_path, "same", 5, 0) == 5
    assert await process(server, tmp_path, "same", 5, 0) == 0
    assert len(server.asked) == 5


async def test_replicas_together_never_ask_more_than_once_a_second(
    server: Server, tmp_path: Path, own_redis: RedisServer
) -> None:
    queries = 40 if SOAK else 3
    async with anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(process, server, tmp_path / name, name, queries, PACE, own_redis.url)
    assert_paced(server, 3 * queries)


async def test_identical_calls_of_three_replicas_are_one_request(
    server: Server, tmp_path: Path, own_redis: RedisServer
) -> None:
    answer = says([row()])

    async def slowly(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await anyio.sleep(3)  # until all replicas have asked
        await answer(asked, writer)

    server.behave = slowly
    sent: list[int] = []

    async def replica(name: str) -> None:
        sent.append(await process(server, tmp_path / name, "identical", 100, 0, own_redis.url))

    async with anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(replica, name)
    assert (sorted(sent), len(server.asked)) == ([0, 0, 1], 1)
    assert await process(server, tmp_path / "d", "identical", 100, 0, own_redis.url) == 0
