"""The graph, written down."""

from typing import Literal

import msgspec

from bearings.code.engine.questions.base import Question

ExportFormat = Literal["json", "jsonld", "mermaid", "dot", "index"]
"""How the graph is written down; `index` is the list of elements that drift is told by."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What was exported: to the file `path` of the project, or outside it, or as `text`."""

    nodes: int
    edges: int
    nodes_total: int
    edges_total: int
    path: str | None = None
    text: str | None = None


class Export(Question[Exported], frozen=True, kw_only=True):
    """The graph in a format, to a file of the project, or of another `folder`, or as text of at most `max_chars`.

    At most `max_nodes` elements: those with the most edges. Guessed edges are left out. A Mermaid chart has no
    more than Mermaid renders, unless `max_nodes` asks for it.
    """

    answer = Exported
    format: ExportFormat = "json"
    output_path: str | None = None
    folder: str = ""
    max_nodes: int | None = None
    max_chars: int = 20_000
