"""The tools for a change: its impact, complexity, and the tests to run."""

from functools import partial
from typing import Annotated

from pydantic import Field

from bearings.code.replies.changes import ChangesReply
from bearings.code.replies.complexity import ComplexityReply
from bearings.code.replies.impact import ImpactReply, Operation
from bearings.code.replies.many import ManyReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, Cursor, InDetail, Limit, ProjectPath, Targets
from bearings.progress import Progress
from bearings.tool import Tool


class RiskTools:
    """Impact, complexity, changes."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(self.coderef_impact, title="What a change reaches"),
            Tool.of(self.coderef_complexity, title="How complex an element is"),
            Tool.of(self.coderef_changes, title="What changed, and what to test"),
        )

    async def coderef_impact(
        self,
        project_path: ProjectPath,
        element: Targets,
        operation: Annotated[
            Operation, Field(description="modify: what it does; refactor: name, place or signature; delete.")
        ] = "modify",
        max_depth: Annotated[int, Field(ge=1, le=10, description="Steps to follow.")] = 3,
        limit: Limit = 200,
        cursor: Cursor = None,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> ImpactReply | ManyReply:
        """What breaks if I change this: affected elements by depth, files, tests to run, and the risk with its sum.

        Example: {"project_path": "/home/me/app", "element": "AuthService.login", "operation": "refactor"}
        """
        ask = partial(
            self._service.impact,
            project_path,
            operation=operation,
            max_depth=max_depth,
            limit=limit,
            cursor=cursor,
            detail=detail,
            progress=progress,
        )
        return await self._service.each(element, lambda one, budget: ask(one, budget=budget), cursor)

    async def coderef_complexity(
        self,
        project_path: ProjectPath,
        element: Targets,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> ComplexityReply | ManyReply:
        """Cyclomatic and cognitive complexity, size, dependencies, tests and rank of a function, class or file.

        Example: {"project_path": "/home/me/app", "element": "src/auth.ts"}
        """
        ask = partial(self._service.complexity, project_path, detail=detail, progress=progress)
        return await self._service.each(element, lambda one, _: ask(one))

    async def coderef_changes(
        self,
        project_path: ProjectPath,
        base: Annotated[
            str, Field(min_length=1, max_length=300, description="Commit, branch or tag to compare the files with.")
        ] = "HEAD",
        max_depth: Annotated[int, Field(ge=1, le=10, description="Steps to follow from each change.")] = 3,
        limit: Limit = 200,
        cursor: Cursor = None,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> ChangesReply:
        """What changed since a git commit: elements added, modified, renamed, removed; what they reach; tests to run.

        Tests come in the order to run them. Files as they are now are compared, uncommitted ones too.
        Example: {"project_path": "/home/me/app", "base": "main"}
        """
        return await self._service.changes(
            project_path, base=base, max_depth=max_depth, limit=limit, cursor=cursor, detail=detail, progress=progress
        )
