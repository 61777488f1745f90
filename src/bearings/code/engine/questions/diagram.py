"""The graph, drawn."""

from typing import Literal

import msgspec

from bearings.code.engine.questions.base import Question

DiagramType = Literal["dependencies", "calls", "imports", "all"]
"""Which edges are drawn: of every kind in one arrow, calls, imports, or of every kind in an arrow each."""

DiagramFormat = Literal["mermaid", "dot"]


class Diagrammed(msgspec.Struct, frozen=True, kw_only=True):
    """A diagram's text, what it shows, and how much there was to show; `note` says what an empty one means."""

    text: str
    boxes: int
    boxes_total: int
    arrows: int
    arrows_total: int
    element: str
    note: str


class Diagram(Question[Diagrammed], frozen=True, kw_only=True):
    """A picture of the project, or of what is at most `depth` steps from `element`.

    Without an element, files more than `depth` folders deep are drawn as the folder that they are in.
    """

    answer = Diagrammed
    diagram_type: DiagramType = "dependencies"
    format: DiagramFormat = "mermaid"
    depth: int = 2
    element: str | None = None
