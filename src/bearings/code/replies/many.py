"""The reply to a question about several elements."""

from collections.abc import Sequence
from typing import Any

from msgspec import field

from bearings.code.replies.element import IndexInfo
from bearings.code.replies.lines import LinedReply
from bearings.errors import Ambiguous, BearingsError
from bearings.reply import Part, Reply, SymbolName


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
    """The answers about several elements in the order of the question; an error takes the place of an answer."""

    answers: Sequence[Part]
    index: IndexInfo | None = None

    def sent(self) -> dict[str, Any]:
        """The reply as JSON values; fields that all answers share are beside them."""
        common = ("success", "index")
        answers = [
            {name: value for name, value in answer.sent().items() if name not in common}
            if isinstance(answer, LinedReply)
            else answer.values(sparse=True)
            for answer in self.answers
        ]
        index = {"index": self.index.values(sparse=True)} if self.index else {}
        return {"success": True, "answers": answers, **index}

    def separately(self) -> Sequence[Part]:
        """Each answer."""
        return self.answers

    def to_text(self) -> str:
        """The answers' texts, separated by an empty line."""
        return "\n\n".join(answer.to_text() for answer in self.answers)
