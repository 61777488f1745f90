"""The tools as models see them: small schemas, enforced bounds, replies that match their schemas."""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.service import CodeService
from bearings.code.settings import CodeSettings
from bearings.code.tools import CodeTools
from bearings.errors import InvalidInput
from bearings.serving.app import answer_schema
from bearings.tool import Tool
from tests.code.trees import SHOP, repository
from tests.fields import fields_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path) -> str:
    return str(repository(tmp_path / "shop", {**SHOP, ".coderef-index.json": "[]"}))


@pytest.fixture
async def tools(tmp_path) -> AsyncIterator[dict[str, Tool]]:
    engine = NativeEngine(timeout_s=60, cache_dir=tmp_path / "cache", max_file_bytes=1_000_000)
    service = CodeService(engine)
    yield {tool.name: tool for tool in CodeTools(service).tools()}
    await service.aclose()


ARGUMENTS: dict[str, dict[str, Any]] = {
    "coderef_explore": {"question": "amount with tax"},
    "coderef_unused": {"exports": True},
    "coderef_scan": {"types": ["class", "method"], "limit": 2},
    "coderef_query": {"query_type": "depends-on-me", "element": "with_tax", "max_depth": 2},
    "coderef_symbol": {"element": "Basket"},
    "coderef_impact": {"element": "with_tax", "operation": "delete"},
    "coderef_complexity": {"element": "shop/basket.py"},
    "coderef_changes": {"max_depth": 2},
    "coderef_context": {"output_format": "both"},
    "coderef_map": {"element": "Basket"},
    "coderef_patterns": {"limit": 3},
    "coderef_coverage": {"format": "detailed"},
    "coderef_validate": {"pattern": "shop/**"},
    "coderef_drift": {},
    "coderef_tag": {"path": "", "dry_run": True, "verbose": True},
    "coderef_rename": {"element": "with_tax", "new_name": "taxed"},
    "coderef_signature": {"element": "with_tax", "parameters": "amount, rate=0.2"},
    "coderef_move": {"element": "with_tax", "target": "shop/basket.py"},
    "coderef_remove": {"element": "Basket.total"},
    "coderef_replace": {"element": "Basket.total", "where": "body", "text": "return sum(self.items)"},
    "coderef_diagram": {"element": "Basket", "diagram_type": "calls"},
    "coderef_export": {"max_nodes": 3},
}


@pytest.mark.slow
async def test_each_reply_matches_its_schema(tools, shop):
    assert list(tools) == list(ARGUMENTS)
    for name, arguments in ARGUMENTS.items():
        tool = tools[name]
        given = {"project_path": shop, **arguments}
        given.update({"path": shop} if "path" in arguments else {})
        jsonschema.validate(given, tool.input_schema)
        reply, mode = await tool.run(given)
        assert mode == "json"
        assert reply.success
        jsonschema.validate(reply.structured(), tool.output_schema)
        assert reply.sent().keys() - {"success"} <= fields_of(answer_schema(tool.output_schema)).keys()
        assert reply.to_text()


def test_definitions_stay_small():
    tools = CodeTools(None).tools()  # type: ignore[arg-type]
    sizes = {
        tool.name: len(json.dumps({"n": tool.name, "d": tool.description, "i": tool.input_schema}, ensure_ascii=False))
        for tool in tools
    }
    assert max(sizes.values()) < 2_500, sizes
    assert sum(sizes.values()) < 1_500 * len(tools), sizes


def test_only_tools_that_edit_and_export_write():
    tools = CodeTools(None).tools()  # type: ignore[arg-type]
    assert {tool.name for tool in tools if not tool.effects.read_only} == {
        "coderef_tag", "coderef_rename", "coderef_signature", "coderef_move", "coderef_remove", "coderef_replace",
        "coderef_export"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("coderef_scan", {"limit": 0}),
        ("coderef_scan", {"types": ["function", "spoon"]}),
        ("coderef_scan", {"use_ast": "perhaps"}),
        ("coderef_scan", {"cursor": "not a cursor"}),
        ("coderef_scan", {"unknown": 1}),
        ("coderef_query", {"query_type": "calls", "target": "x", "max_depth": 0}),
        ("coderef_query", {"query_type": "called", "target": "x"}),
        ("coderef_query", {"query_type": "calls", "target": ""}),
        ("coderef_query", {"query_type": "path", "target": "fill"}),
        ("coderef_query", {"target": "fill"}),
        ("coderef_symbol", {}),
        ("coderef_export", {"format": "yaml"}),
        ("coderef_export", {"max_nodes": 0}),
        ("coderef_validate", {"pattern": ""}),
        ("coderef_validate", {"pattern": "[z-a]"}),
        ("coderef_scan", {"path": "src/[9-0].ts"}),
        ("coderef_scan", {"path": "[!z-a]", "use_ast": False}),
        ("coderef_drift", {"index_path": "nowhere.json"}),
        ("coderef_tag", {}),
        ("coderef_tag", {"path": "relative"}),
        ("coderef_rename", {"element": "with_tax"}),
        ("coderef_rename", {"element": "with_tax", "new_name": "a b"}),
        ("coderef_signature", {"element": "with_tax"}),
        ("coderef_signature", {"element": "with_tax", "parameters": "a b"}),
        ("coderef_move", {"element": "with_tax"}),
        ("coderef_move", {"element": [], "target": "shop/basket.py"}),
        ("coderef_remove", {}),
        ("coderef_replace", {"element": "with_tax"}),
        ("coderef_replace", {"element": "with_tax", "text": "def with_tax(:"}),
        ("coderef_replace", {"element": "RATE", "text": "1", "where": "body"}),
        ("coderef_diagram", {"diagram_type": "class"}),
        ("coderef_diagram", {"format": "png"}),
        ("coderef_diagram", {"element": " "}),
    ],
)
async def test_bad_arguments_are_refused(tools, shop, name, arguments):
    with pytest.raises(InvalidInput) as caught:
        await tools[name].run({"project_path": shop, **arguments})
    assert caught.value.error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "cut"),
    [
        ("coderef_scan", {"limit": 5001}, "limit is at most 5000"),
        ("coderef_query", {"query_type": "calls", "element": "fill", "max_depth": 11}, "max_depth is at most 10"),
        ("coderef_query", {"query_type": "calls", "element": "fill", "depth": " 99 "}, "max_depth is at most 10"),
        ("coderef_export", {"max_nodes": 1_000_001}, "max_nodes is at most 1000000"),
        ("coderef_export", {"max_nodes": 10**30}, "max_nodes is at most 1000000"),
        ("coderef_export", {"max_nodes": "1" + "0" * 30}, "max_nodes is at most 1000000"),
        ("coderef_diagram", {"depth": 11}, "depth is at most 10"),
    ],
)
async def test_a_number_above_its_bound_is_reduced_and_noted(tools, shop, name, arguments, cut):
    reply, _ = await tools[name].run({"project_path": shop, **arguments})
    assert cut in reply.structured()["note"]
    assert cut in reply.to_text()


async def test_settings_come_from_the_environment(monkeypatch, tmp_path):
    for name in list(os.environ):
        if name.startswith("CODEREF_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    plain = CodeSettings()
    assert (plain.timeout_s, plain.max_file_bytes) == (120, 2_000_000)
    assert plain.cache_path().is_absolute()
    assert plain.cache_path().name == "code"
    monkeypatch.setenv("CODEREF_TIMEOUT", "5")
    monkeypatch.setenv("CODEREF_MAX_FILE_BYTES", "5000")
    monkeypatch.setenv("CODEREF_CACHE_DIR", "~/x")
    read = CodeSettings()
    assert (read.timeout_s, read.max_file_bytes, read.cache_path()) == (5, 5000, Path.home() / "x")
    for bad in ("0", "-1", "nan", "4000", "soon"):
        monkeypatch.setenv("CODEREF_TIMEOUT", bad)
        with pytest.raises(ValueError, match="CODEREF_TIMEOUT"):
            CodeSettings()


@pytest.mark.slow
def test_a_tool_that_is_made_alone_is_the_one_among_all():
    service = CodeTools(None)  # type: ignore[arg-type]
    for tool in service.tools():
        (alone,) = service.tools(tool.name)
        assert (alone.name, alone.description, alone.input_schema, alone.effects) == (
            tool.name, tool.description, tool.input_schema, tool.effects
        )  # fmt: skip
