"""A picture of the code graph."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bearings.code.asking.opening import Asking, index_of
from bearings.code.asking.question import Reading, ToolQuestion
from bearings.code.asking.tidying import joined, outdated_line
from bearings.code.replies.element import IndexInfo, path_line
from bearings.reply import Reply, SourceText, SymbolName

DiagramType = Literal["dependencies", "calls", "imports", "all"]
"""The edges to draw: all kinds in one arrow, calls, imports, or all kinds in separate arrows."""


DiagramFormat = Literal["mermaid", "dot"]


class Diagrammed(msgspec.Struct, frozen=True, kw_only=True):
    """A diagram's text, the size of its content, and the size of the whole; `note` explains an empty diagram."""

    text: str
    boxes: int
    boxes_total: int
    arrows: int
    arrows_total: int
    element: str
    note: str


class DiagramReply(Reply):
    """A diagram's text, and the number of boxes and arrows left out: the least connected, or the farthest."""

    diagram_type: str
    format: str
    element: SymbolName | None = None
    diagram: SourceText
    boxes: int
    arrows: int
    omitted_boxes: int = 0
    omitted_arrows: int = 0
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """The diagram alone, so that it can be piped to a file; omissions are a comment in it."""
        comment = "%%" if self.format == "mermaid" else "//"
        notes = [self.note] if self.note else []
        if self.omitted_boxes or self.omitted_arrows:
            notes.append(f"left out: {self.omitted_boxes} boxes, {self.omitted_arrows} arrows")
        return "\n".join([self.diagram.rstrip("\n"), *(f"{comment} {line}" for line in notes)])


class Diagram(ToolQuestion[Diagrammed, DiagramReply], frozen=True, kw_only=True):
    """Draw the dependencies between files, or around one element, in a diagram that is small enough to read.

    Grouped by folder or file; ×3 means three uses. The most connected are drawn; the rest is counted.
    Example: {"project_path": "/home/me/app", "diagram_type": "calls", "element": "AuthService.login"}
    """

    title = "Draw the code graph"
    place = 160
    toolsets = frozenset({"seed"})
    view = "graph"
    answer = Diagrammed
    diagram_type: Annotated[
        DiagramType, Meta(description="dependencies: one arrow for all kinds of use; all: one for each kind.")
    ] = "dependencies"
    format: Annotated[DiagramFormat, Meta(description="mermaid, or Graphviz's dot.")] = "mermaid"
    depth: Annotated[
        int, Meta(ge=1, le=10, description="Steps from `element`; without an element, levels of folders.")
    ] = 2
    element: Annotated[
        Annotated[str, Meta(min_length=1, max_length=4096)] | None,
        Meta(description="Draw its neighbourhood; default: the project."),
    ] = None

    def compute(self, reading: Reading) -> Diagrammed:
        """The project, or the elements within `depth` steps of `element`.

        Without an element, files more than `depth` folders deep are drawn as their folder.
        """
        from bearings.code.questions.diagram.analysis import diagram

        return diagram(reading.snapshot, self)

    async def reply(self, asking: Asking) -> DiagramReply:
        """The diagram. Raises ElementNotFound, Ambiguous, and what a scan raises."""
        answer = await asking.answer(self)
        diagram = answer.value
        return DiagramReply(
            diagram_type=self.diagram_type,
            format=self.format,
            element=path_line(diagram.element) or None,
            diagram=diagram.text,
            boxes=diagram.boxes,
            arrows=diagram.arrows,
            omitted_boxes=diagram.boxes_total - diagram.boxes,
            omitted_arrows=diagram.arrows_total - diagram.arrows,
            note=joined(diagram.note, outdated_line(self.element, diagram.element)),
            index=index_of(answer.index),
        )
