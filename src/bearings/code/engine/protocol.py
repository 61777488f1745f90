"""The protocol of the code engines: a question about a project goes in, its answer comes out, both as plain data.

One method carries every question, so a new tool needs no new method. An engine raises Unsupported for a question that
it can't answer.
"""

from pathlib import Path
from typing import Protocol

from bearings.code.question import A_co, Answer, Question
from bearings.progress import Progress


class CodeEngine(Protocol):
    """Answers questions about projects, several at once. An answer is never older than its question."""

    @property
    def name(self) -> str:
        """The engine's name in replies."""
        ...

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """Answers a question about the project at `root`, the real path of an existing directory.

        Raises ElementNotFound, Ambiguous, InvalidInput (a cursor), PathNotAllowed, WriteFailed, Unsupported,
        DeadlineExceeded. A cancelled call leaves nothing running.
        """
        ...

    async def aclose(self) -> None:
        """Ends all work. The engine accepts no more questions."""
        ...
