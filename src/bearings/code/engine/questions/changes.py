"""What changed since a commit."""

from bearings.code.answers.changes import Changes
from bearings.code.engine.questions.base import Question


class AskChanges(Question[Changes], frozen=True, kw_only=True):
    """How the working tree differs from the commit that `base` names, and what that reaches in `max_depth` steps."""

    answer = Changes
    base: str = "HEAD"
    max_depth: int = 3
