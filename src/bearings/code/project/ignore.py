"""`.gitignore` files, including nested ones, for a tree that git can't list."""

import re
from typing import TYPE_CHECKING

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import Source, read_beneath

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"
_MAX_RULES_BYTES = 1_000_000
_MOST_STARS = 4
_STARS = re.compile(r"\*+")

_NO_PATTERN = (ValueError, re.error)
"""Errors of pathspec for an invalid pattern; re.error for a reversed range."""


class IgnoreRules:
    """The rules of the entered directories. Directories must be entered from the top down."""

    def __init__(self, tree: SafeDirectory) -> None:
        self._tree = tree
        self._specs: dict[str, GitIgnoreSpec] = {}

    def enter(self, directory: str) -> None:
        """Read the `.gitignore` of `directory` ("" or a path that ends in `/`)."""
        source = read_beneath(self._tree, directory + _NAME, _MAX_RULES_BYTES)
        if isinstance(source, Source):
            self._specs[directory] = _spec(source.data)

    def ignores(self, path: str) -> bool:
        """Whether the nearest rule that matches `path` (a directory ends in `/`) excludes it."""
        end = len(path)
        while self._specs:
            end = path.rfind("/", 0, end - 1) + 1 if end else 0
            spec = self._specs.get(path[:end])
            verdict = spec.check_file(path[end:]).include if spec else None
            if verdict is not None:
                return verdict
            if end == 0:
                break
        return False


def _spec(data: bytes) -> "GitIgnoreSpec":
    """The rules of one file; invalid lines are skipped, as git does."""
    from pathspec import GitIgnoreSpec

    lines = [line for line in data.decode("utf-8", "replace").splitlines() if not is_wild(line)]
    try:
        return GitIgnoreSpec.from_lines(lines)
    except _NO_PATTERN:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def is_wild(line: str) -> bool:
    """Whether a pattern has unusually many stars: matching takes the path's length to the power of their number.

    Stars at either end don't count.
    """
    return len(_STARS.findall(line.strip().strip("!*/"))) > _MOST_STARS


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except _NO_PATTERN:
        return False
    return True
