"""A file a host in which all processes of this machine agree on the times of their requests.

The file is read and replaced under a lock of the operating system (`filelock`), which dies with its holder. It is
replaced whole, so a crash never leaves half of it. The directory must be on a local disk: locks over NFS are not
reliable. Times come from the system clock, the only one that outlives a restart; `Ledger.sane` corrects times that a
clock set back has made absurd.
"""

import json
import math
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import filelock

from bearings.errors import WriteFailed
from bearings.private import private_folder
from bearings.regular import NO_LINK, read_regular

Answer = TypeVar("Answer")

_MOST_BYTES = 10_000
LOCK_PATIENCE_S = 10.0
"""The lock is held for a millisecond; a longer wait means that the machine hangs."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The times of a host's last request and next free slot, and its cool-down.

    A cool-down lasts `cooldown_s` from `refused_at`; `refused_with` is the status that began it, and `strikes` counts
    the refusals since the host last answered. Immutable; the methods return the next state.
    """

    sent_at: float = 0.0
    free_at: float = 0.0
    refused_at: float = 0.0
    cooldown_s: float = 0.0
    refused_with: int = 0
    strikes: int = 0

    def cooldown_left(self, now: float) -> float:
        """Seconds until the cool-down ends; 0 if there is none."""
        since = max(0.0, now - self.refused_at)
        return max(0.0, self.cooldown_s - since)

    def sane(self, now: float, interval_s: float, queue: int) -> "Ledger":
        """The same ledger, with future times that only a clock set back can explain moved to now."""
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
        """The current ledger, without the lock; an empty one if the file is missing or malformed."""
        try:
            document = json.loads(read_regular(self.path, _MOST_BYTES, NO_LINK)[0])
            times: dict[str, Any] = {field.name: _number(document[field.name]) for field in fields(Ledger)}
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return Ledger()
        return replace(Ledger(**times), refused_with=int(times["refused_with"]), strikes=int(times["strikes"]))

    def change(self, rule: Callable[[Ledger], tuple[Ledger, Answer]]) -> Answer:
        """Replace the ledger by the one that `rule` returns, under the lock; returns the rule's answer.

        Raises WriteFailed if the directory can't be written: then the pace can't be guaranteed.
        """
        try:
            private_folder(self._directory)
            with filelock.FileLock(self.path.with_suffix(".lock"), timeout=LOCK_PATIENCE_S, mode=0o600):
                before = self.read()
                after, answer = rule(before)
                if after != before:
                    self._write(after)
                return answer
        except (OSError, filelock.Timeout) as error:
            raise WriteFailed(
                f"{self.path.name}: the file that paces requests can't be written ({error})",
                f"Make {self._directory} writable; processes that ask the same server agree on its pace there.",
            ) from error

    def _write(self, ledger: Ledger) -> None:
        """Write a second file and rename it. Its fixed name is safe under the lock, even after a killed writer."""
        draft = self.path.with_suffix(".new")
        draft.unlink(missing_ok=True)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:  # noqa: PTH123
            json.dump(asdict(ledger), file)
        draft.replace(self.path)


def _number(value: object) -> float:
    """The value as a finite number that is not below 0. Raises ValueError or TypeError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError
    return float(value)
