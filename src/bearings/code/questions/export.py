"""The question for an export of the graph."""

from typing import Literal

import msgspec

from bearings.code.asking.question import Question

ExportFormat = Literal["json", "jsonld", "mermaid", "dot", "index"]
"""The format of an export; `index` is the list of elements that CompareIndex reads."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """An export: written to `path`, in the project or outside, or returned as `text`."""

    nodes: int
    edges: int
    nodes_total: int
    edges_total: int
    path: str | None = None
    text: str | None = None


class Export(Question[Exported], frozen=True, kw_only=True):
    """Exports the graph to a file of the project or of another `folder`, or as text of at most `max_chars`.

    At most `max_nodes` elements: those with the most edges. Guessed edges are left out. A Mermaid chart stays within
    the limits of Mermaid's renderer, unless `max_nodes` is given.
    """

    answer = Exported
    format: ExportFormat = "json"
    output_path: str | None = None
    folder: str = ""
    max_nodes: int | None = None
    max_chars: int = 20_000
