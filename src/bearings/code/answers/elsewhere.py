"""Where else the word of an element stands: the evidence for, or against, "nobody uses it"."""

from typing import Literal

import msgspec

Where = Literal["code", "comment", "string", "source", "text"]
"""What a line is part of. `source`: of a file that is read, not told apart; `text`: of a file that is not read."""


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A line that holds the word; `source` is that line, or the part of it around the word."""

    file: str
    line: int
    where: Where
    source: str


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """Files in a language that is not read, by extension, and how many of their lines hold the word, if any."""

    extension: str
    files: int
    places: int = 0


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """The lines that hold one of `words`, without the declaration and the uses that are known: `places`, in `files`.

    `by` counts them by what they are part of. `others` of them declare or use another element of that name, for sure.
    `shown` are the first, those that may be uses before the rest. `unused`: the word stands nowhere else, and nothing
    is known that runs the element without naming it. `at_least`: the search gave up, so there may be more; `unsearched`
    files were too large or could not be read.
    """

    words: tuple[str, ...]
    places: int
    files: int
    by: dict[Where, int]
    others: int
    shown: tuple[Mention, ...]
    unread: tuple[Unread, ...]
    unused: bool
    at_least: bool
    unsearched: int
    note: str


class Mentioned(msgspec.Struct, frozen=True, kw_only=True):
    """How many lines hold the word of an element without a known use, in how many files, and the first of them."""

    element: str
    places: int
    files: int
    first: Mention | None = None
