"""The first tool to ask, and the tool for unused elements."""

from typing import Annotated

from pydantic import Field

from bearings.code.models import SymbolKind
from bearings.code.replies.explore import ExploreReply
from bearings.code.replies.unused import UnusedReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, Cursor, Limit, ProjectPath
from bearings.progress import Progress
from bearings.tool import Tool


class ExploreTools:
    """Explore, unused."""

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
            Tool.of(self.coderef_unused, title="What nothing uses"),
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

    async def coderef_unused(
        self,
        project_path: ProjectPath,
        kinds: Annotated[
            list[SymbolKind] | None, Field(description="Default: functions, classes, methods, constants, types.")
        ] = None,
        path: Annotated[str | None, Field(max_length=1000, description="Glob: elements in these files only.")] = None,
        exports: Annotated[bool, Field(description="Include a package's public elements.")] = False,
        limit: Limit = 200,
        cursor: Cursor = None,
        progress: Progress = NOBODY,
    ) -> UnusedReply:
        """Dead code: elements without a known use whose word is on no other line of any file.

        Tests, entry points, framework callbacks and exports of packages are left out, and counted.
        Example: {"project_path": "/home/me/app", "path": "src/**"}
        """
        return await self._service.unused(
            project_path,
            kinds=kinds or (),
            path=path or "",
            exports=exports,
            limit=limit,
            cursor=cursor,
            progress=progress,
        )
