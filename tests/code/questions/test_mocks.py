"""A test that puts another value in the place of an element is told of as a mock, and is no test of it."""

import pytest

from bearings.code.models import REPLACED, EdgeKind
from bearings.code.questions.impact.compute import impact
from tests.code.questions.snapshots import element, snapshot_of

API = """\
export function load(id: string) { return fetch("/u/" + id); }
export function save(x: string) { return x; }
"""
VIEW = 'import { load, save } from "./api";\nexport function show(id: string) { save(id); return load(id); }\n'
MOCKED = """\
import { vi, test } from "vitest";
import { show } from "./view";
vi.mock("./api", () => ({ load: vi.fn(), save: vi.fn() }));
test("shows", () => { show("1"); });
"""
KEPT = MOCKED.replace("() => ({ load", "async (importOriginal) => ({ ...(await importOriginal()), load")
SPIED = """\
import { vi, test } from "vitest";
import * as api from "./api";
import { show } from "./view";
test("given", () => { vi.spyOn(api, "save").mockReturnValue("y"); show("1"); });
test("watched", () => { vi.spyOn(api, "load"); show("2"); });
"""
WATCHED = MOCKED.replace("() => ({ load: vi.fn(), save: vi.fn() })", "{ spy: true }")
CALLED = MOCKED.replace("() => ({ load: vi.fn()", "async (own) => ({ ...(await own())")
LATER = MOCKED.replace("vi.mock(", "if (0) vi.doMock(")
CART = """\
def dial(n):
    return n


class Box:
    def put(self, x):
        return x


def buy(n):
    return dial(n) + Box().put(n)
"""
CASES = """\
from unittest.mock import patch

from shop import cart
from shop.cart import buy


@patch("shop.cart.dial")
def test_decorated(dial):
    assert buy(1)


def test_inside():
    with patch("shop.cart.dial"), patch.object(cart.Box, "put"):
        assert buy(2)


def test_set(monkeypatch):
    monkeypatch.setattr(cart, "dial", lambda n: 3)
    assert buy(3)


@patch.object(cart, "dial")
class TestAll:
    def test_one(self, dial):
        assert buy(4)


def test_real():
    assert buy(5)


def test_wrapped():
    with patch("shop.cart.dial", wraps=cart.dial):
        assert buy(6)
"""
FILES = {
    "src/api.ts": API, "src/view.ts": VIEW, "src/mocked.test.ts": MOCKED, "src/kept.test.ts": KEPT,
    "src/spied.test.ts": SPIED, "src/watched.test.ts": WATCHED, "src/called.test.ts": CALLED,
    "src/later.test.ts": LATER,
    "shop/__init__.py": "", "shop/cart.py": CART, "tests/test_cart.py": CASES,
}  # fmt: skip


RUNNING = {f"src/{name}.test.ts" for name in ("kept", "spied", "watched", "called", "later")}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    return snapshot_of(tmp_path_factory.mktemp("mocks"), FILES)


@pytest.mark.parametrize(
    ("name", "tests", "count"),
    [
        ("load", RUNNING, 1),
        ("save", RUNNING, 1),
        ("dial", {"tests/test_cart.py#test_real:28", "tests/test_cart.py#test_wrapped:32"}, 4),
        ("Box.put", {f"tests/test_cart.py#{name}" for name in (
            "test_decorated:8", "test_set:17", "TestAll.test_one:24", "test_real:28",
            "test_wrapped:32")}, 1),
    ],
)  # fmt: skip
def test_what_mocks_an_element_is_no_test_of_it(snapshot, name, tests, count):
    found = impact(snapshot, element(snapshot, name), "modify", 5)
    assert {test for row in found.affected_tests for test in row.tests} == tests
    assert f"not listed as running it: {count} test" in (found.note or "")


def test_what_mocks_an_element_breaks_where_its_name_changes(snapshot):
    found = impact(snapshot, element(snapshot, "dial"), "refactor", 1)
    assert "tests/test_cart.py#test_inside:12" in {hit.element for hit in found.affected}


def test_a_mock_is_a_use_of_what_it_replaces(snapshot):
    def lines(name: str, reason: str) -> set[tuple[str, int]]:
        edges = snapshot.graph.edges_to(element(snapshot, name).id, frozenset(EdgeKind))
        return {(edge.file, edge.line) for edge in edges if edge.reason == reason}

    assert lines("save", REPLACED) == {("src/spied.test.ts", 4)}
    assert lines("dial", REPLACED) == {("tests/test_cart.py", line) for line in (7, 13, 18, 22)}
    assert ("src/spied.test.ts", 5) in lines("load", "named as a value")


def test_a_member_that_is_wrapped_is_used(tmp_path):
    files = {"a.py": "def logged(f):\n    return f\n\n\nclass Cart:\n    def total(self):\n        return 1\n\n\n"
             "Cart.total = logged(Cart.total)\n"}  # fmt: skip
    found = impact(snapshot_of(tmp_path, files), element(snapshot_of(tmp_path, files), "Cart.total"), "modify", 1)
    assert {(hit.element, hit.line) for hit in found.affected} == {("a.py", 10)}
