"""A skeleton of a project: its most central files and elements."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from bearings.code.question import Answer, Budget, ToolQuestion
from bearings.code.replies.element import IndexInfo, path_line
from bearings.reply import Reply, SourceText, SymbolName
from bearings.untrusted import escape_text


class MapReply(Reply):
    """A skeleton of the project: files, and below each `line: head` of its most central elements."""

    skeleton: SourceText
    focus: SymbolName | None = None
    files_shown: int
    files: int
    elements_shown: int
    elements: int
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """The skeleton, after a line with its share of the project."""
        around = f" around {self.focus}" if self.focus else ""
        head = f"{self.elements_shown} of {self.elements} elements, {self.files_shown} of {self.files} files{around}"
        return "\n".join([f"{head} {self.index.to_text()}", *([self.note] if self.note else []), self.skeleton])


class AskMap(ToolQuestion[MapReply, MapReply], frozen=True, kw_only=True):
    """A skeleton of the project within a budget: the most central files, with the heads of their elements.

    Example: {"budget": 4000, "element": "AuthService.login"}
    """

    title = "Map a project"
    place = 100
    toolsets = frozenset({"core"})
    view = "graph"
    answer = MapReply
    budget: Budget = 8_000
    element: Annotated[
        Annotated[str, Meta(min_length=1, max_length=4096)] | None, Meta(description="Its neighbourhood comes first.")
    ] = None

    def reply(self, answer: Answer[MapReply]) -> MapReply:
        """The skeleton. Raises ElementNotFound, and the errors of a scan."""
        map_ = answer.value
        focus = path_line(map_.focus) if map_.focus else None
        return replace(map_, skeleton=escape_text(map_.skeleton), focus=focus, index=answer.index)
