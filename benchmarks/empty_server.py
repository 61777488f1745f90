"""The least that an MCP server of this SDK does: `python -m benchmarks.empty_server stdio|PORT REPLY`.

One tool, which takes one argument. The file REPLY, read once, has its answer (given as text and as structured content),
and the schema of that, or null.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def server(reply: dict[str, Any]) -> Server[Any]:
    text = json.dumps(reply["answer"], ensure_ascii=False, separators=(",", ":"))
    answer = CallToolResult(content=[TextContent(type="text", text=text)], structured_content=reply["answer"])
    tool = Tool(name="empty", description="Nothing.", input_schema=SCHEMA, output_schema=reply["schema"])
    listing = ListToolsResult(tools=[tool])

    async def list_tools(*_: object) -> ListToolsResult:
        return listing

    async def call(*_: object) -> CallToolResult:
        return answer

    return Server("empty", version="1", on_list_tools=list_tools, on_call_tool=call)


async def over_stdio(made: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


if __name__ == "__main__":
    made = server(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")))
    if sys.argv[1] == "stdio":
        anyio.run(over_stdio, made)
    else:
        app = made.streamable_http_app(streamable_http_path="/mcp", host="127.0.0.1")
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
