"""The limits of sessions and event streams: number, age, bytes, and all peers together."""

import json
from typing import Any

import anyio
import pytest
from starlette.types import Message, Scope

from bearings.serving.identity import PEER
from bearings.serving.limits import Limits
from bearings.serving.peer import Peer
from bearings.serving.sessions import OPENING_BYTES, Sessions

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Backend:
    """The application behind: opens a session for each POST without one, and knows the open ones."""

    def __init__(self) -> None:
        self.open: list[bytes] = []
        self.ended: list[bytes] = []
        self.hold = anyio.Event()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        await receive()
        headers = dict(scope["headers"])
        number = headers.get(b"mcp-session-id")
        status = 200
        if number is None:
            number = b"s%d" % (len(self.open) + len(self.ended))
            self.open.append(number)
        elif number not in self.open:
            status = 404
        elif scope["method"] == "DELETE":
            self.open.remove(number)
            self.ended.append(number)
        elif scope["method"] == "GET":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await self.hold.wait()
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": status, "headers": [(b"mcp-session-id", number)]})
        await send({"type": "http.response.body", "body": b""})


async def ask(
    app: Any,
    peer: str,
    method: str = "POST",
    number: bytes = b"",
    body: bytes = b"{}",
    path: str = "/mcp",
    **headers: str,
) -> int:
    """The status of a peer's request."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    sent += [(b"mcp-session-id", number)] if number else []
    scope = {"type": "http", "method": method, "path": path, "headers": sent, PEER: Peer(peer, "address")}
    answer: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        answer.append(message)

    await app(scope, receive, send)
    assert answer[-1].get("more_body", False) is False
    if answer[0]["status"] in (429, 503):
        assert dict(answer[0]["headers"])[b"retry-after"] == b"1"
        assert json.loads(answer[-1]["body"])["code"] == "busy"
    return int(answer[0]["status"])


class Refusals(list[tuple[str, str]]):
    def __call__(self, peer: Peer, budget: str) -> None:
        self.append((peer.key, budget))


async def test_a_session_that_is_too_old_is_ended_and_not_known_any_more():
    backend = Backend()
    app = Sessions(backend, each=9, refused=Refusals(), age_s=0)
    assert await ask(app, "a") == 200
    assert await ask(app, "a", number=b"s0") == 404
    assert backend.ended == [b"s0"]


async def test_the_longest_unused_session_makes_room():
    backend = Backend()
    app = Sessions(backend, each=2, refused=Refusals())
    assert [await ask(app, "a") for _ in range(2)] == [200, 200]
    assert await ask(app, "a", number=b"s0") == 200
    assert await ask(app, "a") == 200
    assert backend.open == [b"s0", b"s2"]


async def test_a_session_that_was_ended_counts_no_more():
    backend = Backend()
    app = Sessions(backend, each=1, refused=Refusals())
    assert await ask(app, "a") == 200
    assert await ask(app, "a", "DELETE", b"s0") == 200
    assert await ask(app, "a") == 200
    assert backend.ended == [b"s0"]


async def test_sessions_in_use_are_not_ended_and_one_more_is_refused():
    backend, refused = Backend(), Refusals()
    app = Sessions(backend, each=1, refused=refused, total=1)
    assert await ask(app, "a") == 200
    async with anyio.create_task_group() as group:
        group.start_soon(ask, app, "a", "GET", b"s0")
        await anyio.wait_all_tasks_blocked()
        assert await ask(app, "a") == 429
        assert await ask(app, "b") == 503
        backend.hold.set()
    assert refused == [("a", "sessions"), ("b", "sessions")]
    assert await ask(app, "b") == 200
    assert backend.ended == [b"s0"]


async def test_all_sessions_are_limited_and_the_largest_peer_yields():
    backend = Backend()
    app = Sessions(backend, each=5, refused=Refusals(), total=4)
    for peer in "aaabcc":
        assert await ask(app, peer) == 200
    assert backend.ended == [b"s0", b"s1"]


async def test_when_the_sessions_of_the_peer_with_most_are_in_use_another_s_unused_one_gives_way():
    backend = Backend()
    app = Sessions(backend, each=5, refused=Refusals(), total=3)
    for peer in "aab":
        assert await ask(app, peer) == 200
    async with anyio.create_task_group() as group:
        for number in (b"s0", b"s1"):
            group.start_soon(ask, app, "a", "GET", number)
        await anyio.wait_all_tasks_blocked()
        assert await ask(app, "c") == 200
        backend.hold.set()
    assert backend.ended == [b"s2"]


async def test_another_token_s_request_does_not_hide_a_session():
    async def refusing(scope: Scope, receive: Any, send: Any) -> None:
        is_others = scope[PEER].key == "token b" and dict(scope["headers"]).get(b"mcp-session-id")
        await (ask_nothing if is_others else backend)(scope, receive, send)

    async def ask_nothing(scope: Scope, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    backend = Backend()
    app = Sessions(refusing, each=1, refused=Refusals())
    assert await ask(app, "token a") == 200
    assert await ask(app, "token b", number=b"s0") == 404
    assert await ask(app, "token a") == 200
    assert backend.ended == [b"s0"]


async def test_a_request_that_opens_a_session_is_small():
    app = Sessions(Backend(), each=5, refused=Refusals())
    assert await ask(app, "a", body=b"x" * (OPENING_BYTES + 1)) == 413
    assert await ask(app, "a", body=b"x" * (OPENING_BYTES + 1), mcp_protocol_version="2026-07-28") == 200


@pytest.mark.parametrize("path", ["/mcp", "/sse"])
async def test_an_event_stream_ends_properly_when_it_has_been_open_long_enough(path: str):
    backend, refused = Backend(), Refusals()
    backend.open.append(b"s0")
    app = Limits(backend, calls=1, streams=1, refused=refused, streams_s={path: 0.05})
    with anyio.fail_after(10):
        assert await ask(app, "a", "GET", b"s0", path=path) == 200


async def test_streams_are_no_calls():
    backend, refused = Backend(), Refusals()
    backend.open.append(b"s0")
    app = Limits(backend, calls=1, streams=1, refused=refused)
    async with anyio.create_task_group() as group:
        group.start_soon(ask, app, "a", "GET", b"s0")
        await anyio.wait_all_tasks_blocked()
        assert await ask(app, "a", "GET", b"s0") == 429
        assert await ask(app, "a", number=b"s0") == 200
        backend.hold.set()
    assert refused == [("a", "streams")]


async def test_a_client_that_resumes_gets_a_new_stream():
    """The SDK behind sends no answer at all to Last-Event-ID, because there is no store of events."""
    seen: list[list[tuple[bytes, bytes]]] = []

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        seen.append(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    sessions = Sessions(app, each=1, refused=lambda *_: None)
    for method in ("GET", "POST", "DELETE"):
        assert await ask(sessions, "a", method, b"s0", last_event_id="1", accept="text/event-stream") == 200
    assert all(dict(headers) == {b"accept": b"text/event-stream", b"mcp-session-id": b"s0"} for headers in seen)
