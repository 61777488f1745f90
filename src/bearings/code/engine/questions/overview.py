"""Questions for an overview of a project."""

from bearings.code.answers.overview import Context, Outline
from bearings.code.engine.questions.base import Question
from bearings.code.models import Language


class AskContext(Question[Context], frozen=True, kw_only=True):
    """The context that a newcomer needs first, of files in `languages` (empty: all)."""

    answer = Context
    languages: tuple[Language, ...] = ()


class AskMap(Question[Outline], frozen=True, kw_only=True):
    """A ranked skeleton of at most `budget` characters; around the element `focus`, if there is one."""

    answer = Outline
    budget: int = 8_000
    focus: str | None = None
