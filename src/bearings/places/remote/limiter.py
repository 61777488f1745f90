"""A pace and cool-downs that all who ask a server keep together: processes of a machine, or replicas on several.

No rate limiter library does this. pyrate-limiter's buckets count requests in a window, so two of them may be close
together; it has no cool-down and sleeps by itself. aiolimiter works within one process.
"""

from dataclasses import dataclass

import anyio

from bearings.clock import Clock
from bearings.errors import Blocked, RateLimited, UpstreamError
from bearings.places.remote.pace import LONGEST_QUEUE, LedgerStore, Standing
from bearings.places.remote.server import Server

PATIENT_STRIKES = 2
"""Refusals in a row after which a 429 counts as lasting."""


@dataclass(frozen=True, slots=True)
class LimiterStatus:
    """The pace, the seconds until the next slot and until the end of a cool-down, and the cool-down's reason."""

    interval_s: float
    next_slot_s: float
    cooldown_s: float
    reason: str | None


class Limiter:
    """Decides when a request may be sent. Cool-downs hold also for a server without a pace.

    Times are those of the ledger's store: only differences of them are used with `clock`.
    """

    def __init__(self, server: Server, store: LedgerStore, clock: Clock) -> None:
        self._host = server.host
        self._interval_s = server.interval_s
        self._remedies = server.remedies
        self._store = store
        self._clock = clock
        self._struck = False

    async def check(self) -> None:
        """Raise RateLimited or Blocked during a cool-down; does not wait."""
        self._heed(await self._store.read())

    async def slot(self) -> None:
        """Wait until a request may be sent: an interval after any other, in order of asking.

        Call `sent` when the request has left. A slot is reserved first and, after the wait, checked against the last
        request that really left, so that a late request delays the next. Raises RateLimited or Blocked in a cool-down,
        also in one that begins during the wait.
        """
        if self._interval_s <= 0:
            await self.check()
            return
        standing, start = await self._store.reserve()
        self._heed(standing)
        at: float | None = start
        try:
            while at is not None:
                await self._clock.sleep(max(0.0, at - standing.now))
                standing, at = await self._store.confirm()
                self._heed(standing)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._store.give_back(start)
            raise

    async def sent(self) -> None:
        """Note that the request has left; if it left late, the next ones wait longer by as much."""
        if self._interval_s > 0:
            await self._store.depart()

    async def refused(self, status: int, retry_after_s: float | None) -> UpstreamError:
        """Begin a cool-down for everyone; returns the error to raise."""
        standing = await self._store.strike(status, retry_after_s)
        self._struck = True
        return self._error(standing)

    async def answered(self) -> None:
        """Note that the host answered: its earlier refusals no longer count."""
        if self._struck:
            self._struck = False
            await self._store.answered()

    async def status(self) -> LimiterStatus:
        """The current state."""
        standing = await self._store.read()
        now, ledger = standing.now, standing.ledger
        sane = ledger.sane(now, self._interval_s, LONGEST_QUEUE)
        cooling = sane.cooldown_left(now)
        return LimiterStatus(
            interval_s=self._interval_s,
            next_slot_s=round(max(cooling, sane.free_at - now, 0.0), 3) if self._interval_s else round(cooling, 3),
            cooldown_s=round(cooling, 3),
            reason=f"{self._host} answered HTTP {ledger.refused_with}" if cooling else None,
        )

    def _heed(self, standing: Standing) -> None:
        """Raise the error of a cool-down, if there is one."""
        self._struck = standing.ledger.strikes > 0
        if standing.cooldown_s > 0:
            raise self._error(standing)

    def _error(self, standing: Standing) -> UpstreamError:
        """The error to raise during a cool-down."""
        wait, ledger = round(standing.cooldown_s, 1), standing.ledger
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
