"""Every tool × every parameter: to change the parameter changes the answer, on a real project with a history."""

import asyncio
from pathlib import Path

import pytest

from bearings.code.tools import CodeTools
from tests.code.parameters import CASES, PATH, Asking, project, table, text


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return project(tmp_path_factory.mktemp("parameters").resolve() / "project")


@pytest.fixture(scope="module")
def rows(root) -> dict[str, list[tuple[str, str, str, str]]]:
    return asyncio.run(table(root))


def test_every_tool_and_every_parameter_has_a_row():
    tools = {tool.name: set(tool.input_schema["properties"]) for tool in CodeTools(None).tools()}  # type: ignore[arg-type]
    assert {name: set(changed) for name, (_, changed) in CASES.items()} == tools


@pytest.mark.slow
def test_to_change_a_parameter_changes_the_answer(rows):
    unmoved = [(name, row[0]) for name, each in rows.items() for row in each if not row[3]]
    assert unmoved == []


@pytest.mark.slow
def test_the_same_question_has_the_same_answer(root):
    async def twice() -> None:
        asking = Asking(root)
        try:
            for name, (given, _) in CASES.items():
                assert await asking.answer(name, given) == await asking.answer(name, given), name
        finally:
            await asking.aclose()

    asyncio.run(twice())


@pytest.mark.slow
def test_the_page_has_every_row(rows):
    def heads(page: str) -> list[str]:
        return [line.rpartition(" | ")[0] for line in page.splitlines() if line.startswith("|")]

    assert heads(text(rows)) == heads(PATH.read_text(encoding="utf-8")), "run `make docs`"
