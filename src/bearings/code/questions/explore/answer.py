"""The answer to a free-text question: the most relevant elements and lines, before they are cut to a budget."""

from typing import Literal

import msgspec

from bearings.code.models import Language, Symbol
from bearings.code.replies.elsewhere import Mentioned, Unread, Where
from bearings.reply import Part, SymbolName

Form = Literal["trace", "element", "route", "commit", "words"]
"""The form of a question."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file; `inside` is the qualified name of the innermost element around it, empty for none.

    `guessed`: a request that may lead elsewhere.
    """

    file: str
    line: int
    inside: str
    text: str
    where: Where = "code"
    guessed: bool = False


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """One element, and the reason for its choice.

    `source` are lines of it; `focus` is the index of the line in question (-1 for none), and `first` the number of the
    first line in the file. `used_by` and `tests` are the first of theirs. `mentioned` gives the lines with its word,
    if no use is known. Totals are None in languages whose calls are not followed (`unknown`): uses are guesses then.
    """

    symbol: Symbol
    language: Language
    why: str
    source: tuple[str, ...]
    first: int
    focus: int
    used_by: tuple[Spot, ...]
    used_by_total: int | None
    tests: tuple[str, ...]
    tests_total: int | None
    mentioned: Mentioned | None = None
    unknown: str = ""


class NextCall(Part):
    """A suggested next call, with the same project_path."""

    tool: str
    arguments: dict[str, SymbolName]
    why: str

    def to_text(self) -> str:
        """One line."""
        arguments_text = ", ".join(f'"{name}": "{value}"' for name, value in self.arguments.items())
        return f"  {self.tool} {f'{{{arguments_text}}} ' if self.arguments else ''}– {self.why}"


class Explored(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question of a `form`, which `understood` explains.

    `elements` are the first of `total`, the best first; `lines` the first of `lines_total` lines of text, in
    `files` files. `calls` are the tools that the question is for. `base` is the commit of a question about changes.
    `note` explains an empty answer, and names what was not searched.
    """

    form: Form
    understood: str
    elements: tuple[Excerpt, ...] = ()
    total: int = 0
    lines: tuple[Spot, ...] = ()
    lines_total: int = 0
    files: int = 0
    calls: tuple[NextCall, ...] = ()
    base: str = ""
    near: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    note: str = ""
