"""The tools for an overview of a project."""

from typing import Annotated

from pydantic import Field

from bearings.code.replies.overview import ContextReply, MapReply
from bearings.code.service import CodeService
from bearings.code.service.overview import ContextFormat
from bearings.code.tools.arguments import NOBODY, ProjectPath, Target
from bearings.progress import Progress
from bearings.tool import Tool

Budget = Annotated[int, Field(ge=1500, le=100_000, description="Characters that the reply may take.")]


class OverviewTools:
    """Context, map."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(self.coderef_context, title="Explain a project"),
            Tool.of(self.coderef_map, title="Map a project"),
        )

    async def coderef_context(
        self,
        project_path: ProjectPath,
        languages: Annotated[list[str] | None, Field(description='Such as ["ts"]; default: all found.')] = None,
        output_format: Annotated[ContextFormat, Field(description="json, markdown, or both.")] = "json",
        budget: Budget = 12_000,
        progress: Progress = NOBODY,
    ) -> ContextReply:
        """Read this first: packages, architecture by folder, entry points, key elements, test patterns, conventions.

        Example: {"project_path": "/home/me/app", "output_format": "markdown"}
        """
        return await self._service.context(
            project_path, languages=languages or (), output_format=output_format, budget=budget, progress=progress
        )

    async def coderef_map(
        self,
        project_path: ProjectPath,
        budget: Budget = 8_000,
        element: Annotated[Target | None, Field(description="Its neighbourhood comes first.")] = None,
        progress: Progress = NOBODY,
    ) -> MapReply:
        """A skeleton of the project within a budget: the most central files, with the heads of their elements.

        Example: {"project_path": "/home/me/app", "budget": 4000, "element": "AuthService.login"}
        """
        return await self._service.map(project_path, budget=budget, focus=element, progress=progress)
