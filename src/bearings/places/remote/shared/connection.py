"""A connection to one Redis or Valkey server, asked with short patience.

While the server is gone, nobody waits for it: after a failure, one question a second is let through until one is
answered. No text of the server's errors is shown, because it may hold names of users.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import anyio

from bearings.clock import Clock
from bearings.errors import Unsupported
from bearings.places.remote.shared.location import SETTING, Location

PATIENCE_S = 1.0
"""For one answer, connecting included. A server on the same network answers in a millisecond."""

RETRY_S = 1.0
"""The time without questions after a failure."""

CONNECTIONS = 8

_SCRIPTS = ("ledger", "recall", "keep", "board", "land")

_log = logging.getLogger(__name__)


class Gone(Exception):
    """The server can't be asked now. The text is a clause that follows its name."""


class Connection:
    """Runs the scripts beside this file, and single commands. Every method raises Gone; `faults` counts failures."""

    def __init__(self, location: Location, clock: Clock) -> None:
        self.name = location.name
        self.faults = 0
        self._clock = clock
        self._redis, self._errors = _client(location)
        self._scripts = {
            name: self._redis.register_script(Path(__file__).with_name(f"{name}.lua").read_text("utf-8"))
            for name in _SCRIPTS
        }
        self._turns: anyio.CapacityLimiter | None = None
        self._trouble: str | None = None
        self._again_at = 0.0

    @property
    def trouble(self) -> str | None:
        """Why the last question failed: a clause; None if it was answered."""
        return self._trouble

    async def run(self, script: str, keys: Sequence[str | bytes], args: Sequence[str | bytes | float]) -> Any:
        """The answer of a script."""
        return await self._asked(lambda: self._scripts[script](keys=keys, args=args))

    async def command(self, *words: str | bytes | int) -> Any:
        """The answer of a command."""
        return await self._asked(lambda: self._redis.execute_command(*words))

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        with anyio.move_on_after(PATIENCE_S):
            await self._redis.aclose()

    async def _asked(self, question: Callable[[], Awaitable[Any]]) -> Any:
        if self._turns is None:
            self._turns = anyio.CapacityLimiter(CONNECTIONS)
        async with self._turns:
            self._admit()
            try:
                with anyio.fail_after(PATIENCE_S):
                    answer = await question()
            except (self._errors.RedisError, OSError, ValueError) as error:
                if not str(error).startswith("WRONGTYPE"):  # the value is not ours: as if it were absent
                    raise self._failed(error) from None
                answer = None
        if self._trouble is not None:
            _log.warning("%s answers again", self.name)
            self._trouble = None
        return answer

    def _admit(self) -> None:
        """Let one question a second through while the server is gone. Raises Gone."""
        if self._trouble is None:
            return
        now = self._clock.monotonic()
        if now < self._again_at:
            raise Gone(self._trouble)
        self._again_at = now + RETRY_S

    def _failed(self, error: Exception) -> Gone:
        self.faults += 1
        why = self._why(error)
        if self._trouble is None:
            _log.warning("%s %s", self.name, why)
        self._trouble = why
        self._again_at = self._clock.monotonic() + RETRY_S
        return Gone(why)

    def _why(self, error: Exception) -> str:
        """The kind of failure, as a clause."""
        if isinstance(error, self._errors.AuthenticationError | self._errors.NoPermissionError):
            return "refuses the credentials"
        if isinstance(error, TimeoutError | self._errors.TimeoutError):
            return "does not answer in time"
        if isinstance(error, OSError | self._errors.ConnectionError):
            return "can't be reached"
        return f"answers with an error ({type(error).__name__})"


def _client(location: Location) -> tuple[Any, Any]:
    """The client and the module of its errors. Raises Unsupported without the extra."""
    try:
        from redis import asyncio as redis
        from redis import exceptions
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise Unsupported(
            f"{SETTING} is set, and the package that speaks to {location.name} is not installed",
            "Install it: pip install '.[redis]' in a checkout. Or unset the variable.",
        ) from None
    client = redis.Redis.from_url(
        location.url,
        socket_timeout=PATIENCE_S,
        socket_connect_timeout=PATIENCE_S,
        protocol=2,
        max_connections=CONNECTIONS,
        # Once, at once: a connection that the server closed while it was idle is no failure.
        retry=Retry(NoBackoff(), 1, (exceptions.ConnectionError,)),
    )
    return client, exceptions
