"""How long work says how far it is: to a bar, to an MCP client, or to nobody."""

from typing import Protocol

from bearings.untrusted import clean_line


class Progress(Protocol):
    """Takes reports of progress. Callable from any thread; never raises and never blocks."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """`done` of `total` (None: unknown) units are finished; `message` says what is under way."""
        ...


class NoProgress:
    """Nobody waits."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """Nothing."""


class CleanProgress:
    """Passes reports on, their messages cleaned: they may name files."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def update(self, done: float, total: float | None, message: str) -> None:
        """Pass it on; see Progress."""
        self._progress.update(done, total, clean_line(message))
