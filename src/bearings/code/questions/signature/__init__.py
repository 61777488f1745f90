"""Other parameters for a function, and what its callers pass."""

from typing import Annotated

from msgspec import Meta

from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.edits import DIFFERENCE, EditReply
from bearings.code.replies.lines import InDetail
from bearings.reply import SymbolName


class SignatureReply(EditReply):
    """A change of `parameters`: `places` in `files_changed` files. With `refused` places, nothing is written.

    `left` are places that stay as they are, for the caller to look at: `left_total` in all.
    """

    parameters: SymbolName

    def title(self) -> str:
        """The first words of the text."""
        return f"{self.element}({self.parameters})"


class Signature(ToolQuestion[SignatureReply, SignatureReply], frozen=True, kw_only=True):
    """Change the parameters of a function, method or class, with its calls, overrides and body.

    Shows the diff first; dry_run false writes it. Refuses, with the places, what it can't adapt. Not for Go.
    Example: {"element": "Cart.add", "parameters": "item, *, count: int = 1, note", "renamed": {"n": "count"}}
    """

    title = "Change a signature"
    place = 153
    writes = True
    of_commits = False
    on_demand = True
    on_demand_times = 2
    toolsets = frozenset({"edit"})
    answer = SignatureReply
    element: Annotated[str, Meta(min_length=1, max_length=2000, description="As in coderef_symbol.")]
    parameters: Annotated[
        str,
        Meta(
            max_length=4000,
            description="The whole list, new. A name alone: as it was.",
        ),
    ]
    renamed: Annotated[dict[str, str] | None, Meta(description="{old: new}")] = None
    values: Annotated[
        dict[str, str] | None, Meta(description='What present calls get for new ones: {"note": "None"}.')
    ] = None
    dry_run: Annotated[bool, Meta(description="Only show the difference.")] = True
    leave_unsure: Annotated[bool, Meta(description="Leave places that may be uses.")] = False
    detail: InDetail = "lines"
    max_chars: int = DIFFERENCE

    def reply(self, answer: Answer[SignatureReply]) -> SignatureReply:
        """The edits, made or proposed, within the budget."""
        return answer.as_reply().in_lines(self.detail).cut_to_fit()
