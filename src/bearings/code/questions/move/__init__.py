"""Elements or files in another place, with all that names them."""

from typing import Annotated

from msgspec import Meta

from bearings.code.refactoring.asking import EditQuestion
from bearings.code.replies.edits import EditReply
from bearings.reply import SymbolName


class MoveReply(EditReply):
    """A move: `places` in `files_changed` files are edited. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are, because they mean something else: `left_total` in all.
    """

    target: SymbolName

    def title(self) -> str:
        """The first words of the text."""
        return f"{self.element} -> {self.target}"


class Move(EditQuestion[MoveReply], frozen=True, kw_only=True):
    """Move elements to another file, or files to another place, with the imports of all users.

    Shows the diff first; dry_run false writes it: all files or none. Refuses, with the places, what may break.
    Example: {"element": "formatPrice", "target": "src/prices.ts"}
    """

    title = "Move elements or files"
    place = 154
    on_demand = False
    answer = MoveReply
    element: Annotated[list[str] | str, Meta(description="An element, several of one file, or a file or folder.")]
    target: Annotated[str, Meta(min_length=1, max_length=2000, description="A path, new or not.")]
