"""A new name for an element, wherever it is used."""

from typing import Annotated

from msgspec import Meta

from bearings.code.question import Answer
from bearings.code.refactoring.asking import EditQuestion, Element
from bearings.code.replies.edits import EditReply
from bearings.code.replies.lines import InDetail
from bearings.reply import SymbolName


class RenameReply(EditReply):
    """A rename: `places` in `files_changed` files get `new_name`. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are, because they mean something else: `left_total` in all.
    """

    new_name: SymbolName

    def title(self) -> str:
        """The first words of the text."""
        return f"{self.element} -> {self.new_name}"


class Rename(EditQuestion[RenameReply], frozen=True, kw_only=True):
    """Rename an element with its uses, imports, re-exports, overloads and overriding methods, in all files.

    Shows the diff first; dry_run false writes it: all files or none. Refuses, with the places, what may break.
    Example: {"element": "formatPrice", "new_name": "showPrice"}
    """

    title = "Rename an element"
    place = 152
    answer = RenameReply
    element: Element
    new_name: Annotated[str, Meta(min_length=1, max_length=200, description="Without its owner.")]
    strings: Annotated[bool, Meta(description="Also in strings.")] = False
    comments: Annotated[bool, Meta(description="Also in comments.")] = False
    detail: InDetail = "lines"

    def reply(self, answer: Answer[RenameReply]) -> RenameReply:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines(self.detail).cut_to_fit()
