"""Behind nginx and Caddy, as in docs/deploy.md: many clients with tokens, and the answers to strangers."""

import contextlib
import json
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import httpx2
import pytest
import trustme
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bearings.serving.tokens import digest_of
from tests.adversary.peers.client import INITIALIZE
from tests.adversary.peers.server import Attacked
from tests.deploy.proxies import NAME, Caddy, Nginx, Proxy, free_port
from tests.soak import SOAK

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

CLIENTS = 200 if SOAK else 60
CALLS_EACH = 2
AT_ONCE = 25
"""Concurrent calls: all the clients are one process here, on a machine that may have few cores."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Site:
    """A proxy, the server behind it, and the certificate authority for clients."""

    proxy: Proxy
    server: Attacked
    trust: ssl.SSLContext
    issued: tuple[Path, Path]
    """The certificate of the site and its key."""

    def peers(self) -> list[str]:
        """The callers in the access log."""
        lines = self.server.log.read_text().splitlines()
        return [json.loads(line)["peer"] for line in lines if line.startswith("{")]

    @asynccontextmanager
    async def http(
        self, token: str = "", source: str = "127.0.0.1", host: str = NAME
    ) -> AsyncIterator[httpx2.AsyncClient]:
        """An HTTP client that takes the proxy for the site of its certificate."""

        async def named(request: httpx2.Request) -> None:
            request.headers["Host"] = f"{host}:{self.proxy.port}"
            request.extensions = {**request.extensions, "sni_hostname": NAME}

        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx2.AsyncHTTPTransport(local_address=source, verify=self.trust)
        async with httpx2.AsyncClient(
            transport=transport, headers=headers, timeout=60, event_hooks={"request": [named]},
            base_url=f"https://127.0.0.1:{self.proxy.port}",
        ) as made:  # fmt: skip
            yield made


@pytest.fixture(params=[Nginx, Caddy], scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    tmp_path = tmp_path_factory.mktemp("site")
    authority = trustme.CA()
    issued = authority.issue_cert(NAME)
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    for part in issued.cert_chain_pems:
        part.write_to_path(certificate, append=True)
    issued.private_key_pem.write_to_path(key)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    tokens = tmp_path / "tokens.toml"
    names = [f"client-{number}" for number in range(CLIENTS)]
    tokens.write_text("".join(f'[{name}]\nsha256 = "{digest_of(name.encode())}"\n' for name in names))
    environment = {
        "BEARINGS_TOKENS": str(tokens),
        "BEARINGS_TOKEN": "shared",  # addresses tell its users apart
        "BEARINGS_TRUSTED_PROXIES": "127.0.0.1",
        "BEARINGS_ALLOWED_HOSTS": NAME,
        "BEARINGS_ACCESS_LOG": "json",
    }
    with (
        Attacked(tmp_path / "log", **environment) as server,
        request.param(tmp_path, server.port, certificate, key) as proxy,
    ):
        yield Site(proxy, server, trust, (certificate, key))


async def test_many_clients_with_tokens_hold_streams_and_call(site: Site):
    """60 behind nginx, a few behind Caddy; `make soak`: 200 behind either."""
    clients_here = CLIENTS if SOAK or isinstance(site.proxy, Nginx) else AT_ONCE
    answered: Counter[str] = Counter()
    turns = anyio.Semaphore(AT_ONCE)

    async def work(client: Client, name: str) -> None:
        for _ in range(CALLS_EACH):
            async with turns:
                result = await client.call_tool("echo", {"text": name})
            answered[result.structured_content["text"]] += 1

    async with AsyncExitStack() as stack:
        clients = []
        for number in range(clients_here):
            source = f"127.0.{1 + number // 200}.{1 + number % 200}"
            http = await stack.enter_async_context(site.http(f"client-{number}", source))
            url = f"https://127.0.0.1:{site.proxy.port}/mcp"
            made = Client(streamable_http_client(url, http_client=http), mode="legacy")
            clients.append(await stack.enter_async_context(made))
        async with anyio.create_task_group() as group:
            for number, client in enumerate(clients):
                group.start_soon(work, client, f"client-{number}")
    assert answered == {f"client-{number}": CALLS_EACH for number in range(clients_here)}
    assert Counter(peer for peer in site.peers() if peer in answered) == answered


async def test_strangers_get_health_and_nothing_else(site: Site):
    async with site.http() as http:
        health = await http.get("/health")
        assert (health.status_code, health.json()) == (200, {"status": "ok", "ready": True})
        json_headers = {"Accept": "application/json, text/event-stream"}
        refused = await http.post("/mcp", json=INITIALIZE, headers=json_headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
        assert (await http.get("/metrics")).status_code == 403


async def test_uploads_that_are_refused_take_the_site_from_nobody(site: Site):
    async with site.http() as http:
        for _ in range(10):
            # The refusal may arrive, and the connection end, while the body is still being sent. A proxy whose own
            # connection ends that way answers 502.
            with contextlib.suppress(httpx2.TransportError):
                large = await http.post("/mcp", content=b"x" * 1_100_000, headers={"Accept": "application/json"})
                assert large.status_code in (401, 413, 502)
        assert (await http.get("/health")).status_code == 200


async def test_the_server_hears_of_the_client_s_address_and_not_of_one_that_it_claims(site: Site):
    async with site.http("shared", "127.0.0.77") as http:
        http.headers["X-Forwarded-For"] = "6.6.6.6"
        url = f"https://127.0.0.1:{site.proxy.port}/mcp"
        async with Client(streamable_http_client(url, http_client=http)) as client:
            assert not (await client.call_tool("echo", {"text": "x"})).is_error
    assert site.peers()[-1] == "127.0.0.77"


async def test_another_host_opens_no_session(site: Site):
    async with site.http("client-1", host="evil.example") as http:
        answer = await http.post("/mcp", json=INITIALIZE, headers={"Accept": "application/json, text/event-stream"})
    assert answer.status_code in (421, 200)  # Caddy answers an empty 200 for an unknown site
    assert "mcp-session-id" not in answer.headers


async def test_a_server_that_is_gone_is_not_asked(site: Site, tmp_path: Path):
    gone = free_port()
    certificate, key = site.issued
    with Caddy(tmp_path, site.server.port, certificate, key, f"127.0.0.1:{gone}") as proxy:
        for last in range(1, 20):  # an address leads to one server, as long as that is there
            async with replace(site, proxy=proxy).http(source=f"127.0.0.{last}") as http:
                assert (await http.get("/health")).status_code == 200
