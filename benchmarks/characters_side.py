"""One side of characters.py: the calls on standard input, asked of the `bearings` that is imported; sizes as JSON.

It uses nothing that one of the compared commits has not.
"""

import json
import sys
from typing import Any

import anyio

from bearings.cli.wiring import WIRING
from bearings.progress import NoProgress
from bearings.serving.app import wire_tool
from bearings.serving.call import call_tool


async def main() -> None:
    asked = json.load(sys.stdin)
    wing = WIRING.code(None)
    tools = {tool.name: tool for tool in wing.tools}
    sizes: dict[str, Any] = {"calls": [], "listed": []}
    try:
        for name, arguments in asked["calls"]:
            told = {"project_path": asked["root"], **arguments}
            sizes["calls"].append([await _size(tools[name], told), await _size(tools[name], told, output_mode="text")])
            sizes["listed"].append(await _listed(tools[name], told))
    finally:
        await wing.aclose()
    every = {"code": wing.tools, "places": WIRING.places().tools}
    sizes["definitions"] = {name: {tool.name: _definition(tool) for tool in tools} for name, tools in every.items()}
    json.dump(sizes, sys.stdout)


async def _size(tool: Any, arguments: dict[str, Any], **mode: str) -> tuple[int, int]:
    """Characters of a reply's text and of its structured content."""
    result: Any = await call_tool(tool, {**arguments, **mode}, NoProgress())
    assert not result.is_error, (tool.name, arguments, result.content)
    structured = json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    return len(result.content[0].text), len(structured)


async def _listed(tool: Any, arguments: dict[str, Any]) -> int:
    """How many of its main list a reply has on its first page; 0 for a tool without pages."""
    reply, _ = await tool.run(arguments)
    totals = ("results_found", "affected_total", "changed_total", "elements_found")
    total = next((getattr(reply, name) for name in totals if hasattr(reply, name)), 0)
    return int(total - getattr(reply, "omitted", 0))


def _definition(tool: Any) -> int:
    """Characters of a tool as a client lists it."""
    return len(wire_tool(tool).model_dump_json(by_alias=True, exclude_none=True))


anyio.run(main)
