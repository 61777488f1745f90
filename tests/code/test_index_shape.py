"""The state of the index has one shape in the replies of all tools: an object."""

import asyncio
from typing import Any

import pytest

from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import SHOP, repository

ARGUMENTS: dict[str, dict[str, Any]] = {
    "coderef_explore": {"question": "fill"},
    "coderef_query": {"element": "fill", "query_type": "calls-me"},
    "coderef_symbol": {"element": ["fill", "Basket"]},
    "coderef_impact": {"element": "fill"},
    "coderef_complexity": {"element": "fill"},
    "coderef_changes": {"base": "HEAD"},
    "coderef_rename": {"element": "fill", "new_name": "full"},
    "coderef_remove": {"element": "fill"},
    "coderef_signature": {"element": "fill", "parameters": "basket"},
    "coderef_move": {"element": "fill", "target": "shop/filling.py"},
    "coderef_replace": {"element": "fill", "where": "after", "text": "LAST = 1"},
    "coderef_tag": {},
}


@pytest.fixture(scope="module")
def replies(tmp_path_factory) -> dict[str, dict[str, Any]]:
    """What each tool sends in reply to a plain call."""
    root = repository(tmp_path_factory.mktemp("shapes").resolve() / "shop", SHOP)

    async def ask() -> dict[str, dict[str, Any]]:
        service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
        found = {}
        for tool in CodeTools(service).tools():
            arguments = {"project_path": str(root), **ARGUMENTS.get(tool.name, {})}
            if tool.name == "coderef_tag":
                arguments["path"] = f"{root}/shop"
            if tool.name != "coderef_drift":
                found[tool.name] = (await tool.run(arguments))[0].sent()
        await service.aclose()
        return found

    return asyncio.run(ask())


@pytest.mark.slow
def test_the_index_is_an_object_everywhere(replies: dict[str, dict[str, Any]]):
    assert len(replies) >= 17
    for name, reply in replies.items():
        assert set(reply["index"]) == {"files", "elements", "revision", "fresh_at", "took_ms", "engine"}, name
