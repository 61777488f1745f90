"""Calls whose client goes away, or that are answered before they run: they count as long as they run."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.types import CallToolResult

from tests.adversary.conftest import Tally, attempts
from tests.adversary.peers.client import INITIALIZE, Wire, asked
from tests.adversary.peers.server import FIXTURE, Attacked

pytestmark = pytest.mark.anyio

MOST = 4
IDS = count(2)  # a session's `initialize` is 1
LATER = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": LATER, "io.modelcontextprotocol/clientCapabilities": {}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def started(folder: Path) -> int:
    """How many calls ever ran."""
    return len([*folder.glob("*.run")])


def release(folder: Path) -> None:
    """Let the calls that run end."""
    for marker in folder.glob("*.run"):
        marker.with_name(f"{marker.name}.release").touch()


def is_busy(result: Any) -> bool:
    """Whether a call's result is the error that asks to come again later."""
    said = result.get("structuredContent", {})
    return result.get("isError", False) and (said["code"], said["retry_after_s"]) == ("busy", 1.0)


async def of_a_session(port: int) -> dict[str, str]:
    """Headers of a session's requests."""
    return {"Mcp_Session_Id": (await asked(port, "POST", "/mcp", INITIALIZE)).headers["mcp-session-id"]}


def call_of(tool: str, arguments: dict[str, Any], era: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A call's body with an id that no other has, and the headers that the era adds."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": next(IDS), "method": "tools/call", "params": params}
    if era == "sessions":
        return body, {}
    params["_meta"] = META
    return body, {"Mcp_Protocol_Version": LATER, "Mcp_Method": "tools/call", "Mcp_Name": tool}


async def echoed(port: int, era: str, session: dict[str, str]) -> dict[str, Any]:
    """The result of a call that is answered at once; where its request was refused, the error as if it were one."""
    body, headers = call_of("echo", {"text": "x"}, era)
    answer = await asked(port, "POST", "/mcp", body, **headers, **session)
    if answer.status == 429:
        return {"isError": True, "structuredContent": answer.json}
    [*_, message] = answer.body.removeprefix(b"event: message\r\ndata: ").split(b"\r\ndata: ")
    return dict(json.loads(message)["result"])


@pytest.mark.slow
@pytest.mark.parametrize("era", ["sessions", "later"])
async def test_calls_whose_client_goes_away_count_while_they_run(era: str, tmp_path: Path, tally: Tally):
    tried = attempts(20, 200)
    with Attacked(tmp_path / "log", BEARINGS_PEER_CALLS=str(MOST)) as server:
        session = await of_a_session(server.port) if era == "sessions" else {}
        for number in range(tried):
            wire = await Wire.connected(server.port)
            body, headers = call_of("block", {"marker": str(tmp_path / f"{number}.run")}, era)
            wire.request("POST", "/mcp", body, **headers, **session)
            result = await echoed(server.port, era, session)
            wire.abort()
        with anyio.fail_after(10):
            while not is_busy(result):
                result = await echoed(server.port, era, session)
        survived = tried - max(0, started(tmp_path) - MOST)
        release(tmp_path)
        with anyio.fail_after(10):
            while (await echoed(server.port, era, session)).get("isError", True):
                pass
    tally("HTTP: calls beyond the budget, by leaving", tried, survived)
    assert "Traceback" not in server.log.read_text()


@pytest.mark.slow
async def test_calls_over_sse_count_while_they_run(tmp_path: Path, tally: Tally):
    tried = attempts(20, 200)
    results: list[CallToolResult] = []

    async def call(client: Client, number: int) -> None:
        results.append(await client.call_tool("block", {"marker": str(tmp_path / f"{number}.run")}))

    words = [*FIXTURE, "--sse"]
    with Attacked(tmp_path / "log", words, BEARINGS_PEER_CALLS=str(MOST)) as server:
        async with Client(sse_client(f"{server.url}/sse"), mode="legacy") as client, anyio.create_task_group() as group:
            await client.list_tools()  # the client asks for it after a call otherwise
            for number in range(tried):
                group.start_soon(call, client, number)
            with anyio.fail_after(20):
                while len(results) < tried - MOST and started(tmp_path) <= MOST:  # noqa: ASYNC110 - another process's
                    await anyio.sleep(0.01)
            survived = tried - max(0, started(tmp_path) - MOST)
            release(tmp_path)
    tally("HTTP: calls beyond the budget, over the SSE of 2024", tried, survived)
    assert [result.structured_content["code"] for result in results[:-MOST]] == ["busy"] * (tried - MOST)
    assert [result.structured_content["text"] for result in results[-MOST:]] == ["late"] * MOST
