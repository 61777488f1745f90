"""Requests that the SDK and the budget of sessions might read differently: sessions that are open and not counted."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.adversary.conftest import Tally
from tests.adversary.peers.client import INITIALIZE, Answer, asked
from tests.adversary.peers.server import Attacked

pytestmark = pytest.mark.anyio

UNKNOWN: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "no/such"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HANDSHAKE, LATER = "2025-06-18", "2026-07-28"
MOST = 2


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """One where a peer may have MOST sessions."""
    with Attacked(tmp_path_factory.mktemp("log") / "log", BEARINGS_PEER_SESSIONS=str(MOST)) as server:
        yield server


async def opened(server: Attacked, **headers: str) -> Answer:
    return await asked(server.port, "POST", "/mcp", INITIALIZE, **headers)


async def alive(server: Attacked, sessions: list[str]) -> list[str]:
    """The sessions that the SDK still knows."""
    answers = [await asked(server.port, "POST", "/mcp", PING, Mcp_Session_Id=session) for session in sessions]
    return [session for session, answer in zip(sessions, answers, strict=True) if answer.status == 200]


@pytest.mark.slow
@pytest.mark.parametrize("versions", [(HANDSHAKE, LATER), (LATER, HANDSHAKE), (HANDSHAKE, HANDSHAKE), ("", LATER)])
async def test_a_version_that_is_sent_twice_opens_no_session(server: Attacked, versions: tuple[str, str], tally: Tally):
    answers = [await opened(server, Mcp_Protocol_Version="\r\nMcp-Protocol-Version: ".join(versions)) for _ in range(9)]
    tally(
        "HTTP: sessions beyond the budget, by two headers of one name",
        len(answers),
        sum(answer.status == 400 and "mcp-session-id" not in answer.headers for answer in answers),
    )
    assert answers[0].json["code"] == "invalid_input"


async def test_two_session_ids_are_refused(server: Attacked):
    session = (await opened(server)).headers["mcp-session-id"]
    answer = await asked(server.port, "POST", "/mcp", PING, Mcp_Session_Id=f"{session}\r\nMcp-Session-Id: other")
    assert answer.status == 400


@pytest.mark.slow
async def test_a_404_of_the_later_era_does_not_hide_a_session(server: Attacked, tally: Tally):
    sessions = []
    for _ in range(9):
        sessions.append((await opened(server)).headers["mcp-session-id"])
        strange = {"Mcp_Session_Id": sessions[-1], "Mcp_Protocol_Version": LATER, "Mcp_Method": UNKNOWN["method"]}
        meta = {"io.modelcontextprotocol/protocolVersion": LATER, "io.modelcontextprotocol/clientCapabilities": {}}
        answer = await asked(server.port, "POST", "/mcp", {**UNKNOWN, "params": {"_meta": meta}}, **strange)
        assert answer.status == 404, answer
    open_ones = await alive(server, sessions)
    tally("HTTP: sessions beyond the budget, by an answer 404", len(sessions), 9 - max(0, len(open_ones) - MOST))
    assert open_ones == sessions[-MOST:]
