"""The code graph, written down."""

from typing import Annotated

from pydantic import Field

from bearings.code.engine.questions.export import ExportFormat
from bearings.code.replies.export import ExportReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, ProjectPath
from bearings.progress import Progress
from bearings.tool import Effects, Tool


class ExportTools:
    """Export."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """In the order in which they are listed."""
        return (Tool.of(self.coderef_export, title="Export the code graph", effects=Effects(read_only=False)),)

    async def coderef_export(
        self,
        project_path: ProjectPath,
        format: Annotated[ExportFormat, Field(description="Of the graph.")] = "json",  # noqa: A002 - its public name
        output_path: Annotated[
            str | None,
            Field(max_length=4096, description="File inside the project to write; default: inline, as much as fits."),
        ] = None,
        max_nodes: Annotated[int | None, Field(ge=1, description="Keep only the most connected.")] = None,
        progress: Progress = NOBODY,
    ) -> ExportReply:
        """Write the code graph, nodes and edges, to a file in the project, or give it inline.

        Replaces earlier exports, never another file.
        Example: {"project_path": "/home/me/app", "output_path": "graph.json"}
        """
        return await self._service.export(
            project_path, format=format, output_path=output_path, max_nodes=max_nodes, progress=progress
        )
