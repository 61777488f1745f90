"""Opens projects, asks the engine, and turns its answers into replies within a budget. One module for each topic."""

from bearings.code.service.changes import ChangesTopic
from bearings.code.service.coderefs import CoderefsTopic
from bearings.code.service.explore import ExploreTopic
from bearings.code.service.export import ExportTopic
from bearings.code.service.graph import GraphTopic
from bearings.code.service.overview import OverviewTopic
from bearings.code.service.quality import QualityTopic
from bearings.code.service.risk import RiskTopic


class CodeService(
    ExploreTopic, GraphTopic, RiskTopic, ChangesTopic, OverviewTopic, QualityTopic, CoderefsTopic, ExportTopic
):
    """The code tools as methods, without a protocol."""

    async def aclose(self) -> None:
        """Closes the engine."""
        await self._engine.aclose()
