"""docs/adding-a-question.md, followed: its folder becomes a tool that an MCP client calls, and a command."""

from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from mcp import Client

import bearings.code.questions
from bearings.cli.lazy import LazyGroup
from bearings.cli.spelling import Spelling
from bearings.cli.toolcommand import entries
from bearings.cli.wiring import WIRING, Wing, tools_named
from bearings.code.facts.store import NoFacts
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.serving.app import ServerSpec, build_server
from bearings.tool import Tool
from tests.code.in_process import InProcessEngine
from tests.code.trees import write
from tests.docs import recipes

PAGE = recipes.ROOT / "docs" / "adding-a-question.md"
[COMMAND] = recipes.snippets(PAGE)
FILES = {"a.py": "def short():\n    return 1\n\n\ndef long():\n    x = 1\n    x += 1\n    return x\n"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[tuple[Tool, ...]]:
    """All tools, with the page's question among them."""
    recipes.write(PAGE, tmp_path)
    bearings.code.questions.every_question.cache_clear()
    with recipes.grown(bearings.code.questions, tmp_path / "src/bearings/code/questions"):
        service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
        yield CodeTools(service).tools()
    bearings.code.questions.every_question.cache_clear()


@pytest.mark.parametrize(("name", "path"), recipes.names(PAGE))
def test_every_name_stands_in_the_file_that_the_page_says(name: str, path: str):
    assert name in (recipes.ROOT / path).read_text("utf-8")


def test_the_code_has_the_house_s_style(tmp_path: Path):
    recipes.write(PAGE, tmp_path)
    checked = recipes.in_style(tmp_path / "src")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_module_is_found_and_listed_at_its_place(tools: tuple[Tool, ...]):
    names = [tool.name for tool in tools]
    assert names[names.index("coderef_longest") - 1] == "coderef_complexity"
    assert "coderef_longest" in (tools_named(["core"], tools) or ())


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_client_calls_it(tools: tuple[Tool, ...], tmp_path: Path):
    root = str(write(tmp_path / "project", FILES))
    async with Client(build_server(ServerSpec("code", "Code", "1", "Ask.", tools))) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}["coderef_longest"]
        assert listed.input_schema["properties"]["limit"]["maximum"] == 100
        result = await client.call_tool("coderef_longest", {"project_path": root, "limit": 1})
        jsonschema.validate(result.structured_content, listed.output_schema)
        assert result.structured_content["functions"] == [{"element": "a.py#long:5", "lines": 4}]
        refused = await client.call_tool("coderef_longest", {"project_path": root, "limit": "many"})
        assert refused.structured_content["code"] == "invalid_input"


def test_it_is_a_command(tools: tuple[Tool, ...], tmp_path: Path):
    async def aclose() -> None:
        return None

    root = str(write(tmp_path / "project", FILES))
    spellings = eval(f"{{{COMMAND}}}", {"Spelling": Spelling})
    group = LazyGroup("code", "Code.", entries(spellings, lambda _: Wing(tools, aclose)))
    result = CliRunner().invoke(group, ["longest", root, "--limit", "1"], obj=WIRING)
    assert result.exit_code == 0, result.output
    assert "4 a.py#long:5" in result.stdout
