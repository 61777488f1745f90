"""A server process after hundreds of faults, and its cache after many kills: takes minutes, so marked slow."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mcp import Client

from bearings.places.remote.disk import Disk
from tests.places.nominatim.conftest import row
from tests.places.nominatim.test_faults import FAULTS, LOW, TOLERATED
from tests.places.remote.server import Server, says
from tests.places.remote.test_cache import WRITER
from tests.soak import soak

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROUNDS = 8
WARM = 2
"""Rounds after which all modules have been loaded."""

MAY_GROW_KB = 3_000
"""The growth from the second round to the eighth; a single leaked body of 5 MB is more."""

PEAK_KB = 40_000
"""A body is cut off at 5 MB; the body, its text and its error may take several times that, once."""

KILLS = 40


@contextmanager
def process(directory: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """A places server over HTTP: its URL and its pid."""
    command = [sys.executable, "-m", "bearings", "places", "serve", "http", "--port", "0"]
    with subprocess.Popen(
        command,
        env={**os.environ, "BEARINGS_LOG_LEVEL": "INFO", **environment},
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        url = next(found[1] for line in running.stderr if (found := re.search(r"running on (http://\S+)", line)))
        unread = threading.Thread(target=deque, args=(running.stderr, 0))  # a full pipe would stop it
        unread.start()
        yield f"{url}/mcp", running.pid
        running.terminate()
        unread.join()


def memory_kb(pid: int) -> tuple[int, int]:
    """Resident memory, and its maximum so far."""
    said = Path(f"/proc/{pid}/status").read_text("ascii")
    return tuple(int(re.search(rf"{name}:\s+(\d+) kB", said)[1]) for name in ("VmRSS", "VmHWM"))  # type: ignore[index, return-value]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from Linux's /proc")
@soak
async def test_memory_is_flat_under_all_faults_again_and_again(server: Server, tmp_path: Path) -> None:
    state = tmp_path / "state"
    environment = {
        "NOMINATIM_BASE_URL": server.url,
        "GEOCODER_BACKEND": "nominatim",
        "GEOCODER_CACHE_DIR": str(tmp_path / "cache"),
        "GEOCODER_TIMEOUT": "3",
        "XDG_STATE_HOME": str(state),
        "MALLOC_MMAP_THRESHOLD_": "131072",  # else glibc raises it, and freed memory stays in its heap for a while
    }
    resident, faults = [], 0
    with process(tmp_path, **environment) as (url, pid):
        async with Client(url) as client:
            for number in range(ROUNDS):
                for fault in FAULTS:
                    shutil.rmtree(state, ignore_errors=True)  # else a refusal would prevent the faults after it
                    server.behave = fault.behave
                    result = await client.call_tool("geocode", {"query": f"place {number} {fault.name}"})
                    assert result.structured_content["code"] == fault.error.code, fault.name
                    faults += 1
                for name, bad in TOLERATED:
                    server.behave = says([bad, {}])
                    result = await client.call_tool("geocode", {"query": f"place {number} {name}"})
                    assert result.structured_content["count"] == 1
                resident.append(memory_kb(pid)[0])
            shutil.rmtree(state, ignore_errors=True)
            server.behave = says([row()])
            assert (await client.call_tool("geocode", {"query": "Seaford"})).structured_content["count"] == 1
            status = (await client.call_tool("geocoder_status", {})).structured_content
        peak = memory_kb(pid)[1]
    figures = (
        f"{faults} faults: resident {resident[WARM - 1]} kB after {WARM} rounds, {resident[-1]} at the end, peak {peak}"
    )
    print(figures)  # noqa: T201 - a figure for the docs
    assert status["cache"]["size"] == 1, "no fault was kept, nor an answer with rows that were left out"
    assert resident[-1] - resident[WARM - 1] < MAY_GROW_KB, figures
    assert peak - resident[WARM - 1] < PEAK_KB, figures


def test_many_kills_in_the_middle_of_writing_lose_nothing_that_was_written(tmp_path: Path) -> None:
    chance = random.Random(20261121)
    for attempt in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), f"{attempt}-"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            said = [int(writer.stdout.readline()) for _ in range(chance.randint(1, 6))]
            writer.kill()
            said += [int(line) for line in writer.stdout.read().splitlines()]
        disk = Disk(tmp_path, "geo", 50_000_000)
        assert all(disk.get(f"{attempt}-{number}") for number in range(max(said)))
        assert disk.faults == 0
        disk.close()
    with sqlite3.connect(Disk(tmp_path, "geo", 1).path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_every_fault_of_the_contract_is_in_the_matrix() -> None:
    there = {fault.name for fault in FAULTS} | {name for name, _ in TOLERATED} | {name for name, _, _ in LOW}
    wanted = {
        "429", "429 with Retry-After: 7", "403", "500", "502", "503", '200 with {"error": "…"}', "HTML",
        "truncated JSON", "null", "a string", "NaN as latitude", "missing fields in every row", "short boundingbox",
        "address values that are no text", "redirect", "dropped connection", "slow drip", "200 MB body", "DNS failure",
    }  # fmt: skip
    assert wanted <= there
