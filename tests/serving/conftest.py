"""One suite over every transport: in memory, stdio and HTTP, in both protocol eras."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.types import CallToolResult, TextContent

from bearings.serving.app import build_server
from tests.serving import fixture_server

ROOT = Path(__file__).parents[2]
FIXTURE = [sys.executable, "-m", "tests.serving.strictly", "tests.serving.fixture_server"]

Connect = Callable[[], AbstractAsyncContextManager[Client]]


def text_of(result: CallToolResult) -> str:
    """The one text block of a result."""
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def http_server() -> Iterator[str]:
    """The base URL of a fixture server over Streamable HTTP."""
    with running_http() as url:
        yield url


@pytest.fixture(scope="session")
def sse_server() -> Iterator[str]:
    """The base URL of a fixture server over the older HTTP+SSE."""
    with running_http("--sse") as url:
        yield url


class running_http:  # noqa: N801 - reads as a function
    """A fixture server in a process of its own; its base URL once it listens."""

    def __init__(self, *words: str, **environment: str) -> None:
        self._words = words
        self._environment = environment

    def __enter__(self) -> str:
        self._process = subprocess.Popen(
            [*FIXTURE, "http", *self._words],
            cwd=ROOT,
            env={**os.environ, "BEARINGS_LOG_LEVEL": "INFO", **self._environment},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            found = re.search(r"running on (http://\S+)", line)
            if found:
                return found.group(1)
        raise AssertionError("the server ended before it listened")

    def terminate(self) -> None:
        """Ask the server to end."""
        self._process.terminate()

    def wait(self) -> int:
        """The server's exit status."""
        return self._process.wait(timeout=20)

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=20)


@pytest.fixture(
    scope="module",
    params=[
        "memory-auto",
        "http-auto",
        *(
            pytest.param(other, marks=pytest.mark.slow)
            for other in ("memory-legacy", "stdio-auto", "stdio-legacy", "http-legacy", "sse-legacy")
        ),
    ],
)
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    """Opens a client to the fixture server, over one of the transports. Over stdio, where each client starts a server,
    one client serves a module's tests.
    """
    transport, mode = request.param.split("-")
    target: Any
    match transport:
        case "memory":
            target = lambda: build_server(fixture_server.spec())  # noqa: E731 - a table of ways
        case "stdio":
            target = lambda: StdioServerParameters(command=FIXTURE[0], args=[*FIXTURE[1:], "stdio"], cwd=ROOT)  # noqa: E731
        case "http":
            url = request.getfixturevalue("http_server")
            target = lambda: f"{url}/mcp"  # noqa: E731
        case _:
            base = request.getfixturevalue("sse_server")
            target = lambda: sse_client(f"{base}/sse")  # noqa: E731

    @asynccontextmanager
    async def open_client() -> AsyncIterator[Client]:
        async with Client(target(), mode=mode) as client:
            yield client

    if transport == "stdio":
        async with open_client() as shared:
            yield lambda: nullcontext(shared)
    else:
        yield open_client
