"""The rules of a pace and of cool-downs, and the store in which all who ask a server agree on them.

The rules are pure functions of a ledger and the time. `FileLedger` applies them to a file, under its lock;
`shared/ledger.lua` has the same ones for a Redis server, which gets these numbers as arguments. One contract suite
covers both.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import anyio.to_thread

from bearings.clock import Clock
from bearings.places.remote.ledger import Ledger, LedgerFile

Answer = TypeVar("Answer")

LONGEST_COOLDOWN_S = 3600.0
"""The limit of a Retry-After: a user who restarts a day later should not find the backend silent."""

FIRST_COOLDOWN_S = 60.0
"""After a 429 without Retry-After; each further refusal doubles it."""

BLOCKED_COOLDOWN_S = 900.0
"""After a 403: a ban is not lifted in minutes, and further requests prolong it."""

LONGEST_QUEUE = 100
"""Processes that may wait in line; a slot further away means that the clock was set back."""

ROUNDING_S = 0.001

MOST_DOUBLINGS = 10


def least_cooldown_s(status: int, interval_s: float) -> float:
    """The shortest cool-down after a refusal, whatever Retry-After says."""
    return BLOCKED_COOLDOWN_S if status == 403 else max(1.0, interval_s)


@dataclass(frozen=True, slots=True)
class Standing:
    """A ledger, and the time at which it was read, by its store's clock."""

    ledger: Ledger
    now: float

    @property
    def cooldown_s(self) -> float:
        """Seconds until the cool-down ends; 0 if there is none."""
        return self.ledger.cooldown_left(self.now)


class LedgerStore(Protocol):
    """A server's ledger, shared by all who ask that server. Each method is an atomic step on the store's own clock."""

    async def read(self) -> Standing:
        """The current ledger."""
        ...

    async def reserve(self) -> tuple[Standing, float]:
        """Take the next free slot; its time. Takes none in a cool-down."""
        ...

    async def confirm(self) -> tuple[Standing, float | None]:
        """None if a request may leave now, which is noted; otherwise when to ask again. Notes none in a cool-down."""
        ...

    async def depart(self) -> None:
        """Note that the confirmed request has left now."""
        ...

    async def give_back(self, start: float) -> None:
        """Free the slot, unless another one is reserved behind it."""
        ...

    async def strike(self, status: int, retry_after_s: float | None) -> Standing:
        """Begin or prolong a cool-down. Refusals of concurrent requests count once."""
        ...

    async def answered(self) -> None:
        """Forget earlier refusals: the server answered."""
        ...


class FileLedger:
    """The ledger of all processes of this machine, in a file."""

    def __init__(self, file: LedgerFile, interval_s: float, clock: Clock) -> None:
        self._file = file
        self._interval_s = interval_s
        self._clock = clock

    async def read(self) -> Standing:
        """The current ledger; takes no lock."""
        return Standing(self._file.read(), self._clock.now())

    async def reserve(self) -> tuple[Standing, float]:
        """Take the next free slot; its time. Takes none in a cool-down. Raises WriteFailed, as all that follow."""
        return await self._change(self._reserve)

    async def confirm(self) -> tuple[Standing, float | None]:
        """None if a request may leave now, which is noted; otherwise when to ask again. Notes none in a cool-down."""
        return await self._change(self._confirm)

    async def depart(self) -> None:
        """Note that the confirmed request has left now; a request that left late delays the next ones by as much."""
        await self._change(self._depart)

    async def give_back(self, start: float) -> None:
        """Free the slot, unless another one is reserved behind it."""
        await self._change(lambda ledger: self._give_back(ledger, start))

    async def strike(self, status: int, retry_after_s: float | None) -> Standing:
        """Begin or prolong a cool-down. Refusals of concurrent requests count once."""
        return await self._change(lambda ledger: self._strike(ledger, status, retry_after_s))

    async def answered(self) -> None:
        """Forget earlier refusals: the server answered."""
        await self._change(lambda ledger: (replace(ledger, strikes=0), None))

    async def _change(self, rule: Callable[[Ledger], tuple[Ledger, Answer]]) -> Answer:
        return await anyio.to_thread.run_sync(self._file.change, rule)

    def _reserve(self, ledger: Ledger) -> tuple[Ledger, tuple[Standing, float]]:
        now = self._clock.now()
        if ledger.cooldown_left(now) > 0:
            return ledger, (Standing(ledger, now), now)
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        start = max(now, sane.free_at, sane.sent_at + self._interval_s)
        after = replace(sane, free_at=start + self._interval_s)
        return after, (Standing(after, now), start)

    def _confirm(self, ledger: Ledger) -> tuple[Ledger, tuple[Standing, float | None]]:
        now = self._clock.now()
        if ledger.cooldown_left(now) > 0:
            return ledger, (Standing(ledger, now), now)
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        ready = sane.sent_at + self._interval_s
        if now + ROUNDING_S < ready:
            return sane, (Standing(sane, now), ready)
        after = replace(sane, sent_at=now, free_at=max(sane.free_at, now + self._interval_s))
        return after, (Standing(after, now), None)

    def _depart(self, ledger: Ledger) -> tuple[Ledger, None]:
        now = self._clock.now()
        return replace(
            ledger, sent_at=max(ledger.sent_at, now), free_at=max(ledger.free_at, now + self._interval_s)
        ), None

    def _give_back(self, ledger: Ledger, start: float) -> tuple[Ledger, None]:
        if abs(ledger.free_at - start - self._interval_s) < ROUNDING_S:
            return replace(ledger, free_at=start), None
        return ledger, None

    def _strike(self, ledger: Ledger, status: int, retry_after_s: float | None) -> tuple[Ledger, Standing]:
        now = self._clock.now()
        left = ledger.cooldown_left(now)
        strikes = ledger.strikes if left else ledger.strikes + 1
        doubled = FIRST_COOLDOWN_S * 2.0 ** min(strikes - 1, MOST_DOUBLINGS)
        wanted_s = doubled if retry_after_s is None else retry_after_s
        least_s = least_cooldown_s(status, self._interval_s)
        lasts = min(max(wanted_s, least_s, left), LONGEST_COOLDOWN_S)
        after = replace(ledger, refused_at=now, cooldown_s=lasts, refused_with=status, strikes=strikes)
        return after, Standing(after, now)
