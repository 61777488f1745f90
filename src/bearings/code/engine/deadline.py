"""Stops work on a question before its time is over, so that the next call goes on from there."""

import time
from collections.abc import Callable
from typing import Final

from bearings.errors import DeadlineExceeded
from bearings.progress import Progress

SHARE: Final = 0.9
"""The share of a call's time after which the work stops: the rest is for the answer."""


class Deadline:
    """Passes reports of progress on; after `seconds` a report raises DeadlineExceeded, which says how far it came."""

    def __init__(self, progress: Progress, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._seconds = seconds
        self._clock = clock
        self._until = clock() + seconds

    def update(self, done: float, total: float | None, message: str) -> None:
        """See Progress. Raises DeadlineExceeded."""
        if self._clock() >= self._until:
            step = f"{message}, {done:,.0f} of {total:,.0f}" if total is not None else message
            raise DeadlineExceeded(
                f"no answer within {self._seconds:g} s: {step}",
                "Ask again: it goes on from there. For a very large project pass a smaller directory as project_path, "
                "or raise CODEREF_TIMEOUT.",
            )
        self._progress.update(done, total, message)
