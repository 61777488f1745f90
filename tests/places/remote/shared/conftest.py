"""A Redis server, and connections to it, for the tests of `places.remote.shared`."""

from collections.abc import AsyncIterator, Callable

import pytest

from bearings.clock import Clock, SystemClock
from bearings.places.remote.shared.connection import Connection
from bearings.places.remote.shared.location import located
from tests.redis_server import RedisServer, guarded_redis, own_redis, redis_server, running_redis

__all__ = ["guarded_redis", "own_redis", "redis_server", "running_redis"]

Connect = Callable[..., Connection]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Makes connections, which stand for replicas; closes them."""
    made: list[Connection] = []

    def make(server: RedisServer | str, clock: Clock | None = None) -> Connection:
        url = server if isinstance(server, str) else server.url
        made.append(Connection(located(url), clock or SystemClock()))
        return made[-1]

    yield make
    for connection in made:
        await connection.close()
