"""Turn a client's JSON text into messages for the SDK's session, and into refusals that name a request's id.

The SDK drops a text that it can't read, and takes some requests for notifications (`"id": 1.5`), so their sender waits
forever. This module parses each text once. A valid message passes unchanged; every other request is refused:

| code | text |
|---|---|
| -32700 | no JSON: not UTF-8, a byte order mark, NaN, half a surrogate pair, nested deeper than 200 levels |
| -32600 | no request: a batch, no method, another version, an array as `params`, an id that is no text and no integer |
| none | a notification or a response, however malformed (JSON-RPC 2.0, sections 4.1 and 5) |

The id of a refusal is the request's own if it can be read, otherwise null.
"""

from typing import Annotated, Any

from mcp.types import (
    INVALID_REQUEST,
    JSONRPC_VERSION,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from bearings.errors import shown
from bearings.serving.outline import Id, Outline, as_id

MAX_MESSAGE_BYTES = 1024 * 1024
"""The limit of a line or a body. A call is a few kilobytes; the largest lists of tools stay under 100 kB."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_RESPONSE: TypeAdapter[JSONRPCResponse | JSONRPCError] = TypeAdapter(JSONRPCResponse | JSONRPCError)


class Refusal(JSONRPCError):
    """An error for the sender of a text that is not passed to the session."""

    # JSON-RPC's ids are wider than MCP's: a fraction is refused under its own id
    id: Annotated[int, Field(strict=True)] | str | float | None  # type: ignore[assignment]


def refusal(request_id: Id | None, code: int, message: str) -> Refusal:
    """The error reply with this id."""
    return Refusal(jsonrpc=JSONRPC_VERSION, id=request_id, error=ErrorData(code=code, message=message))


def refusals(ids: list[Id], code: int, message: str) -> list[JSONRPCMessage]:
    """The error reply to each id, or a single one with the id null."""
    return [refusal(request_id, code, message) for request_id in ids] or [refusal(None, code, message)]


def messages_of(text: bytes) -> list[JSONRPCMessage]:
    """The messages in `text`. A `Refusal` among them is an answer to the sender."""
    if not text.strip(b" \t\r\n"):
        return []
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        outline = Outline()
        outline.feed(text)
        marked = text.startswith(_BYTE_ORDER_MARK)
        problem = "it begins with a byte order mark; send UTF-8 without one" if marked else str(error)
        return refusals(outline.ids(), PARSE_ERROR, f"Parse error: {problem}")
    if isinstance(value, dict):
        return _messages_of_object(value)
    if isinstance(value, list):
        ids = [request_id for member in value if (request_id := _refusable_id(member)) is not None]
        return refusals(ids, INVALID_REQUEST, "Invalid request: batches are not supported; send one message a line")
    return refusals([], INVALID_REQUEST, f"Invalid request: {shown(value)} is no object")


def _messages_of_object(value: dict[str, Any]) -> list[JSONRPCMessage]:
    if _is_response(value):
        return _valid(_RESPONSE.validate_python, value)
    if "id" not in value and isinstance(value.get("method"), str):
        return _valid(JSONRPCNotification.model_validate, value)
    problem = _problem(value)
    if problem:
        return [refusal(as_id(value.get("id")), INVALID_REQUEST, f"Invalid request: {problem}")]
    return [JSONRPCRequest.model_validate(value)]


def _refusable_id(member: Any) -> Id | None:
    """The id of a batch's member, if it is a request with an id."""
    if not isinstance(member, dict) or _is_response(member):
        return None
    return as_id(member.get("id"))


def _is_response(value: dict[str, Any]) -> bool:
    return "method" not in value and ("result" in value or "error" in value)


def _valid(validate: Any, value: dict[str, Any]) -> list[JSONRPCMessage]:
    """The message, or nothing if it is malformed: its sender expects no answer."""
    try:
        return [validate(value)]
    except ValidationError:
        return []


def _problem(request: dict[str, Any]) -> str:
    """The problem with `request`; "" if it is valid."""
    version, request_id, params = request.get("jsonrpc"), request.get("id"), request.get("params")
    if version != JSONRPC_VERSION:
        return f'jsonrpc = {shown(version)}: must be "{JSONRPC_VERSION}"'
    if isinstance(request_id, bool) or not isinstance(request_id, str | int):
        return f"id = {shown(request_id)}: must be text or an integer"
    if not isinstance(request.get("method"), str):
        return f"method = {shown(request.get('method'))}: must be the name of a method"
    if params is not None and not isinstance(params, dict):
        return f"params = {shown(params)}: must be an object"
    return ""
