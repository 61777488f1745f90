"""The listing of a project: its files, and skipped files with reasons."""

from dataclasses import dataclass
from enum import StrEnum


class SkipReason(StrEnum):
    """Why a file is not in the index, in the words of replies."""

    EXCLUDED = "excluded by default (installed or generated)"
    IGNORED = "ignored by .gitignore"
    TOO_LARGE = "too large"
    BINARY = "binary"
    MINIFIED = "minified"
    UNREADABLE = "unreadable"
    SYMLINK = "symbolic link"
    SPECIAL = "no regular file"
    ENCODING = "encoded as UTF-16 or UTF-32"
    BAD_NAME = "name is not UTF-8, or has hidden characters"
    UNSAFE = "its path in the commit leads elsewhere"
    SUBMODULE = "submodule that is not checked out"
    NO_GRAMMAR = 'its language is not installed: pip install ".[languages]" in a checkout'
    GIVEN_UP = "given up: takes too many steps to parse, or is nested too deeply"
    UNRESOLVED = "given up: what it uses takes too many steps to resolve"


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A skipped file or directory (its path ends in `/`)."""

    path: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class Listing:
    """The sorted files of a project, the sorted skipped paths, and the method (git or walk)."""

    paths: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    by: str


def in_order(skipped: dict[str, SkipReason]) -> tuple[Skipped, ...]:
    """Skipped paths, sorted."""
    return tuple(Skipped(path, reason) for path, reason in sorted(skipped.items()))
