"""MCP Apps: negotiated by clients in both eras of the protocol, and invisible to all others."""

import json
import os
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.shared.exceptions import MCPError

from bearings.explore.pages import STATIC
from tests.explore.browser import as_json
from tests.explore.served import FERRY
from tests.explore.wire import APPS, ASKED, RECORDED, sessions

MODES = ["auto", "legacy"]
SHOWS = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def client(mode: Any, *, shows: bool = True, words: tuple[str, ...] = ("serve", "stdio", "--root", FERRY)) -> Client:
    """A client of a server in a process of its own."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "bearings", *words], env=dict(os.environ))
    return Client(server, mode=mode, extensions=SHOWS if shows else None)


@pytest.mark.slow
def test_without_the_extension_every_byte_is_as_before() -> None:
    assert sessions({}) == RECORDED.read_bytes().splitlines(keepends=True)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"mimeTypes": ["text/html"]}])
def test_an_extension_without_our_media_type_is_none(settings: dict[str, Any]) -> None:
    capabilities = {"extensions": {EXTENSION_ID: settings}}
    assert sessions(capabilities, ASKED[:1]) == [
        line for line in RECORDED.read_bytes().splitlines(keepends=True) if b'"tools":' in line
    ]


@pytest.mark.slow
def test_with_the_extension_only_the_listing_names_the_page() -> None:
    before = [json.loads(line) for line in RECORDED.read_bytes().splitlines()]
    for old, new in zip(before, map(json.loads, sessions(APPS)), strict=True):
        if "tools" in new["result"]:
            look = new["result"]["tools"][0]
            assert look["_meta"].pop("ui") == {"resourceUri": "ui://bearings/map.html"}
        assert new == old


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_shows_views_finds_them(mode: str) -> None:
    async with client(mode) as chat:
        tools = {tool.name: (tool.meta or {}).get("ui") for tool in (await chat.list_tools()).tools}
        assert tools["geocode"] == {"resourceUri": "ui://bearings/map.html"}
        assert tools["coderef_impact"] == {"resourceUri": "ui://bearings/graph.html"}
        assert tools["reverse_geocode"] is None
        listed = {resource.uri: resource for resource in (await chat.list_resources()).resources}
        assert set(listed) == {ui["resourceUri"] for ui in tools.values() if ui}
        for uri, resource in listed.items():
            assert resource.mime_type == APP_MIME_TYPE
            [content] = (await chat.read_resource(uri)).contents
            values = as_json(content)
            assert values["mimeType"] == APP_MIME_TYPE
            assert values["text"] == (STATIC / uri.rpartition("/")[2]).read_text(encoding="utf-8")
            assert not any(values["_meta"]["ui"]["csp"].values())
            assert set(values["_meta"]["ui"]["csp"]) >= {"connectDomains", "resourceDomains"}


@pytest.mark.slow
@pytest.mark.anyio
async def test_the_server_advertises_the_extension() -> None:
    async with client("auto", shows=False) as plain:
        assert plain.server_capabilities.extensions == {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("mode", MODES)
async def test_other_clients_are_shown_no_page(mode: str) -> None:
    async with client(mode, shows=False) as plain:
        assert (await plain.list_resources()).resources == []
        assert all("ui" not in (tool.meta or {}) for tool in (await plain.list_tools()).tools)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_server_without_a_views_tools_has_not_its_page() -> None:
    async with client("auto", words=("places", "serve", "stdio", "--toolsets", "reverse_geocode,geocode")) as chat:
        assert [one.uri for one in (await chat.list_resources()).resources] == ["ui://bearings/map.html"]
        with pytest.raises(MCPError, match="Unknown resource"):
            await chat.read_resource("ui://bearings/graph.html")
