"""The removal of an element that nothing uses."""

from bearings.code.question import Answer
from bearings.code.refactoring.asking import EditQuestion, Element
from bearings.code.replies.edits import EditReply
from bearings.code.replies.lines import InDetail


class RemoveReply(EditReply):
    """A removal: `places` in `files_changed` files go. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are, because they mean something else: `left_total` in all.
    """

    def title(self) -> str:
        """The first words of the text."""
        return f"remove {self.element}"


class Remove(EditQuestion[RemoveReply], frozen=True, kw_only=True):
    """Remove an element that nothing uses: its definition with comments and decorators, its imports and exports.

    Shows the diff first; dry_run false writes it. Refuses, with the places, where it may be used.
    Example: {"element": "formatPrice"}
    """

    title = "Remove an element"
    place = 155
    answer = RemoveReply
    element: Element
    detail: InDetail = "lines"

    def reply(self, answer: Answer[RemoveReply]) -> RemoveReply:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines(self.detail).cut_to_fit()
