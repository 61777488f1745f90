"""Progress reports of long work: to a bar, to an MCP client, or nowhere."""

from typing import Protocol

from bearings.untrusted import clean_line


class Progress(Protocol):
    """Takes reports of progress. Callable from any thread; never raises and never blocks."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """`done` of `total` (None: unknown) units are finished; `message` names the current step."""
        ...


class NoProgress:
    """Ignores all reports."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """Do nothing."""


class CleanProgress:
    """Passes reports on with cleaned messages: these may name files."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def update(self, done: float, total: float | None, message: str) -> None:
        """Pass it on; see Progress."""
        self._progress.update(done, total, clean_line(message))
