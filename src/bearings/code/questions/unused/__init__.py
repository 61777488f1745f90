"""Elements that nothing is known to use."""

from typing import Annotated

from msgspec import Meta

from bearings.code.models import SymbolKind
from bearings.code.question import Answer, Cursor, Limit, ToolQuestion
from bearings.code.replies.element import IndexInfo, rest_of
from bearings.code.replies.elsewhere import Unread
from bearings.code.replies.lines import PagedReply
from bearings.code.replies.pages import cut_to_fit
from bearings.reply import Part, SymbolName


class UnusedElement(Part):
    """An element without a known use, and its number of lines."""

    element: SymbolName
    type: SymbolKind
    lines: int

    def to_text(self) -> str:
        """One line."""
        return f"  {self.type} {self.element} ({self.lines} {'line' if self.lines == 1 else 'lines'})"


class UnusedReply(PagedReply):
    """Elements without an edge to them, whose word is on no other line: `unused_found` elements with `lines` in total.

    `left_out` counts by reason the elements that are not judged: all in tests and the like, and others without
    evidence. The rest of the `looked_at` elements are `in_use`, counted by evidence. `loaded_by_path` are files that
    nothing imports.
    """

    unused_found: int
    lines: int
    elements: list[UnusedElement]
    looked_at: int
    in_use: dict[str, int]
    left_out: dict[str, int]
    loaded_by_path: list[SymbolName]
    loaded_by_path_total: int
    unread: list[Unread]
    next_cursor: str | None = None
    omitted: int = 0
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """The count, the elements, and the numbers left out."""
        head = f"{self.unused_found} of {self.looked_at} elements without evidence of use, {self.lines} lines"
        parts = [f"{head} {self.index.to_text()}", *(element.to_text() for element in self.elements)]
        parts += rest_of(self.omitted, self.next_cursor)
        parts += [f"in use: {_counted(self.in_use)}"] if self.in_use else []
        parts += [f"left out: {_counted(self.left_out)}"] if self.left_out else []
        if self.loaded_by_path:
            more = self.loaded_by_path_total - len(self.loaded_by_path)
            parts.append(
                f"files that nothing imports: {', '.join(self.loaded_by_path)}" + (f", {more} more" if more else "")
            )
        if self.unread:
            parts.append(f"not read, only searched: {', '.join(row.to_text() for row in self.unread)}")
        return "\n".join([*parts, *([self.note] if self.note else [])])


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in counts.items())


class AskUnused(ToolQuestion[UnusedReply, UnusedReply], frozen=True, kw_only=True):
    """Dead code: elements without a known use whose word is on no other line of any file.

    Tests, entry points, framework callbacks and exports of packages are left out, and counted.
    Example: {"path": "src/**"}
    """

    title = "What nothing uses"
    place = 20
    toolsets = frozenset({"core"})
    answer = UnusedReply
    kinds: Annotated[
        list[SymbolKind] | None, Meta(description="Default: functions, classes, methods, constants, types.")
    ] = None
    path: Annotated[
        Annotated[str, Meta(max_length=1000)] | None, Meta(description="Glob: elements in these files only.")
    ] = None
    exports: Annotated[bool, Meta(description="Include a package's public elements.")] = False
    limit: Limit = 200
    cursor: Cursor = None
    most: int = 200

    def reply(self, answer: Answer[UnusedReply]) -> UnusedReply:
        """The page within the budget."""
        return cut_to_fit(answer.as_reply(), "elements")
