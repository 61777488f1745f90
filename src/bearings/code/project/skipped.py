"""What is left out of an index, and why."""

from dataclasses import dataclass
from enum import StrEnum


class SkipReason(StrEnum):
    """Why a file is not in the index, in words that stand in replies."""

    EXCLUDED = "excluded by default (installed or generated)"
    TOO_LARGE = "too large"
    BINARY = "binary"
    MINIFIED = "minified"
    UNREADABLE = "unreadable"
    SYMLINK = "symbolic link"
    SPECIAL = "no regular file"
    BAD_NAME = "name is not UTF-8"


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A file, or a directory (its path ends in `/`), that is left out."""

    path: str
    reason: SkipReason
