"""One peer opens idle streams, half-open connections and unused sessions; the others' calls and health are answered."""

import asyncio
import contextlib
import time
from pathlib import Path

import pytest

from bearings.serving.tokens import digest_of
from tests.adversary.conftest import Tally, attempts
from tests.adversary.peers.client import INITIALIZE, Wire, asked, others
from tests.adversary.peers.server import Attacked
from tests.soak import soak

pytestmark = [pytest.mark.anyio, pytest.mark.slow, soak]

ABUSER, OTHER = "127.0.0.1", "127.0.0.2"
STREAMS = 255
HALF_OPEN = 260
SESSIONS = 2000
GROWTH_MB = 60
"""The allowed growth of the server after the abuse: mostly buffers of the allowed sessions and streams."""

HALVES = (  # the last is a call of its peer: its body is what is missing
    b"",
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def report(attack: str, seen: str, before: float, server: Attacked) -> None:
    after = server.rss_mb()
    print(f"{attack}: {seen}; memory {before:.0f} -> {after:.0f} MB")  # noqa: T201 - figures for the documents
    assert after - before < GROWTH_MB
    assert "Traceback" not in server.log.read_text()


async def new_session(port: int, **headers: str) -> tuple[int, str]:
    answer = await asked(port, "POST", "/mcp", INITIALIZE, ABUSER, **headers)
    return answer.status, answer.headers.get("mcp-session-id", "")


async def test_idle_streams(tmp_path: Path, tally: Tally):
    held: list[Wire] = []
    statuses: list[int] = []
    with Attacked(tmp_path / "log") as server:
        before = server.rss_mb()
        async with others(server.port, (OTHER,)) as seen:
            for _ in range(attempts(STREAMS, 4 * STREAMS)):
                _, session = await new_session(server.port)
                wire = await Wire.connected(server.port, ABUSER)
                held.append(wire)
                answer = await wire.ask("GET", "/mcp", Mcp_Session_Id=session)
                statuses.append(answer.status)
                seen.go()
                assert answer.status in (200, 429)
            assert (await asked(server.port, "GET", "/health", source=ABUSER)).status == 200
        report("idle streams", seen.told(), before, server)
    for wire in held:
        wire.close()
    assert statuses.count(200) == 64
    tally("HTTP: idle event streams of one peer", len(statuses), len(statuses))


async def test_half_open_connections_again_and_again(tmp_path: Path, tally: Tally):
    tried = 0
    with Attacked(tmp_path / "log") as server:
        before = server.rss_mb()
        async with others(server.port, (OTHER,)) as seen:
            end = time.monotonic() + attempts(6, 60)
            while time.monotonic() < end:
                round_of = []
                for number in range(HALF_OPEN):
                    round_of.append(await half_open(server.port, HALVES[number % len(HALVES)]))
                    if number % 20 == 0:
                        seen.go()
                tried += len(round_of)
                for wire in round_of:
                    wire.abort()
        report("half-open connections", seen.told(), before, server)
    tally("HTTP: half-open connections of one peer", tried, tried)


async def half_open(port: int, said: bytes) -> Wire:
    wire = await Wire.connected(port, ABUSER)
    wire.send(said)
    return wire


async def test_unused_sessions(tmp_path: Path, tally: Tally):
    tried = attempts(SESSIONS, 5 * SESSIONS)
    with Attacked(tmp_path / "log") as server:
        before = server.rss_mb()
        async with others(server.port, (OTHER,)) as seen:
            wire = await Wire.connected(server.port, ABUSER)
            opened = []
            for number in range(tried):
                answer = await wire.ask("POST", "/mcp", INITIALIZE)
                opened.append((answer.status, answer.headers.get("mcp-session-id", "")))
                if number % 5 == 0:
                    seen.go()
            wire.close()
        assert {status for status, _ in opened} == {200}
        alive = [number for _, number in opened[-150:] if await is_alive(server.port, number)]
        assert alive == [number for _, number in opened[-128:]]
        report("unused sessions", seen.told(), before, server)
    tally("HTTP: unused sessions of one peer", tried, tried)


async def is_alive(port: int, session: str) -> bool:
    answer = await asked(port, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, Mcp_Session_Id=session)
    return answer.status == 200


async def test_all_at_once_from_the_same_address_with_another_token(tmp_path: Path, tally: Tally):
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("".join(f'[{name}]\nsha256 = "{digest_of(name.encode())}"\n' for name in ("alice", "mallory")))
    mallory = {"Authorization": "Bearer mallory"}
    held: list[Wire] = []
    tried = 0
    with Attacked(tmp_path / "log", BEARINGS_TOKENS=str(tokens)) as server:
        before = server.rss_mb()
        async with others(server.port, (ABUSER, OTHER), token="alice") as seen:
            for _ in range(attempts(150, 2000)):
                _, session = await new_session(server.port, **mallory)
                wire = await Wire.connected(server.port, ABUSER)
                with contextlib.suppress(asyncio.IncompleteReadError, ConnectionResetError):
                    await wire.ask("GET", "/mcp", Mcp_Session_Id=session, **mallory)
                held += [wire, *[await half_open(server.port, half) for half in HALVES]]
                tried += 5
                seen.go()
        report("all at once", seen.told(), before, server)
        metrics = (await asked(server.port, "GET", "/metrics", Authorization="Bearer alice")).body.decode()
    for wire in held:
        wire.abort()
    assert 'bearings_refused_total{budget="streams",peer="mallory"}' in metrics
    assert 'bearings_refused_total{budget="streams",peer="alice"}' not in metrics
    tally("HTTP: streams, sessions and half-open connections beside another token", tried, tried)
