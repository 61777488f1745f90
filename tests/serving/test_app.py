"""The factory: reduced specs, and an unready server."""

import dataclasses

import pytest
from mcp import Client
from starlette.testclient import TestClient

from bearings.serving.app import build_server
from bearings.serving.http import http_app
from bearings.settings import ServeSettings
from tests.serving import fixture_server

SPEC = fixture_server.spec()


@pytest.mark.parametrize(
    ("toolsets", "read_only", "left"),
    [
        (None, False, {"echo", "count", "wait_for_cancel", "block", "fail", "tell", "write"}),
        (None, True, {"echo", "count", "wait_for_cancel", "block", "fail", "tell"}),
        (frozenset({"echo", "write"}), False, {"echo", "write"}),
        (frozenset({"echo", "write"}), True, {"echo"}),
    ],
)
def test_a_spec_is_cut_down_to_the_tools_asked_for(toolsets: frozenset[str] | None, read_only: bool, left: set[str]):
    chosen = SPEC.chosen(toolsets=toolsets, read_only=read_only)
    assert {tool.name for tool in chosen.tools} == left
    assert chosen.name == SPEC.name


@pytest.mark.anyio
async def test_a_server_closes_its_tools_resources():
    closed = []

    async def aclose() -> None:
        closed.append(True)

    async with Client(build_server(dataclasses.replace(SPEC, aclose=aclose))) as client:
        await client.list_tools()
        assert not closed
    assert closed == [True]


@pytest.mark.anyio
async def test_a_server_tells_its_name_version_and_instructions():
    async with Client(build_server(SPEC), mode="legacy") as client:
        assert client.server_info.name == "fixture"
        assert client.server_info.version == "1.2.3"
        assert client.instructions == "Say things again."


def test_health_is_503_until_the_data_are_there():
    async def not_yet() -> bool:
        return False

    app = http_app(dataclasses.replace(SPEC, ready=not_yet), ServeSettings(), "127.0.0.1")
    with TestClient(app) as client:
        reply = client.get("/health")
        assert reply.status_code == 503
        assert reply.json()["ready"] is False
        assert client.get("/health/live").status_code == 200
