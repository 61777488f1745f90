"""What a change would reach, how complex an element is."""

from bearings.code.answers.risk import Complexity, Impact, Operation
from bearings.code.engine.questions.base import Question


class AskImpact(Question[Impact], frozen=True, kw_only=True):
    """What an operation on `element` reaches, up to `max_depth` steps away."""

    answer = Impact
    element: str
    operation: Operation = "modify"
    max_depth: int = 3


class AskComplexity(Question[Complexity], frozen=True, kw_only=True):
    """How complex `element` is: a function, or all that a class or a file holds; the first `shown` of each list."""

    answer = Complexity
    element: str
    shown: int = 20
