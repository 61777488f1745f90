"""A new name for an element, wherever it is used."""

from typing import Annotated

from msgspec import Meta

from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.edits import DIFFERENCE, EditReply
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


class Rename(ToolQuestion[RenameReply, RenameReply], frozen=True, kw_only=True):
    """Rename an element with its uses, imports, re-exports, overloads and overriding methods, in all files.

    Shows the diff first; dry_run false writes it: all files or none. Refuses, with the places, where a use can't be
    told from something else, or where the new name is taken.
    Example: {"element": "formatPrice", "new_name": "showPrice"}
    """

    title = "Rename an element"
    place = 152
    writes = True
    of_commits = False
    on_demand = True
    on_demand_times = 2
    toolsets = frozenset({"edit"})
    answer = RenameReply
    element: Annotated[str, Meta(min_length=1, max_length=2000, description="As in coderef_symbol.")]
    new_name: Annotated[str, Meta(min_length=1, max_length=200, description="The name alone, without its owner.")]
    dry_run: Annotated[bool, Meta(description="Only show the difference.")] = True
    strings: Annotated[bool, Meta(description="Also in strings.")] = False
    comments: Annotated[bool, Meta(description="Also in comments.")] = False
    leave_unsure: Annotated[
        bool, Meta(description="Rename in spite of places that may be uses; they keep the old name.")
    ] = False
    detail: InDetail = "lines"
    max_chars: int = DIFFERENCE

    def reply(self, answer: Answer[RenameReply]) -> RenameReply:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines(self.detail).cut_to_fit()
