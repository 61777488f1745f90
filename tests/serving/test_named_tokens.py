"""The permissions of named tokens, over HTTP, on the product's own code server."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp import MCPError

from bearings.serving.tokens import digest_of
from tests.adversary.peers.client import INITIALIZE, Wire, asked, client
from tests.adversary.peers.server import Attacked

pytestmark = pytest.mark.anyio

SOURCE = "127.0.0.1"


@dataclass
class Shared:
    """A server for the projects `red` and `blue`, and its file of tokens."""

    server: Attacked
    red: Path
    blue: Path
    tokens: Path


def entry(name: str, *fields: str) -> str:
    return "\n".join([f"[{name}]", f'sha256 = "{digest_of(name.encode())}"', *fields, ""])


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    folder = tmp_path_factory.mktemp("shared").resolve()
    red, blue = folder / "red", folder / "blue"
    for project in (red, blue):
        project.mkdir()
        (project / "a.py").write_text(f"def in_{project.name}():\n    return 1\n")
    (red / "sub").mkdir()
    (red / "sub" / "link").symlink_to(blue, target_is_directory=True)
    tokens = folder / "tokens.toml"
    tokens.write_text(
        entry("everything", "write = true")
        + entry("reader")
        + entry("red", f'roots = ["{red}"]', "write = true")
        + entry("scanner", 'toolsets = ["coderef_scan", "geocode"]')
        + entry("gone", "expires = 2020-01-01")
    )
    words = ["bearings", "code", "serve", "http", "--port", "0", "--root", str(folder), "--allow-write"]
    log = tmp_path_factory.mktemp("log") / "log"
    with Attacked(log, words, BEARINGS_TOKENS=str(tokens), CODEREF_CACHE_DIR=str(folder / "cache")) as server:
        yield Shared(server, red, blue, tokens)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_token_s_roots_hold_for_every_question(shared: Shared, mode: str):
    async with client(shared.server.url, SOURCE, "red", mode) as made:
        inside = await made.call_tool("coderef_scan", {"project_path": str(shared.red)})
        assert not inside.is_error
        others = [shared.blue, shared.red.parent, shared.red / "sub" / "link", shared.red / ".." / "blue", Path("/etc")]
        for path in others:
            for tool, arguments in (
                ("coderef_scan", {"project_path": str(path)}),
                ("coderef_tag", {"path": str(path), "dry_run": False}),
                ("coderef_export", {"project_path": str(path), "output_path": "graph.json"}),
            ):
                result = await made.call_tool(tool, arguments)
                assert result.structured_content["code"] == "path_not_allowed", (tool, path)
                assert str(shared.blue.name) not in result.structured_content["hint"]
    assert sorted(path.name for path in shared.blue.iterdir()) == ["a.py"]


@pytest.mark.slow
async def test_a_token_sees_and_calls_its_tools_alone(shared: Shared):
    async with client(shared.server.url, SOURCE, "scanner") as made:
        assert [tool.name for tool in (await made.list_tools()).tools] == ["coderef_scan"]
        assert not (await made.call_tool("coderef_scan", {"project_path": str(shared.red)})).is_error
        with pytest.raises(MCPError, match=r"Unknown tool: 'coderef_map'. This server has: coderef_scan\."):
            await made.call_tool("coderef_map", {"project_path": str(shared.red)})


@pytest.mark.slow
async def test_a_token_without_write_is_offered_no_writing_tools(shared: Shared):
    async with client(shared.server.url, SOURCE, "reader") as made:
        offered = {tool.name for tool in (await made.list_tools()).tools}
        assert offered >= {"coderef_scan", "coderef_map"}
        assert not offered & {"coderef_tag", "coderef_export"}
        refused = (await made.call_tool("coderef_tag", {"path": str(shared.blue), "dry_run": False})).structured_content
    assert (refused["code"], "write = true" in refused["hint"]) == ("forbidden", True)
    async with client(shared.server.url, SOURCE, "everything") as made:
        offered = {tool.name for tool in (await made.list_tools()).tools}
        assert offered >= {"coderef_tag", "coderef_export"}
        written = await made.call_tool(
            "coderef_export", {"project_path": str(shared.blue), "output_path": "graph.json"}
        )
        assert written.structured_content["path"] == "graph.json"
        for name in (".graph.json", "graph.py", "package.json", "a\nb.json"):
            arguments = {"project_path": str(shared.blue), "output_path": name}
            assert (await made.call_tool("coderef_export", arguments)).is_error
    (shared.blue / "graph.json").unlink()


@pytest.mark.parametrize("token", ["gone", "nobody", ""])
async def test_an_expired_or_unknown_token_is_401(shared: Shared, token: str):
    answer = await asked(shared.server.port, "POST", "/mcp", INITIALIZE, Authorization=f"Bearer {token}")
    assert (answer.status, answer.json["code"]) == (401, "unauthorized")


async def test_a_session_is_its_token_s_alone(shared: Shared):
    opened = await asked(shared.server.port, "POST", "/mcp", INITIALIZE, Authorization="Bearer everything")
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    for method, body in (("POST", ping), ("GET", None), ("DELETE", None)):
        stolen = await asked(shared.server.port, method, "/mcp", body, Authorization="Bearer reader", **session)
        assert stolen.status == 404
    own = await asked(shared.server.port, "POST", "/mcp", ping, Authorization="Bearer everything", **session)
    assert own.status == 200


@pytest.mark.slow
async def test_a_token_that_is_taken_back_is_refused_soon(shared: Shared):
    before = shared.tokens.read_text()
    shared.tokens.write_text(before + entry("guest"))
    try:
        await until_status(shared, "guest", 200)
    finally:
        shared.tokens.write_text(before)
    await until_status(shared, "guest", 401)


async def until_status(shared: Shared, token: str, status: int) -> None:
    with anyio.fail_after(10):
        while True:
            answer = await asked(shared.server.port, "POST", "/mcp", INITIALIZE, Authorization=f"Bearer {token}")
            if answer.status == status:
                return


@pytest.mark.slow
async def test_metrics_name_the_tokens(shared: Shared):
    async with client(shared.server.url, SOURCE, "reader") as made:
        await made.call_tool("coderef_scan", {"project_path": str(shared.red)})
    text = (await asked(shared.server.port, "GET", "/metrics", Authorization="Bearer reader")).body.decode()
    assert 'bearings_peer_calls_total{peer="reader"}' in text
    assert 'bearings_peer_call_seconds_total{peer="reader"}' in text


@pytest.mark.slow
async def test_a_token_keeps_its_connection_while_others_open_more_from_its_address(tmp_path: Path):
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(entry("alice") + entry("mallory"))
    most = 4
    limits = {"BEARINGS_TOKENS": str(tokens), "BEARINGS_PEER_CONNECTIONS": str(most)}
    with Attacked(tmp_path / "log", **limits) as server:
        kept = await Wire.connected(server.port)
        others = []
        for headers in [{"Authorization": "Bearer alice"}, {"Authorization": "Bearer mallory"}, {}]:
            assert (await kept.ask("POST", "/mcp", INITIALIZE, Authorization="Bearer alice")).status == 200
            for _ in range(3 * most):
                others.append(await Wire.connected(server.port))
                answer = await others[-1].ask("POST", "/mcp", INITIALIZE, **headers)
                assert answer.status == (200 if headers else 401)
        assert (await kept.ask("POST", "/mcp", INITIALIZE, Authorization="Bearer alice")).status == 200
        for wire in (kept, *others):
            wire.close()


@pytest.mark.slow
async def test_without_allow_write_nothing_that_writes_is_offered(shared: Shared, tmp_path: Path):
    words = ["bearings", "code", "serve", "http", "--port", "0", "--root", str(shared.blue)]
    with Attacked(tmp_path / "log", words) as server:
        async with client(server.url, SOURCE) as made:
            offered = {tool.name for tool in (await made.list_tools()).tools}
            refused = await made.call_tool("coderef_tag", {"path": str(shared.blue), "dry_run": False})
    assert not offered & {"coderef_tag", "coderef_export"}
    assert refused.structured_content["code"] == "forbidden"
    assert "--allow-write" in refused.structured_content["hint"]


@pytest.mark.slow
async def test_a_bad_file_of_tokens_is_an_error_at_the_start(tmp_path: Path):
    (tmp_path / "tokens.toml").write_text("[alice]\nsha256 = 'x'\n")
    with (
        pytest.raises(
            AssertionError, match=r"BEARINGS_TOKENS: alice.sha256 = \(not shown\): is not 64 hexadecimal digits"
        ),
        Attacked(
            tmp_path / "log",
            ["bearings", "code", "serve", "http", "--port", "0"],
            BEARINGS_TOKENS=str(tmp_path / "tokens.toml"),
        ),
    ):
        pass
