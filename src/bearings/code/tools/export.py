"""The tools for exports and diagrams."""

from typing import Annotated

from pydantic import Field

from bearings.code.questions.diagram import DiagramFormat, DiagramType
from bearings.code.questions.export import ExportFormat
from bearings.code.replies.export import DiagramReply, ExportReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, ProjectPath, Target
from bearings.progress import Progress
from bearings.tool import Effects, Tool


class ExportTools:
    """Diagram and export."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(self.coderef_diagram, title="Draw the code graph"),
            Tool.of(self.coderef_export, title="Export the code graph", effects=Effects(read_only=False)),
        )

    async def coderef_diagram(
        self,
        project_path: ProjectPath,
        diagram_type: Annotated[
            DiagramType, Field(description="dependencies: one arrow for all kinds of use; all: one for each kind.")
        ] = "dependencies",
        format: Annotated[DiagramFormat, Field(description="mermaid, or Graphviz's dot.")] = "mermaid",  # noqa: A002 - its public name
        depth: Annotated[
            int, Field(ge=1, le=10, description="Steps from `element`; without an element, levels of folders.")
        ] = 2,
        element: Annotated[Target | None, Field(description="Draw its neighbourhood; default: the project.")] = None,
        progress: Progress = NOBODY,
    ) -> DiagramReply:
        """Draw the dependencies between files, or around one element, in a diagram that is small enough to read.

        Grouped by folder or file; ×3 means three uses. The most connected are drawn; the rest is counted.
        Example: {"project_path": "/home/me/app", "diagram_type": "calls", "element": "AuthService.login"}
        """
        return await self._service.diagram(
            project_path, diagram_type=diagram_type, format=format, depth=depth, element=element, progress=progress
        )

    async def coderef_export(
        self,
        project_path: ProjectPath,
        format: Annotated[  # noqa: A002 - its public name
            ExportFormat, Field(description="index: the list of elements that coderef_drift compares with.")
        ] = "json",
        output_path: Annotated[
            str | None,
            Field(
                max_length=4096,
                description="File inside the project to write, such as graph.json; default: inline, as much as fits.",
            ),
        ] = None,
        max_nodes: Annotated[int | None, Field(ge=1, le=1_000_000, description="Keep only the most connected.")] = None,
        progress: Progress = NOBODY,
    ) -> ExportReply:
        """Write the code graph, nodes and edges, to a file in the project, or return it inline.

        Overwrites a file only if that is an earlier export.
        Example: {"project_path": "/home/me/app", "output_path": "graph.json"}
        """
        return await self._service.export(
            project_path, format=format, output_path=output_path, max_nodes=max_nodes, progress=progress
        )
