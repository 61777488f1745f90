"""The code graph, written down."""

from bearings.code.engine.questions.export import Export, ExportFormat
from bearings.code.replies.element import path_line
from bearings.code.replies.export import ExportReply
from bearings.code.service.opening import Topic, index_of
from bearings.progress import Progress

_INLINE_EXPORT = 18_000
"""Bytes of an inline export: as a JSON string inside a reply, every quote in it takes two."""


class ExportTopic(Topic):
    """Export."""

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
