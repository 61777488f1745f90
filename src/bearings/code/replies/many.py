"""The reply to a question about several elements."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import field

from bearings.code.replies.element import IndexInfo
from bearings.code.replies.lines import LinedReply
from bearings.code.replies.sites import Listed, list_once
from bearings.errors import Ambiguous, BearingsError
from bearings.reply import Part, Prose, Reply, SymbolName


class Refusal(Part):
    """The error of one of several elements."""

    element: SymbolName
    error: str
    code: str
    hint: str = ""
    candidates: list[SymbolName] = field(default_factory=list)

    @classmethod
    def of(cls, element: str, error: BearingsError) -> "Refusal":
        """The refusal for `element`, as the caller spelled it."""
        candidates = error.candidates if isinstance(error, Ambiguous) else []
        return cls(element=element, error=error.error, code=error.code, hint=error.hint, candidates=list(candidates))

    def to_text(self) -> str:
        """One line."""
        return f"{self.element}: {self.code}: {self.error} {self.hint}".rstrip()


class ManyReply(Reply):
    """The answers about several elements in the order of the question; an error takes the place of an answer.

    If a name means several elements, their answers take its place, as another reply or as this one; `namesakes` says
    so.
    """

    namesakes: Prose | None = None
    answers: Sequence[Part]
    index: IndexInfo | None = None

    @classmethod
    def of(cls, answers: Sequence[Part], namesakes: str | None = None) -> "ManyReply":
        """The reply with these answers; lines that several of them list are listed once."""
        reply = cls(namesakes=namesakes, answers=answers)
        listed: Listed = set()
        for answer in reply.leaves():
            if isinstance(answer, LinedReply) and answer.has_lines:
                list_once(answer, listed)
        indexes = [index for answer in answers if (index := getattr(answer, "index", None))]
        reply.index = indexes[-1] if indexes else None
        return reply

    def leaves(self) -> Iterator[Part]:
        """Each answer about one element."""
        for answer in self.answers:
            yield from answer.leaves() if isinstance(answer, ManyReply) else (answer,)

    @property
    def is_cut(self) -> bool:
        """Whether a larger budget may show more."""
        return any(isinstance(answer, LinedReply) and answer.is_cut for answer in self.leaves())

    def sent(self) -> dict[str, Any]:
        """The reply as JSON values; fields that all answers share are beside them."""
        common = ("success", "index")
        answers = [
            {name: value for name, value in answer.sent().items() if name not in common}
            if isinstance(answer, (LinedReply, ManyReply))
            else answer.values(sparse=True)
            for answer in self.answers
        ]
        namesakes = {"namesakes": self.namesakes} if self.namesakes else {}
        index = {"index": self.index.values(sparse=True)} if self.index else {}
        return {"success": True, **namesakes, "answers": answers, **index}

    def separately(self) -> Sequence[Part]:
        """Each answer."""
        return self.answers

    def to_text(self) -> str:
        """The answers' texts, separated by an empty line."""
        return "\n\n".join(filter(None, [self.namesakes, *(answer.to_text() for answer in self.answers)]))
