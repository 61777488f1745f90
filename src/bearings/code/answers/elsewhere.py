"""Mentions of an element's name beside its known uses: the evidence for or against "it is unused"."""

from typing import Literal

import msgspec

Where = Literal["code", "comment", "string", "source", "text"]
"""The context of a mention. `source`: in a parsed language, context not determined; `text`: in any other file."""


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A line that holds the name; `source` is the line, or the part of it around the name."""

    file: str
    line: int
    where: Where
    source: str


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """Files in a language that is not parsed, by extension, and how many of their lines hold the name."""

    extension: str
    files: int
    places: int = 0


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """The number of lines (`places`) and `files` that hold one of `words`, without the declaration and the known uses.

    `by` counts them by context. `others` certainly declare or use another element of the same name. `shown` are the
    first, possible uses before the rest. `unused`: no other line holds the name, and no known rule runs the element
    without naming it. `at_least`: the search stopped early, so there may be more. `unsearched` files were too large or
    unreadable.
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
    """The number of lines and files that hold the name of an element without a known use, and the first line."""

    element: str
    places: int
    files: int
    first: Mention | None = None
