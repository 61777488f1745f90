"""Check the body of each POST to `/mcp` before the SDK does, so that every request gets an answer, as over stdio.

The SDK answers a POST whose id is a fraction or null with 202 and nothing more. It accepts NaN, and leaves the id out
of its errors.
"""

from http import HTTPStatus

from anyio.to_thread import run_sync
from mcp.types import JSONRPCMessage
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearings.serving.messages import Refusal, messages_of, refusal

_SMALL_BYTES = 16 * 1024
"""A body up to this size is parsed on the event loop, because switching threads takes longer."""


class CheckedBodies:
    """An ASGI application that answers 400 to an invalid body, and passes every other request on unchanged."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        """A body of more than `limit` bytes is passed on unread; `app` refuses it."""
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != "/mcp":
            await self._app(scope, receive, send)
            return
        received, whole = await self._received(receive)
        if whole:
            refused = _refused(await _messages(b"".join(message.get("body", b"") for message in received)))
            if refused is not None:
                await _response(refused)(scope, receive, send)
                return
        await self._app(scope, _replayed(received, receive), send)

    async def _received(self, receive: Receive) -> tuple[list[Message], bool]:
        """The messages so far, and whether they are the whole body. Stops early if the body exceeds the limit."""
        received: list[Message] = []
        size = 0
        while size <= self._limit:
            message = await receive()
            received.append(message)
            size += len(message.get("body", b""))
            if message["type"] != "http.request":
                return received, False
            if not message.get("more_body", False):
                return received, size <= self._limit
        return received, False


async def _messages(body: bytes) -> list[JSONRPCMessage]:
    return messages_of(body) if len(body) <= _SMALL_BYTES else await run_sync(messages_of, body)


def _refused(messages: list[JSONRPCMessage]) -> Refusal | None:
    """The error that answers an invalid body, otherwise None. Several requests share one error without id."""
    first = messages[0] if messages else None
    if not isinstance(first, Refusal):
        return None
    return first if len(messages) == 1 else refusal(None, first.error.code, first.error.message)


def _response(refused: Refusal) -> Response:
    body = refused.model_dump_json(by_alias=True, exclude_unset=True)
    return Response(body, status_code=HTTPStatus.BAD_REQUEST, media_type="application/json")


def _replayed(received: list[Message], receive: Receive) -> Receive:
    """A `receive` that replays the received messages, and then continues."""
    rest = iter(received)

    async def again() -> Message:
        message = next(rest, None)
        return message if message is not None else await receive()

    return again
