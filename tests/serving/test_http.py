"""HTTP for an operator: health, foreign headers, tokens, limits, signals."""

import asyncio
import http.client
import json
import os
import signal
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from starlette.testclient import TestClient

from bearings.errors import InvalidInput
from bearings.serving.addresses import is_loopback
from bearings.serving.http import http_app
from bearings.serving.messages import MAX_MESSAGE_BYTES
from bearings.settings import ServeSettings
from tests.serving import fixture_server
from tests.serving.conftest import running_http
from tests.serving.test_every_transport import until

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
JSON_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def status(url: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
    """The status and the body of one request; headers with `_` for `-`."""
    request = urllib.request.Request(url, body, {k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_health_names_the_server(http_server: str):
    code, body = status(f"{http_server}/health")
    answer = json.loads(body)
    assert code == 200
    assert {k: answer[k] for k in ("status", "ready", "server", "version", "tools")} == {
        "status": "ok", "ready": True, "server": "fixture", "version": "1.2.3", "tools": 7,
    }  # fmt: skip
    assert status(f"{http_server}/health/live")[0] == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_foreign_hosts_and_origins_are_refused(http_server: str, headers: dict[str, str], expected: int):
    body = json.dumps(PING).encode()
    assert status(f"{http_server}/mcp", body, **JSON_HEADERS, **headers)[0] == expected


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_client_that_leaves_an_sse_server_closes_nothing_for_the_others(sse_server: str):
    async with Client(sse_client(f"{sse_server}/sse"), mode="legacy") as client:
        await client.list_tools()
    assert (await asyncio.to_thread(status, f"{sse_server}/health"))[0] == 200


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_signal_lets_a_running_call_finish_and_refuses_new_ones(mode: str, tmp_path: Path):
    server = running_http()
    marker, release = tmp_path / "m", tmp_path / "m.release"
    results = []

    async def call(client: Client) -> None:
        results.append(await client.call_tool("block", {"marker": str(marker)}))

    async def refused() -> bool:
        return (await asyncio.to_thread(status, f"{url}/mcp", json.dumps(PING).encode(), **JSON_HEADERS))[0] == 503

    with server as url:
        async with Client(f"{url}/mcp", mode=mode) as client, anyio.create_task_group() as group:
            await client.list_tools()  # the client asks for it after a call otherwise, and is refused
            group.start_soon(call, client)
            await until(marker.exists)
            server.terminate()
            with anyio.fail_after(10):
                while not await refused():  # noqa: ASYNC110 - the condition is another process's
                    await anyio.sleep(0.01)
            assert not results
            release.touch()
        [result] = results
        assert result.structured_content == {"success": True, "text": "late", "numbers": []}
        assert await asyncio.to_thread(server.wait) == -signal.SIGTERM


def test_a_body_over_the_cap_is_refused_before_it_is_sent(http_server: str):
    connection = http.client.HTTPConnection(http_server.removeprefix("http://"), timeout=10)
    connection.putrequest("POST", "/mcp")
    for name, value in {**JSON_HEADERS, "Content-Length": str(MAX_MESSAGE_BYTES + 1)}.items():
        connection.putheader(name, value)
    connection.endheaders()
    reply = connection.getresponse()
    reply.read()
    connection.close()
    assert reply.status == 413


def test_an_unknown_path_is_not_found(http_server: str):
    assert status(f"{http_server}/nowhere")[0] == 404


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_token_is_asked_of_everyone_but_health():
    with running_http(BEARINGS_TOKEN="s3cret") as url:
        assert (await asyncio.to_thread(status, f"{url}/health"))[0] == 200
        assert (await asyncio.to_thread(status, f"{url}/mcp", b"{}", **JSON_HEADERS))[0] == 401
        wrong = {**JSON_HEADERS, "Authorization": "Bearer other"}
        assert (await asyncio.to_thread(status, f"{url}/mcp", b"{}", **wrong))[0] == 401
        async with (
            create_mcp_http_client(headers={"Authorization": "Bearer s3cret"}) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            assert not (await client.call_tool("echo", {"text": "x"})).is_error


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_an_address_that_others_reach_needs_a_token(host: str):
    with pytest.raises(InvalidInput, match="can be reached from other machines"):
        http_app(fixture_server.spec(), ServeSettings(token=None), host)
    http_app(fixture_server.spec(), ServeSettings.model_validate({"token": "x"}), host)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_tokens_that_others_may_read_are_refused_at_an_address_that_others_reach(tmp_path: Path):
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(f'[a]\nsha256 = "{"0" * 64}"\n')
    tokens.chmod(0o644)
    settings = ServeSettings.model_validate({"tokens": str(tokens)})
    http_app(fixture_server.spec(), settings, "127.0.0.1")
    with pytest.raises(InvalidInput, match="may be read or changed by others"):
        http_app(fixture_server.spec(), settings, "0.0.0.0")
    tokens.chmod(0o600)
    http_app(fixture_server.spec(), settings, "0.0.0.0")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("127.8.9.1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("a.b", False),
    ],
)
def test_loopback_is_told_from_the_rest(host: str, expected: bool):
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("trusted_proxies", "10.0.0.0/8,10.0.0.1/8", "BEARINGS_TRUSTED_PROXIES = '10.0.0.1/8': is no network"),
        ("trusted_proxies", "proxy", "BEARINGS_TRUSTED_PROXIES = 'proxy': is no network"),
        ("allowed_hosts", "mcp.example.org/x", "BEARINGS_ALLOWED_HOSTS = 'mcp.example.org/x': is no host"),
        ("allowed_hosts", "a,*", "BEARINGS_ALLOWED_HOSTS = 'a,*': allows everything"),
        ("allowed_origins", "app.example.org", "BEARINGS_ALLOWED_ORIGINS = 'app.example.org': is no origin"),
        ("tokens", "/no/such/file", "BEARINGS_TOKENS = '/no/such/file': can't be read"),
    ],
)
def test_settings_that_can_not_be_used_are_named_with_a_remedy(field: str, value: str, problem: str):
    with pytest.raises(InvalidInput) as caught:
        http_app(fixture_server.spec(), ServeSettings(**{field: value}), "127.0.0.1")
    assert caught.value.error.startswith(problem)
    assert caught.value.hint


def test_a_public_address_takes_any_host_till_one_is_named():
    def status_of(settings: ServeSettings, **headers: str) -> int:
        app = http_app(fixture_server.spec(), settings, "0.0.0.0")
        return TestClient(app).get("/metrics", headers={"Authorization": "Bearer x", **headers}).status_code

    open_to_all = ServeSettings.model_validate({"token": "x"})
    named = ServeSettings.model_validate({"token": "x", "allowed_hosts": "mcp.example.org"})
    assert status_of(open_to_all, Host="anything.example", Origin="https://anything.example") == 200
    assert status_of(named, Host="anything.example") == 421
    assert status_of(named, Host="mcp.example.org") == 200


@pytest.mark.slow
def test_an_address_with_no_connection_left_is_told_so_and_still_hears_of_health():
    body = json.dumps(PING).encode()
    with running_http(BEARINGS_PEER_CONNECTIONS="1") as url:
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as busy:
            busy.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            deadline = time.monotonic() + 10
            while (answer := status(f"{url}/mcp", body, **JSON_HEADERS))[0] != 429:
                assert time.monotonic() < deadline
            assert json.loads(answer[1])["code"] == "busy"
            assert status(f"{url}/health")[0] == 200
        metrics = status(f"{url}/metrics")
        while metrics[0] == 429:
            assert time.monotonic() < deadline + 10
            metrics = status(f"{url}/metrics")
        assert b'bearings_refused_total{budget="connections",peer="address"}' in metrics[1]
        while status(f"{url}/mcp", body, **JSON_HEADERS)[0] == 429:
            assert time.monotonic() < deadline + 10
