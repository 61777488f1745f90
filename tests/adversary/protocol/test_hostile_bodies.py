"""The hostile lines as bodies of HTTP requests, in both protocol eras: errors of the client, never of the server."""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send

from bearings.serving.bodies import CheckedBodies
from bearings.serving.http import http_app
from bearings.serving.listening import bound
from bearings.serving.messages import MAX_MESSAGE_BYTES
from bearings.settings import ServeSettings
from tests.adversary.conftest import Tally
from tests.adversary.protocol.hostile_lines import LINES, REQUEST, Line
from tests.adversary.protocol.peer import HELLO
from tests.serving import fixture_server


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


ERAS = {"sessions": "2025-06-18", "without sessions": "2026-07-28"}


@contextmanager
def serving() -> Iterator[http.client.HTTPConnection]:
    """A connection to the fixture server with its bodies checked."""
    app = http_app(fixture_server.spec(), ServeSettings(), "127.0.0.1")
    sockets = bound("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": sockets})
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", sockets[0].getsockname()[1], timeout=20)
    try:
        yield connection
    finally:
        connection.close()
        server.should_exit = True
        thread.join()


def post(
    connection: http.client.HTTPConnection, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str | None, object]:
    """The status, the session, and the reply: JSON, or the last event of a stream; None where there is neither."""
    accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, {**accepted, **headers})
    response = connection.getresponse()
    text = response.read().decode()
    events = [part[5:] for part in text.split("\n") if part.startswith("data:") and part[5:].strip()]
    is_json = response.headers.get_content_type() == "application/json" and text
    document = text if is_json else events[-1] if events else "null"
    return response.status, response.headers.get("Mcp-Session-Id"), json.loads(document)


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
def test_no_body_is_a_fault_of_the_server(era: str, tally: Tally):
    wrong = []
    with serving() as connection:
        headers = {"MCP-Protocol-Version": ERAS[era]}
        if era == "sessions":
            hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
            _, session, _ = post(connection, json.dumps(hello).encode(), {})
            headers["Mcp-Session-Id"] = session or ""
        for line in LINES:
            status, _, reply = post(connection, line.text, headers)
            if not as_expected(line, status, reply):
                wrong.append((line.name, status, reply))
    assert not wrong, wrong
    tally("hostile bodies over HTTP", len(LINES), len(LINES) - len(wrong))


def as_expected(line: Line, status: int, reply: object) -> bool:
    """Refused lines get 400 with the same error as over stdio; lines that are served, no error of the server."""
    if status == 413:
        return len(line.text) > MAX_MESSAGE_BYTES
    refused = [answer for answer in line.answers if answer[1] in (-32700, REQUEST)]
    if not refused:
        return status in (200, 202, 400)
    assert isinstance(reply, dict)
    request_id, code = refused[0] if len(refused) == 1 else (None, refused[0][1])
    return status == 400 and (reply["id"], reply["error"]["code"]) == (request_id, code)


def test_a_body_above_the_limit_is_refused_by_its_size(tally: Tally):
    with serving() as connection:
        for body in (b"x" * (MAX_MESSAGE_BYTES + 1), b"{" * (MAX_MESSAGE_BYTES + 100_000)):
            assert post(connection, body, {})[0] == 413
    tally("bodies above the limit", 2, 2)


@pytest.mark.anyio
async def test_a_client_that_leaves_within_its_body_is_left_to_the_application():
    heard: list[str] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        heard.extend([(await receive())["type"] for _ in range(3)])

    messages: list[Message] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        *[{"type": "http.disconnect"}] * 2,
    ]
    parts = iter(messages)

    async def receive() -> Message:
        return next(parts)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    await CheckedBodies(application, 100)({"type": "http", "method": "POST", "path": "/mcp"}, receive, send)
    assert heard == ["http.request", "http.disconnect", "http.disconnect"]
