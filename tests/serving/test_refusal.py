"""A request without its token takes its small body before it is refused; nobody waits long for one that never ends."""

import anyio
import pytest
from starlette.types import Message, Scope

from bearings.serving.addresses import Proxies
from bearings.serving.identity import Identity, IdentityGuard

pytestmark = pytest.mark.anyio


async def refused(parts: list[Message], length: bytes) -> list[str]:
    """The order in which a guard receives these parts of a body, of so many declared bytes, and answers."""
    happened: list[str] = []
    rest = iter(parts)

    async def receive() -> Message:
        part = next(rest, None)
        while part is None:
            await anyio.sleep_forever()
        happened.append("received")
        return part

    async def send(message: Message) -> None:
        happened.append(str(message.get("status", message["type"])))

    async def never(*_: object) -> None:
        pytest.fail("the request has no token")

    scope: Scope = {
        "type": "http", "method": "POST", "path": "/mcp", "headers": [(b"content-length", length)],
        "client": ("127.0.0.1", 1),
    }  # fmt: skip
    with anyio.fail_after(10):
        await IdentityGuard(never, Identity(Proxies(()), token="secret"))(scope, receive, send)
    return happened


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


ANSWER = ["401", "http.response.body"]


async def test_a_small_body_is_taken_first():
    parts = [part(b"a", more=True), part(b"b", more=True), part(b"c", more=False)]
    assert await refused(parts, b"3") == ["received"] * 3 + ANSWER


@pytest.mark.slow
async def test_a_body_that_stops_halfway_is_not_waited_for_long():
    assert await refused([part(b"a", more=True)], b"3") == ["received", *ANSWER]


async def test_a_client_that_leaves_ends_it():
    assert await refused([{"type": "http.disconnect"}], b"3") == ["received", *ANSWER]


@pytest.mark.parametrize("length", [b"", b"0", b"-1", b"1_0", b"16385", b"9" * 40])
async def test_a_large_body_or_one_of_unknown_size_is_not_read(length: bytes):
    assert await refused([part(b"a", more=False)], length) == ANSWER
