"""A TypeScript package as its authors ship it, our definitions beside those that TypeScript's own parser sees."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.test_servers import client_of

PACKAGES = ("rxjs@7.8.2", "typescript@5.9.3")
HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.anyio,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed, so no package can be fetched"),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages, from the npm registry by name."""
    folder = tmp_path_factory.mktemp("npm")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *PACKAGES]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=300)
    return folder / "node_modules"


def declared(node_modules: Path, source: Path) -> set[tuple[str, str, str, int]]:
    """(file, kind, name, line) of every declaration, by TypeScript itself."""
    command = ["node", str(HERE / "declarations.cjs"), str(node_modules / "typescript"), str(source)]
    output = subprocess.run(command, stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    return {(row["file"], row["kind"], row["name"], row["line"]) for row in rows}


async def scanned(client: Client, source: Path, types: list[str] | None = None) -> list[dict[str, Any]]:
    """All elements of a project, or those of some types, page by page."""
    elements: list[dict[str, Any]] = []
    page: dict[str, Any] = {
        "project_path": str(source),
        "limit": 500,
        "detail": "full",
        **({"types": types} if types else {}),
    }
    while True:
        reply = (await client.call_tool("coderef_scan", page)).structured_content
        assert reply is not None
        elements += reply["elements"]
        if not reply.get("next_cursor"):
            assert reply["elements_found"] == len(elements)
            return elements
        page["cursor"] = reply["next_cursor"]


async def test_every_declaration_of_rxjs_is_an_element_on_its_line(node_modules: Path):
    source = node_modules / "rxjs" / "src"
    named = ("class", "interface", "type", "enum")  # of functions we know more: those that are values
    async with client_of("code", "auto") as client:
        elements = await scanned(client, source)
        kinds = {kind: await scanned(client, source, [kind]) for kind in named}
        callers = await client.call_tool(
            "coderef_query",
            {
                "project_path": str(source),
                "query_type": "calls-me",
                "target": "createOperatorSubscriber",
                "max_depth": 1,
                "detail": "full",
                "limit": 200,
            },
        )
    want = declared(node_modules, source)
    same = {"hook": "function", "component": "function"}
    got = {(e["file"], same.get(e["type"], e["type"]), e["name"], e["line"]) for e in elements}
    written = {(e["file"], kind, e["name"], e["line"]) for kind, found in kinds.items() for e in found}
    missing = {row for row in want if row not in got | written}
    assert len(missing) <= len(want) * 0.01, sorted(missing)[:20]
    assert written == {row for row in want if row[1] in named}
    from_files = {row["file"] for row in callers.structured_content["results"]}
    calling = {
        str(path.relative_to(source))
        for path in source.rglob("*.ts")
        if "createOperatorSubscriber(" in path.read_text() and path.name != "OperatorSubscriber.ts"
    }
    assert len(from_files & calling) >= len(calling) * 0.95
