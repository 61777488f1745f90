"""Every tool × every parameter: to change the parameter changes the answer, on a small project with a history."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bearings.code.engine.direct import DirectEngine
from bearings.code.facts import MemoryFacts
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.tool import Tool
from tests.code.trees import git, repository, write

pytestmark = pytest.mark.anyio

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": (
        "import functools\n\nRATE = 2\n\n\n@functools.cache\n"
        "def with_tax(amount):\n    if amount:\n        return amount * RATE\n"
        "    raise ValueError(amount)\n\n\ndef _round(amount):\n    return with_tax(amount)\n"
    ),
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\nclass Basket:\n"
        "    def add(self, price):\n        return with_tax(price)\n\n"
        "    def fill(self):\n        return self.add(1)\n"
    ),
    "shop/till.py": "from shop.basket import Basket\n\n\nasync def pay():\n    return Basket().fill()\n",
    "web/view.ts": "export function draw() { return 1 }\nexport function show() { return draw() }\n",
    "tests/test_till.py": "from shop.till import pay\n\n\ndef test_pay():\n    assert pay()\n",
    "pyproject.toml": '[project]\nname = "shop"\n',
}  # fmt: skip

CHANGED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "coderef_scan": (
        {},
        {
            "languages": ["ts"], "use_ast": False, "types": ["class"], "path": "shop", "limit": 1, "cursor": "next",
            "output_mode": "text",
        },
    ),
    "coderef_query": (
        {"query_type": "calls-me", "target": "with_tax", "limit": 2},
        {
            "query_type": "imports-me", "target": "Basket.add", "source": {"query_type": "path", "source": "pay"},
            "max_depth": 1, "limit": 1, "cursor": "next", "output_mode": "text",
        },
    ),
    "coderef_symbol": ({"element": "with_tax"}, {"element": "Basket", "output_mode": "text"}),
    "coderef_impact": (
        {"element": "with_tax", "limit": 2},
        {
            "element": "Basket", "operation": "delete", "max_depth": 1, "limit": 1, "cursor": "next",
            "output_mode": "text",
        },
    ),
    "coderef_complexity": ({"element": "with_tax"}, {"element": "Basket", "output_mode": "text"}),
    "coderef_changes": (
        {"base": "HEAD~1", "limit": 1},
        {"base": "HEAD", "max_depth": 1, "limit": 2, "cursor": "next", "output_mode": "text"},
    ),
    "coderef_context": (
        {}, {"languages": ["ts"], "output_format": "markdown", "budget": 1_500, "output_mode": "text"},
    ),
    "coderef_map": ({}, {"budget": 1_500, "focus": "draw", "output_mode": "text"}),
    "coderef_patterns": ({}, {"pattern_type": "async", "limit": 1, "output_mode": "text"}),
    "coderef_coverage": (
        {"format": "detailed", "limit": 2}, {"format": "summary", "limit": 1, "cursor": "next", "output_mode": "text"},
    ),
}  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path) -> Path:
    root = repository(tmp_path.resolve() / "shop", FILES)
    padded = {f"more/m{n}.py": f"def spare_{n}(x):\n    return x\n" for n in range(30)}
    write(root, {**padded, "shop/prices.py": FILES["shop/prices.py"].replace("amount * RATE", "amount * RATE + 1")})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    write(root, {"shop/till.py": FILES["shop/till.py"].replace("fill()", "fill() + 1")})
    return root


@pytest.fixture
async def tools() -> AsyncIterator[dict[str, Tool]]:
    service = CodeService(DirectEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    yield {tool.name: tool for tool in CodeTools(service).tools()}
    await service.aclose()


async def answer(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    reply, mode = await tool.run(arguments, None)
    body = reply.structured()
    body.pop("index")
    return {"text": reply.to_text()} if str(mode) == "text" else body


@pytest.mark.parametrize("name", CHANGED)
async def test_to_change_a_parameter_changes_the_answer(tools, shop, name):
    tool = tools[name]
    given, changed = CHANGED[name]
    given = {"project_path": str(shop), **given}
    assert changed.keys() == set(tool.input_schema["properties"]) - {"project_path"}, "a parameter without a row"
    first = await answer(tool, given)
    assert await answer(tool, given) == first, "the same question has the same answer"
    for parameter, value in changed.items():
        other = {**given, **(value if isinstance(value, dict) else {parameter: value})}
        if value == "next":
            assert first.get("next_cursor") or name == "coderef_scan", (name, "no second page")
            small = {**given, "limit": 1}
            other = {**small, "cursor": (await answer(tool, small))["next_cursor"]}
        assert json.dumps(await answer(tool, other)) != json.dumps(first), (name, parameter)
    elsewhere = await answer(tools["coderef_scan"], {"project_path": str(shop / "web")})
    assert elsewhere != await answer(tools["coderef_scan"], {"project_path": str(shop)})


async def test_tools_that_read_alone_all_have_a_row(tools):
    elsewhere = {"coderef_validate", "coderef_drift", "coderef_tag", "coderef_diagram", "coderef_export"}
    assert CHANGED.keys() == tools.keys() - elsewhere
