"""Patterns of files in callers' arguments: lines of a .gitignore, `{a,b}` for each of both, several between commas."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from bearings.code.project.ignore import is_wild
from bearings.errors import InvalidInput

_CHOICE: Final = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST: Final = 100
"""The most patterns that choices in braces may make."""
_REMEDY: Final = "Pass a pattern such as src/**/*.{ts,tsx}, src/auth, or *.py, !tests/**."


def listed(path: str) -> Callable[[str], bool]:
    """A function that tells which files match a pattern; an empty pattern matches all. Raises InvalidInput."""
    return Pattern(path, "path").matches if path.strip() else lambda _: True


class Pattern:
    """Patterns between commas, in the syntax of .gitignore lines: a file of any of them, but of none after a `!`."""

    def __init__(self, pattern: str, field: str) -> None:
        parts = [one for part in _parts(pattern) if part.strip() for one in _chosen(part.strip(), field)]
        refused = [part.removeprefix("!").strip() for part in parts if part.startswith("!")]
        wanted = [part for part in parts if not part.startswith("!")]
        if not parts or any(not part or part.startswith(("!", "#")) for part in (*wanted, *refused)):
            raise InvalidInput(field, pattern, "is no pattern", _REMEDY)
        if field != "path" and not wanted:  # a list of what to leave out, or to check, names something
            raise InvalidInput(field, pattern, "names no files", _REMEDY)
        if any(map(is_wild, parts)):
            raise InvalidInput(field, pattern, "has too many stars", _REMEDY)
        from pathspec import GitIgnoreSpec

        def spec(lines: Sequence[str]) -> GitIgnoreSpec:
            return GitIgnoreSpec.from_lines([line.removeprefix("./") for line in lines])

        try:
            self._wanted, self._refused = spec(wanted or ["*"]), spec(refused)
        except (ValueError, re.error) as error:  # re.error: a range from z to a
            raise InvalidInput(field, pattern, "is no pattern", _REMEDY) from error

    def matches(self, path: str) -> bool:
        """Whether a path matches."""
        return self._wanted.match_file(path) and not self._refused.match_file(path)


def _parts(pattern: str) -> list[str]:
    """The patterns between commas, or before a `!`, outside braces and brackets."""
    parts, depth = [""], 0
    for at, letter in enumerate(pattern):
        depth += (letter in "{[") - (letter in "}]")
        if depth == 0 and (letter == "," or (letter.isspace() and pattern.startswith("!", at + 1))):
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _chosen(pattern: str, field: str) -> list[str]:
    """A pattern for each choice of its braces, the innermost first."""
    if pattern.count("{") != pattern.count("}"):
        raise InvalidInput(field, pattern, "has a brace without its other", _REMEDY)
    done: list[str] = []
    open_: list[str] = [pattern]
    while open_:
        one = open_.pop(0)
        choice = _CHOICE.search(one)
        if choice is None:
            done.append(one)
        else:
            open_ += [one[: choice.start()] + each + one[choice.end() :] for each in choice[1].split(",")]
        if len(done) + len(open_) > _MOST:
            raise InvalidInput(field, pattern, "has too many choices in braces", _REMEDY)
    return done
