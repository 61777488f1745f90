"""SIGTERM while calls run, event streams are open and requests are half sent: each accepted call is answered."""

import asyncio
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.types import CallToolResult

from tests.adversary.conftest import Tally, attempts
from tests.adversary.peers.client import INITIALIZE, Wire, asked, client
from tests.adversary.peers.server import FIXTURE, Attacked

pytestmark = pytest.mark.anyio

CALLS = attempts(20, 50)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def until(path: Path, count: int) -> None:
    """Until so many files of calls that run are there."""
    with anyio.fail_after(60):
        while len([*path.glob("*.run")]) < count:  # noqa: ASYNC110, ASYNC240 - the condition is another process's
            await anyio.sleep(0.02)


@asynccontextmanager
async def calling(clients: list[Client], folder: Path) -> AsyncIterator[list[CallToolResult]]:
    """Starts calls that block a thread each till they are released; their results, when the block ends."""
    results: list[CallToolResult] = []

    async def call(made: Client, number: int) -> None:
        results.append(await made.call_tool("block", {"marker": str(folder / f"{number}.run")}))

    async with anyio.create_task_group() as group:
        for number in range(CALLS):
            group.start_soon(call, clients[number % len(clients)], number)
        await until(folder, CALLS)
        yield results


async def ended(server: Attacked) -> None:
    assert await asyncio.to_thread(server.process.wait, 20) == -signal.SIGTERM
    log = server.log.read_text()
    assert "Traceback" not in log
    assert not re.search("^ERROR", log, re.MULTILINE), log


@asynccontextmanager
async def connected(server: Attacked, transport: str) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        sources = ("127.0.0.1", "127.0.0.2")
        if transport == "sse":
            made: list[Any] = [Client(sse_client(f"{server.url}/sse"), mode="legacy") for _ in sources]
        else:
            made = [client(server.url, source, mode=transport) for source in sources]
        clients = [await stack.enter_async_context(one) for one in made]
        for one in clients:
            await one.list_tools()  # the client asks for it after a call otherwise, and is refused
        yield clients


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["auto", "legacy", "sse"])
async def test_calls_that_end_in_time_are_answered_with_their_results(transport: str, tmp_path: Path, tally: Tally):
    words = [*FIXTURE, *(["--sse"] if transport == "sse" else [])]
    with Attacked(tmp_path / "log", words) as server:
        async with connected(server, transport) as clients:
            stalled = await Wire.connected(server.port)
            stalled.send(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
            async with calling(clients, tmp_path) as results:
                server.process.terminate()
                with anyio.fail_after(10):
                    while (refused := await asked(server.port, "POST", "/mcp", INITIALIZE)).status != 503:
                        pass
                assert refused.json["code"] == "shutting_down"
                health = await asked(server.port, "GET", "/health")
                assert (health.status, health.json["status"]) == (503, "shutting down")
                assert not results
                for number in range(CALLS):
                    (tmp_path / f"{number}.run.release").touch()
            stalled.close()
        await ended(server)
    answered = [one for one in results if one.structured_content == {"success": True, "text": "late", "numbers": []}]
    tally(f"HTTP: SIGTERM under {CALLS} slow calls, answered with their results", CALLS, len(answered))


@pytest.mark.slow
@pytest.mark.parametrize(
    "transport", ["auto", *(pytest.param(name, marks=pytest.mark.slow) for name in ("legacy", "sse"))]
)
async def test_calls_that_do_not_end_are_answered_shutting_down(transport: str, tmp_path: Path, tally: Tally):
    tried = survived = 0
    for turn in range(attempts(1, 5)):
        folder = tmp_path / str(turn)
        folder.mkdir()
        words = [*FIXTURE, *(["--sse"] if transport == "sse" else [])]
        with Attacked(folder / "log", words, BEARINGS_DRAIN_TIMEOUT="0.5") as server:
            begun = time.monotonic()
            async with connected(server, transport) as clients, calling(clients, folder) as results:
                server.process.terminate()
                begun = time.monotonic()
            await ended(server)
            assert time.monotonic() - begun < 20  # the threads would hold it up for 30 s
        codes = [(one.is_error, (one.structured_content or {}).get("code")) for one in results]
        tried += CALLS
        survived += codes.count((True, "shutting_down"))
    tally(f"HTTP: SIGTERM under {CALLS} calls that never end, answered shutting_down", tried, survived)
