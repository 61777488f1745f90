"""Other lines that contain the word of an element: evidence for or against "unused"."""

from typing import Literal

import msgspec

Where = Literal["code", "comment", "string", "source", "text"]
"""The kind of text on a line. `source`: of an indexed file, undetermined; `text`: of a file that is not indexed."""


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A line that contains the word; `source` is the line, or its part around the word."""

    file: str
    line: int
    where: Where
    source: str


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """Files in an unsupported language, by extension, and the number of their lines that contain the word."""

    extension: str
    files: int
    places: int = 0


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """The `places` (lines) in `files` that contain one of `words`, without the declaration and the known uses.

    `by` counts them by kind of text. `others` certainly declare or use another element of that name. `shown` are the
    first, possible uses before the rest. `unused`: the word occurs nowhere else, and nothing is known to run the
    element without naming it. `at_least`: the search stopped early, so there may be more; `unsearched` files were too
    large or could not be read.
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
    """The number of lines and files that contain the word of an element without a known use, and the first line."""

    element: str
    places: int
    files: int
    first: Mention | None = None
