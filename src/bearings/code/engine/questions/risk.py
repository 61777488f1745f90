"""Questions about the impact of a change and the complexity of an element."""

from bearings.code.answers.risk import Complexity, Impact
from bearings.code.engine.questions.base import Question
from bearings.code.replies.impact import Operation


class AskImpact(Question[Impact], frozen=True, kw_only=True):
    """The impact of an operation on `element`, up to `max_depth` steps away."""

    answer = Impact
    element: str
    operation: Operation = "modify"
    max_depth: int = 3


class AskComplexity(Question[Complexity], frozen=True, kw_only=True):
    """The complexity of `element`: a function, or all functions of a class or file; the first `shown` of each list."""

    answer = Complexity
    element: str
    shown: int = 20
