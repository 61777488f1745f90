"""A bare name means the top-level element, and the reply says first which others bear the name."""

import asyncio
from typing import Any

import pytest
from rich.console import Console

from bearings.cli.render import rendered
from bearings.code.engine.native import NativeEngine
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from tests.code.trees import repository

FILES = {
    "tasks/__init__.py": "",
    "tasks/queue.py": (
        "class Queue:\n"
        "    def push(self, task):\n"
        "        return task\n\n"
        "    def drop(self, task):\n"
        "        return task\n\n"
        "    def size(self):\n"
        "        return 0\n\n\n"
        "class Stack:\n"
        "    def drop(self, task):\n"
        "        return task\n\n"
        "    def size(self):\n"
        "        return 0\n"
    ),
    "tasks/short.py": (
        "from tasks.queue import Queue, Stack\n\n"
        "QUEUE = Queue()\n"
        "push = QUEUE.push\n"
        "drop = QUEUE.drop\n\n\n"
        "def size(queue: Queue):\n"
        "    return queue.size()\n\n\n"
        "class Plain:\n"
        "    pass\n"
    ),
    "tasks/main.py": (
        "from tasks.queue import Queue, Stack\n"
        "from tasks.short import size\n\n\n"
        "def run(queue: Queue, stack: Stack):\n"
        "    queue.push(1)\n"
        "    queue.push(2)\n"
        "    queue.drop(1)\n"
        "    stack.drop(2)\n"
        "    return size(queue)\n"
    ),
}  # fmt: skip

TOOLS = ("coderef_query", "coderef_symbol", "coderef_impact", "coderef_complexity")


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A function that asks a tool about the project, and returns the reply."""
    base = tmp_path_factory.mktemp("namesakes").resolve()
    root = repository(base / "tasks", FILES)
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
    tools = {tool.name: tool for tool in CodeTools(service).tools()}
    with asyncio.Runner() as runner:

        def ask(tool: str, **arguments: Any) -> Any:
            if tool == "coderef_query":
                arguments = {"query_type": "calls-me", **arguments}
            return runner.run(tools[tool].run({"project_path": str(root), **arguments}))[0]

        yield ask
        runner.run(service.aclose())


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("spelling", ["push", "`push`", "push()", " push "])
def test_the_only_used_element_of_a_name_is_told_first(asked, tool, spelling):
    told = "Probably not what you mean: tasks/short.py#push:4 has no use, but Queue.push has 3: ask for Queue.push."
    reply = asked(tool, element=spelling)
    assert reply.namesakes == told
    assert list(reply.sent())[:2] == ["success", "namesakes"]
    assert list(reply.structured())[:2] == ["success", "namesakes"]
    assert reply.to_text().splitlines()[0] == told
    assert reply.to_text().count(told) == 1
    assert reply.notes()[0] == told
    assert asked(tool, element=spelling, detail="full").to_text().splitlines()[0] == told


def test_several_used_elements_of_a_name_are_listed_with_their_uses(asked):
    assert asked("coderef_query", element="drop").namesakes == (
        "Maybe not what you mean: tasks/short.py#drop:5 has no use; drop is also Queue.drop (2 uses), "
        "Stack.drop (1 use): ask for one of these to get it."
    )


def test_a_used_element_is_told_as_taken(asked):
    assert asked("coderef_query", element="size").namesakes == (
        "tasks/short.py#size:8 was taken (1 use); size is also Queue.size (1 use) and 1 more: "
        "ask for one of these to get it."
    )


def test_a_path_is_told_of_both_ends(asked):
    told = asked("coderef_query", query_type="path", source="push", element="size").namesakes
    assert told.startswith("tasks/short.py#size:8 was taken")
    assert "Probably not what you mean: tasks/short.py#push:4" in told


@pytest.mark.parametrize("element", ["Queue.push", "tasks/short.py#push", "tasks/short.py:4", "run", "Plain", "Queue"])
@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_told_of_a_name_that_means_one_element(asked, tool, element):
    assert "namesakes" not in asked(tool, element=element).sent()


def test_explore_shows_the_others_too(asked):
    reply = asked("coderef_explore", question="push")
    assert reply.understood_as.startswith("the element push. Probably not what you mean")
    assert [one.element for one in reply.elements] == ["tasks/short.py#push:4", "tasks/queue.py#Queue.push:2"]
    assert reply.elements[1].why == "is called push, too"


def test_each_of_several_elements_has_its_own(asked):
    first, second = asked("coderef_query", element=["push", "run"]).sent()["answers"]
    assert "Queue.push" in first["namesakes"]
    assert "namesakes" not in second


@pytest.mark.parametrize("tool", TOOLS)
def test_a_terminal_shows_it_above_the_view(asked, tool):
    reply = asked(tool, element="push", detail="full")
    shown = rendered(tool, reply, reply.structured(), Console(width=200))
    assert shown.startswith("Probably not what you mean: tasks/short.py#push:4 has no use")


def test_at_most_five_are_listed(tmp_path):
    classes = "".join(f"class C{n}:\n    def go(self):\n        return {n}\n\n\n" for n in range(8))
    root = repository(tmp_path / "many", {"many.py": f"{classes}def go():\n    return 0\n"})

    async def ask() -> Any:
        service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
        query = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_query")
        try:
            return (await query.run({"project_path": str(root), "query_type": "calls-me", "element": "go"}))[0]
        finally:
            await service.aclose()

    told = asyncio.run(ask()).namesakes
    assert told.count("(0 uses)") == 6
    assert "C4.go (0 uses) and 3 more: ask for one of these" in told
