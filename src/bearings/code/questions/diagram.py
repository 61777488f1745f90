"""The question for a diagram."""

from typing import Literal

import msgspec

from bearings.code.asking.question import Question

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


class Diagram(Question[Diagrammed], frozen=True, kw_only=True):
    """A diagram of the project, or of the elements within `depth` steps of `element`.

    Without an element, files more than `depth` folders deep are drawn as their folder.
    """

    answer = Diagrammed
    diagram_type: DiagramType = "dependencies"
    format: DiagramFormat = "mermaid"
    depth: int = 2
    element: str | None = None
