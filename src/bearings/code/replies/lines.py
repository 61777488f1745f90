"""Replies with lists of lines: a place is one string, as grep prints it, instead of an object of many fields.

    src/auth.ts:24 [in AuthService.login] return hash(password)

Consecutive places of one file are grouped below its path, each from the colon on. The path and such a line joined give
the form above:

    src/auth.ts
    :24 [in AuthService.login] return hash(password)
    :31 [in AuthService.logout, strong] hash(token)

A reply holds the objects in any case; `LinedReply.in_lines` chooses what is sent.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

from pydantic import PrivateAttr

from bearings.reply import Part, Reply

Detail = Literal["lines", "full"]
"""How the lists of a reply are sent: a line for each place, or an object."""

Row = tuple[str, str]
"""A file, and the rest of a place's line from the colon on. Without a file: a line that is no place."""

Place = tuple[str, int]
"""A file and a line."""

_ID = re.compile(r"(.+?\.\w+)#(.+):(\d+)")
"""An element's id. The path ends with an extension. Both a name (of a private member) and a path may contain #."""

_HEADING = 4
"""Characters of a heading beside its path: quotes, a comma and a colon in JSON."""


@runtime_checkable
class Placed(Protocol):
    """A part that is about a line of a file."""

    def placed(self) -> Row:
        """The place's row."""
        ...


def site(line: int | str, about: Iterable[str], text: str | None = None) -> str:
    """The rest of a place's line after the path: the number, remarks in brackets, the text."""
    said = ", ".join(filter(None, about))
    return f":{line}{f' [{said}]' if said else ''}{f' {text}' if text else ''}"


def grouped(rows: Iterable[Row]) -> list[str]:
    """Rows as lines, grouped below their file if that is shorter."""
    lines: list[str] = []
    for file, group in groupby(rows, key=lambda row: row[0]):
        rests = [rest for _, rest in group]
        if file and (len(rests) - 1) * len(file) > _HEADING:
            lines += [file, *rests]
        else:
            lines += [file + rest for rest in rests]
    return lines


def row_of(part: Part) -> Row:
    """A part as a row: its place, or its text."""
    return part.placed() if isinstance(part, Placed) else ("", part.to_text().strip())


def lines_of(parts: Iterable[Part]) -> list[str]:
    """Parts as lines."""
    return grouped(map(row_of, parts))


def parts_of_id(element: str) -> tuple[str, str, int] | None:
    """The path, the qualified name and the line of an element's id; None for a file, or what is no id."""
    found = _ID.fullmatch(element)
    return (found[1], found[2], int(found[3])) if found else None


def within_element(element: str, file: str) -> str:
    """The element around a line of `file`: its name if it is in that file, else its id; empty for the file itself.

    The name from a marked id («a b.ts#x y:3») is marked too.
    """
    found = parts_of_id(element.removeprefix("«").removesuffix("»"))
    if found is None:
        return "" if element == file else element
    path, name, _ = found
    if path != file.removeprefix("«").removesuffix("»"):
        return element
    return f"«{name}»" if " " in name and element.startswith("«") else name


def placed_element(element: str, before: str, after: str) -> Row:
    """The row of an element at its first line, from its id, which may be marked; for a file, the file."""
    found = parts_of_id(element.removeprefix("«").removesuffix("»"))
    if found is None:
        return "", f"{before}{element}{after}"
    path, name, line = found
    if element.startswith("«"):
        path, name = f"«{path}»", f"«{name}»"
    return path, f":{line} {before}{name}{after}"


def brief(part: Part) -> dict[str, Any]:
    """A part as JSON values: lists of parts as lines, without nulls and defaults."""
    said = part.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    for name in list(said):
        value = getattr(part, name)
        if isinstance(value, LinedPart):
            said[name] = value.to_line()
        elif isinstance(value, Part):
            said[name] = brief(value)
            if not said[name]:
                del said[name]
        elif isinstance(value, list) and value and isinstance(value[0], Part):
            said[name] = lines_of(value)
    return said


def by_depth(rows: Iterable[tuple[int, Row]]) -> list[str]:
    """Rows in order of depth as lines. A line `depth N` precedes the rows of each depth from 2 on."""
    lines: list[str] = []
    for depth, group in groupby(rows, key=lambda row: row[0]):
        lines += [*([f"depth {depth}"] if depth > 1 else []), *grouped(row for _, row in group)]
    return lines


def unmarked(text: str) -> str:
    """Text on one line without its marks: for comparison, not for replies."""
    return " ".join(line.removeprefix("| ").strip() for line in text.strip("«»").splitlines())


@runtime_checkable
class Sectioned(Protocol):
    """A part with a text of its own."""

    def section(self) -> str:
        """A summary line, then details; empty if there is nothing to say."""
        ...


@runtime_checkable
class LinedPart(Protocol):
    """A part that fits on one line."""

    def to_line(self) -> str:
        """The line."""
        ...


class LinedReply(Reply):
    """A reply whose lists may be sent as lines. `_IN_HEADING` are the fields that `heading` covers."""

    _IN_HEADING: ClassVar[frozenset[str]] = frozenset()
    _lines: bool = PrivateAttr(default=False)

    def in_lines(self, detail: Detail = "lines") -> Self:
        """Choose lines or objects, and return the reply."""
        self._lines = detail == "lines"
        return self

    @property
    def has_lines(self) -> bool:
        """Whether it is sent as lines."""
        return self._lines

    @property
    def is_cut(self) -> bool:
        """Whether a larger budget may show more."""
        return bool(getattr(self, "omitted", 0))

    def brief(self) -> dict[str, Any]:
        """The reply's JSON values as lines."""
        return brief(self)

    def sent(self) -> dict[str, Any]:
        """The JSON values, as lines if chosen."""
        return {"success": True, **self.brief()} if self._lines else super().sent()

    def places(self) -> Iterable[Place]:
        """The places in the reply."""
        return ()

    def notes(self) -> list[str]:
        """Remarks to print beside bare places."""
        parts = [getattr(self, name, None) for name in ("unresolved", "elsewhere")]
        heads = [part.section().partition("\n")[0] for part in parts if isinstance(part, Sectioned)]
        return [note for note in (getattr(self, "note", None), *heads) if note]

    def heading(self) -> str:
        """The first line of the text."""
        raise TypeError(f"{type(self).__name__} has no heading")

    def full_text(self) -> str:
        """The text of the whole reply."""
        raise TypeError(f"{type(self).__name__} has no text form")

    def to_text(self) -> str:
        """The heading and each field as lines, or the full text."""
        if not self._lines:
            return self.full_text()
        lines = [self.heading()]
        for name, value in self.brief().items():
            if name not in self._IN_HEADING:
                part = getattr(self, name)
                lines += [part.section()] if isinstance(part, Sectioned) else _text_of(name, value)
        return "\n".join(filter(None, lines))


def _text_of(name: str, value: Any) -> list[str]:
    """The lines of a field: one, or its name above a list or a longer text."""
    if isinstance(value, dict):
        below = [line for item in value.values() if isinstance(item, list) for line in map(str, item)]
        beside = [f"{key} {item}" for key, item in value.items() if not isinstance(item, list)]
        return [f"{name}: {', '.join(beside)}", *below]
    if isinstance(value, list):
        return [f"{name}:", *map(str, value)] if value else []
    return [f"{name}:\n{value}" if "\n" in str(value) else f"{name}: {value}"]


def most_common(values: Sequence[str]) -> str:
    """The most frequent value, the first of equals; empty without any."""
    return Counter(values).most_common(1)[0][0] if values else ""
