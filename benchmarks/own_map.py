"""A map of one's own beside real Nominatim 5.3, on the same extract in the same run: `python -m benchmarks own_map`.

Needs $BEARINGS_DATA, Debian 12 and root (Nominatim and PostgreSQL are installed). Import, search and reverse are timed
one call after another in one thread, with whole replies: ours by the map as a source asks it, Nominatim by its library
in a process of its own, and by its HTTP server. Growth is measured by copies of the extracts (benchmarks/extracts.py).
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.nominatim_server import cluster, nominatim
from tests.nominatim_server.machine import install, run, work_directory

from bearings.places.categories import Category
from bearings.places.models import Point, SearchQuery
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.map import Map
from benchmarks.extracts import copied
from benchmarks.measure import ROUNDS, header, progress, table
from benchmarks.own_map_answers import page, scored
from benchmarks.own_map_answers import rows as rows_of

SMALL = ("monaco", "malta")
COPIES = (1, 3, 11)
"""Extracts of .4 and 3.9 MB, then times the four extracts of 9.4 MB: up to more than 100 MB."""

MAKE = """
import resource, sys, time
from pathlib import Path
from bearings.places.atlas.store import CORE_PATH
from bearings.places.atlas.world import AtlasWorld
from bearings.places.atlas.index import Index
from bearings.places.osm.making import make
from bearings.progress import NoProgress
began = time.perf_counter()
make(Path(sys.argv[2]), [Path(sys.argv[1])], AtlasWorld(Index(CORE_PATH)), NoProgress())
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

Times = list[list[float]]
"""Seconds of each call, by round."""

Step = tuple[int, float, float, int, dict[str, Times]]
"""Bytes of an extract, seconds and MB of its import, bytes of its map, times of its answers."""


def main() -> str:
    """The table."""
    data = Path(os.environ["BEARINGS_DATA"])
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        return _measured(data / "oracle", Path(folder))


def _measured(oracle: Path, folder: Path) -> str:
    extract = folder / "four.osm.pbf"
    copied(extract, 1)
    asked = questions(oracle)
    theirs = _nominatim(extract, asked)
    small = [_step(oracle.parent / "osm" / f"{name}.osm.pbf", folder, questions(oracle, name)) for name in SMALL]
    grown = []
    for copies in COPIES:
        file = extract if copies == 1 else folder / f"{copies}.osm.pbf"
        if copies > 1:
            copied(file, copies)
        grown.append(_step(file, folder, asked))
    osm = OsmMap(Map(folder / f"{extract.name}.map"))
    return _page(theirs, grown[0], [*small, *grown], asked) + "\n" + page(*scored(osm, oracle))


def _step(file: Path, folder: Path, asked: dict[str, Any]) -> Step:
    progress(f"own map: {file.name} …")
    path = folder / f"{file.name}.map"
    return (file.stat().st_size, *_made(file, path), _asked(path, asked))


def questions(oracle: Path, region: str | None = None) -> dict[str, Any]:
    """The oracle's questions about all extracts or one: names and addresses, misspelt names, points."""

    def asked_of(name: str) -> list[dict[str, Any]]:
        return [row for row in rows_of(oracle, name) if region in (None, row["region"])]

    rows, points = asked_of("search.jsonl"), asked_of("reverse.jsonl")
    return {
        "search": [row["query"] for row in rows if row["form"] != "typo"],
        "typo": [row["query"] for row in rows if row["form"] == "typo"],
        "reverse": [[row["lat"], row["lon"]] for row in points if row["zoom"] == 18],
        "rounds": ROUNDS,
    }


def _made(file: Path, path: Path) -> tuple[float, float, int]:
    """Seconds and MB of an import in a process of its own, and the size of the map."""
    done = subprocess.run([sys.executable, "-c", MAKE, file, path], check=True, capture_output=True, text=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory, path.stat().st_size


def _asked(path: Path, asked: dict[str, Any]) -> dict[str, Times]:
    osm = OsmMap(Map(path))

    def search(text: str) -> object:
        query = SearchQuery(text=text, limit=1, language="local")
        return [osm.place_of(hit, query) for hit in osm.search(query).hits]

    def reverse(point: Sequence[float]) -> object:
        return osm.reverse(Point(*point), 18, "local", ())

    def nearby(point: Sequence[float]) -> object:
        return osm.nearby(Point(*point), 1_000.0, [Category.AMENITY], 5, "local")

    return {
        "search": _timed(search, asked["search"]),
        "typo": _timed(search, asked["typo"]),
        "reverse": _timed(reverse, asked["reverse"]),
        "nearby": _timed(nearby, asked["reverse"]),
    }


def _timed(ask: Callable[[Any], object], inputs: Sequence[Any]) -> Times:
    for one in inputs[:20]:
        ask(one)
    rounds = []
    for _ in range(ROUNDS):
        times = []
        for one in inputs:
            began = time.perf_counter()
            ask(one)
            times.append(time.perf_counter() - began)
        rounds.append(times)
    return rounds


def _nominatim(extract: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """What real Nominatim takes: seconds of its import, bytes of its database, seconds of each call."""
    work = work_directory()
    with work.locked():
        install(work)
        cluster.start(work)
        project = nominatim.project_of(work, extract)
        cluster.drop(work, project.database)
        project.imported.unlink(missing_ok=True)
        progress("own map: Nominatim imports …")
        began = time.perf_counter()
        nominatim.import_file(work, extract)
        seconds = time.perf_counter() - began
        size = int(cluster.execute(work, project.database, "SELECT pg_database_size(current_database())"))
        question = project.directory / "questions.json"
        question.write_text(json.dumps({**asked, "search": asked["search"] + asked["typo"]}), encoding="utf-8")
        side = project.directory / "side.py"
        side.write_text(Path(__file__).with_name("own_map_side.py").read_text("utf-8"), encoding="utf-8")
        progress("own map: Nominatim answers …")
        said = run([work.tool("python"), str(side), str(question)], seconds=1800, owned=True, cwd=project.directory)
        taken = json.loads(said[said.index('{"search"') :])
        url = nominatim.serve(work, project)
        try:
            http = {
                "search": _timed(
                    lambda q: _fetch(f"{url}/search?format=jsonv2&addressdetails=1&limit=1&q=" + urllib.parse.quote(q)),
                    asked["search"],
                ),
                "reverse": _timed(
                    lambda p: _fetch(f"{url}/reverse?format=jsonv2&lat={p[0]}&lon={p[1]}"), asked["reverse"]
                ),
            }
        finally:
            nominatim.end(project)
            cluster.stop(work)
    count = len(asked["search"])
    return {
        "seconds": seconds, "size": size, "reverse": taken["reverse"],
        "search": [times[:count] for times in taken["search"]], "typo": [times[count:] for times in taken["search"]],
        "http": http,
    }  # fmt: skip


def _fetch(url: str) -> bytes:
    with urllib.request.urlopen(url) as reply:
        content: bytes = reply.read()
        return content


def _figures(rounds: Times) -> tuple[float, float, float]:
    """Calls a second, p50 and p99 in milliseconds: medians of the rounds."""
    rate = statistics.median(len(times) / sum(times) for times in rounds)
    halves = statistics.median(sorted(times)[len(times) // 2] for times in rounds)
    tails = statistics.median(sorted(times)[int(len(times) * 0.99)] for times in rounds)
    return rate, halves * 1000, tails * 1000


def _page(theirs: dict[str, Any], four: Step, grown: Sequence[Step], asked: dict[str, Any]) -> str:
    _, seconds, _, room, ours = four
    rows = [
        ["import", f"{theirs['seconds']:.1f} s", "", f"{seconds:.1f} s", f"{theirs['seconds'] / seconds:.1f}"],
        ["room", f"{theirs['size'] / 1e6:.0f} MB", "", f"{room / 1e6:.1f} MB", f"{theirs['size'] / room:.1f}"],
    ]
    for kind in ("search", "typo", "reverse"):
        own, other = _figures(ours[kind]), _figures(theirs[kind])
        http = f"{_figures(theirs['http'][kind])[0]:,.0f}/s" if kind in theirs["http"] else ""
        rows.append([
            f"{kind} ({len(asked[kind])})", f"{other[0]:,.0f}/s, p50 {other[1]:.2f}, p99 {other[2]:.1f} ms", http,
            f"{own[0]:,.0f}/s, p50 {own[1]:.2f}, p99 {own[2]:.1f} ms", f"{own[0] / other[0]:.1f}",
        ])  # fmt: skip
    growth = []
    for size, seconds, memory, room, times in grown:
        figures = {kind: _figures(rounds) for kind, rounds in times.items()}
        growth.append([
            f"{size / 1e6:.1f} MB", f"{seconds:.1f} s", f"{seconds / size * 1e6:.2f}", f"{memory:.0f} MB",
            f"{room / 1e6:.1f} MB",
            *(f"{figures[kind][1]:.2f} / {figures[kind][2]:.2f}" for kind in ("search", "typo", "reverse", "nearby")),
        ])  # fmt: skip
    head = header("A map of one's own", "osmium", "shapely", "numpy", command="python -m benchmarks own_map")
    return (
        f"{head}Nominatim 5.3.3, PostgreSQL 15, on the same extract (Heidelberg, Liechtenstein, Malta, Monaco joined), "
        "set up by `tests/nominatim_server`. One call after another, whole replies with addresses, one result. Its "
        "HTTP server is asked over loopback, a connection each.\n\n"
        + table(["", "Nominatim, library", "its HTTP", "bearings, in process", "× the library"], rows)
        + "\nGrowth: two extracts alone, all four, and copies of them with names of their own. p50 / p99 in "
        "milliseconds; *nearby* is five amenities within a kilometre.\n\n"
        + table(["extract", "import", "s/MB", "memory", "map", "search", "typo", "reverse", "nearby"], growth)
    )  # fmt: skip


if __name__ == "__main__":
    print(main(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
