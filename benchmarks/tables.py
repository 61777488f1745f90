"""Tables of a million rows: rates, memory, kills, and a cluster: `python -m benchmarks tables`.

Needs $BEARINGS_DATA (addresses of its extracts) and the full atlas. Rows are drawn with a seed: settlements of the
atlas with their countries, and addresses of the map. Each run is the command in a process of its own. *The engine* is
the source asked in this process, one question after another, for the first distinct questions of the same table.
"""

import csv
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from tests.test_cluster import scheduler, worker

from bearings.places.atlas.store import open_atlas
from bearings.places.models import SearchQuery
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.opening import geocoder_of
from bearings.places.query import parse
from bearings.places.settings import PlacesSettings
from benchmarks.extracts import copied
from benchmarks.measure import header, progress, table
from benchmarks.own_map import MAKE

ROWS = 1_000_000
FEW = 100_000
"""Rows of the shorter table, whose memory is compared."""
ON_A_CLUSTER = 100_000
ASKED = 10_000
"""Questions that the engine is asked for its rate."""
KILLS = 10
WORKERS_KILLED = 4


@dataclass(frozen=True)
class Case:
    """A table of `texts`, answered by `settings`."""

    name: str
    texts: Sequence[str]
    settings: dict[str, str]

    def file(self, folder: Path, rows: int) -> Path:
        """A table with as many rows."""
        drawn = random.Random(21)
        path = folder / f"{self.name}-{rows}.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "query"])
            writer.writerows([number, drawn.choice(self.texts)] for number in range(rows))
        return path

    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.settings}


@dataclass(frozen=True)
class Done:
    """What a run took: seconds of the whole command, the most memory in MB, its summary."""

    seconds: float
    memory: float
    summary: dict[str, Any]


def main(rows: int = ROWS, few: int = FEW, on_a_cluster: int = ON_A_CLUSTER) -> str:
    """The tables."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        cases = [_cities(), _addresses(folder)]
        alone = [_alone(case, folder, rows, few) for case in cases]
        cluster = [_cluster(case, folder, on_a_cluster) for case in cases[:1]]
    return _page(alone, cluster, rows, few, on_a_cluster)


def _cities() -> Case:
    atlas, _ = open_atlas("", PlacesSettings(_env_file=None).cache_dir)
    with closing(sqlite3.connect(atlas.path)) as rows:
        countries = dict(rows.execute("SELECT country_code, name FROM place WHERE place_rank = 4"))
        places = rows.execute("SELECT name, country_code FROM place WHERE category = 'place' ORDER BY id").fetchall()
    texts = [f"{name}, {countries[code]}" for name, code in places if code in countries]
    return Case("cities", texts, {"GEOCODER_BACKEND": "gazetteer"})


def _addresses(folder: Path) -> Case:
    import osmium

    extract, maps = folder / "four.osm.pbf", folder / "maps"
    maps.mkdir()
    copied(extract, 1)
    progress("tables: the map …")
    subprocess.run([sys.executable, "-c", MAKE, extract, maps / "four.map"], check=True, capture_output=True)
    keys = ("addr:street", "addr:housenumber", "addr:city")
    tagged = osmium.FileProcessor(str(extract)).with_filter(osmium.filter.KeyFilter("addr:housenumber"))
    parts = (tuple(each.tags.get(key) for key in keys) for each in tagged)
    texts = sorted({f"{street} {number}, {city}" for street, number, city in parts if street and city})
    return Case("addresses", texts, {"GEOCODER_BACKEND": "osm-index", "GEOCODER_INDEX_DIR": str(maps)})


def _alone(case: Case, folder: Path, rows: int, few: int) -> list[str]:
    """A row: the engine's rate, the table's, memory, and whether a run that was killed is the same."""
    progress(f"tables: {case.name}, the engine …")
    engine = anyio.run(_engine, case)
    path = case.file(folder, rows)
    progress(f"tables: {case.name}, {rows:,} rows …")
    whole = _run(case, path, folder / "whole.csv")
    short = _run(case, case.file(folder, few), folder / "short.csv")
    progress(f"tables: {case.name}, killed …")
    kills = _killed(case, path, folder / "killed.csv", whole.seconds / (KILLS + 1))
    is_same = (folder / "killed.csv").read_bytes() == (folder / "whole.csv").read_bytes()
    rate = whole.summary["rows"] / whole.summary["seconds"]
    for made in ("whole.csv", "short.csv", "killed.csv"):
        (folder / made).unlink()
    return [
        case.name, f"{rate:,.0f}/s", f"{whole.summary['questions']:,}",
        f"{engine:,.0f}/s", f"{rate / engine:.2f}", f"{short.memory:.0f}", f"{whole.memory:.0f}",
        f"{kills} kills: {'the same bytes' if is_same else 'OTHER BYTES'}",
    ]  # fmt: skip


async def _engine(case: Case) -> float:
    """Questions a second of the source alone."""
    os.environ.update(case.settings)
    geocoder = geocoder_of(PlacesSettings(_env_file=None), NominatimSettings(_env_file=None))
    drawn = random.Random(21)
    texts = list(dict.fromkeys(drawn.choice(case.texts) for _ in range(ASKED)))
    questions = geocoder.source_chain(None)
    await questions.prepare()
    queries = [SearchQuery(text=text, limit=5, language="en", parsed=parse(text)) for text in texts]
    await questions.search(queries[0])
    began = time.perf_counter()
    for query in queries:
        await questions.search(query)
    seconds = time.perf_counter() - began
    await geocoder.aclose()
    return len(queries) / seconds


def _command(path: Path, out: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "bearings",
        "places",
        "table",
        str(path),
        str(out),
        "--query",
        "query",
        "--json",
        *more,
    ]


def _run(case: Case, path: Path, out: Path, *more: str) -> Done:
    """Run the command to its end."""
    began = time.perf_counter()
    with subprocess.Popen(_command(path, out, *more), env=case.environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    return Done(time.perf_counter() - began, used.ru_maxrss / 1024, json.loads(said))


def _killed(case: Case, path: Path, out: Path, every_s: float) -> int:
    """Kill the command again and again, then let it end; returns the number of kills."""
    kills = 0
    for _ in range(KILLS):
        with subprocess.Popen(_command(path, out), env=case.environment(), stdout=subprocess.DEVNULL) as process:
            try:
                process.wait(every_s)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                kills += 1
    if not out.exists():
        _run(case, path, out)
    return kills


def _cluster(case: Case, folder: Path, rows: int) -> list[list[str]]:
    """Rows: one worker, two, two of which are killed."""
    path = case.file(folder, rows)
    os.environ.update(case.settings)
    seconds: dict[str, float] = {}
    for name, count, kills in (
        ("two workers", 2, 0),
        ("two, killed", 2, WORKERS_KILLED),
        ("one worker", 1, 0),  # last, so that no file is read for the first time
    ):
        progress(f"tables: {name} …")
        with scheduler(count) as (address, there):
            began = time.perf_counter()
            out = folder / f"{name}.csv"
            more = ("--scheduler", address)
            with subprocess.Popen(_command(path, out, *more), env=case.environment(), stdout=subprocess.DEVNULL) as run:
                for _ in range(kills):
                    try:
                        run.wait(seconds["two workers"] / (kills + 1))
                    except subprocess.TimeoutExpired:
                        there[0].kill()
                        there.append(worker(address))
                        there.pop(0).wait(10)
                run.wait()
            seconds[name] = time.perf_counter() - began
    made = {name: (folder / f"{name}.csv").read_bytes() for name in seconds}
    first = seconds["one worker"]
    return [
        [name, f"{took:.1f} s", f"{rows / took:,.0f}/s", f"{first / took:.2f}",
         "the same bytes" if made[name] == made["one worker"] else "OTHER BYTES"]
        for name, took in seconds.items()
    ]  # fmt: skip


def points(rows: int = FEW) -> str:
    """The rates at which points are named, by their kind, zoom and the number of processes."""
    found = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        for kind, drawn in (("near settlements", _near_settlements(rows)), ("all over the world", _anywhere(rows))):
            path = folder / f"{kind}.csv"
            path.write_text("y,x\n" + "".join(f"{lat:.5f},{lon:.5f}\n" for lat, lon in drawn))
            for zoom in (18, 3):
                for count in (1, 2):
                    progress(f"tables: points {kind}, zoom {zoom}, {count} …")
                    words = ["--lat", "y", "--lon", "x", "--zoom", str(zoom), "--workers", str(count), "--json"]
                    command = [sys.executable, "-m", "bearings", "places", "table", str(path), str(folder / "out.csv")]
                    began = os.times()
                    done = subprocess.run(
                        [*command, *words, "--overwrite"], env={**os.environ, "GEOCODER_BACKEND": "gazetteer"},
                        stdout=subprocess.PIPE, check=True,
                    )  # fmt: skip
                    ended = os.times()
                    used = ended.children_user + ended.children_system - began.children_user - began.children_system
                    seconds = json.loads(done.stdout)["seconds"]
                    rate, each = f"{rows / seconds:,.0f}/s", f"{used / rows * 1e6:.0f} µs"
                    found.append([kind, str(zoom), str(count), rate, each])
    return table(["points", "zoom", "processes", "rows", "processor time a row"], found)


def _near_settlements(count: int) -> list[tuple[float, float]]:
    atlas, _ = open_atlas("", PlacesSettings(_env_file=None).cache_dir)
    with closing(sqlite3.connect(atlas.path)) as rows:
        settled = rows.execute("SELECT lat, lon FROM place WHERE layer = 'settlement' ORDER BY id").fetchall()
    drawn = random.Random(47)
    beside = ((lat + drawn.gauss(0, 0.1), lon + drawn.gauss(0, 0.1)) for lat, lon in drawn.choices(settled, k=count))
    return [(min(90.0, max(-90.0, lat)), (lon + 180) % 360 - 180) for lat, lon in beside]


def _anywhere(count: int) -> list[tuple[float, float]]:
    drawn = random.Random(47)
    return [(math.degrees(math.asin(drawn.uniform(-1, 1))), drawn.uniform(-180, 180)) for _ in range(count)]


def _page(alone: Sequence[list[str]], cluster: Sequence[list[list[str]]], rows: int, few: int, spread: int) -> str:
    head = header("Tables", "distributed", "pyarrow", rounds=1, command="python -m benchmarks tables")
    columns = [
        "rows of", "rows", "distinct questions", "the engine", "rows ÷ the engine", f"MB, {few:,} rows",
        f"MB, {rows:,} rows", "kill -9",
    ]  # fmt: skip
    return (
        f"{head}{rows:,} rows of CSV in one process; the engine is the source alone, asked for distinct "
        "texts. A run that is killed goes on with the same command.\n\n"
        + table(columns, list(alone))
        + f"\n{spread:,} rows of cities on a Dask cluster over TCP, workers of one thread, each a process; the "
        "coordinator and the scheduler on the same two processors. A killed worker is replaced by a new one.\n\n"
        + table(["workers", "time", "rows", "× one", "the file"], cluster[0])
        + f"\n{few:,} points in CSV, by the atlas:\n\n"
        + points(few)
    )
