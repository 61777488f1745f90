"""What coderef_export answers."""

from bearings.code.replies.element import IndexInfo
from bearings.reply import Reply


class ExportReply(Reply):
    """What was exported: to `path`, or in `content`. `omitted` counts the nodes left out."""

    format: str
    nodes_exported: int
    edges_exported: int
    omitted: int = 0
    path: str | None = None
    content: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then the content, if it went nowhere else."""
        omitted = f", {self.omitted} nodes left out" if self.omitted else ""
        where = f" to {self.path}" if self.path else ""
        head = f"{self.nodes_exported} nodes, {self.edges_exported} edges{omitted} as {self.format}{where}"
        return "\n".join([f"{head} {self.index.to_text()}", *([self.content] if self.content else [])])
