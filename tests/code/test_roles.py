"""Endpoints and schemas: filtered, counted and found by name through the service; and read from truncated sources."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.facts.store import NoFacts
from bearings.code.languages import language_of
from bearings.code.models import SymbolKind
from bearings.code.parse import parse_file
from bearings.code.service import CodeService
from tests.code.asked import query, scan
from tests.code.cases import cases
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

SHOP = {
    "app.ts": (
        'import express from "express";\nimport { show } from "./show";\nconst app = express();\n'
        'app.get("/items/:id", show);\napp.post("/items", (req, res) => {});\n'
    ),
    "show.ts": "export function show() {}\n",
    "models.py": "from pydantic import BaseModel\n\n\nclass Item(BaseModel): ...\n\n\nclass Plain: ...\n",
}
SOURCES = sorted(
    (path, text.encode()) for case in cases() for path, text in case.files.items() if language_of(path) is not None
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    return str(write(tmp_path / "shop", SHOP))


@pytest.fixture
def service() -> CodeService:
    return CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))


@pytest.mark.anyio
async def test_endpoints_have_method_path_and_handler_in_json_and_text(service: CodeService, shop: str):
    reply = await scan(service, shop, types=[SymbolKind.ENDPOINT])
    first, second = reply.structured()["elements"]
    assert first == {
        "type": "endpoint", "name": "GET /items/:id", "qualified_name": "GET /items/:id", "file": "app.ts", "line": 4,
        "end_line": 4, "exported": False, "ref": first["ref"], "detail": "express", "method": "GET",
        "path": "/items/:id", "handler": "show",
    }  # fmt: skip
    assert first["ref"].startswith("@A/app")
    assert (second["method"], second["path"], second.get("handler")) == ("POST", "/items", None)
    assert "endpoint GET /items/:id app.ts:4-4 (express → show)" in reply.to_text()


@pytest.mark.anyio
async def test_a_role_replaces_the_kind_and_both_can_be_filtered(service: CodeService, shop: str):
    everything = await scan(service, shop)
    assert everything.by_type[SymbolKind.SCHEMA] == everything.by_type[SymbolKind.CLASS] == 1
    assert sum(everything.by_type.values()) == everything.elements_found
    classes = await scan(service, shop, types=[SymbolKind.CLASS])
    assert [(element.type, element.name) for element in classes.elements] == [("class", "Item"), ("class", "Plain")]
    schemas = await scan(service, shop, types=[SymbolKind.SCHEMA])
    assert [(element.type, element.name, element.detail) for element in schemas.elements] == [
        ("schema", "Item", "pydantic")
    ]


@pytest.mark.anyio
async def test_an_endpoint_is_found_by_its_name_and_leads_to_its_handler(service: CodeService, shop: str):
    reply = await query(service, shop, "depends-on", "GET /items/:id")
    assert [result.to for result in reply.results] == ["show.ts#show:1"]
    callers = await query(service, shop, "depends-on-me", "show")
    assert "app.ts#GET /items/:id:4" in [result.from_ for result in callers.results]


@pytest.mark.slow
@given(data=st.data())
def test_a_source_truncated_anywhere_gives_facts(data: st.DataObject):
    path, source = data.draw(st.sampled_from(SOURCES))
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 60)))
    filler = data.draw(st.sampled_from([b"", b"(", b")", b"{", b"[", b'"', b",", b".", b"()", b"@", b"..."]))
    language = language_of(path)
    assert language is not None
    facts = parse_file(path, language, source[:start] + filler + source[end:])
    assert len(facts.symbols) == len(facts.shapes)
    assert len({symbol.id for symbol in facts.symbols if symbol.kind is SymbolKind.ENDPOINT}) == sum(
        symbol.kind is SymbolKind.ENDPOINT for symbol in facts.symbols
    )
