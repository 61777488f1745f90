"""The replies of coderef_export and coderef_diagram."""

from bearings.code.replies.element import IndexInfo
from bearings.reply import Reply, SourceText, SymbolName


class ExportReply(Reply):
    """An export, in the file `path` or in `content`. `omitted` counts the nodes that were left out."""

    format: str
    nodes_exported: int
    edges_exported: int
    omitted: int = 0
    path: SymbolName | None = None
    content: SourceText | None = None
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then the content unless it is in a file."""
        omitted = f", {self.omitted} nodes left out" if self.omitted else ""
        where = f" to {self.path}" if self.path else ""
        head = f"{self.nodes_exported} nodes, {self.edges_exported} edges{omitted} as {self.format}{where}"
        return "\n".join(filter(None, [f"{head} {self.index.to_text()}", self.note, self.content]))


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
