"""Single flight over replicas: identical questions that several of them have at once make one request.

A replica that asks holds a lease, which it prolongs until the answer is there; it ends when its holder dies. The others
look every 0.05 s for the answer, which stays for some seconds under the holder's token, so that they get it even if
nothing is cached. If the holder fails, the others ask for themselves, one after another under the same lease: its
failure may be its own (its network, its end), and the pace and cool-downs hold for them anyway.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

import anyio

from bearings.clock import Clock
from bearings.places.remote.disk import Entry
from bearings.places.remote.shared import names
from bearings.places.remote.shared.answers import LARGEST, decoded, encoded
from bearings.places.remote.shared.connection import Connection, Gone

LEASE_S = 6.0
"""How long the others wait after their holder died."""

LANDED_S = 5.0
"""How long an answer waits for the replicas that look for it."""

LOOK_S = 0.05


class RedisFlights:
    """Runs work once for all replicas that want it at the same time. While Redis is gone, each runs its own."""

    def __init__(self, redis: Connection, hidden: names.Hidden, clock: Clock, *, lease_s: float = LEASE_S) -> None:
        self._redis = redis
        self._hidden = hidden
        self._clock = clock
        self._lease_s = lease_s

    async def join(self, key: str, work: Callable[[], Awaitable[Entry]]) -> Entry:
        """The result of the work under that key, by this replica or by the one that has begun it."""
        lease, token = self._hidden.lease(key), secrets.token_hex(8)
        while True:
            try:
                holder, _ = await self._board(lease, token, b"")
            except Gone:
                return await work()
            if holder == token.encode():
                return await self._led(lease, token, work)
            entry = await self._awaited(lease, token, holder)
            if entry is not None:
                return entry

    async def _awaited(self, lease: str, token: str, holder: bytes) -> Entry | None:
        """The answer of the holder's flight; None if it ended without one."""
        while True:
            await self._clock.sleep(LOOK_S)
            try:
                now_holder, left = await self._board(lease, token, holder)
            except Gone:
                return None
            if left:
                return decoded(left, self._clock.now())
            if now_holder != holder:
                return None

    async def _led(self, lease: str, token: str, work: Callable[[], Awaitable[Entry]]) -> Entry:
        """The result of our own work, for the others too."""
        working = anyio.CancelScope()  # delivered again and again: a single cancellation got lost in a command
        keeping = asyncio.create_task(self._keep(lease, token, working))
        answer = b""
        try:
            entry = await work()
            answer = encoded(entry)
            return entry
        finally:
            working.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([keeping])
                await self._land(lease, token, LANDED_S, "end", answer)

    async def _keep(self, lease: str, token: str, working: anyio.CancelScope) -> None:
        """Prolong the lease until the scope is cancelled; in real time, since it expires by the server's clock."""
        with working:
            while True:
                await anyio.sleep(self._lease_s / 3)
                await self._land(lease, token, self._lease_s, "keep", b"")

    async def _board(self, lease: str, token: str, holder: bytes) -> tuple[bytes, bytes]:
        """The lease's holder, and what its flight left."""
        args = (names.LANDED, token, int(self._lease_s * 1000), holder, LARGEST + 1)
        answer = await self._redis.run("board", [lease], args)
        if not isinstance(answer, list) or len(answer) != 2 or not all(isinstance(part, bytes) for part in answer):
            raise Gone("answers with something else than its script does")
        return answer[0], answer[1]

    async def _land(self, lease: str, token: str, seconds: float, how: str, answer: bytes) -> None:
        try:
            await self._redis.run("land", [lease], (names.LANDED, token, int(seconds * 1000), how, answer))
        except Gone:
            return
