"""The answer to a question in free text: the few elements and lines that matter most."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned, Unread, Where
from bearings.code.models import Language, Symbol

Form = Literal["trace", "element", "route", "commit", "words"]
"""The recognised form of a question."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file; `inside` is the qualified name of the innermost element around it, empty if there is none."""

    file: str
    line: int
    inside: str
    text: str
    where: Where = "code"


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One element, and the reason for its choice.

    `source` holds lines of it, from line `first` of the file on; `focus` is the index of the line in question, or -1.
    `used_by` and `tests` are the first of each list. `mentioned` has other lines with its name, if no use is known.
    Totals are None for languages whose calls are not resolved (`unknown` says why); uses are guesses then.
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


class Explored(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question of some `form`; `understood` describes the form to the caller.

    `found` are the first of `total` elements, the best first. `lines` are the first of `lines_total` matching lines in
    `files` files. `base` is the commit that the changes are relative to. `note` explains an empty answer, and names
    what was not searched.
    """

    form: Form
    understood: str
    found: tuple[Found, ...] = ()
    total: int = 0
    lines: tuple[Spot, ...] = ()
    lines_total: int = 0
    files: int = 0
    base: str = ""
    near: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    note: str = ""
