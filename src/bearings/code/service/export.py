"""The topic of exports and diagrams."""

import os
import shlex
from pathlib import Path

from bearings.budget import room
from bearings.caller import caller
from bearings.code.asking.opening import Topic, index_of
from bearings.code.asking.tidying import joined, outdated_line
from bearings.code.project.export_names import check_export_path
from bearings.code.questions.coderefs import INDEX_PATH
from bearings.code.questions.diagram import Diagram, DiagramFormat, DiagramType
from bearings.code.questions.export import Export, Exported, ExportFormat
from bearings.code.replies.element import path_line
from bearings.code.replies.export import DiagramReply, ExportReply
from bearings.errors import InvalidInput, WriteFailed, shown
from bearings.progress import Progress

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


class ExportTopic(Topic):
    """Export and diagram."""

    async def export(
        self,
        project_path: str,
        *,
        format: ExportFormat = "json",  # noqa: A002 - the tool's parameter
        output_path: str | None = None,
        max_nodes: int | None = None,
        progress: Progress | None = None,
    ) -> ExportReply:
        """Exports the graph, or its `max_nodes` most connected nodes, to a file or inline.

        Only a command may write outside the project. Raises InvalidInput for a graph that is too large to be inline,
        PathNotAllowed, WriteFailed, and what `scan` raises.
        """
        folder = ""
        if output_path is not None:
            root = self._roots.open(project_path)
            check_export_path(root, output_path, format)
            folder, output_path = _split_outside(root, output_path) if caller().is_command else ("", output_path)
        question = Export(
            format=format,
            output_path=output_path,
            folder=folder,
            max_nodes=max_nodes,
            max_chars=room(_INLINE_EXPORT),
        )
        answer = await self._ask(project_path, question, progress)
        exported = answer.value
        if exported.path is None and format in _FILES and exported.nodes < min(max_nodes or _ANY, exported.nodes_total):
            raise _too_large(exported, format, project_path)
        return ExportReply(
            format=format,
            nodes_exported=exported.nodes,
            edges_exported=exported.edges,
            omitted=exported.nodes_total - exported.nodes,
            path=None if exported.path is None else path_line(exported.path),
            content=exported.text,
            index=index_of(answer.index),
        )

    async def diagram(
        self,
        project_path: str,
        *,
        diagram_type: DiagramType = "dependencies",
        format: DiagramFormat = "mermaid",  # noqa: A002 - the tool's parameter
        depth: int = 2,
        element: str | None = None,
        progress: Progress | None = None,
    ) -> DiagramReply:
        """A diagram of the graph. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = Diagram(diagram_type=diagram_type, format=format, depth=depth, element=element)
        answer = await self._ask(project_path, question, progress)
        diagram = answer.value
        return DiagramReply(
            diagram_type=diagram_type,
            format=format,
            element=path_line(diagram.element) or None,
            diagram=diagram.text,
            boxes=diagram.boxes,
            arrows=diagram.arrows,
            omitted_boxes=diagram.boxes_total - diagram.boxes,
            omitted_arrows=diagram.arrows_total - diagram.arrows,
            note=joined(diagram.note, outdated_line(element, diagram.element)),
            index=index_of(answer.index),
        )


def _split_outside(root: Path, output_path: str) -> tuple[str, str]:
    """The directory to write in if it is outside the project (else empty), and the path in it. Raises WriteFailed."""
    given = root / output_path
    directory = Path(os.path.realpath(given.parent))
    if directory.is_relative_to(root):
        return "", output_path
    if not directory.is_dir():
        raise WriteFailed(f"the directory {shown(str(directory))} does not exist", "Create it, or pass another path.")
    return str(directory), given.name


def _too_large(exported: Exported, format: ExportFormat, project_path: str) -> InvalidInput:  # noqa: A002 - as above
    """The error for a graph that is too large to be inline."""
    file = _FILES[format]
    fits = f"{exported.nodes:,} of {exported.nodes_total:,} nodes fit inline"
    command = f"bearings code export --project {shlex.quote(project_path)} --format {format} --output {file}"
    remedy = f"Pass output_path {file}, or in a shell: {command}"
    most = f". max_nodes {exported.nodes} gives the most connected inline" if exported.nodes else ""
    return InvalidInput("output_path", None, fits, f"{remedy}{most}.").instead_of("output_path", file)
