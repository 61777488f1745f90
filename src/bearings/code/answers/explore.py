"""What a question in free text is answered with: the few elements and lines that matter most."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned, Unread, Where
from bearings.code.models import Language, Symbol

Form = Literal["trace", "element", "route", "commit", "words"]
"""What a question was taken for."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file; `inside` is the qualified name of the innermost element that it is in, empty for none."""

    file: str
    line: int
    inside: str
    text: str
    where: Where = "code"


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One element, and why it was chosen.

    `source` are lines of it, of which `focus` (an index, -1 for none) is the one that was asked about; the first of
    them is line `first` of the file. `used_by` and `tests` are the first of theirs. `mentioned` says where its word
    stands, if no use of it is known. Totals are None where calls are
    not followed, as `unknown` says: uses are guesses then.
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
    """The answer to a question that was taken for a `form`, as `understood` says.

    `found` are the first of `total` elements, the best first; `lines` the first of `lines_total` lines of text, in
    `files` files. `base` is the commit that changes were looked for since. `note` says what an empty answer means, and
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
