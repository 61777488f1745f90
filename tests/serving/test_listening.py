"""The listening end: addresses that can't be bound, and slow clients."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bearings.errors import InvalidInput
from bearings.serving.listening import PromptProtocol, bound

pytestmark = pytest.mark.anyio


def test_a_port_that_is_taken_is_an_error_with_a_remedy():
    [first] = bound("127.0.0.1", 0)
    with first:
        port = first.getsockname()[1]
        with pytest.raises(InvalidInput) as caught:
            bound("127.0.0.1", port)
    assert caught.value.error == f"port = {port}: is taken by another program"
    assert "--port" in caught.value.hint


@pytest.mark.slow
def test_a_server_that_can_not_have_its_port_says_so_and_ends():
    [first] = bound("127.0.0.1", 0)
    with first:
        port = first.getsockname()[1]
        command = [sys.executable, "-m", "bearings", "places", "serve", "http", "--port", str(port)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        f"error: port = {port}: is taken by another program",
        "hint:  Pass another --port; 0 takes any that is free.",
    ]


@pytest.mark.parametrize(
    ("host", "problem"), [("192.0.2.1", "is no address of this machine"), ("no.such.invalid", "can't be resolved")]
)
def test_a_host_that_can_not_be_had_is_an_error_with_a_remedy(host: str, problem: str):
    with pytest.raises(InvalidInput, match=problem) as caught:
        bound(host, 0)
    assert caught.value.field == "host"


async def test_small_answers_leave_at_once():
    [listening] = bound("127.0.0.1", 0)
    answers: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    async with await asyncio.start_server(lambda _, writer: answers.put_nowait(writer), sock=listening):
        _, question = await asyncio.open_connection(*listening.getsockname())
        answer = await asyncio.wait_for(answers.get(), 10)
        assert answer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        for writer in (question, answer):
            writer.close()
            await writer.wait_closed()


def test_every_address_of_a_name_listens_at_one_port():
    sockets = bound("localhost", 0)
    try:
        assert len({one.getsockname()[1] for one in sockets}) == 1
        assert {one.family for one in sockets} <= {socket.AF_INET, socket.AF_INET6}
    finally:
        for one in sockets:
            one.close()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """The remaining bytes before the server ends the connection, in any way."""
    try:
        return await reader.read()
    except ConnectionResetError:  # the client was sending at that moment
        return b""


MUCH = 50_000_000
"""Bytes, more than the buffers between two programs hold."""


class Hasty(PromptProtocol):
    receive_s = 0.2
    send_s = 2.0  # server and client take turns in one loop, on a machine that may be busy


async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"{len(await request.body())} bytes")


async def much(_: Request) -> PlainTextResponse:
    return PlainTextResponse("x" * MUCH)


@pytest.fixture
async def server() -> AsyncIterator[uvicorn.Server]:
    """A protocol with short time limits."""
    app = Starlette(routes=[Route("/", hello, methods=["GET", "POST"]), Route("/much", much)])
    server = uvicorn.Server(uvicorn.Config(app, http=Hasty, log_config=None, lifespan="off"))
    task = asyncio.create_task(server._serve(bound("127.0.0.1", 0)))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0)
    yield server
    server.should_exit = True
    await task


@pytest.fixture
def port(server: uvicorn.Server) -> int:
    """The listening address."""
    return int(server.servers[0].sockets[0].getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    ],
    ids=["nothing", "half a line", "half a header", "half a body"],
)
async def test_a_request_that_never_ends_is_cut_off(port: int, sent: bytes):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    assert await asyncio.wait_for(rest(reader), 10) == b""
    writer.close()


@pytest.mark.slow
async def test_a_client_that_reads_nothing_is_cut_off(server: uvicorn.Server, port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
    await asyncio.wait_for(reader.readexactly(1), 10)
    async with asyncio.timeout(10):
        while server.server_state.connections:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
    received = len(await asyncio.wait_for(rest(reader), 60))
    writer.close()
    assert received < MUCH


@pytest.mark.slow
async def test_a_client_that_reads_slowly_is_not_cut_off(port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /much HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    received = len(await asyncio.wait_for(rest(reader), 60))
    writer.close()
    assert received > MUCH


@pytest.mark.slow
async def test_a_drip_does_not_buy_time(port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    ended = asyncio.create_task(rest(reader))
    sent = 0
    while not ended.done():
        writer.write(b"X" if sent else b"GET / HTTP/1.1\r\nX-Slow: ")
        sent += 1
        await asyncio.wait([ended], timeout=0.01)
        assert sent < 1000
    assert await ended == b""
    writer.close()


@pytest.mark.slow
async def test_a_second_request_on_a_connection_has_time_of_its_own_and_no_more(port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n")
        writer.write(b"abc")
        assert b"3 bytes" in await asyncio.wait_for(reader.readuntil(b"bytes"), 10)
    writer.write(b"GET / HTTP/1.1\r\n")
    assert await asyncio.wait_for(rest(reader), 10) == b""
    writer.close()
