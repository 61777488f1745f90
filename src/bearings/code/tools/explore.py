"""The first tool to ask, and the tool for unused elements."""

from typing import Annotated

from pydantic import Field

from bearings.code.replies.explore import ExploreReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, ProjectPath
from bearings.progress import Progress
from bearings.tool import Tool


class ExploreTools:
    """Explore."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(
                self.coderef_explore,
                title="Find your way in a project",
                always_loaded=True,
            ),
        )

    async def coderef_explore(
        self,
        project_path: ProjectPath,
        question: Annotated[
            str,
            Field(
                min_length=1,
                max_length=16_000,
                description="Words, an element, path:line, a traceback or test output, an error text, a URL, a commit.",
            ),
        ],
        budget: Annotated[int, Field(ge=1500, le=100_000, description="Characters that the reply may take.")] = 8_000,
        progress: Progress = NOBODY,
    ) -> ExploreReply:
        """Ask this first: the few elements that answer, with source, users, tests, and what to ask next.

        Finds text too: strings, comments, settings, files in any language. Paste a whole traceback or test output.
        Example: {"project_path": "/home/me/app", "question": "where are failed payments retried"}
        """
        return await self._service.explore(project_path, question, budget=budget, progress=progress)
