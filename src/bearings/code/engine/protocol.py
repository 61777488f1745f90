"""The seam of the code engines: a question about a project goes in, its answer comes out, as plain data.

One method carries every question, so a new tool is a new `Question` with its `Answer` in `questions`, and a function
that answers it. An engine that can't answer one raises Unsupported.
"""

from pathlib import Path
from typing import Generic, Protocol

import msgspec
from msgspec.structs import replace

from bearings.code.engine.questions.base import A_co, Question
from bearings.code.engine.questions.changes import AskChanges
from bearings.code.engine.questions.coderefs import CompareIndex, Tag, Validate
from bearings.code.engine.questions.diagram import Diagram
from bearings.code.engine.questions.explore import AskUnused, Explore
from bearings.code.engine.questions.export import Export
from bearings.code.engine.questions.graph import Describe, Query, Scan
from bearings.code.engine.questions.overview import AskContext, AskMap
from bearings.code.engine.questions.quality import AskCoverage, AskPatterns
from bearings.code.engine.questions.risk import AskComplexity, AskImpact
from bearings.progress import Progress

ENGINE_NAME = "native"
"""What replies call our own engine."""

AnyQuestion = (
    Scan
    | Query
    | Describe
    | Explore
    | AskUnused
    | Export
    | Diagram
    | Validate
    | CompareIndex
    | Tag
    | AskImpact
    | AskComplexity
    | AskChanges
    | AskContext
    | AskMap
    | AskPatterns
    | AskCoverage
)
"""Every question that may be asked."""


class IndexState(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer was drawn from. `fresh_at` (seconds since the epoch): no change before that moment was missed.

    `took_ms` is how long the caller waited for the answer: its turn, the index and the analysis.
    """

    files: int
    elements: int
    revision: str
    fresh_at: float
    took_ms: float
    engine: str


class Answer(msgspec.Struct, Generic[A_co], frozen=True):
    """An engine's answer."""

    value: A_co
    index: IndexState

    def after(self, seconds: float) -> "Answer[A_co]":
        """The same answer, for which the caller has waited so long."""
        return Answer(self.value, replace(self.index, took_ms=round(seconds * 1000, 1)))


class CodeEngine(Protocol):
    """Answers questions about projects, several at once. An answer is never older than its question."""

    @property
    def name(self) -> str:
        """What replies call it."""
        ...

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """The answer of the project at `root`, an existing directory given by its real path.

        Raises ElementNotFound, Ambiguous, InvalidInput (a cursor), PathNotAllowed, WriteFailed, Unsupported,
        DeadlineExceeded. When cancelled, it leaves nothing running for this call.
        """
        ...

    async def aclose(self) -> None:
        """Ends whatever runs. The engine can't be asked any more."""
        ...
