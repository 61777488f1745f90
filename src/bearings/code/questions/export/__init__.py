"""The code graph as a document."""

import os
import shlex
from pathlib import Path
from typing import Annotated, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from bearings.budget import room
from bearings.caller import caller
from bearings.code.formats.index_json import INDEX_PATH
from bearings.code.project.export_names import check_export_path
from bearings.code.question import Answer, Project, ToolQuestion
from bearings.code.replies.element import IndexInfo
from bearings.errors import InvalidInput, WriteFailed, shown
from bearings.reply import Reply, SourceText, SymbolName

ExportFormat = Literal["json", "jsonld", "mermaid", "dot", "index"]
"""The format of an export; `index` is the list of elements that CompareIndex reads."""


_FILES = {
    "json": "coderef-graph.json",
    "jsonld": "coderef-graph.jsonld",
    "dot": "coderef-graph.dot",
    "index": INDEX_PATH,
}
"""Suggested file names. A Mermaid chart always fits inline."""


_ANY = 2**31


_INLINE_EXPORT = 18_000
"""Bytes of an inline export. Each quote takes two characters, as the export is a JSON string inside a reply."""


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


class Export(ToolQuestion[ExportReply, ExportReply], frozen=True, kw_only=True):
    """Write the code graph, nodes and edges, to a file in the project, or return it inline.

    Overwrites a file only if that is an earlier export.
    Example: {"output_path": "graph.json"}
    """

    title = "Export the code graph"
    place = 170
    writes = True
    answer = ExportReply
    format: Annotated[
        ExportFormat, Meta(description="index: the list of elements that coderef_drift compares with.")
    ] = "json"
    output_path: Annotated[
        Annotated[str, Meta(max_length=4096)] | None,
        Meta(description="File inside the project to write, such as graph.json; default: inline, as much as fits."),
    ] = None
    max_nodes: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None, Meta(description="Keep only the most connected.")
    ] = None
    project: str = ""
    folder: str = ""
    max_chars: int = 20_000

    @property
    def edits(self) -> bool:
        """Unless the graph is returned inline."""
        return self.output_path is not None

    def prepared(self, project: Project, /) -> Self:
        """With the limits that the caller has. Only a command may write outside the project.

        Raises InvalidInput, PathNotAllowed, WriteFailed.
        """
        folder, output_path = "", self.output_path
        if output_path is not None:
            root = project.root
            check_export_path(root, output_path, self.format)
            folder, output_path = _split_outside(root, output_path) if caller().is_command else ("", output_path)
        limit = room(_INLINE_EXPORT)
        return replace(self, output_path=output_path, folder=folder, max_chars=limit, project=project.given)

    def reply(self, answer: Answer[ExportReply]) -> ExportReply:
        """The number of nodes, and the path or the text. Raises InvalidInput for a graph too large to be inline."""
        exported = answer.as_reply()
        nodes_total = exported.nodes_exported + exported.omitted
        is_cut = exported.nodes_exported < min(self.max_nodes or _ANY, nodes_total)
        if exported.path is None and self.format in _FILES and is_cut:
            raise _too_large(exported.nodes_exported, nodes_total, self.format, self.project)
        return exported


def _split_outside(root: Path, output_path: str) -> tuple[str, str]:
    """The directory to write in if it is outside the project (else empty), and the path in it. Raises WriteFailed."""
    given = root / output_path
    directory = Path(os.path.realpath(given.parent))
    if directory.is_relative_to(root):
        return "", output_path
    if not directory.is_dir():
        raise WriteFailed(f"the directory {shown(str(directory))} does not exist", "Create it, or pass another path.")
    return str(directory), given.name


def _too_large(nodes: int, total: int, format: ExportFormat, project_path: str) -> InvalidInput:  # noqa: A002 - as above
    """The error for a graph that is too large to be inline."""
    file = _FILES[format]
    fits = f"{nodes:,} of {total:,} nodes fit inline"
    command = f"bearings code export --project {shlex.quote(project_path)} --format {format} --output {file}"
    remedy = f"Pass output_path {file}, or in a shell: {command}"
    most = f". max_nodes {nodes} gives the most connected inline" if nodes else ""
    return InvalidInput("output_path", None, fits, f"{remedy}{most}.").instead_of("output_path", file)
