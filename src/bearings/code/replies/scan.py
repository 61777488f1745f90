"""The reply of coderef_scan."""

from collections.abc import Iterator
from typing import Literal

from msgspec import field

from bearings.code.models import Language, SymbolKind
from bearings.code.replies.element import Element, IndexInfo, rest_of
from bearings.code.replies.elsewhere import Unread
from bearings.code.replies.lines import LinedReply, Place
from bearings.reply import Part, SymbolName


class SkippedFile(Part):
    """A file or directory (its path ends in `/`) that is not in the index, and the reason."""

    path: SymbolName
    reason: str

    def to_text(self) -> str:
        """One line."""
        return f"{self.path}: {self.reason}"


class ScanReply(LinedReply):
    """The elements of a project: `elements_found` in total, with counts of all and this page's elements.

    `by_folder` counts the elements below the largest folders; `.` is the project's own folder. `omitted` elements come
    after this page; `next_cursor` leads to them. `skipped`, `parse_error_files` and `generated` (files that declare
    that a program wrote them; their elements count) list the first files; in `skipped`, ignored and excluded ones come
    last. `unread` are files in unsupported languages, by extension.
    """

    elements_found: int
    by_type: dict[SymbolKind, int]
    by_language: dict[Language, int]
    by_folder: dict[SymbolName, int] = field(default_factory=dict)
    elements: list[Element]
    next_cursor: str | None = None
    omitted: int = 0
    skipped: list[SkippedFile] = field(default_factory=list)
    skipped_total: int = 0
    skipped_by_reason: dict[str, int] = field(default_factory=dict)
    parse_errors: int = 0
    generated: list[SymbolName] = field(default_factory=list)
    generated_total: int = 0
    parse_error_files: list[SymbolName] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    note: str | None = None
    method: Literal["ast", "lexical"]
    index: IndexInfo

    _IN_HEADING = frozenset({"elements_found", "by_type", "method", "index"})

    def places(self) -> Iterator[Place]:
        """The place of each element."""
        return ((one.file, one.line) for one in self.elements)

    def heading(self) -> str:
        """The number of elements, by kind."""
        counts = ", ".join(f"{count} {kind}" for kind, count in self.by_type.items())
        return f"{self.elements_found} elements{f': {counts}' if counts else ''} ({self.method}) {self.index.to_text()}"

    def full_text(self) -> str:
        """A head, then a line for each element."""
        lines = [self.heading()]
        lines += [element.to_text() for element in self.elements]
        lines += rest_of(self.omitted, self.next_cursor)
        lines += [self.note] if self.note else []
        if self.parse_errors:
            files = " ".join(self.parse_error_files)
            lines.append(f"{self.parse_errors} files could not be parsed completely: {files}")
        lines += [f"skipped {left.path}: {left.reason}" for left in self.skipped]
        if self.skipped_total > len(self.skipped):
            lines.append(f"… {self.skipped_total - len(self.skipped)} more skipped")
        if self.unread:
            lines.append(f"not read: {', '.join(row.to_text() for row in self.unread)}")
        if self.generated:
            more = self.generated_total - len(self.generated)
            lines.append(f"generated: {', '.join(self.generated)}{f' and {more} more' if more else ''}")
        return "\n".join(lines)
