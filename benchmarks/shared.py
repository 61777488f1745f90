"""A cached call through a Redis that replicas share, beside the same call from memory and from disk, in one run.

Every client asked a stand-in once; all that is timed is a cached answer. Disk and Redis are timed without the memory in
front of them, as the first call of a new process or of another replica. Redis runs on loopback: a network adds its way.
"""

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import httpx2
from tests.places.nominatim.conftest import row
from tests.redis_server import RedisServer

from bearings.places.models import SearchQuery
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from benchmarks.measure import ROUNDS, header, table

CALLS = 1000
QUERY = SearchQuery(text="Seaford")


def main() -> str:
    """The table."""
    with tempfile.TemporaryDirectory() as folder:
        server = RedisServer(Path(folder))
        try:
            with server.client() as plain:
                about = plain.info("server")
            times = anyio.run(_measured, server.url, Path(folder))
        finally:
            server.close()
    version = f"{about.get('server_name') or 'Redis'} {about.get('valkey_version') or about['redis_version']}"
    rows = [
        [name, f"{seconds / CALLS * 1e6:.0f}", f"{seconds / times['memory']:.1f}", f"{seconds / times['disk']:.2f}"]
        for name, seconds in times.items()
    ]
    return (
        header("A cached call over Redis", "redis", "httpx2", command="python -m benchmarks shared")
        + f"{version} on loopback; {CALLS} calls of `NominatimClient.search`, one after another, in each round.\n\n"
        + table(["The answer comes from", "µs a call", "÷ memory", "÷ disk"], rows)
    )


async def _measured(url: str, folder: Path) -> dict[str, float]:
    """Seconds of all calls of a round, the median of rounds that take turns."""
    clients = {
        "memory": _client(folder / "memory"),
        "disk": _client(folder / "disk", cache_size=0),
        "Redis": _client(folder / "redis", cache_size=0, shared=url),
        "memory, with Redis behind it": _client(folder / "both", shared=url),
    }
    times: dict[str, list[float]] = {name: [] for name in clients}
    for client in clients.values():
        await client.search(QUERY)
    for _ in range(ROUNDS):
        for name, client in clients.items():
            started = time.perf_counter()
            for _ in range(CALLS):
                if not (await client.search(QUERY)).cached:
                    raise RuntimeError(f"{name}: asked again")
            times[name].append(time.perf_counter() - started)
    for client in clients.values():
        await client.close()
    return {name: median(taken) for name, taken in times.items()}


def _client(folder: Path, **values: Any) -> NominatimClient:
    settings = NominatimSettings(base_url="http://stand-in.example", **values)
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=[row()]))
    return NominatimClient(settings, cache_dir=folder, pace_dir=folder, transport=transport)
