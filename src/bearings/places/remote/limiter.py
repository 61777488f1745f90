"""A pace and cool-downs that all processes of this machine share for a server.

No rate limiter library does this. pyrate-limiter's SQLite bucket counts requests in a window, so two of them may be
close together; it has no cool-down and sleeps by itself. aiolimiter works within one process. `filelock` provides the
hard part, the lock between processes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from bearings.clock import Clock
from bearings.errors import Blocked, RateLimited, UpstreamError
from bearings.places.remote.ledger import Ledger, LedgerFile
from bearings.places.remote.server import Server

Answer = TypeVar("Answer")

LONGEST_COOLDOWN_S = 3600.0
"""The limit of a Retry-After: a user who restarts a day later should not find the backend silent."""

FIRST_COOLDOWN_S = 60.0
"""After a 429 without Retry-After; each further refusal doubles it."""

BLOCKED_COOLDOWN_S = 900.0
"""After a 403: a ban is not lifted in minutes, and further requests prolong it."""

PATIENT_STRIKES = 2
"""Refusals in a row after which a 429 counts as lasting."""

LONGEST_QUEUE = 100
"""Processes of one machine that may wait in line; a slot further away means that the clock was set back."""

_ROUNDING_S = 0.001


@dataclass(frozen=True, slots=True)
class LimiterStatus:
    """The pace, the seconds until the next slot and until the end of a cool-down, and the cool-down's reason."""

    interval_s: float
    next_slot_s: float
    cooldown_s: float
    reason: str | None


class Limiter:
    """Decides when a request may be sent. Cool-downs hold also for a server without a pace."""

    def __init__(self, server: Server, directory: Path, clock: Clock) -> None:
        self._host = server.host
        self._interval_s = server.interval_s
        self._remedies = server.remedies
        self._file = LedgerFile(directory, server.host)
        self._clock = clock
        self._struck = False

    def check(self) -> None:
        """Raise RateLimited or Blocked during a cool-down; does not wait, takes no lock."""
        ledger = self._file.read()
        self._struck = ledger.strikes > 0
        self._raise_if_cooling(ledger)

    async def slot(self) -> None:
        """Wait until a request may be sent: an interval after any other of this machine, in order of asking.

        Call `sent` when the request has left. A slot is reserved first and, after the wait, checked against the last
        request that really left, so that a late request delays the next. Raises RateLimited or Blocked in a cool-down,
        also in one that begins during the wait.
        """
        self.check()
        if self._interval_s <= 0:
            return
        start: float | None = await self._change(self._reserve)
        try:
            while start is not None:
                await self._clock.sleep(max(0.0, start - self._clock.now()))
                start = await self._change(self._confirm)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._change(lambda ledger: self._give_back(ledger, start))
            raise

    async def sent(self) -> None:
        """Note that the request has left; if it left late, the next ones wait longer by as much."""
        if self._interval_s > 0:
            await self._change(self._depart)

    async def refused(self, status: int, retry_after_s: float | None) -> UpstreamError:
        """Begin a cool-down for every process; returns the error to raise."""
        ledger = await self._change(lambda ledger: self._strike(ledger, status, retry_after_s))
        return self._error(ledger)

    async def answered(self) -> None:
        """Note that the host answered: its earlier refusals no longer count."""
        if self._struck:
            self._struck = False
            await self._change(lambda ledger: (replace(ledger, strikes=0), None))

    def status(self) -> LimiterStatus:
        """The current state, read from the file."""
        now, ledger = self._clock.now(), self._file.read()
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        cooling = sane.cooldown_left(now)
        return LimiterStatus(
            interval_s=self._interval_s,
            next_slot_s=round(max(cooling, sane.free_at - now, 0.0), 3) if self._interval_s else round(cooling, 3),
            cooldown_s=round(cooling, 3),
            reason=f"{self._host} answered HTTP {ledger.refused_with}" if cooling else None,
        )

    async def _change(self, rule: Callable[[Ledger], tuple[Ledger, Answer]]) -> Answer:
        return await anyio.to_thread.run_sync(self._file.change, rule)

    def _reserve(self, ledger: Ledger) -> tuple[Ledger, float]:
        """The ledger with the next free slot taken, and the slot's time."""
        now = self._clock.now()
        self._raise_if_cooling(ledger)
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        start = max(now, sane.free_at, sane.sent_at + self._interval_s)
        return replace(sane, free_at=start + self._interval_s), start

    def _confirm(self, ledger: Ledger) -> tuple[Ledger, float | None]:
        """None if the request may be sent now, and the ledger notes it; otherwise the time to check again."""
        now = self._clock.now()
        self._raise_if_cooling(ledger)
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        ready = sane.sent_at + self._interval_s
        if now + _ROUNDING_S < ready:
            return sane, ready
        return replace(sane, sent_at=now, free_at=max(sane.free_at, now + self._interval_s)), None

    def _depart(self, ledger: Ledger) -> tuple[Ledger, None]:
        now = self._clock.now()
        return replace(
            ledger, sent_at=max(ledger.sent_at, now), free_at=max(ledger.free_at, now + self._interval_s)
        ), None

    def _give_back(self, ledger: Ledger, start: float | None) -> tuple[Ledger, None]:
        """Free the slot, unless another one is reserved behind it."""
        if start is not None and abs(ledger.free_at - start - self._interval_s) < _ROUNDING_S:
            return replace(ledger, free_at=start), None
        return ledger, None

    def _strike(self, ledger: Ledger, status: int, retry_after_s: float | None) -> tuple[Ledger, Ledger]:
        """The ledger with a cool-down, twice. Refusals of concurrent requests count once."""
        now = self._clock.now()
        left = ledger.cooldown_left(now)
        strikes = ledger.strikes if left else ledger.strikes + 1
        doubled = FIRST_COOLDOWN_S * 2.0 ** min(strikes - 1, 10)
        wanted_s = doubled if retry_after_s is None else retry_after_s
        least = BLOCKED_COOLDOWN_S if status == 403 else max(1.0, self._interval_s)
        lasts = min(max(wanted_s, least, left), LONGEST_COOLDOWN_S)
        self._struck = True
        after = replace(ledger, refused_at=now, cooldown_s=lasts, refused_with=status, strikes=strikes)
        return after, after

    def _raise_if_cooling(self, ledger: Ledger) -> None:
        if ledger.cooldown_left(self._clock.now()) > 0:
            raise self._error(ledger)

    def _error(self, ledger: Ledger) -> UpstreamError:
        """The error to raise during a cool-down."""
        wait = round(ledger.cooldown_left(self._clock.now()), 1)
        if ledger.refused_with == 403:
            return Blocked(
                f"{self._host} refuses us (HTTP 403); nothing is asked for {wait:.0f} s",
                self._remedies.banned,
                retry_after_s=wait,
            )
        if ledger.strikes > PATIENT_STRIKES:
            return Blocked(
                f"{self._host} keeps refusing (HTTP 429, {ledger.strikes} times); nothing is asked for {wait:.0f} s",
                self._remedies.refused,
                retry_after_s=wait,
            )
        return RateLimited(
            f"{self._host} asks for fewer requests (HTTP 429); nothing is asked for {wait:.0f} s",
            f"Wait {wait:.0f} s, then ask again.",
            retry_after_s=wait,
        )
