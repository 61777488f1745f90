"""One factory for every server: tools, a name and a way to let go of what they hold become an MCP server.

The SDK's low-level `Server` is used, not `MCPServer`: it leaves schemas, validation and errors to us, so that unknown
arguments are refused, bad ones get our own error body, and nothing has to be patched in (docs/decisions/0001-sdk.md).
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp.types import Tool as WireTool

from bearings.serving.call import call_tool, outcome
from bearings.serving.client_progress import reporting
from bearings.tool import Tool

CLOSING_S = 0.5
"""How long a server may take to let go of its sources when it ends; a client waits for a second at most."""


async def _nothing_to_close() -> None:
    return None


async def _always() -> bool:
    return True


async def _nothing_to_read() -> Mapping[str, Mapping[str, float]]:
    return {}


@dataclass(frozen=True)
class ServerSpec:
    """What makes one server another: its name and words, its tools, how to close them, whether they are ready.

    `readings` are what its parts count, by part and name, for its operators.
    """

    name: str
    title: str
    version: str
    instructions: str
    tools: tuple[Tool, ...]
    aclose: Callable[[], Awaitable[None]] = _nothing_to_close
    ready: Callable[[], Awaitable[bool]] = _always
    readings: Callable[[], Awaitable[Mapping[str, Mapping[str, float]]]] = _nothing_to_read

    def kept_open(self) -> "ServerSpec":
        """The same server with nothing to close: for one connection among several."""
        return replace(self, aclose=_nothing_to_close)

    def chosen(self, *, toolsets: frozenset[str] | None, read_only: bool) -> "ServerSpec":
        """The same server with only the tools whose name is in `toolsets` (None: all), without those that write."""
        tools = tuple(
            tool
            for tool in self.tools
            if (toolsets is None or tool.name in toolsets) and (tool.effects.read_only or not read_only)
        )
        return replace(self, tools=tools)


Context = ServerRequestContext[Any, Any]

Observe = Callable[[str, str, float], None]
"""Hears of each call that ended: the tool, "ok" or the code of its error, and its seconds."""


def build_server(spec: ServerSpec, observe: Observe = lambda *_: None) -> Server[Any]:
    """An MCP server over the tools of `spec`; it closes them when it ends."""
    tools = {tool.name: tool for tool in spec.tools}
    listing = ListToolsResult(tools=[wire_tool(tool) for tool in spec.tools])

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return listing

    async def on_call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name!a:.80}. This server has: {', '.join(tools)}.")
        started = time.perf_counter()
        async with reporting(context.session.report_progress if tool.takes_progress else None) as progress:
            result = await call_tool(tool, params.arguments or {}, progress)
        observe(tool.name, outcome(result), time.perf_counter() - started)
        return result

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with closing(spec):
            yield {}

    return Server(
        spec.name,
        title=spec.title,
        version=spec.version,
        instructions=spec.instructions,
        lifespan=lifespan,
        get_tool_input_schema=lambda name: tools[name].input_schema if name in tools else None,
        on_list_tools=list_tools,
        on_call_tool=on_call,
    )


@asynccontextmanager
async def closing(spec: ServerSpec) -> AsyncIterator[None]:
    """Lets go of what the tools of `spec` hold when the block ends, however it ends."""
    try:
        yield
    finally:
        with anyio.move_on_after(CLOSING_S, shield=True):
            await spec.aclose()


def wire_tool(tool: Tool) -> WireTool:
    """A tool as `tools/list` shows it."""
    return WireTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=answer_schema(tool.output_schema),
        annotations=ToolAnnotations(
            read_only_hint=tool.effects.read_only,
            destructive_hint=tool.effects.destructive,
            idempotent_hint=tool.effects.idempotent,
            open_world_hint=tool.effects.open_world,
        ),
    )


_FAILURE: dict[str, Any] = {
    "type": "object",
    "properties": {"success": {"const": False}, "error": {}, "code": {}},
    "required": ["success"],
}


def answer_schema(reply: dict[str, Any]) -> dict[str, Any]:
    """The schema of all that a tool may answer: its reply or an error's body.

    MCP asks that structured content fits the output schema, and clients made with the TypeScript SDK hold errors to it
    too: without the second branch they show a validation failure in place of our words. Every model reads these schemas
    before its first call, so they tell what a reply holds and leave out what only forbids.
    """
    branch = _told({key: value for key, value in reply.items() if key != "$defs"})
    return {"type": "object", "anyOf": [branch, _FAILURE]}


_SCALARS = frozenset({"string", "integer", "number", "boolean"})


def _told(schema: Any, depth: int = 0) -> Any:
    """A part of a schema without what only forbids: unknown fields are none, absent ones show, and so do plain types.

    The reply's own fields keep their types; of the parts in them the names are told.
    """
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema or (depth > 1 and str(schema.get("type")) in _SCALARS):
        return {}
    kept = {
        key: value for key, value in schema.items() if key not in ("additionalProperties", "required", "propertyNames")
    }
    if "properties" in kept:
        kept["properties"] = {name: _told(value, depth + 1) for name, value in kept["properties"].items()}
    if "const" in kept:
        kept.pop("type", None)
    if "items" in kept:
        kept["items"] = _told(kept["items"], 2)
        if not kept["items"]:
            del kept["items"]
    if "anyOf" in kept:
        kept["anyOf"] = [_told(value, depth) for value in kept["anyOf"]]
    if depth == 0:
        kept["required"] = ["success"]
    elif "properties" in kept:
        kept.pop("type", None)
    return kept
