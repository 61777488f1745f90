"""Questions in words about one element, and requests beside elements of the same name."""

from pathlib import Path

import pytest

from bearings.code.models import CALLS, HEIRS, IMPORTS, EdgeKind
from bearings.code.questions.explore import Explore
from bearings.code.questions.explore.relations import asked_about
from bearings.code.search.reach import ACCESSES
from bearings.code.service import CodeService
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import repository

FILES = {
    "shop/store.py": (
        "class Store:\n"
        "    def push(self, item):\n"
        "        return item\n\n\n"
        "def keep(store: Store):\n"
        "    return store.push(1)\n\n\n"
        "class DiskStore(Store):\n"
        "    pass\n"
    ),
    "web/api.py": (
        "from flask import Flask\n\nfrom shop.store import DiskStore, Store\n\n"
        "app = Flask(__name__)\nKIND = Store\n\n\n"
        '@app.get("/list")\n'
        "def show():\n    return list()\n\n\n"
        "def list():\n    return DiskStore().push(2)\n"
    ),
}

FILES |= {
    "routes/web.php": (
        "<?php\n\nuse Shop\\Controllers as Ours;\n\nRoute::post('/paid', [Ours\\PaymentController::class, 'verify']);\n"
    ),
    "app/PaymentController.php": (
        "<?php\n\nnamespace Shop\\Controllers;\n\n"
        "class PaymentController\n{\n    public function verify()\n    {\n    }\n}\n"
    ),
    "app/Key.php": "<?php\n\nnamespace Shop;\n\nclass Key\n{\n    public function verify()\n    {\n    }\n}\n",
}

NONE: frozenset[EdgeKind] = frozenset()


@pytest.mark.parametrize(
    ("question", "name", "kinds"),
    [
        ("who calls Store.push?", "Store.push", CALLS),
        ("Who calls `Store.push`?", "Store.push", CALLS),
        ("what calls the method Store.push()", "Store.push", CALLS),
        ("callers of Store.push", "Store.push", CALLS),
        ("find all the callers of Store.push.", "Store.push", CALLS),
        ("show me call sites of 'Store::push'", "Store::push", CALLS),
        ("who extends Store", "Store", HEIRS),
        ("what implements Store?", "Store", HEIRS),
        ("which classes inherit from Store?", "Store", HEIRS),
        ("implementations of Store", "Store", HEIRS),
        ("who imports shop/store.py", "shop/store.py", IMPORTS),
        ("usages of shop/store.py#Store.push", "shop/store.py#Store.push", NONE),
        ("where is shop.store.Store.push used?", "shop.store.Store.push", NONE),
        ("who is using Store", "Store", NONE),
        ("who constructs Store", "Store", frozenset({EdgeKind.NEW})),
        ("who renders Menu.Item?", "Menu.Item", frozenset({EdgeKind.JSX})),
        ("what reads Store.items", "Store.items", ACCESSES),
        ("what does Store.push call?", "Store.push", NONE),
        ("tests for Store.push", "Store.push", NONE),
    ],
)
def test_a_question_about_an_element_names_it(question: str, name: str, kinds: frozenset[EdgeKind]):
    asked = asked_about(question)
    assert asked is not None
    assert asked[:2] == (name, kinds)


@pytest.mark.parametrize(
    "question",
    ["who calls", "where are failed payments retried", "Store.push", "uses", "who calls ``", "a" * 500, "calls of a b"],
)
def test_other_texts_are_no_such_question(question: str):
    assert asked_about(question) is None


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A function that asks about the project."""
    root: Path = repository(tmp_path_factory.mktemp("relations").resolve() / "shop", FILES)
    service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))

    async def ask(question: str):
        return await service.reply_to(str(root), Explore(question=question))

    return ask


PUSH, STORE, LIST, SHOW = (
    "shop/store.py#Store.push:2",
    "shop/store.py#Store:1",
    "web/api.py#list:14",
    "web/api.py#show:10",
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("question", "element"),
    [
        ("who calls Store.push?", PUSH),
        ("callers of Store#push", PUSH),
        ("callers of Store::push", PUSH),
        ("usages of `shop/store.py#Store.push`?", PUSH),
        ("where is shop.store.Store used?", STORE),
        ("who calls list", LIST),
    ],
)
async def test_a_question_is_answered_about_its_element(asked, question: str, element: str):
    reply = await asked(question)
    assert reply.understood_as.startswith("the element ")
    assert [one.element for one in reply.elements] == [element]


@pytest.mark.anyio
async def test_the_uses_in_question_come_first(asked):
    extends = (await asked("who extends Store")).elements[0]
    assert extends.used_by[0] == "shop/store.py:10 [in DiskStore] class DiskStore(Store):"
    imports = (await asked("who imports Store")).elements[0]
    assert imports.used_by[0].startswith("web/api.py:3 from shop.store import")
    assert (await asked("Store")).elements[0].used_by[0].startswith("shop/store.py:6")


@pytest.mark.anyio
@pytest.mark.parametrize("question", ["GET /list", "who handles GET /list?", "curl -X GET http://localhost/list"])
async def test_a_request_is_a_route_before_an_element_of_its_name(asked, question: str):
    reply = await asked(question)
    assert reply.understood_as.startswith("the request «GET /list»: 1 endpoints")
    assert [one.element for one in reply.elements] == ["web/api.py#GET /list:9", SHOW]


@pytest.mark.anyio
async def test_a_handler_is_found_through_the_alias_of_its_namespace(asked):
    found = [one.element for one in (await asked("POST /paid")).elements]
    assert found == ["routes/web.php#POST /paid:5", "app/PaymentController.php#PaymentController.verify:7"]


@pytest.mark.anyio
async def test_a_request_without_an_endpoint_is_no_element_either(asked):
    reply = await asked("POST /list")
    assert reply.understood_as.startswith("the request «POST /list»; its parts looked for as text")
    assert "No known endpoint answers it" in reply.note


@pytest.mark.anyio
async def test_a_question_about_an_unknown_name_is_one_in_words(asked):
    assert (await asked("who calls Nothing.at.all?")).understood_as.startswith("the words")


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("who calls f", "calls-me"),
        ("what does f call", "calls"),
        ("callees of f", "calls"),
        ("dependencies of f", "depends-on"),
        ("who imports f", "imports-me"),
        ("who extends f", "depends-on-me"),
        ("usages of f", "depends-on-me"),
    ],
)
def test_a_question_about_an_element_has_a_query_for_all_of_it(question: str, query: str):
    asked = asked_about(question)
    assert asked is not None
    assert asked.query == query
