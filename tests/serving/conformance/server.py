"""The server that the MCP conformance suite needs, as far as the product's own factory can make it.

The suite calls tools by name (test_simple_text, …). The product has no other features that it needs (resources,
prompts, sampling, elicitation, pictures): expected_failures_*.yml lists those scenarios, each with its reason.

python -m tests.serving.conformance.server stdio | http
"""

import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any

import anyio
from pydantic import Field

from bearings.errors import NotFound
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.serving.app import ServerSpec
from bearings.serving.http import serve_http
from bearings.serving.transports import serve_stdio
from bearings.settings import ServeSettings
from bearings.tool import Tool
from bearings.tool_arguments import Arguments

STEP_S = 0.15
"""Longer than the least time between two notifications, so that none of the three is dropped."""

SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class Said(Reply):
    text: str


async def simple_text() -> Said:
    """Say a sentence."""
    return Said(text="This is a simple text response for testing.")


async def error_handling() -> Said:
    """Fail."""
    raise NotFound("This tool intentionally returns an error for testing", "Expect it.")


async def with_progress(progress: Progress) -> Said:
    """Be a while at work, and say how far."""
    for done in (0, 50, 100):
        progress.update(done, 100, f"at {done}")
        await anyio.sleep(STEP_S)
    return Said(text="done")


async def log_something() -> Said:
    """Log, which goes to stderr and never to the client."""
    logging.getLogger(__name__).warning("said to the operator, not to the client")
    return Said(text="logged")


async def in_header(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "",
    priority: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Priority"})] = 0,
    verbose: Annotated[bool, Field(json_schema_extra={"x-mcp-header": "Verbose"})] = False,
) -> Said:
    """Take arguments that HTTP headers repeat for proxies."""
    return Said(text=f"{region} {priority} {verbose}")


async def take_schema() -> Said:
    """Show a schema with words of JSON Schema 2020-12."""
    return Said(text="ok")


class Wide(Arguments):
    """Arguments whose schema is written by hand."""

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        return SCHEMA_2020_12


def spec() -> ServerSpec:
    """The server."""
    named: dict[str, Callable[..., Awaitable[Reply]]] = {
        "test_simple_text": simple_text,
        "test_error_handling": error_handling,
        "test_tool_with_progress": with_progress,
        "test_logging_tool": log_something,
        "test_x_mcp_header": in_header,
    }
    tools = [Tool.of(function, name=name, title=name) for name, function in named.items()]
    schema = Tool.of(take_schema, name="json_schema_2020_12_tool", title="JSON Schema 2020-12")
    return ServerSpec(
        "conformance", "Conformance", "1.0.0", "For the suite alone.", (*tools, replace(schema, arguments=Wide))
    )


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        serve_stdio(spec(), ServeSettings())
    else:
        serve_http(spec(), ServeSettings(), "127.0.0.1", 0, allow_write=True)
