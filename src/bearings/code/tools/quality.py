"""The tools for patterns and coverage."""

from typing import Annotated

from pydantic import Field

from bearings.code.replies.quality import CoverageReply, PatternsReply, PatternType
from bearings.code.service import CodeService
from bearings.code.service.quality import CoverageFormat
from bearings.code.tools.arguments import NOBODY, Cursor, InDetail, Limit, ProjectPath
from bearings.progress import Progress
from bearings.tool import Tool


class QualityTools:
    """Patterns, coverage."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (
            Tool.of(self.coderef_patterns, title="Find patterns"),
            Tool.of(self.coderef_coverage, title="Test coverage"),
        )

    async def coderef_patterns(
        self,
        project_path: ProjectPath,
        pattern_type: Annotated[PatternType | None, Field(description="Default: all.")] = None,
        limit: Annotated[int, Field(ge=1, le=100, description="Patterns, and test gaps, to show.")] = 10,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> PatternsReply:
        """Patterns in the code outside tests, with example lines; functions that no test reaches.

        Example: {"project_path": "/home/me/app", "pattern_type": "error-handling"}
        """
        return await self._service.patterns(
            project_path, pattern_type=pattern_type, limit=limit, detail=detail, progress=progress
        )

    async def coderef_coverage(
        self,
        project_path: ProjectPath,
        format: Annotated[  # noqa: A002 - its public name
            CoverageFormat, Field(description="detailed: by file, the least covered first.")
        ] = "summary",
        limit: Limit = 200,
        cursor: Cursor = None,
        detail: InDetail = "lines",
        progress: Progress = NOBODY,
    ) -> CoverageReply:
        """Test coverage from lcov, Istanbul, coverage.py or Cobertura reports, else by the graph; names its source.

        Example: {"project_path": "/home/me/app", "format": "detailed"}
        """
        return await self._service.coverage(
            project_path, format=format, limit=limit, cursor=cursor, detail=detail, progress=progress
        )
