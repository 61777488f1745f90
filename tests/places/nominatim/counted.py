"""A process that asks a counting server, for test_processes: `python -m … URL DIRECTORY NAME QUERIES INTERVAL`."""

import sys
from pathlib import Path

import anyio

from bearings.places.models import SearchQuery
from bearings.places.nominatim.client import NominatimClient
from tests.places.nominatim.conftest import settings


async def ask(url: str, directory: Path, name: str, queries: int, interval: float) -> None:
    """Ask all queries at once, as a careless caller would."""
    client = NominatimClient(
        settings(base_url=url, rate_limit=interval), cache_dir=directory / "cache", pace_dir=directory / "pace"
    )
    async with anyio.create_task_group() as group:
        for number in range(queries):
            group.start_soon(client.search, SearchQuery(text=f"place {name}-{number}"))
    print(client.requests)  # noqa: T201 - the result
    await client.close()


if __name__ == "__main__":
    anyio.run(ask, sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
