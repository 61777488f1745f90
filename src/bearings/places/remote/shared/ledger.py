"""The ledger of all replicas, in Redis; each step is a script that runs on the server's clock."""

import math

from bearings.clock import Clock
from bearings.places.remote import pace
from bearings.places.remote.ledger import Ledger
from bearings.places.remote.pace import Standing
from bearings.places.remote.shared import names
from bearings.places.remote.shared.connection import PATIENCE_S, Connection, Gone

HOLD_S = PATIENCE_S
"""How long a grant may be used. An answer of the server that takes longer is given up anyway."""

_GO = b"go "


class RedisLedger:
    """A `LedgerStore` in Redis, for one request at a time if the server has a pace. Every method raises Gone."""

    def __init__(
        self, redis: Connection, host: str, interval_s: float, clock: Clock, *, hold_s: float = HOLD_S
    ) -> None:
        self._redis = redis
        self._key = names.ledger(host)
        self._interval_s = interval_s
        self._hold_s = hold_s
        self._clock = clock
        self._granted = b""

    async def read(self) -> Standing:
        """The current ledger."""
        return (await self._step("read"))[0]

    async def reserve(self) -> tuple[Standing, float]:
        """Take the next free slot; its time. Takes none in a cool-down."""
        standing, answer = await self._step("reserve")
        return standing, _number(answer) if answer else standing.now

    async def confirm(self) -> tuple[Standing, float | None]:
        """None if a request may leave now, which is noted; otherwise when to ask again. Notes none in a cool-down.

        A grant that comes so late that half of its time is over is not used.
        """
        asked = self._clock.monotonic()
        standing, answer = await self._step("confirm")
        if not answer.startswith(_GO):
            return standing, _number(answer) if answer else standing.now
        if self._clock.monotonic() - asked > self._hold_s / 2:
            return standing, standing.now + self._hold_s
        self._granted = answer.removeprefix(_GO)
        return standing, None

    async def depart(self) -> None:
        """Note that the confirmed request has left now."""
        await self._step("depart", self._granted)

    async def give_back(self, start: float) -> None:
        """Free the slot, unless another one is reserved behind it."""
        await self._step("give_back", f"{start:.6f}")

    async def strike(self, status: int, retry_after_s: float | None) -> Standing:
        """Begin or prolong a cool-down. Refusals of concurrent requests count once."""
        standing, _ = await self._step(
            "strike",
            status,
            "" if retry_after_s is None else retry_after_s,
            pace.FIRST_COOLDOWN_S,
            pace.least_cooldown_s(status, self._interval_s),
            pace.MOST_DOUBLINGS,
        )
        return standing

    async def answered(self) -> None:
        """Forget earlier refusals: the server answered."""
        await self._step("answered")

    async def _step(self, step: str, *args: str | bytes | float) -> tuple[Standing, bytes]:
        """The standing after a step, and the step's own answer."""
        rules = (self._interval_s, self._hold_s, pace.LONGEST_QUEUE, pace.ROUNDING_S, pace.LONGEST_COOLDOWN_S)
        reply = await self._redis.run("ledger", [self._key], [step, *rules, *args])
        try:
            now, *numbers, answer = reply
            sent, free, refused, cooldown, status, strikes = (_number(number) for number in numbers)
            ledger = Ledger(sent, free, refused, cooldown, int(status), int(strikes))
            return Standing(ledger, _number(now)), bytes(answer)
        except (ValueError, TypeError):
            raise Gone("answers with something else than its script does") from None


def _number(text: bytes) -> float:
    """A number that is finite and not below 0. Raises ValueError."""
    number = float(text)
    if not math.isfinite(number) or number < 0:
        raise ValueError
    return number
