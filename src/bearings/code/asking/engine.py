"""The protocol of the code engines: a question about a project goes in, its answer comes out, both as plain data.

One method carries every question, so a new tool needs a new `Question` with its `Answer` in `questions`, and a function
that answers it. An engine raises Unsupported for a question that it can't answer.
"""

from pathlib import Path
from typing import Generic, Protocol

import msgspec
from msgspec.structs import replace

from bearings.code.asking.question import A_co, Question
from bearings.progress import Progress

ENGINE_NAME = "native"
"""The name of the native engine in replies."""


class IndexState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the index behind an answer. It includes every change before `fresh_at` (seconds since the epoch).

    `took_ms` is the caller's waiting time: queue, index and analysis.
    """

    files: int
    elements: int
    revision: str
    fresh_at: float
    took_ms: float
    engine: str
    commit: str = ""
    """The commit that the answer is about; empty for the files on disk."""
    earlier: str = ""
    """What an earlier command left half-written, or what was done about it."""


class Answer(msgspec.Struct, Generic[A_co], frozen=True):
    """An engine's answer."""

    value: A_co
    index: IndexState

    def after(self, seconds: float) -> "Answer[A_co]":
        """The same answer with another waiting time."""
        return Answer(self.value, replace(self.index, took_ms=round(seconds * 1000, 1)))

    def beside(self, earlier: str) -> "Answer[A_co]":
        """The same answer with a note on an earlier command."""
        return Answer(self.value, replace(self.index, earlier=earlier)) if earlier else self


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
