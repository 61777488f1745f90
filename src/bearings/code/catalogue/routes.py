"""Compares the paths of endpoints and requests of different repositories, in the syntax of any framework."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_METHOD = re.compile(r"(?P<method>[A-Z]+)\s+(?P<path>\S.*)")
_HOLE = re.compile(r"[:*{<\[(]|\.\.\.|^\$")
"""A segment that stands for others: `:id`, `{id}`, `<int:id>`, `[id]`, `(?P<id>…)`, `${id}`."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A route in question: `method` is empty for any, a part is None for a parameter."""

    method: str
    parts: tuple[str | None, ...]

    @classmethod
    def of(cls, text: str) -> "Wanted":
        """`GET /users/{id}`, `/users/42`, or a URL."""
        parts = _METHOD.fullmatch(text.strip())
        return cls(parts["method"] if parts else "", _parts(parts["path"] if parts else text.strip()))

    def fits(self, method: str, path: str) -> bool:
        """Whether an endpoint or a request of this method and path may be meant.

        Its prefix may be set in another file, so the ends are compared; then at least one segment must be equal.
        """
        if self.method and method not in (self.method, "ANY", ""):
            return False
        own = _parts(path)
        if len(own) == len(self.parts) and own == self.parts:
            return True
        shared = min(len(own), len(self.parts))
        pairs = list(zip(own[len(own) - shared :], self.parts[len(self.parts) - shared :], strict=True))
        if any(one is not None and other is not None and one != other for one, other in pairs):
            return False
        return any(one is not None and one == other for one, other in pairs)


def _parts(path: str) -> tuple[str | None, ...]:
    """The segments of a path or a URL."""
    if "://" in path:
        try:
            path = urlsplit(path).path
        except ValueError:
            return ()
    segments = (part.strip("^$") for part in path.partition("?")[0].split("/"))
    return tuple(None if _HOLE.search(part) else part for part in segments if part)
