"""A table made by a cluster is the one made here, whatever happens to its workers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from bearings.cluster import workers
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.places.tables.request import TableRequest, prepared
from bearings.places.tables.run import run
from bearings.progress import NoProgress
from tests.soak import soak
from tests.test_cluster import scheduler, untraced, worker

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cluster") / "in.jsonl"
    rows = ({"n": n, "y": 35 + n % 97 / 10, "x": n % 89 / 7} for n in range(6_000))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class Killing(NoProgress):
    """Kills a worker at some of the reports, and starts another one in its place."""

    def __init__(self, address: str, there: list[subprocess.Popen[bytes]], kills: int) -> None:
        self.kills = kills
        self._address = address
        self._there = there
        self._reports = 0

    def update(self, done: float, total: float | None, message: str) -> None:
        self._reports += 1
        if self.kills and self._reports % 2 == 0:
            self.kills -= 1
            victim = self._there.pop(0)
            victim.kill()
            victim.wait(10)
            self._there.append(worker(self._address))


def made(path: Path, out: Path, there: Any, progress: Any) -> None:
    settings = PlacesSettings(_env_file=None, backend="gazetteer", atlas="core"), NominatimSettings(_env_file=None)
    order, reader = prepared(TableRequest(path, out, lat="y", lon="x"), *settings, elsewhere=True)
    run(order, reader, there, progress)


@soak
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_same_rows_while_workers_are_killed(table: Path, tmp_path: Path, suffix: str) -> None:
    alone, together = tmp_path / f"alone.{suffix}", tmp_path / f"together.{suffix}"
    with workers(None) as here:
        made(table, alone, here, NoProgress())
    with scheduler(2) as (address, processes):
        killing = Killing(address, processes, kills=4)
        with workers(address) as there:
            made(table, together, there, killing)
    assert killing.kills == 0
    if suffix == "parquet":
        assert pq.read_table(alone).equals(pq.read_table(together))
    assert alone.read_bytes() == together.read_bytes()


def test_the_command_works_on_a_cluster_of_its_own(table: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bearings", "places", "table", str(table), "out.csv", "--lat", "y", "--lon", "x"]
    environment = untraced(GEOCODER_ATLAS="core", GEOCODER_BACKEND="gazetteer")
    done = subprocess.run(
        [*command, "--json", "--scheduler", "local", "--workers", "2"], cwd=tmp_path, env=environment,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == 6_000
    assert done.stderr == ""
