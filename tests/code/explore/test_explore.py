"""coderef_explore: each form of question on a small shop, within its budget, with calls that work behind it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bearings.code.questions.explore import Explore, ExploreReply
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import InvalidInput
from bearings.tool import Tool
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import SHOP, git, repository, write

pytestmark = pytest.mark.anyio

WEB = {
    **SHOP,
    "web/api.py": (
        "from flask import Flask\n\nfrom shop.basket import fill\n\napp = Flask(__name__)\n\n\n"
        '@app.get("/baskets/<int:basket_id>")\n'
        "def show_basket(basket_id):\n    return fill([basket_id])\n\n\n"
        '@app.post("/baskets")\ndef add_basket():\n    return fill([])\n'
    ),
    "web/till.py": (
        "class TillError(Exception):\n    pass\n\n\n"
        "# Tries the bank again after a while: the backoff doubles.\n"
        "def charge(card):\n"
        "    for attempt in range(3):\n"
        "        if card.ask():\n"
        "            return True\n"
        '    raise TillError(f"the bank refused card {card} for good")\n\n\n'
        "def _spare(card):\n    return charge(card)\n"
    ),
    "web/page.hbs": "<template>\n  <Till backoff='2' />\n</template>\n",
    "settings.yaml": "bank:\n  grace-period: 30\n",
    "tests/test_till.py": (
        "from web.till import charge\n\n\nclass TestTill:\n    def test_charge(self):\n        assert charge(None)\n"
    ),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    root = repository(tmp_path_factory.mktemp("explore").resolve() / "shop", WEB)
    text = (root / "web/till.py").read_text()
    write(root, {"web/till.py": text.replace("range(3)", "range(4)")})
    git(root, "commit", "-qam", "second")
    write(root, {"shop/prices.py": (root / "shop/prices.py").read_text().replace("0.2", "0.3")})
    return root


@pytest.fixture(scope="module")
def service() -> CodeService:
    return CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))


CHARGE, SPARE, SHOW = "web/till.py#charge:6", "web/till.py#_spare:13", "web/api.py#show_basket:9"
GET, FAILED = "web/api.py#GET /baskets/<int:basket_id>:8", "tests/test_till.py#TestTill.test_charge:5"
TRACE = """Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 196, in _run
    return code
  File "/srv/shop/web/till.py", line 14, in _spare
    return charge(card)
  File "/srv/shop/web/till.py", line 10, in charge
    raise TillError(...)
web.till.TillError: the bank refused card 42 for good
"""

FORMS = [
    ("charge", "the element charge", [CHARGE]),
    ("charge()", "the element charge", [CHARGE]),
    ("who calls charge?", "the element charge", [CHARGE]),
    ("web/till.py#charge", "the element web/till.py#charge", [CHARGE]),
    ("shop/basket.py", "the element shop/basket.py", ["shop/basket.py"]),
    ("web/till.py:8", "the place web/till.py:8", [CHARGE]),
    ("/srv/shop/web/till.py:8:3: error: Name is not defined", "the place web/till.py:8", [CHARGE]),
    (TRACE, "a list of 3 places, 2 of them in the project", [CHARGE, SPARE, "web/till.py#TillError:1"]),
    ("FAILED tests/test_till.py::TestTill::test_charge - x", "the place", [FAILED]),
    ("FAIL: test_charge (tests.test_till.TestTill)", "tests that failed", [FAILED]),
    ("GET /baskets/42", "the request «GET /baskets/42»: 1 endpoints", [GET, SHOW]),
    ("https://shop.example/api/baskets/7", "the request /api/baskets/7", [GET, SHOW]),
    ("HEAD", "the commit HEAD: 1 elements differ", [CHARGE]),
    ("git show HEAD", "the commit HEAD", [CHARGE]),
    ("HEAD~1..HEAD", "the commits HEAD~1..HEAD", [CHARGE]),
    ("what changed?", "the changes that are not committed", ["shop/prices.py#RATE:1"]),
    ("changes since HEAD~1", "the changes since HEAD~1: 2 elements", ["shop/prices.py#RATE:1", CHARGE]),
    ("bank backoff", "the words bank, backoff", [CHARGE]),
    ("the bank refused card", "«the bank refused card»", [CHARGE]),
]  # fmt: skip


@pytest.mark.parametrize(("question", "understood", "elements"), FORMS, ids=range(len(FORMS)))
async def test_each_form_of_question_is_understood(service, shop, question: str, understood: str, elements: list[str]):
    reply = await service.reply_to(str(shop), Explore(question=question))
    assert understood in reply.understood_as
    found = [row.element for row in reply.elements]
    assert (sorted(found[: len(elements)]), found[0] in elements) == (sorted(elements), True), found


async def test_an_element_has_its_source_users_tests_and_what_to_ask_next(service, shop):
    first = (await service.reply_to(str(shop), Explore(question="charge"))).elements[0]
    assert (first.source or "").startswith("def charge(card):\n    for attempt in range(4):")
    assert (first.source_line, first.source_cut, first.used_by_total) == (6, 0, 2)
    assert first.used_by == [
        "web/till.py:14 [in _spare] return charge(card)",
        "tests/test_till.py:6 [in TestTill.test_charge] assert charge(None)",
    ]
    assert first.tests == ["tests/test_till.py#TestTill.test_charge:5"]


async def test_an_element_that_nobody_is_known_to_use_says_where_its_word_stands(service, shop):
    first = (await service.reply_to(str(shop), Explore(question="_spare"))).elements[0]
    assert first.mentioned is not None
    assert (first.used_by_total, first.mentioned.places) == (0, 0)
    assert "used by: 0 known; its word stands on no other line" in first.to_text()


async def test_words_lead_to_elements_whose_mentions_are_not_looked_for(service, shop):
    first = (await service.reply_to(str(shop), Explore(question="which one is spare"))).elements[0]
    assert first.element.endswith("#_spare:13"), first.element
    assert "used by: 0 known; its word was not looked for" in first.to_text()


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("grace-period", ["settings.yaml:2 grace-period: 30"]),
        ("doubles", ["web/till.py:5 [in charge] # Tries the bank again after a while: the backoff doubles."]),
        ("backoff=", ["web/page.hbs:2 <Till backoff='2' />"]),
        ("settings.yaml", ["settings.yaml:1 bank:", "settings.yaml:2 grace-period: 30", "settings.yaml:3"]),
    ],
)
async def test_text_that_is_no_name_is_found_with_its_lines(service, shop, question: str, lines: list[str]):
    reply = await service.reply_to(str(shop), Explore(question=question))
    assert reply.lines == lines
    assert reply.lines_total == len(lines)


async def test_places_of_a_trace_are_listed_in_order_with_their_lines(service, shop):
    reply = await service.reply_to(str(shop), Explore(question=TRACE))
    assert reply.lines == [
        'web/till.py:10 [in charge] raise TillError(f"the bank refused card {card} for good")',
        "web/till.py:14 [in _spare] return charge(card)",
    ]
    assert "the error web.till.TillError" in reply.understood_as


INSTALLED = """What is wrong with my card?

Traceback (most recent call last):
  File "/home/joe/venv/lib/python3.12/site-packages/web/till.py", line 14, in _spare
    return charge(card)
  File "/home/joe/venv/lib/python3.12/site-packages/web/till.py", line 400, in charge
    for attempt in range(3):
  File "/home/joe/venv/lib/python3.12/site-packages/requests/models.py", line 1021, in raise_for_status
    raise HTTPError(http_error_msg, response=self)
requests.exceptions.HTTPError: 404 Client Error
"""


async def test_a_frame_of_an_installed_package_is_found_and_one_of_a_library_is_named(service, shop):
    reply = await service.reply_to(str(shop), Explore(question=INSTALLED))
    assert "a list of 3 places, 2 of them in the project" in reply.understood_as
    assert "of libraries: requests (1); the error requests.exceptions.HTTPError" in reply.understood_as
    assert [row.element for row in reply.elements] == [CHARGE, SPARE]


async def test_a_line_beyond_the_end_of_its_file_is_said_and_the_function_is_found_by_its_name(service, shop):
    reply = await service.reply_to(str(shop), Explore(question=INSTALLED))
    assert reply.note == "web/till.py has no line 400: charge is shown by its name."
    assert reply.lines[0] == "web/till.py:6 [in charge] def charge(card):"


async def test_of_a_traceback_of_libraries_only_the_error_is_searched(service, shop):
    text = INSTALLED.replace("site-packages/web/", "site-packages/other/").replace("404 Client", "bank backoff")
    reply = await service.reply_to(str(shop), Explore(question=text))
    assert "a list of 3 places, none of them in the project" in reply.understood_as
    assert "of libraries: other (2), requests (1)" in reply.understood_as
    searched = reply.understood_as.partition("the words ")[2]
    assert not {"Traceback", "File", "line", "recent", "requests", "range", "card"} & set(re.findall(r"\w+", searched))
    assert {"HTTPError", "bank", "backoff"} <= set(re.findall(r"\w+", searched))
    assert reply.elements[0].element == CHARGE


async def test_a_stack_of_libraries_without_an_error_is_no_list_of_words(service, shop):
    reply = await service.reply_to(str(shop), Explore(question="    at t (/app/node_modules/express/index.js:1:2)"))
    assert reply.understood_as == "a frame outside the project; of libraries: express (1)"
    assert (reply.elements, reply.lines) == ([], [])


async def test_an_empty_answer_says_what_was_searched_and_what_is_spelled_alike(service, shop):
    reply = await service.reply_to(str(shop), Explore(question="chargge"))
    assert (reply.elements, reply.lines, reply.near[:1]) == ([], [], ["charge"])
    assert "No name, comment, string or other text in 9 files contains any of these words" in (reply.note or "")
    assert [row.extension for row in reply.unread] == [".hbs"]
    assert reply.next[0].arguments == {"question": "charge"}
    for said in ("understood as the word chargge", "spelled alike: charge", "not read, only searched: 1 .hbs"):
        assert said in reply.to_text()


async def test_a_route_that_no_endpoint_answers_is_looked_for_as_text(service, shop):
    reply = await service.reply_to(str(shop), Explore(question="PUT /baskets/9"))
    assert "its parts looked for as text" in reply.understood_as
    assert "No known endpoint answers it" in (reply.note or "")
    assert any("/baskets" in line for line in reply.lines)


async def test_a_question_without_a_word_is_refused(service, shop):
    with pytest.raises(InvalidInput, match="contains no word"):
        await service.reply_to(str(shop), Explore(question=" ?! "))


@pytest.mark.slow
async def test_every_next_call_works(service, shop):
    tools: dict[str, Tool] = {tool.name: tool for tool in CodeTools(service).tools()}
    asked = 0
    for question, _, _ in FORMS:
        for call in (await service.reply_to(str(shop), Explore(question=question))).next:
            reply, _ = await tools[call.tool].run({"project_path": str(shop), **call.arguments})
            assert reply.success
            asked += 1
    assert asked > len(FORMS)


def length(reply: ExploreReply) -> int:
    return max(
        len(json.dumps(reply.structured(), ensure_ascii=False, separators=(",", ":"))), len(reply.marked().to_text())
    )


@pytest.mark.parametrize("budget", [1500, 2000, 3000, 5000, 8000, 20_000])
async def test_the_budget_holds_in_both_forms(service, tmp_path, budget: int):
    wide = "".join(
        f"def fetch_{n}(argument_{n}):  # «fetches» \u200b{'x' * 150}\n    return fetch_{n - 1}\n" for n in range(1, 80)
    )
    root = write(
        tmp_path / "wide", {"a.py": wide, "b.txt": "fetch <<< >>> « » \x1b[0m\n" * 300, f"{'long/' * 30}c.py": wide}
    )
    for question in (
        "fetch",
        "fetch argument",
        "fetch_3",
        "\n".join(f"a.py:{n}" for n in range(1, 120)),
        "nothing" * 60,
    ):
        reply = (await service.reply_to(str(root), Explore(question=question, budget=budget))).safe()
        assert length(reply) <= budget, question[:20]
        assert len(reply.elements) <= reply.elements_total


async def test_a_larger_budget_shows_more(service, shop):
    small, large = [
        await service.reply_to(str(shop), Explore(question="basket bank", budget=budget)) for budget in (1500, 20_000)
    ]
    assert small.elements_total == large.elements_total
    assert len(small.elements) < len(large.elements)
    assert length(small) < length(large)


async def test_the_line_that_was_asked_about_is_in_what_is_shown(service, tmp_path):
    body = "".join(f"    step_{n}()\n" for n in range(1, 600))
    root = write(tmp_path / "long", {"a.py": f"def run():\n{body}"})
    first = (await service.reply_to(str(root), Explore(question="a.py:400"))).elements[0]
    shown = (first.source or "").split("\n")
    assert shown[400 - first.source_line] == "    step_399()"
    assert first.signature == "def run()"
    assert first.source_cut == 600 - len(shown)


async def test_secrets_outside_the_project_stay_unread(service, tmp_path):
    write(tmp_path, {"outside/key.py": "PASSWORD = 'xyzzyplugh'\n"})
    root = repository(tmp_path / "in", {".gitignore": "local.env\n", "a.py": "x = 1\n"})
    write(root, {"local.env": "TOKEN=xyzzyplugh\n"})
    (root / "link.py").symlink_to(tmp_path / "outside/key.py")
    for question in ("xyzzyplugh", "PASSWORD", "link.py:1", "local.env:1", f"{tmp_path}/outside/key.py:1", "local.env"):
        told = (await service.reply_to(str(root), Explore(question=question))).to_json()
        assert "TOKEN" not in told
        assert told.count("xyzzyplugh") == (question == "xyzzyplugh") * told.count("xyzzyplugh")
        assert "PASSWORD = " not in told


async def test_a_whole_part_of_a_name_ranks_above_a_comment(service, tmp_path):
    files = {
        "a.py": "def fetch(url):\n    # The proxy decides.\n    return url\n\n\n" + "fetch(1)\n" * 30,
        "b.py": "def select_proxy(url):\n    return url\n\n\ndef reproxying_all():\n    return 1\n",
        "c.ts": "export class Settings {\n  maxHTTPProxyCount = 1;\n}\n",
    }
    reply = await service.reply_to(str(write(tmp_path / "whole", files)), Explore(question="where is proxy chosen"))
    names = [row.element.partition("#")[2].partition(":")[0] for row in reply.elements]
    assert names[0] == "select_proxy"
    assert names.index("select_proxy") < names.index("fetch")


HOSTILE = ["\x1b[2J\u202e" * 50, "A" * 16_000, "a.ts:1:" * 2000, "\n" * 5000 + "x", "'" * 999 + "x",
           "/" * 999 + "x", "x::" * 3000, "../x", "HEAD^{/x}", "main..--output=/tmp/x", "--upload-pack=x..HEAD",
           "«»<<<>>> x", "\ud7ff\U000e0041x"]  # fmt: skip


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_questions_are_answered_in_clean_text(service, shop, question: str):
    tool = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_explore")
    reply, _ = await tool.run({"project_path": str(shop), "question": question})
    assert isinstance(reply, ExploreReply)
    assert length(reply) <= 8000
    assert not re.search(r"[\x00-\x08\x1b\u202e\U000e0041]", reply.to_text())


@pytest.mark.parametrize("name", ["ask", "query", "text", "element"])
async def test_other_names_of_the_question_are_taken(service, shop, name: str):
    tool = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_explore")
    arguments: dict[str, Any] = {"project_path": str(shop), name: "charge"}
    reply, _ = await tool.run(arguments)
    assert isinstance(reply, ExploreReply)
    assert reply.elements[0].element == CHARGE
    assert f"{name} is called question here" in (reply.note or "")


async def test_the_answer_is_as_fresh_as_the_files(service, tmp_path):
    root = write(tmp_path / "fresh", {"a.py": "def one():\n    return 1\n"})
    assert (await service.reply_to(str(root), Explore(question="one"))).elements[0].source_line == 1
    write(root, {"a.py": "# moved\n\ndef one():\n    return 2\n"})
    first = (await service.reply_to(str(root), Explore(question="one"))).elements[0]
    assert (first.source_line, first.source) == (3, "def one():\n    return 2")
