"""Courtesy towards a server: a pace that all processes of this machine keep together, and cool-downs that all observe.

No rate limiter library does this: pyrate-limiter's SQLite bucket counts requests in a window, so that two may follow
one another closely, knows no cool-down and sleeps by itself; aiolimiter knows one process. What is hard here, the
lock between processes, is `filelock`'s.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from bearings.clock import Clock
from bearings.errors import Blocked, RateLimited, UpstreamError
from bearings.places.nominatim.faults import POLICY_URL
from bearings.places.nominatim.ledger import Ledger, LedgerFile

Answer = TypeVar("Answer")

LONGEST_COOLDOWN_S = 3600.0
"""A Retry-After beyond this is cut: a user who restarts a day later should not find us silent."""

FIRST_COOLDOWN_S = 60.0
"""After a 429 without Retry-After; each further refusal doubles it."""

BLOCKED_COOLDOWN_S = 900.0
"""After a 403: a ban is not lifted in minutes, and asking on prolongs it."""

PATIENT_STRIKES = 2
"""Refusals in a row after which a 429 is no longer a passing thing."""

LONGEST_QUEUE = 100
"""Processes of one machine that may wait in line; a slot further away is the trace of a clock set back."""

_ROUNDING_S = 0.001


@dataclass(frozen=True, slots=True)
class LimiterStatus:
    """The pace, how long until the next slot, and how long until the end of a cool-down, with its reason."""

    interval_s: float
    next_slot_s: float
    cooldown_s: float
    reason: str | None


class Limiter:
    """Says when a host may be asked. `interval_s` 0 means no pace; cool-downs hold all the same."""

    def __init__(self, host: str, interval_s: float, directory: Path, clock: Clock) -> None:
        self._host = host
        self._interval_s = interval_s
        self._file = LedgerFile(directory, host)
        self._clock = clock
        self._struck = False

    def check(self) -> None:
        """Raise RateLimited or Blocked while the host wants to be left alone; no waiting, no lock."""
        ledger = self._file.read()
        self._struck = ledger.strikes > 0
        self._raise_if_cooling(ledger)

    async def slot(self) -> None:
        """Return when a request may go now: at least the interval after any other of this machine, in order of asking.

        Tell `sent` when it has gone. Slots are reserved and, on waking, confirmed against the last request that really
        went, so that one who woke late pushes the next. Raises RateLimited or Blocked in a cool-down, also one that
        begins during the wait.
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
        """The request has left: if that took a while since its slot, those behind wait for as much longer."""
        if self._interval_s > 0:
            await self._change(self._depart)

    async def refused(self, status: int, retry_after_s: float | None) -> UpstreamError:
        """Begin a cool-down for every process; the error to raise."""
        ledger = await self._change(lambda ledger: self._strike(ledger, status, retry_after_s))
        return self._error(ledger)

    async def answered(self) -> None:
        """The host gave an answer: forget earlier refusals."""
        if self._struck:
            self._struck = False
            await self._change(lambda ledger: (replace(ledger, strikes=0), None))

    def status(self) -> LimiterStatus:
        """How things stand, from a look at the file."""
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
        """The next free slot, and the ledger in which it is taken."""
        now = self._clock.now()
        self._raise_if_cooling(ledger)
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        start = max(now, sane.free_at, sane.sent_at + self._interval_s)
        return replace(sane, free_at=start + self._interval_s), start

    def _confirm(self, ledger: Ledger) -> tuple[Ledger, float | None]:
        """None if the request may go now, which the ledger then says; otherwise when to look again."""
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
        """A slot that nobody reserved behind is free again."""
        if start is not None and abs(ledger.free_at - start - self._interval_s) < _ROUNDING_S:
            return replace(ledger, free_at=start), None
        return ledger, None

    def _strike(self, ledger: Ledger, status: int, retry_after_s: float | None) -> tuple[Ledger, Ledger]:
        """The ledger with a cool-down, twice over; refusals of one volley count once."""
        now = self._clock.now()
        left = ledger.cooldown_left(now)
        strikes = ledger.strikes if left else ledger.strikes + 1
        doubled = FIRST_COOLDOWN_S * 2.0 ** min(strikes - 1, 10)
        asked = doubled if retry_after_s is None else retry_after_s
        least = BLOCKED_COOLDOWN_S if status == 403 else max(1.0, self._interval_s)
        lasts = min(max(asked, least, left), LONGEST_COOLDOWN_S)
        self._struck = True
        after = replace(ledger, refused_at=now, cooldown_s=lasts, refused_with=status, strikes=strikes)
        return after, after

    def _raise_if_cooling(self, ledger: Ledger) -> None:
        if ledger.cooldown_left(self._clock.now()) > 0:
            raise self._error(ledger)

    def _error(self, ledger: Ledger) -> UpstreamError:
        """What a caller is told while the host wants to be left alone."""
        wait = round(ledger.cooldown_left(self._clock.now()), 1)
        if ledger.refused_with == 403:
            return Blocked(
                f"{self._host} refuses us (HTTP 403); nothing is asked for {wait:.0f} s",
                f"Stop, and read {POLICY_URL}: set NOMINATIM_EMAIL, or use a server of your own (NOMINATIM_BASE_URL).",
                retry_after_s=wait,
            )
        if ledger.strikes > PATIENT_STRIKES:
            return Blocked(
                f"{self._host} keeps refusing (HTTP 429, {ledger.strikes} times); nothing is asked for {wait:.0f} s",
                f"Stop, and read {POLICY_URL}; for more than it allows use a server of your own (NOMINATIM_BASE_URL).",
                retry_after_s=wait,
            )
        return RateLimited(
            f"{self._host} asks for fewer requests (HTTP 429); nothing is asked for {wait:.0f} s",
            f"Wait {wait:.0f} s, then ask again.",
            retry_after_s=wait,
        )
