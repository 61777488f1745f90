"""The file in which all processes of this machine agree on when each may ask a server: one file a host.

It is read and replaced under a lock of the operating system (`filelock`), which dies with its holder; the file is
replaced whole, so that no crash leaves half of one. The directory must be on a local disk: locks over NFS can't be
trusted. Times are the system clock's, the only one that outlives a restart; what a clock set back would make absurd
is cut to what a pace can explain.
"""

import json
import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

import filelock

from bearings.errors import WriteFailed

Answer = TypeVar("Answer")

LOCK_PATIENCE_S = 10.0
"""The lock is held for a millisecond; who waits longer has found a machine that stands still."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """When a host was asked last, when the next slot is free, and how long it wants to be left alone.

    A cool-down lasts `cooldown_s` from `refused_at`; `refused_with` is the status that began it, and `strikes` counts
    the refusals since the host last answered. Immutable; the methods give the next state.
    """

    sent_at: float = 0.0
    free_at: float = 0.0
    refused_at: float = 0.0
    cooldown_s: float = 0.0
    refused_with: int = 0
    strikes: int = 0

    def cooldown_left(self, now: float) -> float:
        """Seconds until the host may be asked again; 0 if it may."""
        since = max(0.0, now - self.refused_at)
        return max(0.0, self.cooldown_s - since)

    def sane(self, now: float, interval_s: float, queue: int) -> "Ledger":
        """The same, with moments that only a clock set back can explain moved to now."""
        ahead = self.free_at - now > queue * interval_s
        return replace(
            self,
            sent_at=min(self.sent_at, now),
            free_at=now + interval_s if ahead else self.free_at,
            refused_at=min(self.refused_at, now),
        )


class LedgerFile:
    """A host's ledger on disk. Its methods block for a moment, so call them in a thread."""

    def __init__(self, directory: Path, host: str) -> None:
        self._directory = directory
        name = re.sub(r"[^a-z0-9.-]", "_", host.casefold())[:100]
        self.path = directory / f"{name}.json"

    def read(self) -> Ledger:
        """What the file says now, without the lock; a ledger of nothing if there is no file or it makes no sense."""
        try:
            said = json.loads(self.path.read_bytes())
            numbers = {field.name: _number(said[field.name]) for field in fields(Ledger)}
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return Ledger()
        return Ledger(
            sent_at=numbers["sent_at"],
            free_at=numbers["free_at"],
            refused_at=numbers["refused_at"],
            cooldown_s=numbers["cooldown_s"],
            refused_with=int(numbers["refused_with"]),
            strikes=int(numbers["strikes"]),
        )

    def change(self, rule: Callable[[Ledger], tuple[Ledger, Answer]]) -> Answer:
        """Replace the ledger by what `rule` makes of it, as the only one on this machine; its answer.

        Raises WriteFailed where the directory can't be written: without it the pace can't be promised.
        """
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(self.path.with_suffix(".lock"), timeout=LOCK_PATIENCE_S, mode=0o600):
                before = self.read()
                after, answer = rule(before)
                if after != before:
                    self._write(after)
                return answer
        except (OSError, filelock.Timeout) as error:
            raise WriteFailed(
                f"{self.path.name}: the file that paces requests can't be written",
                f"Make {self._directory} writable; processes that ask the same server agree on its pace there.",
            ) from error

    def _write(self, ledger: Ledger) -> None:
        """By a second file and a rename; the lock makes its one name safe, also where a killed writer left it."""
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(ledger)), encoding="ascii")
        draft.chmod(0o600)
        draft.replace(self.path)


def _number(value: object) -> float:
    """The value as a finite number that is not below 0. Raises ValueError or TypeError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError
    return float(value)
