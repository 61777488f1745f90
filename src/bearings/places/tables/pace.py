"""How far a table is, how fast it goes, and when it will be done."""

import time

from bearings.places.tables.journal import State
from bearings.progress import Progress


class Pace:
    """Reports rows, rows a second and the time left, by the part of the input that this run has read."""

    def __init__(self, size: int, state: State, progress: Progress) -> None:
        self._size = size
        self._state = state
        self._progress = progress
        self._began = time.monotonic()
        self._start = (state.position, state.rows)

    def wrote(self) -> None:
        """Report written rows."""
        self._report(f"{self._state.rows:,} rows")

    def asked(self, answers: int) -> None:
        """Report answers to questions, which count where a batch takes long."""
        if answers:
            self._report(f"{self._state.rows:,} rows, {self._state.asked:,} questions")

    def _report(self, done: str) -> None:
        seconds = max(time.monotonic() - self._began, 1e-6)
        position, rows = self._start
        rate = (self._state.rows - rows) / seconds
        read = self._state.position - position
        left = seconds * (self._size - self._state.position) / read if read > 0 else None
        parts = [done, f"{rate:,.0f}/s" if rate >= 1 else "", "" if left is None else f"{duration(left)} left"]
        self._progress.update(self._state.position, self._size, ", ".join(filter(None, parts)))


def duration(seconds: float) -> str:
    """Seconds for a person: "48 s", "3 min", "2 h 5 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
