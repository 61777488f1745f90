"""The removal of an element that nothing uses."""

from typing import Annotated

from msgspec import Meta

from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.edits import DIFFERENCE, EditReply
from bearings.code.replies.lines import InDetail


class RemoveReply(EditReply):
    """A removal: `places` in `files_changed` files go. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are, because they mean something else: `left_total` in all.
    """

    def title(self) -> str:
        """The first words of the text."""
        return f"remove {self.element}"


class Remove(ToolQuestion[RemoveReply, RemoveReply], frozen=True, kw_only=True):
    """Remove an element that nothing uses: its definition with comments and decorators, its imports and exports.

    Shows the diff first; dry_run false writes it: all files or none; `git apply -R` undoes the diff. Refuses, with the
    places, where it is used or may be.
    Example: {"element": "formatPrice"}
    """

    title = "Remove an element"
    place = 155
    writes = True
    of_commits = False
    on_demand = True
    on_demand_times = 2
    toolsets = frozenset({"edit"})
    answer = RemoveReply
    element: Annotated[str, Meta(min_length=1, max_length=2000, description="As in coderef_symbol.")]
    dry_run: Annotated[bool, Meta(description="Only show the difference.")] = True
    leave_unsure: Annotated[
        bool, Meta(description="Remove in spite of places that may be uses; they stay as they are.")
    ] = False
    detail: InDetail = "lines"
    max_chars: int = DIFFERENCE

    def reply(self, answer: Answer[RemoveReply]) -> RemoveReply:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines(self.detail).cut_to_fit()
