"""The elements of a project."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import rows
from bearings.code.models import Language, SymbolKind
from bearings.code.question import Answer, Cursor, Project, ToolQuestion
from bearings.code.replies.element import Element, IndexInfo, rest_of
from bearings.code.replies.elsewhere import Unread
from bearings.code.replies.lines import InDetail, LinedReply, Place
from bearings.code.replies.pages import cut_to_fit
from bearings.code.search.language_names import languages_named
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
    last. `unread` are files in unsupported languages, by extension. `note` explains an empty list, and names endpoints
    that can't be in it.
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


_PAGE = 200
_SUMMARY = 40
"""Elements on the first page of a scan without filters."""


class Scan(ToolQuestion[ScanReply, ScanReply], frozen=True, kw_only=True):
    """List a project's elements (functions, classes, components, types, endpoints, schemas …) with file and lines.

    Without types, path or languages: a summary, and the first page. Endpoints have method, path and handler.
    Example: {"types": ["class"], "path": "src/auth"}
    """

    title = "Scan a project"
    place = 30
    toolsets = frozenset({"seed"})
    answer = ScanReply
    languages: Annotated[
        list[str] | None, Meta(description='Such as ["ts","tsx"] or ["python"]; default: all found.')
    ] = None
    use_ast: Annotated[bool, Meta(description="false: a fast, rough scan line by line, without a graph.")] = True
    types: Annotated[list[SymbolKind] | None, Meta(description="Default: all but module.")] = None
    path: Annotated[
        Annotated[str, Meta(max_length=1000)] | None, Meta(description="Globs: src/**/*.{ts,tsx}, !tests/**.")
    ] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=5000)] | None,
        Meta(description="Results per page; default: 200, of a whole project 40."),
    ] = None
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = _PAGE

    @property
    def reads_lines_only(self) -> bool:
        """Whether it reads line by line, without grammar or graph."""
        return not self.use_ast

    def prepared(self, _: Project, /) -> Self:
        """With the rows of its page. As lines and without filters, the first page is short. Raises Unsupported."""
        languages_named(self.languages or ())
        is_bare = not (self.languages or self.types or self.path or self.cursor)
        return replace(self, most=rows(self.limit or (_SUMMARY if is_bare and self.detail == "lines" else _PAGE)))

    def reply(self, answer: Answer[ScanReply]) -> ScanReply:
        """The page within the budget."""
        return cut_to_fit(answer.as_reply().in_lines(self.detail), "elements")
