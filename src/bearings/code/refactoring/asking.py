"""What all questions about edits share. The process that is asked imports this alone of the package."""

from typing import Annotated, Generic, TypeVar

from msgspec import Meta

from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.edits import DIFFERENCE, EditReply

R_co = TypeVar("R_co", bound=EditReply, covariant=True)

Element = Annotated[str, Meta(min_length=1, max_length=2000, description="As in coderef_symbol.")]


class EditQuestion(ToolQuestion[R_co, R_co], Generic[R_co], frozen=True, kw_only=True):
    """An edit, which is shown before it is written."""

    writes = True
    of_commits = False
    on_demand = True
    on_demand_times = 2
    toolsets = frozenset({"edit"})
    dry_run: Annotated[bool, Meta(description="Only show it.")] = True
    leave_unsure: Annotated[bool, Meta(description="Leave unsure places.")] = False
    max_chars: int = DIFFERENCE

    def reply(self, answer: Answer[R_co]) -> R_co:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines("lines").cut_to_fit()
