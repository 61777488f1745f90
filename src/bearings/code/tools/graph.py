"""The tools for a project's elements and their uses."""

from functools import partial
from typing import Annotated

from pydantic import Field

from bearings.code.models import SymbolKind
from bearings.code.questions.graph import QueryType, UseKind
from bearings.code.replies.many import ManyReply
from bearings.code.replies.query import QueryReply
from bearings.code.replies.scan import ScanReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY, Cursor, InDetail, Limit, ProjectPath, Targets
from bearings.progress import Progress
from bearings.tool import Tool


class GraphTools:
    """Scan, query."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(self.coderef_scan, title="Scan a project"),
            Tool.of(self.coderef_query, title="Query the code graph"),
        )

    async def coderef_scan(
        self,
        project_path: ProjectPath,
        languages: Annotated[
            list[str] | None, Field(description='Such as ["ts","tsx"] or ["python"]; default: all found.')
        ] = None,
        use_ast: Annotated[bool, Field(description="false: a fast, rough scan line by line, without a graph.")] = True,
        types: Annotated[list[SymbolKind] | None, Field(description="Default: all but module.")] = None,
        path: Annotated[
            str | None, Field(max_length=1000, description="Glob as in .gitignore: src/auth, **/*.ts.")
        ] = None,
        limit: Annotated[
            int | None, Field(ge=1, le=5000, description="Results per page; default: 200, of a whole project 40.")
        ] = None,
        cursor: Cursor = None,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> ScanReply:
        """List a project's elements (functions, classes, components, types, endpoints, schemas …) with file and lines.

        Without types, path or languages: a summary by type, language and folder, and the first page. Endpoints have
        method, path and handler. Lists skipped files with reasons. Always up to date.
        Example: {"project_path": "/home/me/app", "types": ["class"], "path": "src/auth"}
        """
        return await self._service.scan(
            project_path,
            languages=languages or (),
            types=types or (),
            path=path or "",
            use_ast=use_ast,
            limit=limit,
            cursor=cursor,
            detail=detail,
            progress=progress,
        )

    async def coderef_query(
        self,
        project_path: ProjectPath,
        query_type: Annotated[
            QueryType, Field(description="-me: who calls, imports or uses the element. path: from source to element.")
        ],
        element: Targets,
        source: Annotated[
            str | None, Field(max_length=4096, description="For path: the element to start from.")
        ] = None,
        max_depth: Annotated[int, Field(ge=1, le=10, description="Steps to follow.")] = 3,
        kinds: Annotated[list[UseKind] | None, Field(description="Follow these uses only.")] = None,
        path: Annotated[str | None, Field(max_length=1000, description="Glob: sites in these files only.")] = None,
        limit: Limit = 200,
        cursor: Cursor = None,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> QueryReply | ManyReply:
        """What an element calls, imports or depends on; what calls, imports or uses it; or the path between two.

        Results are lines, path:line [in enclosing element] source; → names the other end if it is not the target.
        A class or a file includes its members. Unresolved sites follow the results. If no user is known, elsewhere
        shows other lines that contain the word.
        Subclasses: depends-on-me, kinds ["extends"], max_depth 1.
        Example: {"project_path": "/home/me/app", "query_type": "calls-me", "element": "AuthService.login"}
        """
        ask = partial(
            self._service.query,
            source=source,
            max_depth=max_depth,
            kinds=kinds or (),
            path=path or "",
            limit=limit,
            cursor=cursor,
            detail=detail,
            progress=progress,
        )
        return await self._service.each(
            element, lambda one, budget: ask(project_path, query_type, one, budget=budget), cursor
        )
