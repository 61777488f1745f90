"""What changed since a commit."""

from bearings.code.answers.changes import Changes
from bearings.code.engine.questions.base import Question


class AskChanges(Question[Changes], frozen=True, kw_only=True):
    """The differences between the working tree and the commit `base`, and what they reach in `max_depth` steps."""

    answer = Changes
    base: str = "HEAD"
    max_depth: int = 3
