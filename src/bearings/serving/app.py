"""One factory for every server: tools, a name and a close function become an MCP server.

It uses the SDK's low-level `Server`, not `MCPServer`. That leaves schemas, validation and errors to this program, so
unknown arguments are refused, errors have the program's own body, and no patching is needed
(docs/decisions/0001-sdk.md).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
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

from bearings.endpoint import Endpoint
from bearings.reply import Reply
from bearings.resource import Resource
from bearings.serving.calls import NO_HOOKS, Call, Context, Hooks
from bearings.serving.client_roots import workspace_of
from bearings.serving.resources import Resources
from bearings.serving.views import EXTENSION, shows_views, tool_meta, views_of
from bearings.tool import Tool
from bearings.tool_schema import listed_schema
from bearings.view import Pages, View

CLOSING_S = 0.5
"""Seconds for a server to close its sources at the end; a client waits for a second at most."""


async def _nothing_to_close() -> None:
    return None


async def _always() -> bool:
    return True


async def _nothing_to_read() -> Mapping[str, Mapping[str, float]]:
    return {}


def _no_pages(_: Iterable[View]) -> Pages:
    return Pages({}, {})


@dataclass(frozen=True)
class ServerSpec:
    """The parts that differ between servers: name and texts, tools, their close function and readiness.

    `readings` returns counters for the operators, by part and name. `toolsets` are names for several tools. `endpoints`
    are served beside the tools, over HTTP. `resources` are read by calls of tools. `pages_for` makes pages of views;
    `is_explored`: they are served over HTTP too.
    """

    name: str
    title: str
    version: str
    instructions: str
    tools: tuple[Tool, ...]
    aclose: Callable[[], Awaitable[None]] = _nothing_to_close
    ready: Callable[[], Awaitable[bool]] = _always
    readings: Callable[[], Awaitable[Mapping[str, Mapping[str, float]]]] = _nothing_to_read
    toolsets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    endpoints: tuple[Endpoint, ...] = ()
    resources: tuple[Resource, ...] = ()
    pages_for: Callable[[Iterable[View]], Pages] = _no_pages
    is_explored: bool = False

    def kept_open(self) -> "ServerSpec":
        """The same server with nothing to close: for one connection among several."""
        return replace(self, aclose=_nothing_to_close)

    def chosen(self, *, toolsets: frozenset[str] | None, read_only: bool) -> "ServerSpec":
        """The same server with only the tools whose name is in `toolsets` (None: all), without those that write.

        Endpoints and resources go with their tools.
        """
        tools = tuple(
            tool
            for tool in self.tools
            if (toolsets is None or tool.name in toolsets) and (tool.effects.read_only or not read_only)
        )
        names = {tool.name for tool in tools}
        endpoints = tuple(endpoint for endpoint in self.endpoints if endpoint.tool in names)
        resources = tuple(resource for resource in self.resources if resource.tool in names)
        return replace(self, tools=tools, endpoints=endpoints, resources=resources)


def build_server(spec: ServerSpec, hooks: Hooks = NO_HOOKS) -> Server[Any]:
    """An MCP server over the tools of `spec`; it closes them at its end."""
    tools = {tool.name: tool for tool in spec.tools}
    plain = {tool.name: wire_tool(tool) for tool in spec.tools}
    viewed = {tool.name: wire_tool(tool, with_view=True) for tool in spec.tools}

    async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        peer = hooks.peer(context)
        wire = viewed if shows_views(context) else plain
        return ListToolsResult(tools=[wire[tool.name] for tool in spec.tools if peer.may_call(tool)])

    async def on_call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        peer = hooks.peer(context)
        tool = tools.get(params.name)
        if tool is None or not peer.sees(tool):
            offered = ", ".join(tool.name for tool in spec.tools if peer.may_call(tool))
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name!a:.80}. This server has: {offered}.")
        return await call(context, tool, params.arguments or {})

    async def call(
        context: Context, tool: Tool, arguments: Mapping[str, Any], text_of: Callable[[Reply], str] | None = None
    ) -> CallToolResult:
        send = context.session.report_progress
        return await hooks.run(Call(hooks.peer(context), tool, arguments, workspace_of(context), send, text_of))

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with closing(spec):
            yield {}

    views = views_of(spec.tools)
    has_resources = bool(views or spec.resources)
    resources = Resources(spec.tools, spec.resources, spec.pages_for, peer=hooks.peer, ask=call)
    server = Server(
        spec.name,
        title=spec.title,
        version=spec.version,
        instructions=spec.instructions,
        lifespan=lifespan,
        get_tool_input_schema=lambda name: tools[name].input_schema if name in tools else None,
        on_list_tools=list_tools,
        on_call_tool=on_call,
        on_list_resources=resources.listed if has_resources else None,
        on_list_resource_templates=resources.templates if has_resources else None,
        on_read_resource=resources.read if has_resources else None,
    )
    server.extensions = EXTENSION if views else {}
    return server


@asynccontextmanager
async def closing(spec: ServerSpec) -> AsyncIterator[None]:
    """Close the tools of `spec` at the end of the block, however it ends."""
    try:
        yield
    finally:
        with anyio.move_on_after(CLOSING_S, shield=True):
            await spec.aclose()


def wire_tool(tool: Tool, *, with_view: bool = False) -> WireTool:
    """A tool as listed by `tools/list`; `with_view`: for a client that shows views."""
    meta = (_ALWAYS_LOADED if tool.always_loaded else {}) | (tool_meta(tool) if with_view else {})
    return WireTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=listed_schema(tool.input_schema),
        output_schema=answer_schema(tool.output_schema),
        annotations=ToolAnnotations(
            read_only_hint=tool.effects.read_only,
            destructive_hint=tool.effects.destructive,
            idempotent_hint=tool.effects.idempotent,
            open_world_hint=tool.effects.open_world,
        ),
        meta=meta or None,
    )


_ALWAYS_LOADED: dict[str, Any] = {"anthropic/alwaysLoad": True}
"""The mark that keeps a tool's definition loaded in Claude Code (from 2.1.121), which else loads it after a search.

Other clients have no such mark for a tool: in GitHub Copilot CLI the server's entry has `"deferTools": "never"`.
"""


def answer_schema(reply: dict[str, Any]) -> dict[str, Any]:
    """The schema of every answer of a tool: its reply, the same as `text` alone, or an error's body.

    MCP requires structured content to match the output schema, and clients made with the TypeScript SDK check errors
    against it too. Every model reads these schemas before its first call, so they name the top fields of a reply, those
    of one type together (`patternProperties`, in half the characters), and require and forbid nothing. `success`, which
    all have, goes without saying.
    """
    fields: dict[str, set[str]] = {"text": {"string"}}
    for branch in reply.get("anyOf", [reply]):
        for name, schema in _resolved(branch, reply).get("properties", {}).items():
            if name != "success":
                fields.setdefault(name, set()).update(_types(schema, reply))
    names: dict[str, list[str]] = {}
    for name, types in fields.items():
        names.setdefault(min(types) if len(types) == 1 and types <= _SCALARS else "", []).append(name)
    patterns = {_pattern(alike): {"type": kind} if kind else _ANYTHING for kind, alike in names.items()}
    return {"type": "object", "patternProperties": patterns}


def _pattern(names: list[str]) -> str:
    return f"^({'|'.join(names)})$" if len(names) > 1 else f"^{names[0]}$"


_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_ANYTHING: dict[str, Any] = {"not": {"type": "null"}}
"""The schema of other fields: an object or a list of the whole reply may be another kind, or a line, in a brief one."""


def _types(schema: dict[str, Any], whole: dict[str, Any]) -> set[str]:
    """The JSON types that a schema allows, without null, which no reply has."""
    schema = _resolved(schema, whole)
    if parts := schema.get("anyOf"):
        return set().union(*(_types(part, whole) for part in parts)) - {"null"}
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        return {"boolean" if isinstance(value, bool) else "string" for value in values}
    kind = schema.get("type", ["array", "object", "string", "integer", "number", "boolean"])
    return {kind} if isinstance(kind, str) else set(kind)


def _resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """The schema behind a reference; any other schema unchanged."""
    reference = schema.get("$ref")
    return whole["$defs"][reference.rpartition("/")[2]] if reference else schema
