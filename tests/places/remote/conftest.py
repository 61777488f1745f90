"""A clock that does not wait, and the description of a server, for the tests of `places.remote`."""

import anyio.lowlevel
import pytest

from bearings.places.remote.server import Remedies, Server

REMEDIES = Remedies(
    url_setting="GEO_URL",
    timeout_setting="GEO_TIMEOUT",
    endpoints="/find",
    banned="Stop, and read https://geo.example.org/policy.",
    refused="Stop, and read https://geo.example.org/policy: it allows fewer requests.",
)


class FakeClock:
    """Time that passes only in `sleep`."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.time = now
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await anyio.lowlevel.checkpoint()


def a_server(host: str = "geo.example.org", interval_s: float = 0, base_url: str = "") -> Server:
    """A server with these hints."""
    return Server(base_url or f"http://{host}", host, "tests/1", interval_s, 5.0, REMEDIES)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
