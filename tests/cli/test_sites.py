"""Answers in grep's format, and the one-word questions."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bearings.cli.code_spellings import SPELLINGS
from bearings.code.index.demand import FEWEST
from tests.cli.conftest import ROOT, Invoke, command, environment
from tests.code.trees import SHOP, git, repository, write

SALE = "from shop.basket import Basket\n\n\nclass Sale(Basket):\n\tdef add(self, price):\n\t\tpass  # \x1b[31m\u202e\n"
SHORT = [name for name, spelling in SPELLINGS.items() if spelling.always_sites]


@pytest.fixture
def shop(empty_place: Path) -> Path:
    """A project, in the folder below the one where commands run."""
    many = "from shop.prices import with_tax\n\n\n" + "".join(f"def f{n}():\n    with_tax({n})\n" for n in range(400))
    return write(empty_place / "shop", {**SHOP, "shop/sale.py": SALE, "many.py": many})


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["callers", "Basket.add"], ["shop/basket.py:20:        basket.add(price)"]),
        (["callers", "fill", "Basket.total"], [
            "tests/test_basket.py:5:    assert fill([1]).total() == 1.2",
        ]),
        (["users", "fill"], [
            "tests/test_basket.py:1:from shop.basket import fill",
            "tests/test_basket.py:5:    assert fill([1]).total() == 1.2",
        ]),
        (["callers", "Sale"], ["shop/basket.py:20:        basket.add(price)"]),
        (["impls", "Basket"], ["shop/sale.py:4:class Sale(Basket):"]),
        (["tests", "Basket.add"], ["tests/test_basket.py:4:def test_total():"]),
        (["reach", "Basket.add", "--depth", "1"], ["shop/basket.py:20:        basket.add(price)"]),
        (["query", "fill", "--type", "calls", "--depth", "1", "--lines"], [
            "shop/basket.py:18:    basket = Basket()", "shop/basket.py:20:        basket.add(price)",
        ]),
        (["impact", "Basket.add", "--depth", "1", "--lines"], ["shop/basket.py:20:        basket.add(price)"]),
        (["symbol", "Basket.add", "--lines"], ["shop/basket.py:20:        basket.add(price)"]),
        (["scan", "--types", "class", "--lines"], [
            "shop/basket.py:4:class Basket:", "shop/sale.py:4:class Sale(Basket):",
        ]),
    ],
)  # fmt: skip
def test_places_are_printed_as_grep_does(
    invoke: Invoke, shop: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], printed: list[str]
) -> None:
    monkeypatch.chdir(shop)
    result = invoke("code", *words)
    assert (result.exit_code, result.stdout.splitlines()) == (0, printed)
    for line in printed:
        path, number, source = line.split(":", 2)
        assert (shop / path).read_text().split("\n")[int(number) - 1] == source


def test_changed_lines_are_printed_at_their_current_position(
    invoke: Invoke, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(empty_place / "shop", SHOP)
    changed = SHOP["shop/prices.py"].replace("amount *", "amount  *") + "\n\ndef new():\n    pass\n"
    write(root, {"shop/prices.py": changed, "shop/basket.py": ""})
    monkeypatch.chdir(root)
    result = invoke("code", "changes", "--lines")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["shop/prices.py:4:def with_tax(amount):", "shop/prices.py:9:def new():"]


@pytest.mark.slow
def test_paths_can_be_opened_from_where_the_command_runs(invoke: Invoke, shop: Path) -> None:
    there = invoke("code", "callers", "Basket.add", "--project", "shop")
    assert there.stdout == "shop/shop/basket.py:20:        basket.add(price)\n"
    absolute = invoke("code", "callers", "Basket.add", "--project", f"{shop}/")
    assert absolute.stdout == f"{shop}/shop/basket.py:20:        basket.add(price)\n"


@pytest.mark.slow
def test_all_pages_are_printed_and_a_reader_may_leave(shop: Path) -> None:
    words = command("code", "callers", "with_tax", "--project", "shop")
    whole = subprocess.run(
        words, env=environment(), cwd=shop.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert len(whole.stdout.splitlines()) == 401
    assert whole.stdout.count("shop/many.py:") == 400
    with subprocess.Popen(
        words, env=environment(), cwd=shop.parent, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"shop/many.py:5:    with_tax(0)\n"
        running.stdout.close()
        assert running.stderr.read() == b""


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["tests", "f0"], 1, "note: "),
        (["impls", "fill"], 1, "note: "),
        (["callers", "nobody"], 1, "error: no element of the project is called 'nobody'"),
        (["callers", " "], 2, "error: "),
        (["callers"], 2, "missing argument"),
        (["callers", "fill", "--project", "nowhere"], 2, "error: --project"),
        (["reach", "fill", "--depth", "far"], 2, "error: "),
    ],
)
def test_nothing_found_is_status_1_and_stdout_is_empty(
    invoke: Invoke, shop: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, said: str
) -> None:
    monkeypatch.chdir(shop)
    result = invoke("code", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert said in result.stderr


def test_an_error_of_one_element_costs_the_others_nothing_but_the_status(invoke: Invoke, shop: Path) -> None:
    result = invoke("code", "callers", "nobody", "Basket.add", "--project", "shop")
    assert result.exit_code == 1
    assert result.stdout == "shop/shop/basket.py:20:        basket.add(price)\n"
    assert "nobody" in result.stderr


def test_hidden_characters_of_a_line_are_shown_and_tabs_stay(invoke: Invoke, shop: Path) -> None:
    write(shop, {"use.py": "from shop.sale import Sale\n\n\ndef use():\n\tSale().add(1)  # \x1b[31m\u202e\n"})
    result = invoke("code", "callers", "Sale.add", "--project", "shop")
    assert result.stdout.splitlines()[0] == "shop/use.py:5:\tSale().add(1)  # \\x1b[31m\\u202e"


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_short_command_gives_the_structured_reply_too(invoke: Invoke, shop: Path, name: str) -> None:
    body = json.loads(invoke("code", name, "Basket", "--project", "shop", "--json").stdout)
    assert body["success"]
    rows = body["results"] if "results" in body else body["affected"]
    assert all(isinstance(row, dict) for row in rows)
    many = json.loads(invoke("code", name, "Basket", "fill", "--project", "shop", "--json").stdout)
    assert [answer["success"] for answer in many["answers"]] == [True, True]


def test_several_elements_are_told_one_after_another(invoke: Invoke, shop: Path) -> None:
    result = invoke("code", "query", "fill", "nobody", "Basket", "--type", "calls-me", "--project", "shop")
    assert result.exit_code == 1
    first, second, third = result.stdout.split("\n\n")
    assert first.startswith("calls-me shop/basket.py#fill:17: ")
    assert second.startswith("nobody: element_not_found: ")
    assert third.startswith("calls-me shop/basket.py#Basket:4: ")


@pytest.mark.slow
def test_the_seeds_calls_give_objects(invoke: Invoke, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    query = json.loads(invoke("code", "query", "fill", "--type", "calls-me", "--depth", "1", "--format", "json").stdout)
    assert query["results"][0].keys() >= {"from", "to", "type", "file", "line", "depth", "confidence", "reason"}
    assert query["omitted"] == 0
    scan = json.loads(invoke("code", "scan", ".", "--json").stdout)
    assert scan["elements"][0].keys() >= {"type", "name", "file", "line", "exported"}
    assert len(scan["elements"]) > 40


@pytest.mark.slow
def test_lines_match_rg_s_output() -> None:
    """The format of ripgrep's own output, for a call that a search for the word finds too."""
    done = subprocess.run(
        [sys.executable, "-m", "bearings", "code", "callers", "parseTime", "--project", "examples/ferry"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines
    for line in lines:
        found = re.fullmatch(r"(examples/ferry/[^:]+):(\d+):(.*)", line)
        assert found
        assert (ROOT / found[1]).read_text().split("\n")[int(found[2]) - 1] == found[3]
        assert "parseTime" in found[3]


@pytest.mark.slow
def test_tests_without_names_are_the_lines_that_reach() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bearings", "code", "tests", "parseTime", "--project", "examples/ferry"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("examples/ferry/test/booking.test.ts:")


_TESTED = {
    "Java": {
        "src/main/java/a/Cart.java": "package a;\npublic class Cart {\n    public int total() { return 1; }\n}\n",
        "src/test/java/a/CartTest.java": """package a;
class CartTest {
    @Test void testTotal() { new Cart().total(); }
    @CsvSource({"a(", "b"}) void shouldSum(String name) { helped(); }
    private int helped() { return new Cart().total(); }
}
""",
    },
    "C#": {
        "src/Cart.cs": "namespace A;\npublic class Cart { public int total() => 1; }\n",
        "tests/CartTests.cs": """namespace A;
public class CartTests {
    [Fact] public void Adds() { new Cart().total(); }
    [Xunit.Theory, Trait("a", "b]")]
    [InlineData("]")]
    public async Task Sums(string name) { TestHelped(); }
    [TestCaseFor(1)] public void TestHelped() { new Cart().total(); }
}
""",
    },
    "PHP": {
        "src/Cart.php": "<?php\nclass Cart { public function total() { return 1; } }\n",
        "tests/CartTest.php": """<?php
class CartTest extends TestCase {
    /** @test */ public function adds() { (new Cart)->total(); }
    #[Test] #[Group('a')] public function sums(): void { $this->helped(); }
    public function helped() { (new Cart)->total(); }
}
""",
    },
}


@pytest.mark.parametrize("files", _TESTED.values(), ids=_TESTED)
def test_tests_are_told_by_their_heads_and_attributes(invoke: Invoke, empty_place: Path, files: dict[str, str]) -> None:
    root = write(empty_place / "shop", files)
    result = invoke("code", "tests", "Cart.total", "--project", str(root))
    assert [line.split(":")[1] for line in result.stdout.splitlines()] == ["3", "4"]


def test_tests_of_pest_are_code_of_their_file(invoke: Invoke, empty_place: Path) -> None:
    files = {
        "src/Cart.php": "<?php\nclass Cart { public function total() { return 1; } }\n",
        "tests/CartTest.php": "<?php\n\nit('adds', fn () => expect((new Cart)->total())->toBe(1));\n",
    }
    root = write(empty_place / "shop", files)
    assert invoke("code", "tests", "Cart.total", "--project", str(root)).stdout.split(":")[1] == "3"


@pytest.mark.slow
def test_lines_come_from_the_commit_that_was_asked_about(
    invoke: Invoke, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(empty_place / "kept", SHOP)
    git(root, "tag", "kept")
    write(root, {"shop/basket.py": "# above\n# above\n" + SHOP["shop/basket.py"].replace("price", "cost")})
    git(root, "commit", "-q", "-a", "-m", "next")
    write(root, {"shop/basket.py": "nothing = 1\n"})
    monkeypatch.chdir(root)
    for words in (
        ["callers", "Basket.add", "--at", "kept"],
        ["query", "Basket.add", "-t", "calls-me", "--lines", "--at", "kept"],
    ):
        result = invoke("code", *words)
        assert "shop/basket.py:20:        basket.add(price)" in result.stdout.splitlines(), result.output
    changed = invoke("code", "changes", "kept..HEAD", "--lines")
    assert "shop/basket.py:12:    def add(self, cost):" in changed.stdout.splitlines(), changed.output


@pytest.mark.slow
def test_a_common_name_is_answered_for_all_its_elements_and_users_though_nothing_is_indexed(
    invoke: Invoke, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    car = "export class Car {\n  wash = () => 1\n}\nnew Car().wash()\n"  # no pattern of a definition fits
    tools = {"tools.py": "def wash():\n    pass\n", "car.ts": car}
    users = {f"u{n}.py": f"from tools import wash\n\ndef use{n}():\n    wash()\n" for n in range(FEWEST)}
    monkeypatch.chdir(write(empty_place / "large", {**tools, **users}))
    lines = invoke("code", "callers", "wash").stdout.splitlines()
    assert len(lines) == FEWEST + 1
    assert "car.ts:4:new Car().wash()" in lines
