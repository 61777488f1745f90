"""A process that asks a counting server: `python -m … URL DIRECTORY NAME QUERIES INTERVAL [REDIS]`.

NAME "identical" asks one question many times, another name as many questions. Writes the number of requests to stdout.
"""

import sys
from pathlib import Path

import anyio

from bearings.places.models import SearchQuery
from bearings.places.nominatim.client import NominatimClient
from tests.places.nominatim.conftest import settings


async def ask(url: str, directory: Path, name: str, queries: int, interval: float, shared: str | None) -> None:
    """Ask all queries at once, as a careless caller would."""
    client = NominatimClient(
        settings(base_url=url, rate_limit=interval, shared=shared),
        cache_dir=directory / "cache",
        pace_dir=directory / "pace",
    )
    async with anyio.create_task_group() as group:
        for number in range(queries):
            text = "place" if name == "identical" else f"place {name}-{number}"
            group.start_soon(client.search, SearchQuery(text=text))
    print(client.requests)  # noqa: T201 - the result
    await client.close()


if __name__ == "__main__":
    url, directory, name, queries, interval, *shared = sys.argv[1:]
    anyio.run(ask, url, Path(directory), name, int(queries), float(interval), next(iter(shared), None))
