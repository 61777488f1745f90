"""The arguments of calls as they are written, read from the text around a call.

calls_in(["x = f(1, b=2)"], 1, {"f"})    # [Arguments(placed=1, named={"b"}, open=False)]
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_LONGEST = 4_000
"""Characters of a call that are read."""

_LINES = 60
_OPEN, _CLOSE, _ENDS = "([{", ")]}", ",)]}"
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL
)
_TEMPLATE = re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*=(?!=|>)")


class Arguments(NamedTuple):
    """The number of arguments by place, and the names of the others. `open`: more may come from a list or a mapping."""

    placed: int
    named: frozenset[str]
    open: bool


def calls_in(
    lines: Sequence[str], line: int, names: Iterable[str], *, comment: str, by_name: bool
) -> list[Arguments] | None:
    """The calls of some names that begin on a line; None if one of them can't be read, or if there is none.

    `comment` begins a comment that runs to the end of its line.
    """
    texts = texts_in(lines, line, names, comment=comment)
    return None if texts is None else [_arguments(parts, by_name=by_name) for parts in texts]


def texts_in(lines: Sequence[str], line: int, names: Iterable[str], *, comment: str) -> list[list[str]] | None:
    """The arguments of these calls as they are written; None as in `calls_in`."""
    if not 0 < line <= len(lines):
        return None
    first, text = lines[line - 1], "\n".join(lines[line - 1 : line - 1 + _LINES])[:_LONGEST]
    calls = []
    any_of = "|".join(map(re.escape, sorted(names)))
    for place in re.finditer(rf"(?<![\w$])(?:{any_of})(?![\w$])\s*(?:\?\.)?\s*\(", text):
        if place.start() >= len(first):
            break
        parts = _parts(text, place.end(), comment)
        if parts is None:
            return None
        calls.append(parts)
    return calls or None


def _arguments(parts: Sequence[str], *, by_name: bool) -> Arguments:
    placed, named, is_open = 0, set(), False
    for part in parts:
        name = _NAMED.match(part) if by_name else None
        if part.startswith(("*", "...")) or part.endswith("..."):
            is_open = True
        elif name:
            named.add(name[1])
        else:
            placed += 1
    return Arguments(placed, frozenset(named), is_open)


def _parts(text: str, start: int, comment: str) -> list[str] | None:
    """The arguments from behind the opening bracket to the one that closes it; None if none does."""
    depth, parts, part = 0, [], ""
    for piece in _pieces(text, start, comment):
        # f(a, g(b, c)): a comma or bracket outside of inner brackets ends an argument.
        if depth == 0 and piece in _ENDS:
            parts.append(part.strip())
            part = ""
            if piece in _CLOSE:
                return [one for one in parts if one]
            continue
        depth += (piece in _OPEN) - (piece in _CLOSE)
        part += piece
    return None


def _pieces(text: str, start: int, comment: str) -> Iterator[str]:
    """Strings whole, other characters alone; comments are left out."""
    place = start
    while place < len(text):
        if text.startswith(comment, place):
            place = text.find("\n", place)
            if place < 0:
                return
            continue
        if comment == "//" and (match := _COMMENT.match(text, place)):
            place = match.end()
            continue
        match = _STRING.match(text, place) or _TEMPLATE.match(text, place)
        yield match[0] if match else text[place]
        place = match.end() if match else place + 1
