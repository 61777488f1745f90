"""Calls of the tools by a real MCP client over stdio, in the task's folder.

Each call has a server of its own. Starting it counts for nothing, nor does a first call that loads the index: seconds
are those of a server that stays.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of one reply to a model, and its cost."""

    text: str
    seconds: float
    error: bool
    definitions: int
    """Characters of all the tools' definitions, which a client reads once a session."""


def call(folder: Path, cache: Path, tool: str, arguments: Mapping[str, Any]) -> Reply:
    """One call; the project's path is filled in where the tool takes one and it is left out."""
    return asyncio.run(_call(folder, cache, tool, arguments))


def definitions(folder: Path, cache: Path) -> str:
    """The tools as a model reads them: names, descriptions, schemas of arguments."""
    return asyncio.run(_definitions(folder, cache))


async def _call(folder: Path, cache: Path, tool: str, arguments: Mapping[str, Any]) -> Reply:
    async with client_of(folder, cache) as client:
        tools = {one.name: one for one in (await client.list_tools()).tools}
        here = {"project_path": str(folder)}
        known = tool in tools and "project_path" in tools[tool].input_schema.get("properties", {})
        if "coderef_scan" in tools:
            await client.call_tool("coderef_scan", {**here, "limit": 1})
        started = time.perf_counter()
        reply = await client.call_tool(tool, {**(here if known else {}), **arguments})
        return Reply(
            _text(reply), time.perf_counter() - started, bool(reply.is_error), len(_printed(list(tools.values())))
        )


async def _definitions(folder: Path, cache: Path) -> str:
    async with client_of(folder, cache) as client:
        return _printed((await client.list_tools()).tools)


def _printed(tools: list[Any]) -> str:
    shown = [{"name": tool.name, "description": tool.description, "arguments": tool.input_schema} for tool in tools]
    return json.dumps(shown, ensure_ascii=False)


def _text(reply: CallToolResult) -> str:
    """The text parts; the structured content where there are none."""
    texts = [part.text for part in reply.content if part.type == "text"]
    return "\n".join(texts) if texts else json.dumps(reply.structured_content, ensure_ascii=False)


@asynccontextmanager
async def client_of(folder: Path, cache: Path) -> AsyncIterator[Client]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bearings", "code", "serve", "stdio"],
        env={"CODEREF_CACHE_DIR": str(cache), **kept},
        cwd=str(folder),
    )
    async with Client(command, read_timeout_seconds=600) as client:
        yield client
