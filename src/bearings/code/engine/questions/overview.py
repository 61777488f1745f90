"""Questions for an overview of a project."""

from bearings.code.answers.overview import Outline
from bearings.code.engine.questions.base import Question
from bearings.code.models import Language
from bearings.code.replies.overview import Sections


class AskContext(Question[Sections], frozen=True, kw_only=True):
    """The context that a newcomer needs first, of files in `languages` (empty: all)."""

    answer = Sections
    languages: tuple[Language, ...] = ()


class AskMap(Question[Outline], frozen=True, kw_only=True):
    """A ranked skeleton of at most `budget` characters; around the element `focus`, if there is one."""

    answer = Outline
    budget: int = 8_000
    focus: str | None = None
