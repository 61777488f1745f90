"""Run one tool: a reply becomes text and structured content, an error becomes `isError`. The one `except` is here."""

import json
import logging
import secrets
from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from bearings.errors import BearingsError, Internal
from bearings.progress import Progress
from bearings.tool import Tool
from bearings.untrusted import clean_text, mapped

logger = logging.getLogger(__name__)


async def call_tool(tool: Tool, arguments: Mapping[str, Any], progress: Progress) -> CallToolResult:
    """What `tool` answers to `arguments`. Never raises, but for cancellation.

    A reply's text is in the mode that the call asked for, text from outside between marks; an error's text is the same
    JSON as its structured content.
    """
    try:
        reply, mode = await tool.run(arguments, progress)
        structured, text = sendable(reply.structured())
        if mode == "text":
            text = whole(reply.marked().to_text())
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
    """How a call ended: "ok", or the code of its error."""
    return str((result.structured_content or {}).get("code")) if result.is_error else "ok"


def sendable(body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """`body`, and the same as JSON without a superfluous character.

    There is a question mark for every half of a surrogate pair, as file names that are no UTF-8 bring along: no UTF-8
    stream carries one, so the SDK's writer, and with it the connection, would end over it.
    Raises ValueError for a number that is not finite, which JSON doesn't know.
    """
    written = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = whole(written)
    return (body if text is written else json.loads(text)), text


def whole(text: str) -> str:
    """The text itself if it is UTF-8; otherwise a copy with a question mark for each half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def failure(error: BearingsError) -> CallToolResult:
    """An error as a call's result."""
    body, text = sendable(mapped(error.body(), lambda said: clean_text(said, len(said))))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=body, is_error=True)
