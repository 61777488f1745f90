"""A picture of the code graph."""

from typing import Annotated, Literal

from msgspec import Meta, field

from bearings.code.models import SymbolKind
from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.element import IndexInfo, not_indexed
from bearings.reply import Part, Reply, SourceText, SymbolName

DiagramType = Literal["dependencies", "calls", "imports", "all"]
"""The edges to draw: all kinds in one arrow, calls, imports, or all kinds in separate arrows."""


DiagramFormat = Literal["mermaid", "dot", "json"]
"""A notation, or boxes and arrows for a program."""


class DrawnBox(Part):
    """A box: a folder (its id ends in a slash), a file or an element. `type` is an element's.

    `files` and `elements` count the contents of a folder, `elements` those of a file.
    """

    id: SymbolName
    label: SymbolName
    look: str
    type: SymbolKind | None = None
    files: int = 0
    elements: int = 0


class DrawnArrow(Part):
    """An arrow for `count` uses, between the boxes of two positions. `kind` if kinds have separate arrows."""

    source: int
    target: int
    kind: str | None = None
    count: int = 1


class Drawn(Part):
    """The content of a diagram."""

    boxes: list[DrawnBox]
    arrows: list[DrawnArrow]

    def to_text(self) -> str:
        """A line for each arrow, then the boxes without one."""
        linked = {place for arrow in self.arrows for place in (arrow.source, arrow.target)}
        lines = [
            f"{self.boxes[arrow.source].id} -> {self.boxes[arrow.target].id} {arrow.kind or 'use'} ×{arrow.count}"
            for arrow in self.arrows
        ]
        return "\n".join([*lines, *(box.id for place, box in enumerate(self.boxes) if place not in linked)])


MAX_BOXES = 24
"""Chosen by eye: with more, arrows cross too often to follow."""


class DiagramReply(Reply):
    """A diagram's text (json: `drawn`), and how many boxes and arrows are left out: least connected, or farthest."""

    diagram_type: str
    format: str
    element: SymbolName | None = None
    inside: SymbolName | None = None
    diagram: SourceText | None = None
    drawn: Drawn | None = None
    boxes: int
    arrows: int
    omitted_boxes: int = 0
    omitted_arrows: int = 0
    note: str | None = None
    index: IndexInfo = field(default_factory=not_indexed)

    def to_text(self) -> str:
        """The diagram alone, so that it can be piped to a file; omissions are a comment in it."""
        comment = "%%" if self.format == "mermaid" else "//"
        text = self.drawn.to_text() if self.drawn else self.diagram or ""
        notes = [self.note] if self.note else []
        if self.omitted_boxes or self.omitted_arrows:
            notes.append(f"left out: {self.omitted_boxes} boxes, {self.omitted_arrows} arrows")
        return "\n".join([text.rstrip("\n"), *(f"{comment} {line}" for line in notes)])


class Diagram(ToolQuestion[DiagramReply, DiagramReply], frozen=True, kw_only=True):
    """Draw the dependencies between files, or around one element, in a diagram that is small enough to read.

    ×3 means three uses. The most connected are drawn.
    Example: {"diagram_type": "calls", "element": "AuthService.login"}
    """

    title = "Draw the code graph"
    place = 160
    toolsets = frozenset({"seed"})
    view = "graph"
    answer = DiagramReply
    diagram_type: Annotated[
        DiagramType, Meta(description="dependencies: one arrow for all kinds of use; all: one for each kind.")
    ] = "dependencies"
    format: Annotated[DiagramFormat, Meta(description="mermaid, Graphviz's dot, or json: boxes and arrows.")] = (
        "mermaid"
    )
    depth: Annotated[
        int, Meta(ge=1, le=10, description="Steps from `element`; without an element, levels of folders.")
    ] = 2
    element: Annotated[
        Annotated[str, Meta(min_length=1, max_length=4096)] | None,
        Meta(description="Draw its neighbourhood; default: the project."),
    ] = None
    inside: Annotated[
        Annotated[str, Meta(min_length=1, max_length=4096)] | None,
        Meta(
            description="Open this folder or file: its content, tests too, and what it is linked to. `.` is the root."
        ),
    ] = None
    max_boxes: Annotated[int, Meta(ge=2, le=300, description="Boxes to draw; more are hard to read.")] = MAX_BOXES

    def reply(self, answer: Answer[DiagramReply]) -> DiagramReply:
        """The diagram."""
        return answer.as_reply()
