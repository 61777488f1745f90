"""The code tools: their descriptions and arguments, without logic. One module for each topic."""

from bearings.code.service import CodeService
from bearings.code.tools.argument_names import habits_of
from bearings.code.tools.coderefs import CoderefsTools
from bearings.code.tools.explore import ExploreTools
from bearings.code.tools.export import ExportTools
from bearings.code.tools.graph import GraphTools
from bearings.code.tools.overview import OverviewTools
from bearings.code.tools.quality import QualityTools
from bearings.code.tools.risk import RiskTools
from bearings.tool import Tool


class CodeTools:
    """The tools of one service."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """All tools, in their listed order."""
        topics = (ExploreTools, GraphTools, RiskTools, OverviewTools, QualityTools, CoderefsTools, ExportTools)
        tools = (tool for topic in topics for tool in topic(self._service).tools())
        return tuple(tool.forgiving(habits_of(self._service, tool.arguments.model_fields)) for tool in tools)
