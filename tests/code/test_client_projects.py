"""The project of a call that names none, as clients meet it: the client's root, else where the server was started."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import ListRootsResult, Root

from bearings.cli.wiring import WIRING, code_spec
from bearings.serving.app import build_server
from tests.code.trees import SHOP, repository

pytestmark = pytest.mark.anyio

QUESTION = {"name": "with_tax", "detail": "full"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return repository(tmp_path.resolve() / "shop", SHOP)


def telling(*paths: Path):
    async def roots(_) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=path.as_uri()) for path in paths])

    return roots


async def ask(arguments: dict[str, Any], roots=None, allowed: tuple[Path, ...] | None = None) -> dict[str, Any]:
    server = build_server(code_spec(WIRING, allowed))
    with anyio.fail_after(60):
        async with Client(server, mode="legacy", list_roots_callback=roots) as client:
            content: dict[str, Any] | None = (await client.call_tool("coderef_symbol", arguments)).structured_content
            assert content is not None
            return content


@pytest.mark.slow
async def test_it_is_the_clients_root(shop: Path):
    reply = await ask(QUESTION, telling(shop))
    assert reply["element"]["file"] == "shop/prices.py"
    assert f"no project_path was passed: this is {str(shop)!r}, from the client's roots" in reply["note"]


@pytest.mark.slow
async def test_it_is_where_the_server_was_started(shop: Path, monkeypatch):
    monkeypatch.chdir(shop)
    reply = await ask({"project_path": ".", **QUESTION})
    assert "from the working directory" in reply["note"]


@pytest.mark.slow
async def test_a_root_that_may_not_be_read_is_not_taken(shop: Path):
    reply = await ask(QUESTION, telling(shop), (shop.parent / "elsewhere",))
    assert reply["code"] == "element_not_found"
    assert "call" not in reply


async def test_several_roots_are_listed(shop: Path):
    reply = await ask(QUESTION, telling(shop, shop / "tests"))
    assert reply["code"] == "invalid_input"
    assert str(shop / "tests") in reply["hint"]
