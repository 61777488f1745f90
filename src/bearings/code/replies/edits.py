"""The parts of replies about edits of sources."""

from typing import Any, Self

from msgspec import field

from bearings.budget import REPLY_BUDGET, room
from bearings.code.replies.element import IndexInfo
from bearings.code.replies.lines import Detail, Row, brief, lines_of, site
from bearings.code.replies.pages import size_of, within
from bearings.reply import Label, Part, Reply, SourceText, SymbolName
from bearings.untrusted import counted

DIFFERENCE = 15_000
"""Characters of a diff."""


class EditedFile(Part):
    """A file and the number of places that are edited in it."""

    file: SymbolName
    places: int

    def to_text(self) -> str:
        """One line."""
        return f"  {self.file} ({counted(self.places, 'place')})"


class PlaceOfName(Part):
    """A place with the name: the line of source, and why it is not edited."""

    file: SymbolName
    line: int
    why: Label
    source: SymbolName | None = None

    def placed(self) -> Row:
        """The line, the reason, and the source."""
        return self.file, site(self.line, [self.why], self.source)

    def to_text(self) -> str:
        """One line, as grep prints it."""
        return f"  {self.file}:{self.line}: {self.why}" + (f": {self.source}" if self.source else "")


class EditReply(Reply):
    """Edits of sources: `places` in `files_changed` files. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are: `left_total` in all. `reached` elements run the edited code;
    `tests` are the first of the `tests_total` test files that do, which `run` runs.
    """

    element: SymbolName
    dry_run: bool
    written: bool
    places: int
    files_changed: int
    refused: list[PlaceOfName]
    refused_total: int
    files: list[EditedFile]
    left: list[PlaceOfName]
    left_total: int
    diff: SourceText | None = None
    reached: int | None = None
    tests: list[SymbolName] = field(default_factory=list)
    tests_total: int = 0
    run: list[SymbolName] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    _lines: bool = False

    def in_lines(self, detail: Detail) -> Self:
        """Selects the form of the places: lines by file, or objects; returns itself."""
        self._lines = detail == "lines"
        return self

    def cut_to_fit(self) -> Self:
        """Cuts the lists and the diff to what fits, the refused places first; returns itself."""
        refused, files, left, diff = self.refused, self.files, self.left, self.diff
        self.refused, self.files, self.left, self.diff = [], [], [], None
        self.refused = within(self, refused)
        self.diff = diff
        if size_of(self) > room(REPLY_BUDGET):
            self.diff = None
        self.files = within(self, files)
        if size_of(self) < room(REPLY_BUDGET) // 2:
            self.left = within(self, left)
        return self

    def sent(self) -> dict[str, Any]:
        """The reply as JSON values, in the selected form."""
        return {"success": True, **brief(self)} if self._lines else super().sent()

    def title(self) -> str:
        """The first words of the text."""
        return self.element

    def to_text(self) -> str:
        """The edits or refusals, the files, and the diff: the same in both forms, but for the places."""
        done = "written" if self.written else "refused" if self.refused_total else "not written"
        head = f"{self.title()}: {counted(self.places, 'place')} in {counted(self.files_changed, 'file')}, {done}"
        parts = [f"{head} {self.index.to_text()}"]
        parts += ["refused because of:", *self._places(self.refused)] if self.refused else []
        parts += [file.to_text() for file in self.files]
        if self.left:
            parts += [f"left as they are ({self.left_total}):", *self._places(self.left)]
        parts += [self.diff] if self.diff else []
        if self.files:
            reach = "" if self.reached is None else f"elements that run the edited code: {self.reached}; "
            more = f" and {self.tests_total - len(self.tests)} more" if self.tests_total > len(self.tests) else ""
            parts += [f"{reach}tests: {', '.join(self.tests) or 'none known'}{more}"]
        parts += [f"run: {command}" for command in self.run]
        return "\n".join([*parts, *([self.note] if self.note else [])])

    def _places(self, places: list[PlaceOfName]) -> list[str]:
        """Places as text: with lines, those of a file together."""
        return lines_of(places) if self._lines else [place.to_text() for place in places]
