"""Questions about patterns and coverage."""

from bearings.code.answers.coverage import Coverage
from bearings.code.answers.patterns import Patterns
from bearings.code.engine.questions.base import Question
from bearings.code.replies.quality import PatternType


class AskPatterns(Question[Patterns], frozen=True, kw_only=True):
    """The `limit` most frequent patterns of a type; of all types if it is None."""

    answer = Patterns
    pattern_type: PatternType | None = None
    limit: int = 10


class AskCoverage(Question[Coverage], frozen=True, kw_only=True):
    """How much of the project its tests run."""

    answer = Coverage
