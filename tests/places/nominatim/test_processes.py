"""Several processes of one machine against one counting server: their shared pace and cache.

`BEARINGS_SOAK=1` asks as much as the contract requires (8 processes × 20 queries, about three minutes).
"""

import os
import sys
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from tests.places.remote.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
PACE = 1.05
SOAK = bool(os.environ.get("BEARINGS_SOAK"))


async def process(server: Server, directory: Path, name: str, queries: int, pace: float) -> int:
    """The number of requests that one process sent."""
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
        ],
        cwd=ROOT,
    )
    return int(done.stdout)


async def test_processes_together_never_ask_more_than_once_a_second(server: Server, tmp_path: Path) -> None:
    processes, queries = (8, 20) if SOAK else (8, 2)
    async with anyio.create_task_group() as group:
        for number in range(processes):
            group.start_soon(process, server, tmp_path, str(number), queries, PACE)
    moments = [asked.at for asked in server.asked]
    assert len(moments) == processes * queries
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    print(f"{len(moments)} requests, gaps {min(gaps):.3f}…{max(gaps):.3f} s")  # noqa: T201 - a figure for the docs
    assert min(gaps) >= 1.0
    assert len({asked.params["q"] for asked in server.asked}) == len(moments)


async def test_a_second_process_answers_from_disk_with_no_request(server: Server, tmp_path: Path) -> None:
    assert await process(server, tmp_path, "same", 5, 0) == 5
    assert await process(server, tmp_path, "same", 5, 0) == 0
    assert len(server.asked) == 5
