"""The code tools: what a model reads and may pass. Nothing happens here."""

from typing import Annotated

from pydantic import Field

from bearings.code.engine.protocol import ExportFormat, QueryType
from bearings.code.models import SymbolKind
from bearings.code.replies import ExportReply, QueryReply, ScanReply, SymbolReply
from bearings.code.service import CodeService
from bearings.progress import NoProgress, Progress
from bearings.tool import Effects, Tool

ProjectPath = Annotated[str, Field(max_length=4096, description="Absolute path of the project's directory.")]
Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="Name, AuthService.login, src/auth.ts#login, src/auth.ts#login:24, a file path, or a CodeRef.",
    ),
]
Limit = Annotated[int, Field(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[str | None, Field(max_length=200, description="next_cursor of the last reply.")]

_NOBODY = NoProgress()


class CodeTools:
    """The tools of one service."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """All tools, in the order in which they are listed."""
        return (
            Tool.of(self.coderef_scan, title="Scan a project"),
            Tool.of(self.coderef_query, title="Query the code graph"),
            Tool.of(self.coderef_symbol, title="Explain an element"),
            Tool.of(self.coderef_export, title="Export the code graph", effects=Effects(read_only=False)),
        )

    async def coderef_scan(
        self,
        project_path: ProjectPath,
        languages: Annotated[
            list[str] | None, Field(description='Such as ["ts","tsx"] or ["python"]; default: all found.')
        ] = None,
        use_ast: Annotated[bool, Field(description="false: a fast pass line by line, rough, without a graph.")] = True,
        types: Annotated[list[SymbolKind] | None, Field(description="Default: all but module.")] = None,
        path: Annotated[
            str | None, Field(max_length=1000, description="Glob as in .gitignore: src/auth, **/*.ts.")
        ] = None,
        limit: Limit = 200,
        cursor: Cursor = None,
        progress: Progress = _NOBODY,
    ) -> ScanReply:
        """List a project's elements (functions, classes, components, methods, types …) with file and lines.

        Counted by type and language. Says which files were skipped and why. Always up to date.
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
            progress=progress,
        )

    async def coderef_query(
        self,
        project_path: ProjectPath,
        query_type: Annotated[
            QueryType, Field(description="-me: who calls, imports or uses the target. path: from source to target.")
        ],
        target: Target,
        source: Annotated[
            str | None, Field(max_length=4096, description="For path: the element to start from.")
        ] = None,
        max_depth: Annotated[int, Field(ge=1, le=10, description="Steps to follow.")] = 3,
        limit: Limit = 200,
        cursor: Cursor = None,
        progress: Progress = _NOBODY,
    ) -> QueryReply:
        """What an element calls, imports or depends on; who does so to it; or the path between two.

        A class or a file stands for what it contains. Uses that could not be resolved are counted, never hidden.
        Example: {"project_path": "/home/me/app", "query_type": "calls-me", "target": "AuthService.login"}
        """
        return await self._service.query(
            project_path,
            query_type,
            target,
            source=source,
            max_depth=max_depth,
            limit=limit,
            cursor=cursor,
            progress=progress,
        )

    async def coderef_symbol(
        self, project_path: ProjectPath, element: Target, progress: Progress = _NOBODY
    ) -> SymbolReply:
        """All about one element in one call: source, signature, doc, callers, callees, references, tests.

        Example: {"project_path": "/home/me/app", "element": "src/auth.ts#login"}
        """
        return await self._service.symbol(project_path, element, progress=progress)

    async def coderef_export(
        self,
        project_path: ProjectPath,
        format: Annotated[ExportFormat, Field(description="Of the graph.")] = "json",  # noqa: A002 - its public name
        output_path: Annotated[
            str | None,
            Field(max_length=4096, description="File inside the project to write; default: inline, as much as fits."),
        ] = None,
        max_nodes: Annotated[int | None, Field(ge=1, description="Keep only the most connected.")] = None,
        progress: Progress = _NOBODY,
    ) -> ExportReply:
        """Write the code graph, nodes and edges, to a file in the project, or give it inline.

        Replaces earlier exports, never another file.
        Example: {"project_path": "/home/me/app", "output_path": "graph.json"}
        """
        return await self._service.export(
            project_path, format=format, output_path=output_path, max_nodes=max_nodes, progress=progress
        )
