"""A progress bar on stderr, if that is a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bearings.cli.streams import streams
from bearings.progress import NoProgress, Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


@contextmanager
def bar() -> Iterator[Progress]:
    """The Progress to report to; the bar disappears at the end of the block."""
    if not streams().err.isatty():
        yield NoProgress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichBar

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), TimeElapsedColumn())
    console = Console(stderr=True)
    with RichBar(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as live:
        yield _Bar(live)


class _Bar:
    """Draws reports on a rich bar, which appears with the first one."""

    def __init__(self, live: "RichProgress") -> None:
        self._live = live
        self._task: TaskID | None = None

    def update(self, done: float, total: float | None, message: str) -> None:
        """Draw the report."""
        if self._task is None:
            self._task = self._live.add_task(message, total=total)
        self._live.update(self._task, completed=done, total=total, description=message)
