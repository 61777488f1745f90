"""Run one tool: a reply becomes text and structured content, an error becomes `isError`. Here is the only `except`."""

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from bearings.errors import BearingsError, Internal
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.tool import Tool

logger = logging.getLogger(__name__)


async def call_tool(
    tool: Tool, arguments: Mapping[str, Any], progress: Progress, text_of: Callable[[Reply], str] | None = None
) -> CallToolResult:
    """The result of `tool` for `arguments`. Never raises, except on cancellation.

    `Tool.run` returns a safe reply, and an error cleans its own text, so nothing is cleaned here. A reply in text mode
    is the text alone, with text from outside between marks. Its structured content is `{"text": …}`, because clients
    require some if a tool has an output schema. Otherwise, and for an error, the text is the same JSON as the
    structured content. With `text_of`, a reply is that text alone.
    """
    try:
        reply, mode = await tool.run(arguments, progress)
        if text_of is not None:
            return CallToolResult(content=[TextContent(type="text", text=text_of(reply))])
        structured = {"text": reply.marked().to_text()} if mode == "text" else reply.sent()
        text = structured["text"] if mode == "text" else _json(structured)
    except BearingsError as error:
        return failure(error)
    except Exception:
        number = secrets.token_hex(4)
        logger.exception("%s failed (%s)", tool.name, number)
        return failure(
            Internal(
                f"{tool.name} failed for a reason of its own, not of its arguments",
                f"Please report it, with entry {number} of the server's log (stderr).",
            )
        )
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def outcome(result: CallToolResult) -> str:
    """The outcome of a call: "ok", or the code of its error."""
    return str((result.structured_content or {}).get("code")) if result.is_error else "ok"


def failure(error: BearingsError) -> CallToolResult:
    """An error as a call's result."""
    body = error.body()
    return CallToolResult(content=[TextContent(type="text", text=_json(body))], structured_content=body, is_error=True)


def _json(body: Mapping[str, Any]) -> str:
    """`body` as compact JSON. Raises ValueError for a number that is not finite."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
