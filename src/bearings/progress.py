"""How long work says how far it is: to a bar, to an MCP client, or to nobody."""

from typing import Protocol


class Progress(Protocol):
    """Takes reports of progress. Callable from any thread; never raises and never blocks."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """`done` of `total` (None: unknown) units are finished; `message` says what is under way."""
        ...


class NoProgress:
    """Nobody waits."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """Nothing."""
