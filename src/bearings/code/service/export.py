"""The code graph, written down or drawn."""

from bearings.code.engine.questions.diagram import Diagram, DiagramFormat, DiagramType
from bearings.code.engine.questions.export import Export, ExportFormat
from bearings.code.project import check_export_path
from bearings.code.replies.element import path_line
from bearings.code.replies.export import DiagramReply, ExportReply
from bearings.code.service.opening import Topic, index_of
from bearings.code.service.parts import followed, joined
from bearings.progress import Progress

_INLINE_EXPORT = 18_000
"""Bytes of an inline export: as a JSON string inside a reply, every quote in it takes two."""


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
        """The graph, to a file or inline. Raises PathNotAllowed, WriteFailed, and what `scan` raises."""
        if output_path is not None:
            check_export_path(self._roots.open(project_path), output_path, format)
        question = Export(format=format, output_path=output_path, max_nodes=max_nodes, max_chars=_INLINE_EXPORT)
        answer = await self._ask(project_path, question, progress)
        exported = answer.value
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
        """A picture of the graph. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = Diagram(diagram_type=diagram_type, format=format, depth=depth, element=element)
        answer = await self._ask(project_path, question, progress)
        drawn = answer.value
        return DiagramReply(
            diagram_type=diagram_type,
            format=format,
            element=path_line(drawn.element) or None,
            diagram=drawn.text,
            boxes=drawn.boxes,
            arrows=drawn.arrows,
            omitted_boxes=drawn.boxes_total - drawn.boxes,
            omitted_arrows=drawn.arrows_total - drawn.arrows,
            note=joined(drawn.note, followed(element, drawn.element)),
            index=index_of(answer.index),
        )
