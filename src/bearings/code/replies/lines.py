"""Replies whose lists are lines: a place is one string in grep's format, instead of an object of many fields.

    src/auth.ts:24 [in AuthService.login] return hash(password)

Consecutive places of one file follow below its path, each from the colon on; path and line joined give the line above:

    src/auth.ts
    :24 [in AuthService.login] return hash(password)
    :31 [in AuthService.logout, strong] hash(token)

The reply itself holds objects: `LinedReply.in_lines` selects the form that is sent.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from bearings.reply import Part, Prose, Reply

Detail = Literal["lines", "full"]
"""The form of a reply's lists: a line or an object for each place."""

InDetail = Annotated[Detail, Meta(description="full: objects.")]
"""The argument that selects it."""

Row = tuple[str, str]
"""A file, and the text of one of its lines from the colon before the number on; without a file, a whole line."""

Place = tuple[str, int]
"""A file and a line."""

_ID = re.compile(r"(.+?\.\w+)#(.+):(\d+)")
"""An element's id. A path ends with an extension; both names (private members) and paths may contain #."""

_HEADING = 4
"""Characters of a heading beside its path, as a separate JSON string."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a list of `total` items, starting at `offset`; `identity` is the fingerprint of the list, for cursors."""

    total: int
    offset: int
    identity: str


@runtime_checkable
class Placed(Protocol):
    """A part that refers to a line of a file."""

    def placed(self) -> Row:
        """The line in a reply."""
        ...


def site(line: int | str, about: Iterable[str], text: str | None = None) -> str:
    """A line without its path: the number, remarks in brackets, the text."""
    remarks = ", ".join(filter(None, about))
    return f":{line}{f' [{remarks}]' if remarks else ''}{f' {text}' if text else ''}"


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
    """A part as a row: its place, else its text."""
    return part.placed() if isinstance(part, Placed) else ("", part.to_text().strip())


def lines_of(parts: Iterable[Part]) -> list[str]:
    """Parts as lines."""
    return grouped(map(row_of, parts))


def parts_of_id(element: str) -> tuple[str, str, int] | None:
    """The path, qualified name and line of an element's id; None for a file and other texts."""
    match = _ID.fullmatch(element)
    return (match[1], match[2], int(match[3])) if match else None


def within_element(element: str, file: str) -> str:
    """The label of the element around a line of `file`: its name in that file, its id elsewhere, empty for a file.

    The name of a marked id («a b.ts#x y:3») is marked.
    """
    parts = parts_of_id(element.removeprefix("«").removesuffix("»"))
    if parts is None:
        return "" if element == file else element
    path, name, _ = parts
    if path != file.removeprefix("«").removesuffix("»"):
        return element
    return f"«{name}»" if " " in name and element.startswith("«") else name


def placed_element(element: str, before: str, after: str) -> Row:
    """The row of an element at its first line, from its id, which may be marked; a file has no place."""
    parts = parts_of_id(element.removeprefix("«").removesuffix("»"))
    if parts is None:
        return "", f"{before}{element}{after}"
    path, name, line = parts
    if element.startswith("«"):
        path, name = f"«{path}»", f"«{name}»"
    return path, f":{line} {before}{name}{after}"


def brief(part: Part) -> dict[str, Any]:
    """A part as JSON values: lists of parts as lines, without absent and default values."""
    values = part.values(sparse=True)
    for name in list(values):
        value = getattr(part, name)
        if isinstance(value, Part):
            values[name] = brief(value)
            if not values[name]:
                del values[name]
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Part):
            values[name] = lines_of(value)
    return values


def by_depth(rows: Iterable[tuple[int, Row]]) -> list[str]:
    """Rows in order of depth as lines; a line `depth n` precedes those farther than one step."""
    lines: list[str] = []
    for depth, group in groupby(rows, key=lambda row: row[0]):
        lines += [*([f"depth {depth}"] if depth > 1 else []), *grouped(row for _, row in group)]
    return lines


def unmarked(text: str) -> str:
    """Text without marks, on one line: for comparison only."""
    return " ".join(line.removeprefix("| ").strip() for line in text.strip("«»").splitlines())


@runtime_checkable
class HasLinedText(Protocol):
    """A part with its own text in lines."""

    def lined_text(self) -> str:
        """A summary and its lines; empty if there is nothing."""
        ...


class PagedReply(Reply):
    """A reply with a page of a list: an answer has the whole page, a reply that is sent as much of it as fits."""

    _page: Page | None = None

    @property
    def page(self) -> Page:
        """The page."""
        return self._page or Page(total=0, offset=0, identity="")


class LinedReply(PagedReply):
    """A reply whose lists may be lines. `_IN_HEADING` are the fields that `heading` contains."""

    _IN_HEADING: ClassVar[frozenset[str]] = frozenset()
    _lines: bool = False

    def in_lines(self, detail: Detail = "lines") -> Self:
        """Selects the form of the lists; returns itself."""
        self._lines = detail == "lines"
        return self

    @property
    def has_lines(self) -> bool:
        """Whether the lists are sent as lines."""
        return self._lines

    @property
    def is_cut(self) -> bool:
        """Whether a larger budget may show more."""
        return bool(getattr(self, "omitted", 0))

    def brief(self) -> dict[str, Any]:
        """The fields in the form with lines."""
        return brief(self)

    def sent(self) -> dict[str, Any]:
        """The reply as JSON values, in the selected form."""
        return {"success": True, **self.brief()} if self._lines else super().sent()

    def places(self) -> Iterable[Place]:
        """The places in the reply."""
        return ()

    def notes(self) -> list[str]:
        """Notes to print beside the places alone."""
        parts = [getattr(self, name, None) for name in ("unresolved", "elsewhere")]
        summaries = [part.lined_text().partition("\n")[0] for part in parts if isinstance(part, HasLinedText)]
        return [note for note in (getattr(self, "note", None), *summaries, getattr(parts[1], "note", None)) if note]

    def maybe(self) -> Iterable[Place]:
        """Places that may belong to the answer, to print beside it."""
        calls = getattr(getattr(self, "elsewhere", None), "calls", list)
        return list(calls())

    def heading(self) -> str:
        """The first line of the text."""
        raise TypeError(f"{type(self).__name__} has no heading")

    def full_text(self) -> str:
        """The text of the whole reply."""
        raise TypeError(f"{type(self).__name__} has no text form")

    def to_text(self) -> str:
        """With lines: the heading, then each field; else the full text."""
        if not self._lines:
            return self.full_text()
        lines = [self.heading()]
        for name, value in self.brief().items():
            if name not in self._IN_HEADING:
                part = getattr(self, name)
                lines += [part.lined_text()] if isinstance(part, HasLinedText) else _text_of(name, value)
        return "\n".join(filter(None, lines))


class ElementReply(LinedReply):
    """A reply about one element. `namesakes`: which element was taken for a bare name, and the others of that name."""

    namesakes: Prose | None = None

    def notes(self) -> list[str]:
        """Notes to print beside the places alone, that on namesakes first."""
        return [*([self.namesakes] if self.namesakes else []), *super().notes()]

    def to_text(self) -> str:
        """The namesakes, then the text."""
        if not self.namesakes:
            return super().to_text()
        return f"{self.namesakes}\n{replace(self, namesakes=None).to_text()}"


def _text_of(name: str, value: Any) -> list[str]:
    """A field on one line; lists and multi-line texts below its name."""
    if isinstance(value, dict):
        below = [line for item in value.values() if isinstance(item, list) for line in map(str, item)]
        beside = [f"{key} {item}" for key, item in value.items() if not isinstance(item, list)]
        return [f"{name}: {', '.join(beside)}", *below]
    if isinstance(value, list):
        return [f"{name}:", *map(str, value)] if value else []
    return [f"{name}:\n{value}" if "\n" in str(value) else f"{name}: {value}"]


def most_common(values: Sequence[str]) -> str:
    """The most frequent value, the first of several; empty without values."""
    return Counter(values).most_common(1)[0][0] if values else ""
