"""packaging/compose.yaml: read as Docker would, and its services run as processes, without Docker."""

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.adversary.peers.server import Attacked
from tests.deploy.proxies import PACKAGING, program
from tests.redis_server import RedisServer

COMPOSE = yaml.safe_load((PACKAGING / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
GIVEN = {
    "SITE": "localhost",
    "BEARINGS_TOKEN": "secret",
    "REDIS_PASSWORD": "letters1",
    "SETTINGS": "",
}
ROW = {
    "place_id": 1, "osm_type": "node", "osm_id": 7, "lat": "50.8", "lon": "0.1", "name": "Seaford", "place_rank": 18,
    "category": "place", "type": "town", "display_name": "Seaford", "boundingbox": ["50.7", "50.9", "0.0", "0.2"],
    "importance": 0.5, "address": {"town": "Seaford", "country_code": "gb"},
}  # fmt: skip


def filled(text: str) -> str:
    """A value with the variables of the person who starts it."""
    return re.sub(r"\$\{(\w+)[^}]*\}", lambda found: GIVEN[found[1]], text)


def test_what_it_names_is_there() -> None:
    documented = (PACKAGING.parent / "docs/reference.md").read_text() + (PACKAGING / "Caddyfile").read_text()
    for name, service in SERVICES.items():
        for variable in service.get("environment", {}):
            assert variable in documented, f"{name}: {variable}"
        assert "image" in service
        assert not service["image"].endswith(("latest", "redis", "caddy"))
        assert set(service.get("depends_on", ())) <= SERVICES.keys()
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
    build = SERVICES["places-1"]["build"]
    assert (PACKAGING / build["context"] / build["dockerfile"]).is_file()
    assert SERVICES["places-1"] == SERVICES["places-2"]


def test_the_proxy_s_address_is_the_one_that_is_trusted() -> None:
    trusted = SERVICES["places-1"]["environment"]["BEARINGS_TRUSTED_PROXIES"]
    assert SERVICES["proxy"]["networks"]["inside"]["ipv4_address"] == trusted
    upstreams = SERVICES["proxy"]["environment"]["UPSTREAMS"].split()
    assert upstreams == [f"{name}:8010" for name in SERVICES if name.startswith("places")]


def test_only_the_proxy_can_be_reached() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


class Nominatim:
    """Counts its requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests.append(self.path)
                body = json.dumps([ROW]).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Redis(RedisServer):
    """Runs the service's own command, on loopback."""

    def _settings(self) -> list[str]:
        words = [filled(str(word)) for word in SERVICES["redis"]["command"]]
        assert words[0] == "redis-server"
        return [*words[1:], "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._directory)]


@contextmanager
def running(tmp_path: Path) -> Iterator[tuple[Nominatim, list[Attacked]]]:
    """A Redis and both servers, with the environment of the file."""
    upstream, redis = Nominatim(), Redis(tmp_path)
    environment = {name: filled(str(value)) for name, value in SERVICES["places-1"]["environment"].items()}
    environment |= {
        "BEARINGS_SHARED": environment["BEARINGS_SHARED"].replace("redis:6379", f"127.0.0.1:{redis.port}"),
        "BEARINGS_TRUSTED_PROXIES": "127.0.0.1", "NOMINATIM_BASE_URL": upstream.url,
        "BEARINGS_ALLOWED_HOSTS": "localhost,127.0.0.1",
    }  # fmt: skip
    words = ("bearings", "places", "serve", "http", "--port", "0")
    try:
        with (
            Attacked(tmp_path / "one.log", words, GEOCODER_CACHE_DIR=str(tmp_path / "one"), **environment) as one,
            Attacked(tmp_path / "two.log", words, GEOCODER_CACHE_DIR=str(tmp_path / "two"), **environment) as two,
        ):
            yield upstream, [one, two]
    finally:
        redis.close()
        upstream.close()


async def asked(url: str, query: str) -> str:
    """The name of the first result, by MCP."""
    headers = {"Authorization": f"Bearer {GIVEN['BEARINGS_TOKEN']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode="legacy") as client,
    ):
        found = await client.call_tool("geocode", {"query": query})
    name: str = found.structured_content["results"][0]["name"]
    return name


@pytest.mark.slow
@pytest.mark.anyio
async def test_its_servers_share_their_answers(tmp_path: Path) -> None:
    with running(tmp_path) as (upstream, servers):
        for server in servers:
            assert await asked(server.url, "Seaford") == "Seaford"
        assert len(upstream.requests) == 1


@pytest.mark.slow
def test_caddy_leads_to_both_and_a_client_to_the_same_one() -> None:
    given = {name: filled(value) for name, value in SERVICES["proxy"]["environment"].items()}
    assert set(re.findall(r"\{\$(\w+)", (PACKAGING / "Caddyfile").read_text())) == given.keys()
    command = [program("caddy"), "adapt", "--config", str(PACKAGING / "Caddyfile"), "--adapter", "caddyfile"]
    adapted = subprocess.run(command, env={**os.environ, **given}, check=True, capture_output=True, text=True).stdout
    assert re.findall(r'"dial":"([^"]+)"', adapted) == ["places-1:8010", "places-2:8010"]
    assert '"host":["localhost"]' in adapted
    assert '"selection_policy":{"policy":"ip_hash"}' in adapted
