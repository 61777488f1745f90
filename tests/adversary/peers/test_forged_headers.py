"""Headers that pretend: another address, another host, another origin, a token that is none."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adversary.conftest import Tally
from tests.adversary.peers.client import INITIALIZE, Answer, Wire, asked
from tests.adversary.peers.server import Attacked

pytestmark = pytest.mark.anyio

PROXY = "127.0.0.9"
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "echo", "arguments": {"text": "secret words"}},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(
        tmp_path_factory.mktemp("forged") / "log",
        BEARINGS_TRUSTED_PROXIES=f"{PROXY},10.0.0.0/8",
        BEARINGS_ALLOWED_HOSTS="mcp.example.org,[2001:db8::1]:8443",
        BEARINGS_ALLOWED_ORIGINS="https://app.example.org",
        BEARINGS_ACCESS_LOG="json",
    ) as running:
        yield running


FORWARDED: list[tuple[str, str, str]] = [
    # where the connection comes from, X-Forwarded-For, who the peer is
    ("127.0.0.2", "203.0.113.7", "127.0.0.2"),
    ("127.0.0.2", PROXY, "127.0.0.2"),
    ("127.0.0.2", "127.0.0.1, 127.0.0.9", "127.0.0.2"),
    (PROXY, "203.0.113.7", "203.0.113.7"),
    (PROXY, "203.0.113.7:4711", "203.0.113.7"),
    (PROXY, " 203.0.113.7 ", "203.0.113.7"),
    (PROXY, "::ffff:203.0.113.7", "203.0.113.7"),
    (PROXY, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    (PROXY, "[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
    (PROXY, "6.6.6.6, 203.0.113.7", "203.0.113.7"),
    (PROXY, "6.6.6.6, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
    (PROXY, "10.6.6.6, 203.0.113.7, 10.1.2.3, 127.0.0.9", "203.0.113.7"),
    (PROXY, "10.6.6.6", "10.6.6.6"),
    (PROXY, "6.6.6.6, nonsense", PROXY),
    (PROXY, "6.6.6.6, nonsense, 10.1.2.3", "10.1.2.3"),
    (PROXY, "6.6.6.6,", PROXY),
    (PROXY, "", PROXY),
    (PROXY, "unknown", PROXY),
    (PROXY, "0x7f000001", PROXY),
    (PROXY, "127.1", PROXY),
    (PROXY, "203.0.113.7/8", PROXY),
    (PROXY, "6.6.6.6\x00", PROXY),
    (PROXY, "6.6.6.6 203.0.113.7", PROXY),
    (PROXY, ", ".join(["6.6.6.6"] + ["10.0.0.1"] * 500), "10.0.0.1"),
]


@pytest.mark.slow
async def test_only_a_trusted_proxy_names_another_address(server: Attacked, tally: Tally):
    believed = []
    session = (await asked(server.port, "POST", "/mcp", INITIALIZE)).headers["mcp-session-id"]
    for source, forwarded, peer in FORWARDED:
        seen = len(access_lines(server))
        headers = {"X-Forwarded-For": forwarded, "Mcp-Session-Id": session}
        try:
            answer = await asked(server.port, "POST", "/mcp", CALL, source, **headers)
        except (asyncio.IncompleteReadError, ConnectionResetError):
            continue
        if answer.status == 400:  # no HTTP
            continue
        assert answer.status == 200, (forwarded, answer)
        lines = access_lines(server)[seen:]
        if [line["peer"] for line in lines] != [peer]:
            believed.append((source, forwarded, lines))
    assert not believed
    tally("HTTP: forged X-Forwarded-For", len(FORWARDED), len(FORWARDED) - len(believed))


@pytest.mark.slow
async def test_two_headers_of_a_client_and_a_proxy_are_read_as_one(server: Attacked):
    """A proxy that adds a header of its own instead of a hop: the last hop of all counts."""
    session = (await asked(server.port, "POST", "/mcp", INITIALIZE)).headers["mcp-session-id"]
    wire = await Wire.connected(server.port, PROXY)
    twice = {"X-Forwarded-For": "6.6.6.6\r\nX-Forwarded-For: 203.0.113.9", "Mcp-Session-Id": session}
    assert (await wire.ask("POST", "/mcp", CALL, **twice)).status == 200
    wire.close()
    assert access_lines(server)[-1]["peer"] == "203.0.113.9"


async def test_the_access_log_tells_of_each_call_and_not_what_was_asked(server: Attacked):
    session = (await asked(server.port, "POST", "/mcp", INITIALIZE)).headers["mcp-session-id"]
    assert (await asked(server.port, "POST", "/mcp", CALL, "127.0.0.3", Mcp_Session_Id=session)).status == 200
    line = access_lines(server)[-1]
    assert list(line) == ["time", "peer", "tool", "outcome", "ms", "bytes"]
    assert (line["peer"], line["tool"], line["outcome"]) == ("127.0.0.3", "echo", "ok")
    assert line["bytes"] == len('{"success":true,"text":"secret words","numbers":[]}')
    assert "secret words" not in server.log.read_text()


def access_lines(server: Attacked) -> list[dict[str, object]]:
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]


HOSTS = [
    "evil.example", "localhost.evil.com", "localhost@evil.com", "evil.com#localhost", "127.0.0.1.evil.com",
    "127.0.0.1@evil.com", "localhost:80@evil.com", "localhost:evil", "localhost:99999", "localhost:0", "localhost:",
    "localhost, evil.com", "localhost evil.com", "[::1].evil.com", "[::1", "::1", "[::1%25lo]", "[127.0.0.1]",
    "0x7f.0.0.1", "2130706433", "127.1", "0.0.0.0", "localhost/..", "http://localhost", ".localhost", "..",
    "xn--localhost-", "ⅼocalhost".encode().decode("latin-1"), "mcp.example.org.evil.com", "evil-mcp.example.org",
    "a.mcp.example.org", "[2001:db8::1]", "[2001:db8::1]:8444", "",
]  # fmt: skip
OWN_HOSTS = [
    "localhost", "LOCALHOST:8010", "localhost.:1", "127.0.0.1:8010", "[::1]:8010", "[0:0:0:0:0:0:0:1]",
    "mcp.example.org", "MCP.Example.org.:443", "[2001:DB8:0::1]:8443",
]  # fmt: skip
ORIGINS = [
    "null", "", "https://evil.example", "http://localhost.evil.com", "http://localhost:8000.evil.com",
    "http://localhost@evil.com", "http://localhost:80@evil.com", "http://evil.com/http://localhost", "http://localhost/x",
    "http://localhost?x", "http://localhost#x", "https://localhost", "file://localhost", "chrome-extension://localhost",
    "http://127.0.0.1.evil.com", "http://[::1].evil.com", "http://localhost\\@evil.com", "http://localhost\t.evil.com",
    "http:localhost", "//localhost", "http://app.example.org", "https://app.example.org:8443",
    "https://app.example.org.evil.com", "https://app.example.org, http://localhost",
]  # fmt: skip
OWN_ORIGINS = [
    "http://localhost", "http://LOCALHOST:3000", "http://127.0.0.1:8010", "http://[::1]:8010", "http://localhost.:3000",
    "https://app.example.org", "https://APP.example.org:443", "https://app.example.org.",
]  # fmt: skip


async def refused(server: Attacked, path: str, **headers: str) -> Answer | None:
    """The answer that refuses a request, None where the connection ends without one."""
    method, body = ("POST", INITIALIZE) if path == "/mcp" else ("GET", None)
    try:
        return await asked(server.port, method, path, body, **headers)
    except (asyncio.IncompleteReadError, ConnectionResetError):
        return None


@pytest.mark.slow
async def test_forged_hosts_and_origins_are_refused(server: Attacked, tally: Tally):
    let_in = []
    tricks = [*(("Host", host, (421, 400)) for host in HOSTS), *(("Origin", one, (403, 400)) for one in ORIGINS)]
    for name, value, statuses in tricks:
        for path in ("/mcp", "/metrics"):
            answer = await refused(server, path, **{name: value})
            if answer is not None and answer.status not in statuses:
                let_in.append((name, value, answer.status))
    assert not let_in
    tally("HTTP: forged Host and Origin", 2 * len(tricks), 2 * len(tricks) - len(let_in))


@pytest.mark.parametrize("host", OWN_HOSTS)
async def test_own_hosts_are_let_in_however_they_are_spelled(server: Attacked, host: str):
    assert (await asked(server.port, "GET", "/metrics", Host=host)).status == 200


@pytest.mark.parametrize("origin", OWN_ORIGINS)
async def test_own_origins_are_let_in_however_they_are_spelled(server: Attacked, origin: str):
    assert (await asked(server.port, "GET", "/metrics", Origin=origin)).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS"])
async def test_health_is_no_way_round_the_guards(server: Attacked, method: str):
    answer = await asked(server.port, method, "/health", Host="evil.example")
    assert answer.status == 421


FOREIGN = [
    *({"Host": host} for host in ("evil.example", "127.0.0.1.evil.example", "", "127.0.0.1\r\nHost: evil.example")),
    *({"Origin": origin} for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example")),
]


@pytest.mark.parametrize("headers", FOREIGN)
async def test_health_names_no_version_to_a_foreign_host_or_origin(
    server: Attacked, headers: dict[str, str], tally: Tally
):
    answer = await asked(server.port, "GET", "/health", **headers)
    assert (await asked(server.port, "GET", "/health")).json["version"]
    is_silent = answer.status == 400 or answer.json == {"status": "ok", "ready": True}
    tally("HTTP: the version, asked of /health under a foreign name", 1, int(is_silent))


AUTHORIZATIONS = [
    "", "Bearer", "Bearer ", "Bearer other", "Bearer s3cre", "Bearer s3cret2", "Bearer S3CRET", "Bearer s3cret x",
    "Basic s3cret", "s3cret", "Bearers3cret", "Bearer\ts3cret", 'Bearer "s3cret"', "Bearer s3cret,Bearer s3cret",
    "Token s3cret",
    "Bearer s3cret\r\nAuthorization: Bearer other", "Bearer other\r\nAuthorization: Bearer s3cret",
]  # fmt: skip


@pytest.mark.slow
async def test_what_only_looks_like_the_token_is_refused(tmp_path: Path, tally: Tally):
    with Attacked(tmp_path / "log", BEARINGS_TOKEN="s3cret") as guarded:
        let_in = []
        for value in AUTHORIZATIONS:
            answer = await asked(guarded.port, "POST", "/mcp", INITIALIZE, Authorization=value)
            if answer.status != 401:
                let_in.append((value, answer.status))
            else:
                assert answer.headers["www-authenticate"] == "bearer"
                assert answer.json["code"] == "unauthorized"
        for spelled in ("Bearer s3cret", "bearer s3cret", "BEARER   s3cret"):
            assert (await asked(guarded.port, "POST", "/mcp", INITIALIZE, Authorization=spelled)).status == 200
        health = (await asked(guarded.port, "GET", "/health")).json
        assert health == {"status": "ok", "ready": True}
        known = (await asked(guarded.port, "GET", "/health", Authorization="bearer s3cret")).json
        assert known["version"] == "1.2.3"
    assert not let_in
    tally("HTTP: tokens that are none", len(AUTHORIZATIONS), len(AUTHORIZATIONS) - len(let_in))
