"""coderef_query limited to kinds of uses and to files: what is followed, what is listed, and that pages are whole."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.questions.query import QueryReply
from bearings.code.service import CodeService
from bearings.errors import InvalidInput
from tests.code.asked import query
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio

SUBCLASSES = 32

ZOO = {
    "zoo/base.py": "class Animal:\n    def eat(self):\n        return 1\n",
    "zoo/kinds.py": "from zoo.base import Animal\n\n\n"
    + "".join(f"class Kind{n}(Animal):\n    pass\n\n\n" for n in range(SUBCLASSES)),
    "zoo/pets.py": "from zoo.kinds import Kind0\n\n\nclass Pet(Kind0):\n    pass\n",
    "app/feed.py": "from zoo.base import Animal\n\n\n"
    + "def feed(one: Animal, food=None):\n    one.eat()\n    food.eat()\n    return Animal()\n",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def service() -> AsyncIterator[CodeService]:
    made = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
    yield made
    await made.aclose()


@pytest.fixture
def zoo(tmp_path) -> str:
    return str(write(tmp_path / "zoo", ZOO))


def places(reply: QueryReply) -> list[tuple[str, int]]:
    return [(row.file, row.line) for row in reply.results]


async def test_the_subclasses_of_a_class_are_one_call(service, zoo):
    reply = await query(service, zoo, "depends-on-me", "Animal", kinds=["extends"], max_depth=1)
    assert (reply.results_found, len(reply.results), reply.omitted) == (SUBCLASSES, SUBCLASSES, 0)
    assert {row.type for row in reply.results} == {"extends"}
    assert reply.results[0].text == "class Kind0(Animal):"
    assert reply.kinds == ["extends"]
    assert "depends-on-me [extends] zoo/base.py#Animal:1: 32 results" in reply.to_text()


async def test_only_the_kinds_that_are_asked_for_are_followed(service, zoo):
    reply = await query(service, zoo, "depends-on-me", "Animal", kinds=["extends"], max_depth=3)
    assert [row.file for row in reply.results if row.depth == 2] == ["zoo/pets.py"]
    forward = await query(service, zoo, "depends-on", "Pet", kinds=["extends"], max_depth=3)
    assert [row.to for row in forward.results] == ["zoo/kinds.py#Kind0:4", "zoo/base.py#Animal:1"]


async def test_a_path_limits_the_sites_that_are_listed_not_those_that_are_followed(service, zoo):
    reply = await query(service, zoo, "depends-on-me", "Animal", kinds=["extends"], path="zoo/pets.py", max_depth=2)
    assert (places(reply), reply.results[0].depth, reply.path) == ([("zoo/pets.py", 4)], 2, "zoo/pets.py")
    assert " in zoo/pets.py: 1 results" in reply.to_text()
    calls = await query(service, zoo, "calls", "feed", path="app/*.py", max_depth=3)
    assert places(calls) == [("app/feed.py", 5), ("app/feed.py", 7)]


async def test_sites_that_a_path_leaves_out_are_said(service, zoo):
    reply = await query(service, zoo, "calls-me", "Animal", path="docs/")
    assert reply.results == []
    assert reply.note is not None
    assert "None of 2 sites is in a file that matches 'docs/'" in reply.note
    assert reply.elsewhere is None


async def test_a_chain_of_uses_keeps_to_kinds_and_files(service, zoo):
    async def chain(**more: object) -> int | None:
        reply: QueryReply = await query(service, zoo, "path", "Animal", source="Pet", **more)
        return reply.results_found

    assert await chain() == await chain(kinds=["extends"]) == await chain(path="zoo/**") == 2
    assert await chain(kinds=["call"]) == await chain(path="zoo/pets.py") == 0


@pytest.mark.parametrize(
    ("query_type", "kind", "hint"),
    [
        ("calls-me", "extends", 'query_type="depends-on-me", kinds=["extends"]'),
        ("imports", "call", 'query_type="depends-on", kinds=["call"]'),
        ("calls-me", "request", 'query_type="depends-on-me", kinds=["request"]'),
    ],
)
async def test_a_kind_that_can_not_be_answered_is_refused_with_a_call_that_works(
    service, zoo, query_type, kind: str, hint: str
):
    with pytest.raises(InvalidInput) as caught:
        await query(service, zoo, query_type, "Animal", kinds=[kind])
    assert (caught.value.field, hint in caught.value.hint) == ("kinds", True)


async def test_reads_and_writes_of_a_field_are_told_apart(service, tmp_path):
    source = "class Till:\n    sum = 0\n\n\ndef add(till: Till, coin):\n    till.sum += coin\n    return till.sum\n"
    root = str(write(tmp_path, {"till.py": source}))
    for kind, line in (("write", 6), ("read", 7)):
        reply = await query(service, root, "depends-on-me", "Till.sum", kinds=[kind])
        assert [(one.type, one.line) for one in reply.results] == [(kind, line)]


async def test_a_request_leads_to_its_endpoint_and_follows_its_changes(service, tmp_path):
    server = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get('{}')\ndef ring(number): ...\n"
    client = "import httpx\n\n\ndef ask():\n    return httpx.get('/bells/1')\n"
    root = str(write(tmp_path, {"server.py": server.format("/bells/{number}"), "client.py": client}))
    reply = await query(service, root, "depends-on-me", "server.py#ring", max_depth=2)
    assert [(one.type, one.depth) for one in reply.results] == [("reference", 1), ("request", 2)]
    reply = await query(service, root, "depends-on", "ask", kinds=["request"])
    assert [(one.to, one.line) for one in reply.results] == [("server.py#GET /bells/{number}:6", 5)]
    write(tmp_path, {"server.py": server.format("/gongs/{number}")})
    assert not (await query(service, root, "depends-on", "ask", kinds=["request"])).results


async def test_every_site_that_was_not_followed_is_listed_on_pages(service, tmp_path):
    calls = "".join(f"def f{n}(x):\n    x.ring()\n\n\n" for n in range(300))
    root = str(write(tmp_path, {"till.py": "class Till:\n    def ring(self): ...\n\n\ndef g(t: Till):\n    t.ring()\n",
                                "late.py": calls}))  # fmt: skip
    lines, results, cursor = [], 0, None
    for _ in range(300):
        reply = await query(service, root, "calls-me", "Till.ring", cursor=cursor, limit=100)
        assert len(reply.results) + len(reply.unresolved.sites) <= 100
        results += len(reply.results)
        lines += [site.line for site in reply.unresolved.sites]
        assert {site.text for site in reply.unresolved.sites} <= {"x.ring()"}
        cursor = reply.next_cursor
        if cursor is None:
            break
    assert (results, reply.results_found, reply.unresolved.unresolved) == (1, 1, 300)
    assert lines == [4 * n + 2 for n in range(300)]


async def test_a_line_of_source_is_bounded_and_can_hide_nothing(service, tmp_path):
    files = {"a.py": "def f(): ...\n", "b.py": "from a import f\nf()  # \x1b[31m" + "x" * 300 + "\n"}
    reply = await query(service, str(write(tmp_path, files)), "calls-me", "f")
    text = reply.results[0].text or ""
    assert text.startswith("f() # \\x1b[31m")
    assert len(text) == 160


async def test_lines_are_those_of_the_files_as_they_are_now(service, zoo):
    assert (await query(service, zoo, "calls-me", "Animal.eat")).results[0].text == "one.eat()"
    path = Path(zoo) / "app/feed.py"
    path.write_text("\n" + path.read_text().replace("one.eat()", "one.eat()  # now"))
    reply = await query(service, zoo, "calls-me", "Animal.eat")
    assert (reply.results[0].line, reply.results[0].text) == (6, "one.eat() # now")


async def test_a_name_in_a_source_of_another_language_is_text_unless_bindings_call_it(service, tmp_path):
    script = "export const shut = (it) => it.hide();\n"
    box = "<?php\nclass Box { function hide() {} }\nfunction close(Box $box) { $box->hide(); }\n"
    page = write(tmp_path / "page", {"box.php": box, "view.js": script})
    reply = await query(service, page, "calls-me", "Box.hide")
    assert (places(reply), reply.unresolved.unresolved) == ([("box.php", 3)], 0)
    assert reply.elsewhere is not None
    assert reply.elsewhere.by == {"text": 1}
    library = write(tmp_path / "library", {"src/lib.rs": "pub fn hide() {}\n", "view.js": script})
    reply = await query(service, library, "calls-me", "hide")
    assert (places(reply), reply.unresolved.unresolved) == ([], 1)
    assert reply.elsewhere is not None
    assert reply.elsewhere.by == {"code": 1}
