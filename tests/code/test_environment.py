"""Environment variables in questions: their readers and writers, and what an element needs."""

from pathlib import Path

import pytest

from bearings.code.models import EdgeKind
from bearings.code.questions.explore import Explore
from bearings.code.questions.query import QueryReply
from bearings.errors import ElementNotFound, InvalidInput
from tests.code.asked import query, scan
from tests.code.trees import write

pytestmark = pytest.mark.anyio

SHOP = {
    "shop/settings.py": 'import os\n\nDATABASE_URL = os.environ["DATABASE_URL"]\n',
    "shop/database.py": (
        "import os\n\n\n"
        "def connect():\n"
        '    return open(os.environ["DATABASE_URL"], os.getenv("MODE", "r"))\n\n\n'
        "def load():\n"
        "    return connect()\n"
    ),
    "web/start.ts": (
        "export function start() {\n"
        '  process.env.DATABASE_URL = "sqlite:";\n'
        "  return process.env.PORT;\n"
        "}\n"
    ),
    "compose.yaml": "environment:\n  DATABASE_URL: sqlite:\n  PORT: 80\n",
}  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path) -> Path:
    return write(tmp_path / "shop", SHOP)


def rows(reply: QueryReply) -> list[tuple[int, str, str, str, int]]:
    return [(one.depth, one.from_, one.type.value, one.file, one.line) for one in reply.results]


async def test_readers_and_writers_come_before_what_uses_them(service, shop):
    reply = await query(service, shop, "depends-on-me", "env:DATABASE_URL", max_depth=2)
    assert reply.target == "env:DATABASE_URL"
    assert rows(reply) == [
        (1, "shop/database.py#connect:4", "read", "shop/database.py", 5),
        (1, "shop/settings.py#DATABASE_URL:3", "read", "shop/settings.py", 3),
        (1, "web/start.ts#start:1", "write", "web/start.ts", 2),
        (2, "shop/database.py#load:8", "call", "shop/database.py", 9),
    ]
    assert reply.results[0].text == 'return open(os.environ["DATABASE_URL"], os.getenv("MODE", "r"))'
    assert reply.results_found == 4
    assert reply.elsewhere is not None
    assert [(one.file, one.line) for one in reply.elsewhere.shown] == [("compose.yaml", 2)]


async def test_kinds_files_and_depth_limit_the_list(service, shop):
    reply = await query(service, shop, "depends-on-me", "env:DATABASE_URL", kinds=["write"])
    assert rows(reply) == [(1, "web/start.ts#start:1", "write", "web/start.ts", 2)]
    reply = await query(service, shop, "depends-on-me", "env:DATABASE_URL", path="shop/**", max_depth=1)
    assert [row[1] for row in rows(reply)] == ["shop/database.py#connect:4", "shop/settings.py#DATABASE_URL:3"]
    reply = await query(service, shop, "depends-on-me", "env:PORT", kinds=["write"])
    assert reply.results_found == 0
    assert reply.note == "No use of PORT passes the filter: leave kinds and path out for all."
    reply = await query(service, shop, "calls-me", "env:MODE", max_depth=2)
    assert [row[1] for row in rows(reply)] == ["shop/database.py#connect:4", "shop/database.py#load:8"]


async def test_a_list_of_uses_has_pages(service, shop):
    first = await query(service, shop, "depends-on-me", "env:DATABASE_URL", limit=2)
    assert first.omitted == 1
    second = await query(service, shop, "depends-on-me", "env:DATABASE_URL", limit=2, cursor=first.next_cursor)
    assert [row[1] for row in rows(second)] == ["web/start.ts#start:1"]


async def test_a_bare_name_is_the_variable_unless_an_element_has_it(service, shop):
    assert (await query(service, shop, "depends-on-me", "PORT")).target == "env:PORT"
    reply = await query(service, shop, "depends-on-me", "DATABASE_URL")
    assert reply.target == "shop/settings.py#DATABASE_URL:3"
    assert reply.namesakes == "An environment variable has that name, too: env:DATABASE_URL."


async def test_what_an_element_uses_has_its_variables_and_those_of_what_it_calls(service, shop):
    reply = await query(service, shop, "depends-on", "load", max_depth=2)
    assert [(one.depth, one.to, one.line) for one in reply.results] == [
        (1, "shop/database.py#connect:4", 9),
        (2, "env:DATABASE_URL", 5),
        (2, "env:MODE", 5),
    ]
    assert (await query(service, shop, "calls", "connect")).results == []
    reply = await query(service, shop, "depends-on", "start", kinds=["write"])
    assert [(one.to, one.type) for one in reply.results] == [("env:DATABASE_URL", EdgeKind.WRITE)]


async def test_users_of_a_setting_use_its_variable(service, shop):
    pages = "from shop.settings import DATABASE_URL\n\n\ndef show():\n    return DATABASE_URL\n"
    write(shop, {"shop/pages.py": pages, "shop/idle.py": "import shop.settings\n"})
    reply = await query(service, shop, "depends-on", "show", kinds=["reference", "read"], max_depth=2)
    assert [(one.depth, one.to) for one in reply.results] == [
        (1, "shop/settings.py#DATABASE_URL:3"),
        (2, "env:DATABASE_URL"),
    ]
    reply = await query(service, shop, "depends-on-me", "env:DATABASE_URL", path="shop/**", max_depth=3)
    users = {row[1] for row in rows(reply)}
    assert "shop/pages.py#show:4" in users
    assert "shop/idle.py" not in users


async def test_variables_are_no_elements(service, shop):
    assert sum((await scan(service, shop)).by_type.values()) == 4
    reply = await query(service, shop, "depends-on", "connect")
    assert (reply.unresolved.unresolved, reply.unresolved.ambiguous) == (0, 0)


async def test_an_unknown_variable_is_refused_with_a_similar_one(service, shop):
    with pytest.raises(ElementNotFound, match="env:DATABASE_URI") as refused:
        await query(service, shop, "depends-on-me", "env:DATABASE_URI")
    assert refused.value.hint == "Did you mean env:DATABASE_URL?"
    with pytest.raises(ElementNotFound, match="zzz") as refused:
        await query(service, shop, "depends-on-me", "env:zzz")
    assert refused.value.hint == "coderef_explore looks for it as text."
    with pytest.raises(InvalidInput, match="uses nothing") as useless:
        await query(service, shop, "depends-on", "env:PORT")
    assert useless.value.instead == {"query_type": "depends-on-me"}


async def test_an_edit_adds_and_removes_uses(service, shop):
    await query(service, shop, "depends-on-me", "env:PORT")
    write(shop, {"web/start.ts": "export function start() {\n  return process.env.OTHER_PORT;\n}\n"})
    assert [row[1] for row in rows(await query(service, shop, "depends-on-me", "env:OTHER_PORT"))] == [
        "web/start.ts#start:1"
    ]
    with pytest.raises(ElementNotFound):
        await query(service, shop, "depends-on-me", "env:PORT")


@pytest.mark.parametrize(
    "question", ["PORT", "env:PORT", "who reads PORT?", "where is the environment variable PORT set"]
)
async def test_a_question_in_words_finds_the_code_and_the_settings(service, shop, question):
    reply = await service.reply_to(str(shop), Explore(question=question))
    assert reply.understood_as == "the environment variable PORT: 1 reads, 0 writes"
    assert [(one.element, one.why) for one in reply.elements] == [("web/start.ts#start:1", "reads it")]
    assert any(line.startswith("compose.yaml:3 ") for line in reply.lines)
