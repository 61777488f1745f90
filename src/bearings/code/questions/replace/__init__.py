"""Another text for an element or its body, or a text before or after it."""

from typing import Annotated, Literal

from msgspec import Meta

from bearings.code.refactoring.asking import EditQuestion, Element
from bearings.code.replies.edits import EditReply


class ReplaceReply(EditReply):
    """A replacement with the imports that its text needs: `places` edits. With `refused` places, nothing is written.

    `left` are places that are the caller's own work: calls that no longer fit, names that no import is known for.
    """

    def title(self) -> str:
        """The first words of the text."""
        return f"replace {self.element}"


class Replace(EditQuestion[ReplaceReply], frozen=True, kw_only=True):
    """Replace an element's source or body, or insert a text before or after it, with the imports that it needs.

    Refuses where uses would be lost; lists calls that no longer fit. Shows the diff first; dry_run false writes it.
    Example: {"element": "formatPrice", "where": "body", "text": "return 1;"}
    """

    title = "Replace an element's source"
    place = 156
    answer = ReplaceReply
    element: Element
    text: Annotated[str, Meta(min_length=1, max_length=200_000, description="At any indentation.")]
    where: Annotated[
        Literal["element", "body", "before", "after"],
        Meta(description="Comment and docstring stay, unless the text has one."),
    ] = "element"
    leave_unsure: Annotated[bool, Meta(description="Lose uses: `left` lists them.")] = False
