"""Patterns of files in callers' arguments, in the syntax of a .gitignore line."""

import re
from collections.abc import Callable

from bearings.code.project.ignore import is_wild
from bearings.errors import InvalidInput


def listed(path: str) -> Callable[[str], bool]:
    """A function that tells which files match a pattern; an empty pattern matches all. Raises InvalidInput."""
    return Pattern(path, "path").matches if path.strip() else lambda _: True


class Pattern:
    """A pattern in the syntax of a .gitignore line."""

    def __init__(self, pattern: str, field: str) -> None:
        from pathspec import GitIgnoreSpec

        remedy = "Pass a pattern such as src/**/*.ts, src/auth, or *.py."
        if pattern.lstrip().startswith(("!", "#")):
            raise InvalidInput(field, pattern, "is no pattern", remedy)
        if is_wild(pattern):
            raise InvalidInput(field, pattern, "has too many stars", remedy)
        try:
            self._spec = GitIgnoreSpec.from_lines([pattern.strip().removeprefix("./")])
        except (ValueError, re.error) as error:  # re.error: a range from z to a
            raise InvalidInput(field, pattern, "is no pattern", remedy) from error

    def matches(self, path: str) -> bool:
        """Whether the pattern matches a path."""
        return self._spec.match_file(path)
