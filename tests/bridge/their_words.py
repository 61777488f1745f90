"""Runs in the environment of the other servers: boxes as JSON on stdin, what their own tools say of each on stdout.

Their tools are registered with a stand-in for their MCP server, and STAC's with a stand-in for its catalogue, so that
nothing is asked of the network; the checks of the boxes are theirs.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

Tool = Callable[..., Awaitable[str]]


class Registry:
    """Records registered tools by name."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}

    def tool(self, function: Tool | None = None) -> Any:
        """A decorator with or without parentheses: the servers use both."""
        return self._keep if function is None else self._keep(function)

    def _keep(self, function: Tool) -> Tool:
        self.tools[function.__name__] = function
        return function


class Catalogue:
    """A STAC catalogue without scenes that records the requested boxes."""

    def __init__(self) -> None:
        self.asked: list[list[float]] = []

    def get_catalog_url(self, _: object) -> str:
        return "nowhere"

    def get_stac_client(self, _: object) -> "Catalogue":
        return self

    def search(self, **question: Any) -> "Catalogue":
        self.asked.append(question["bbox"])
        return self

    def items(self) -> list[object]:
        return []


async def verdicts(boxes: list[list[float]]) -> list[dict[str, Any]]:
    from chuk_mcp_dem.core.dem_manager import DEMManager
    from chuk_mcp_dem.tools.download.api import register_download_tools
    from chuk_mcp_stac.tools.search.api import register_search_tools

    dem, stac, catalogue = Registry(), Registry(), Catalogue()
    register_download_tools(dem, DEMManager())
    register_search_tools(stac, catalogue)
    said = []
    for box in boxes:
        covered = json.loads(await dem.tools["dem_check_coverage"](bbox=box))
        sized = json.loads(await dem.tools["dem_estimate_size"](bbox=box))
        asked = len(catalogue.asked)
        found = json.loads(await stac.tools["stac_search"](bbox=box, date_range="2026-01-01/2026-02-01"))
        said.append(
            {
                "errors": [answer["error"] for answer in (covered, sized, found) if answer.get("error")],
                "dem": covered.get("bbox"),
                "stac": catalogue.asked[asked:],
            }
        )
    return said


if __name__ == "__main__":
    json.dump(asyncio.run(verdicts(json.load(sys.stdin))), sys.stdout)
