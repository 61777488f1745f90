"""The pages on which people look at answers, and the path that answers their calls: `--explore`.

    GET  /explore, /explore/map, /explore/graph   pages, which hold no data
    POST /explore/call {"tool", "arguments"}      the structured reply, or the error's body with a fitting status

A browser sends no bearer token on navigation, so below /explore a token may also be the password of HTTP Basic. A
browser then adds that password to requests that other sites make it send. Therefore a call needs a body of JSON, which
no form can send, and an Origin of its own server, if it has one; nothing here allows other origins to read.
"""

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from bearings.errors import BearingsError, Forbidden, InvalidInput, NotFound, shown
from bearings.serving.app import ServerSpec
from bearings.serving.calls import Call, Hooks
from bearings.serving.hosts import is_same_origin
from bearings.serving.identity import PEER
from bearings.serving.messages import MAX_MESSAGE_BYTES
from bearings.serving.peer import Peer
from bearings.serving.refusal import retry_after
from bearings.serving.views import views_of
from bearings.view import Page

EXPLORE = "/explore"
CALL = f"{EXPLORE}/call"

_GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
"""The policy of an answer that is no page."""

_STATUS: Mapping[str, int] = {
    "invalid_input": 400, "unsupported": 400, "forbidden": 403, "path_not_allowed": 403, "not_found": 404,
    "element_not_found": 404, "ambiguous": 409, "busy": 429, "rate_limited": 429, "bad_response": 502,
    "bad_output": 502, "cli_failed": 502, "blocked": 503, "unavailable": 503, "shutting_down": 503, "timeout": 504,
}  # fmt: skip
"""The status of each error, by its code; others are 500."""

_FIELDS = frozenset({"tool", "arguments"})
_BODY = 'Send {"tool": "geocode", "arguments": {"query": "Fiji"}}.'


def is_explored(scope: Scope) -> bool:
    """Whether a request is for these pages or their calls."""
    path: str = scope["path"]
    return path == EXPLORE or path.startswith(f"{EXPLORE}/")


def explore_routes(spec: ServerSpec, hooks: Hooks) -> list[Route]:
    """The routes of the pages for the views of the server's tools, and of their calls."""
    pages = spec.pages_for(views_of(spec.tools)).served
    calls = _Calls(spec, hooks)
    return [*(_page(path, page) for path, page in pages.items()), Route(CALL, calls.answer, methods=["POST"])]


def _page(path: str, page: Page) -> Route:
    async def answer(_: Request) -> Response:
        policy = f"{page.policy}; frame-ancestors 'none'"
        headers = {**_GUARDS, "Content-Security-Policy": policy}
        return Response(page.html, headers=headers, media_type="text/html")

    return Route(path, answer, methods=["GET"])


class _Calls:
    """Answers calls of pages by the same tools, permissions and budgets as calls over MCP."""

    def __init__(self, spec: ServerSpec, hooks: Hooks) -> None:
        self._tools = {tool.name: tool for tool in spec.tools}
        self._hooks = hooks

    async def answer(self, request: Request) -> Response:
        """The answer to a POST."""
        if problem := _problem(request):
            return _response(problem[0], problem[1].body())
        body = await _body(request)
        if body is None:
            error = InvalidInput("body", None, f"has more than {MAX_MESSAGE_BYTES} bytes", "Ask for less at once.")
            return _response(413, error.body())
        try:
            call = self._call(request.scope[PEER], body)
        except BearingsError as error:
            return _response(_STATUS[error.code], error.body())
        result = await self._hooks.run(call)
        reply = result.structured_content or {}
        return _response(_STATUS.get(str(reply.get("code")), 500) if result.is_error else 200, reply)

    def _call(self, peer: Peer, body: bytes) -> Call:
        """The call that a body asks for. Raises InvalidInput and NotFound."""
        try:
            asked = from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise InvalidInput("body", None, f"is no JSON ({error})", _BODY) from None
        if not isinstance(asked, dict) or not _FIELDS.issuperset(asked):
            raise InvalidInput("body", asked, "is no object with tool and arguments", _BODY)
        name, arguments = asked.get("tool"), asked.get("arguments", {})
        if not isinstance(name, str):
            raise InvalidInput("tool", name, "is no tool's name", _BODY)
        if not isinstance(arguments, dict):
            raise InvalidInput("arguments", arguments, "is no object", _BODY)
        tool = self._tools.get(name)
        if tool is None or not peer.sees(tool):
            offered = ", ".join(tool.name for tool in self._tools.values() if peer.may_call(tool))
            raise NotFound(f"tool = {shown(name)}: is no tool of this server", f"This server has: {offered}.")
        return Call(peer, tool, arguments)


def _problem(request: Request) -> tuple[int, BearingsError] | None:
    """The reason to refuse a request unread, with its status: other sites could have made a browser send it."""
    if not is_same_origin(request.scope):
        origin = request.headers.get("origin", "")
        remedy = "Open the page on this server itself, under the name that the request's Host has."
        return 403, Forbidden(f"Origin = {shown(origin)}: is another site", remedy)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return 415, InvalidInput("Content-Type", kind, "is not application/json", _BODY)
    return None


async def _body(request: Request) -> bytes | None:
    """The whole body; None if it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_MESSAGE_BYTES:
            return None
    return body


def _response(status: int, body: Mapping[str, Any]) -> Response:
    headers = {**_GUARDS, "Content-Security-Policy": _NO_PAGE, **retry_after(body.get("retry_after_s"))}
    return JSONResponse(body, status, headers)
