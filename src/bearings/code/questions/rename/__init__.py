"""A new name for an element, wherever it is used."""

from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from bearings.budget import room
from bearings.code.question import Answer, Project, ToolQuestion
from bearings.code.refactoring.answers import DIFFERENCE, Edited, fill, shared
from bearings.code.replies.edits import EditReply
from bearings.code.replies.element import path_line
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


class Rename(ToolQuestion[Edited, RenameReply], frozen=True, kw_only=True):
    """Rename an element with its uses, imports, re-exports, overloads and overriding methods, in all files.

    Shows the diff first; dry_run false writes it: all files or none. Refuses, with the places, where a use can't be
    told from something else, or where the new name is taken. Renaming back restores every byte.
    Example: {"project_path": "/home/me/app", "element": "formatPrice", "new_name": "showPrice"}
    """

    title = "Rename an element"
    place = 152
    writes = True
    of_commits = False
    toolsets = frozenset({"edit"})
    answer = Edited
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

    @property
    def edits(self) -> bool:
        """Unless it only shows the difference."""
        return not self.dry_run

    def prepared(self, _: Project, /) -> Self:
        """With the limits that the caller has."""
        return replace(self, max_chars=room(DIFFERENCE))

    def reply(self, answer: Answer[Edited]) -> RenameReply:
        """The reply within the budget.

        Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, and the errors of a scan.
        """
        reply = RenameReply(**shared(answer, dry_run=self.dry_run), new_name=path_line(self.new_name))
        fill(reply.in_lines(self.detail), answer.value)
        return reply
