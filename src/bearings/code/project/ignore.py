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

_SIMPLE = re.compile(
    r"\^\(\?:\.\+/\)\?(\[\^/\]\*)?((?:[\w~@-]|\\[^\w/])*)(\[\^/\]\*)?(?:\(\?:\(\?P<ps_d>/\)\|\$\)|\(\?P<ps_d>/\))"
)
"""What pathspec makes of a name, of `*.o`, `lib*` and `build/`: these match a path of which a part has the text."""
_GROUP = re.compile(r"\(\?P<\w+>")

_NO_PATTERN = (ValueError, re.error)
"""Errors of pathspec for an invalid pattern; re.error for a reversed range."""


class IgnoreRules:
    """The rules of the entered directories. Directories must be entered from the top down."""

    def __init__(self, tree: SafeDirectory) -> None:
        self._tree = tree
        self._rules: dict[str, _Rules] = {}

    def enter(self, directory: str) -> None:
        """Read the `.gitignore` of `directory` ("" or a path that ends in `/`)."""
        source = read_beneath(self._tree, directory + _NAME, _MAX_RULES_BYTES)
        if isinstance(source, Source):
            self._rules[directory] = _Rules(_spec(source.data))

    def ignores(self, path: str) -> bool:
        """Whether the nearest rule that matches `path` (a directory ends in `/`) excludes it."""
        end = len(path)
        while self._rules:
            end = path.rfind("/", 0, end - 1) + 1 if end else 0
            rules = self._rules.get(path[:end])
            verdict = rules.verdict(path[end:]) if rules is not None else None
            if verdict is not None:
                return verdict
            if end == 0:
                break
        return False


class _Rules:
    """The rules of one file. The texts of simple patterns tell at once that a path matches none, as most do."""

    def __init__(self, spec: "GitIgnoreSpec") -> None:
        self._spec = spec
        texts: dict[tuple[str, str], list[str]] = {("", ""): [], ("*", ""): [], ("", "*"): []}
        others = []
        for pattern in spec.patterns:
            if pattern.include is not None and pattern.regex is not None:
                regex = pattern.regex.pattern
                simple = _SIMPLE.fullmatch(regex)
                stars = ("*" * bool(simple[1]), "*" * bool(simple[3])) if simple else ("*", "*")
                if simple and stars in texts:
                    texts[stars].append(re.sub(r"\\(.)", r"\1", simple[2]))
                else:
                    others.append(_GROUP.sub("(?:", regex))
        self._names = frozenset(texts["", ""])
        self._ends, self._starts = tuple(texts["*", ""]), tuple(texts["", "*"])
        self._other = re.compile("|".join(others)).search if others else None

    def verdict(self, path: str) -> bool | None:
        """Whether the last rule that matches a path excludes it; None for none."""
        for part in path.split("/"):
            if part in self._names or part.endswith(self._ends) or part.startswith(self._starts):
                break
        else:
            if self._other is None or self._other(path) is None:
                return None
        return self._spec.check_file(path).include


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
