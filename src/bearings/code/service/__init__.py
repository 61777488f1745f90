"""Opens projects, asks the engine, and turns its answers into replies within a budget. One module for each topic."""

from bearings.code.questions.graph import Scan
from bearings.code.service.coderefs import CoderefsTopic
from bearings.code.service.graph import GraphTopic


class CodeService(GraphTopic, CoderefsTopic):
    """The code tools as methods, without a protocol."""

    async def any_element(self, project_path: str) -> str | None:
        """An element of a project, for an example; None if there is none."""
        found = (await self._ask(project_path, Scan(limit=1), None)).value.symbols
        return found[0].id if found else None

    async def aclose(self) -> None:
        """Closes the engine."""
        await self._engine.aclose()
