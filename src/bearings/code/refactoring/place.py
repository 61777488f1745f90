"""A place: one occurrence of an element's name in a file, and what it is."""

from enum import StrEnum
from typing import NamedTuple

from bearings.code.languages.shared.occurrences import Part, ScopeKey


class Kind(StrEnum):
    """The role of a place."""

    DEFINITION = "definition"
    USE = "use"
    IMPORT = "import"
    TEXT = "text"
    REFERENCE = "reference"
    UNSURE = "unsure"
    OTHER = "other"


class Place(NamedTuple):
    """One occurrence in a file: bytes of its source, its 1-based line, and why it is what it is.

    `key`: an object's key or pattern that is a name, too; `keeps_key` tells which of the two belongs to the element.
    `call_line` is as in Occurrence.
    """

    start: int
    end: int
    line: int
    kind: Kind
    why: str = ""
    part: Part = Part.NAME
    keeps_key: bool = False
    scope: ScopeKey | None = None
    through: tuple[ScopeKey, ...] = ()
    call_line: int = 0


class FilePlaces(NamedTuple):
    """The places of a file, in order. `data` are its bytes, the first `shift` of them before its text.

    A file that can't be read as code has no `data`.
    """

    path: str
    data: bytes
    shift: int
    places: list[Place]


class Options(NamedTuple):
    """Whether the name in strings and in comments belongs to the element, too."""

    strings: bool = False
    comments: bool = False
