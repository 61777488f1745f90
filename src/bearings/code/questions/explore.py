"""Questions in free text; elements without known use."""

from bearings.code.asking.question import Question
from bearings.code.replies.found import Explored


class Explore(Question[Explored], frozen=True, kw_only=True):
    """Finds the elements and lines that answer `question`, at most `most` elements."""

    answer = Explored
    question: str
    most: int = 10
