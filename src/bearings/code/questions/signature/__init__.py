"""Other parameters for a function, and what its callers pass."""

from typing import Annotated

from msgspec import Meta

from bearings.code.refactoring.asking import EditQuestion, Element
from bearings.code.replies.edits import EditReply
from bearings.reply import SymbolName


class SignatureReply(EditReply):
    """A change of `parameters`: `places` in `files_changed` files. With `refused` places, nothing is written.

    `left` are places that stay as they are, for the caller to look at: `left_total` in all.
    """

    parameters: SymbolName

    def title(self) -> str:
        """The first words of the text."""
        return f"{self.element}({self.parameters})"


class Signature(EditQuestion[SignatureReply], frozen=True, kw_only=True):
    """Change the parameters of a function, method or class, with its calls, overrides and body.

    Shows the diff first; dry_run false writes it. Refuses, with the places, what may break.
    Example: {"element": "Cart.add", "parameters": "item, *, count: int = 1, note", "renamed": {"n": "count"}}
    """

    title = "Change a signature"
    place = 153
    answer = SignatureReply
    element: Element
    parameters: Annotated[
        str,
        Meta(
            max_length=4000,
            description="The whole list, new. A name alone: as it was.",
        ),
    ]
    renamed: Annotated[dict[str, str] | None, Meta(description="{old: new}")] = None
    values: Annotated[dict[str, str] | None, Meta(description='What present calls pass: {"note": "None"}.')] = None
