"""The directories that a client works in, requested by a tool that needs them."""

from pathlib import Path

import pytest
from mcp import Client
from mcp.types import ErrorData, ListRootsResult, Root

from bearings.caller import caller
from bearings.reply import Reply
from bearings.serving.app import ServerSpec, build_server
from bearings.tool import Tool


class Told(Reply):
    paths: list[str]


async def where() -> Told:
    """The client's directory."""
    return Told(paths=[str(path) for path in await caller().workspace()])


SPEC = ServerSpec("fixture", "Fixture", "1", "Say where.", (Tool.of(where, title="Where"),))

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def told(callback) -> list[str]:
    async with Client(build_server(SPEC), mode="legacy", list_roots_callback=callback) as client:
        result = await client.call_tool("where", {})
        paths: list[str] = result.structured_content["paths"]
        return paths


async def test_a_client_tells_its_roots(tmp_path: Path):
    async def roots(_) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=(tmp_path / "my app").as_uri())])

    assert await told(roots) == [str(tmp_path / "my app")]


async def test_a_client_without_roots_tells_none():
    assert await told(None) == []


async def test_a_client_that_refuses_tells_none():
    async def refused(_) -> ErrorData:
        return ErrorData(code=-32603, message="not today")

    assert await told(refused) == []
