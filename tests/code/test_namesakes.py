"""Of the elements of a bare name one is taken or several are answered; the reply says first which others there are."""

import asyncio
import re
from typing import Any

import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.code.engine.native import NativeEngine
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from tests.code.asked import tools_about
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
    yield from _asking(tmp_path_factory, FILES)


@pytest.fixture(scope="module")
def places_asked(tmp_path_factory):
    """The same about PLACES."""
    yield from _asking(tmp_path_factory, PLACES)


def _asking(tmp_path_factory, files):
    base = tmp_path_factory.mktemp("namesakes").resolve()
    root = repository(base / "tasks", files)
    with tools_about(root) as ask_tool:

        def ask(tool: str, **arguments: Any) -> Any:
            given = {"query_type": "calls-me"} if tool == "coderef_query" else {}
            return ask_tool(tool, **{**given, **arguments})

        yield ask


TAKEN = (
    "tasks/queue.py#Queue.push:2 was taken (3 uses); push is also tasks/short.py#push:4 (0 uses): "
    "ask for tasks/short.py#push:4 to get it."
)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("spelling", ["push", "`push`", "push()", " push "])
def test_a_method_is_taken_beside_a_variable_that_renames_it(asked, tool, spelling):
    reply = asked(tool, element=spelling)
    assert reply.namesakes == TAKEN
    assert list(reply.sent())[:2] == ["success", "namesakes"]
    assert list(reply.structured())[:2] == ["success", "namesakes"]
    assert reply.to_text().splitlines()[0] == TAKEN
    assert reply.to_text().count(TAKEN) == 1
    assert reply.notes()[0] == TAKEN
    assert asked(tool, element=spelling, detail="full").to_text().splitlines()[0] == TAKEN


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("name", "answered"),
    [
        ("drop", ["tasks/queue.py#Queue.drop:5", "tasks/queue.py#Stack.drop:13"]),
        ("size", ["tasks/short.py#size:8", "tasks/queue.py#Queue.size:8", "tasks/queue.py#Stack.size:16"]),
    ],
)
def test_several_are_answered_the_most_used_first(asked, tool, name, answered):
    reply = asked(tool, element=name)
    told = f"'{name}' names {len(answered)} elements; {len(answered)} are answered, the most used first."
    assert reply.namesakes == told
    ids = [getattr(one, "target", None) or one.element for one in reply.answers]
    assert [re.sub(r"^@\w+/", "", getattr(one, "ref", one)) for one in ids] == answered
    assert list(reply.sent()) == ["success", "namesakes", "answers", "index"]
    assert reply.to_text().splitlines()[0] == told


def test_several_keep_their_place_beside_other_elements(asked):
    first, second = asked("coderef_query", element=["drop", "run"]).sent()["answers"]
    assert [one["target"] for one in first["answers"]] == [
        "tasks/queue.py#Queue.drop:5",
        "tasks/queue.py#Stack.drop:13",
    ]
    assert second["target"] == "tasks/main.py#run:5"


def test_a_path_is_told_of_both_ends(asked):
    told = asked("coderef_query", query_type="path", source="size", element="push").namesakes
    assert told.startswith(TAKEN)
    assert "tasks/short.py#size:8 was taken (1 use); size is also Queue.size (1 use)" in told


@pytest.mark.parametrize("element", ["Queue.push", "tasks/short.py#push", "tasks/short.py:4", "run", "Plain", "Queue"])
@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_told_of_a_name_that_means_one_element(asked, tool, element):
    assert "namesakes" not in asked(tool, element=element).sent()


def test_explore_shows_the_others_too(asked):
    reply = asked("coderef_explore", question="push")
    assert reply.understood_as.startswith("the element push. tasks/queue.py#Queue.push:2 was taken")
    assert [one.element for one in reply.elements] == ["tasks/queue.py#Queue.push:2", "tasks/short.py#push:4"]
    assert reply.elements[1].why == "is called push, too"


def test_each_of_several_elements_has_its_own(asked):
    first, second = asked("coderef_query", element=["push", "run"]).sent()["answers"]
    assert first["namesakes"] == TAKEN
    assert "namesakes" not in second


@pytest.mark.parametrize("tool", TOOLS)
def test_a_terminal_shows_it_above_the_answer(asked, tool):
    reply = asked(tool, element="push", detail="full")
    assert rendered(tool, reply, Console(width=200)).startswith(TAKEN[:60])
    several = asked(tool, element="drop", detail="full")
    assert rendered(tool, several, Console(width=200)).startswith("'drop' names 2 elements")


@pytest.mark.slow
def test_at_most_five_are_answered(tmp_path):
    classes = "".join(f"class C{n}:\n    def go(self):\n        return {n}\n\n\n" for n in range(8))
    root = repository(tmp_path / "many", {"many.py": f"{classes}def go():\n    return 0\n"})

    async def ask() -> Any:
        service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
        query = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_query")
        try:
            return (await query.run({"project_path": str(root), "query_type": "calls-me", "element": "go"}))[0]
        finally:
            await service.aclose()

    reply = asyncio.run(ask())
    assert [one.target for one in reply.answers][:2] == ["many.py#go:41", "many.py#C0.go:2"]
    assert len(reply.answers) == 5
    assert reply.namesakes == (
        "'go' names 9 elements; 5 are answered, the most used first. Ask for another by its own name:"
        "\n  many.py#C4.go:22 (0 uses)\n  many.py#C5.go:27 (0 uses)"
        "\n  many.py#C6.go:32 (0 uses)\n  many.py#C7.go:37 (0 uses)"
    )


@pytest.mark.slow
def test_a_declaration_stands_behind_its_implementation(tmp_path):
    page = "export class Page {\n  goto(url: string) {\n    return url;\n  }\n}\n"
    types = "export declare class Page {\n  goto(url: string): string;\n}\n"
    root = repository(tmp_path / "app", {"src/page.ts": page, "types/page.d.ts": types})

    async def ask() -> list[Any]:
        service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
        symbol = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_symbol")
        try:
            return [
                (await symbol.run({"project_path": str(root), "element": element}))[0]
                for element in ("Page.goto", "Page.goto:2")
            ]
        finally:
            await service.aclose()

    named, placed = asyncio.run(ask())
    assert named.element.ref == "@M/src/page.ts#Page.goto:2"
    assert "types/page.d.ts#Page.goto:2" in named.namesakes
    assert placed.element.ref == "@M/src/page.ts#Page.goto:2"


PLACES = {
    "Shop.java": (
        "class Shop {\n    void add(int n) { }\n    void add(String s) {\n        add(1);\n    }\n}\n"
        'class Main { void run(Shop shop) { shop.add(1); shop.add(""); } }\n'
    ),
    "include/cart.h": "class Cart { public: void put(int n); };\n",
    "src/cart.cpp": '#include "cart.h"\nvoid Cart::put(int n) {\n}\n',
    "src/main.cpp": '#include "cart.h"\nint main() { Cart cart; cart.put(1); }\n',
    "box.ts": (
        "export class Box<T> {\n  constructor(public value: T) {}\n}\n"
        'declare module "./box" {\n  interface Box<T> { tap(): this }\n}\n'
        "Box.prototype.tap = function () {\n  return this;\n};\n"
        "export const use = (box: Box<string>) => box.tap();\n"
    ),
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("element", "taken", "others"),
    [
        ("Shop.add", "Shop.java#Shop.add:3", "Shop.java:2"),
        ("add", "Shop.java#Shop.add:3", "Shop.java:2"),
        ("Shop.java#Shop.add:2", "Shop.java#Shop.add:2", "Shop.java:3"),
        ("Cart.put", "src/cart.cpp#Cart.put:2", "include/cart.h:1"),
        ("include/cart.h#Cart.put:1", "include/cart.h#Cart.put:1", "src/cart.cpp:2"),
        ("Box.tap", "box.ts#Box.tap:7", "box.ts:5"),
        ("box.ts#Box.tap:5", "box.ts#Box.tap:5", "box.ts:7"),
    ],
)
def test_overloads_and_a_declaration_with_its_definition_are_one_element(places_asked, tool, element, taken, others):
    reply = places_asked(tool, element=element)
    assert reply.namesakes == f"{taken} is one element with {others}."
    if tool == "coderef_query":
        callers = [(one.from_, one.line) for one in reply.results]
        assert (
            callers
            == {
                "add": [("Shop.java#Shop.add:3", 4), ("Shop.java#Main.run:7", 7)],
                "put": [("src/main.cpp#main:2", 2)],
                "tap": [("box.ts#use:10", 10)],
            }[re.sub(r".*\.|:\d+", "", element)]
        )


def test_a_class_and_an_interface_that_merge_are_one_element_with_the_members_of_both(places_asked):
    reply = places_asked("coderef_symbol", element="Box")
    assert reply.namesakes == "box.ts#Box:1 is one element with box.ts:5."
    uses = places_asked("coderef_query", element="Box").results
    assert [(one.to, one.line) for one in uses] == [("box.ts#Box.tap:5", 10)]
