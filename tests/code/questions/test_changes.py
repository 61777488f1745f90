"""Changes since a commit: each kind of change to an element, its impact, and the order of the tests."""

from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.project.git.history import History
from bearings.code.questions.changes.compute import changes
from bearings.code.questions.changes.word_overlap import likeness, words_in
from bearings.code.replies.changes import ChangesReply
from bearings.errors import InvalidInput, Unsupported
from tests.code.trees import git, repository, write

MAX = 10_000_000

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": (
        "RATE = 2\n\n\n"
        "def with_tax(amount):\n    taxed = amount * RATE\n    return taxed\n\n\n"
        "def discount(amount):\n    lowered = amount - 1\n    return max(lowered, 0)\n"
    ),
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\n"
        "class Basket:\n    def add(self, price):\n        return with_tax(price)\n"
    ),
    "tests/test_basket.py": "from shop.basket import Basket\n\n\ndef test_add():\n    assert Basket().add(1)\n",
    "tests/test_prices.py": (
        "from shop.prices import discount, with_tax\n\n\n"
        "def test_tax():\n    assert with_tax(1)\n\n\ndef test_discount():\n    assert discount(3)\n"
    ),
    "tests/test_other.py": "def test_other():\n    assert True\n",
    "notes.md": "old\n",
}


def since(root: Path, base: str = "HEAD") -> ChangesReply:
    return changes(Index(root, NoFacts(), MAX).refresh(), base, 3, MAX)


@pytest.fixture
def shop(tmp_path) -> Path:
    return repository(tmp_path.resolve() / "shop", FILES)


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))


def said(found: ChangesReply) -> list[tuple[str, str]]:
    return [(one.status, one.element.rpartition(":")[0] or one.element) for one in found.changed]


def test_a_clean_tree_has_no_changes_and_says_so(shop):
    found = since(shop)
    assert (found.changed, found.tests, found.files_changed) == ([], [], 0)
    assert found.note == "the working tree is as it was at HEAD"


def test_a_changed_line_belongs_to_the_innermost_element(shop):
    edit(shop, "shop/basket.py", "return with_tax(price)", "return with_tax(price) + 1")
    assert said(since(shop)) == [("modified", "shop/basket.py#Basket.add")]


def test_tests_come_in_order_the_most_direct_first(shop):
    edit(shop, "shop/prices.py", "taxed = amount * RATE", "taxed = amount * RATE + 1")
    found = since(shop)
    assert said(found) == [("modified", "shop/prices.py#with_tax")]
    assert [(row.file, row.depth) for row in found.tests] == [("tests/test_prices.py", 1), ("tests/test_basket.py", 2)]
    assert found.tests[0].tests == ("tests/test_prices.py#test_tax:4",)
    assert found.run == ["python -m pytest tests/test_prices.py tests/test_basket.py"]
    assert {hit.element for hit in found.reached} >= {"shop/basket.py#Basket.add:5"}


def test_a_test_that_changed_comes_first(shop):
    edit(shop, "tests/test_other.py", "assert True", "assert 1")
    edit(shop, "shop/prices.py", "lowered = amount - 1", "lowered = amount - 2")
    first = since(shop).tests[0]
    assert (first.why, first.file) == ("changed", "tests/test_other.py")


def test_a_new_name_for_the_same_body_is_a_rename(shop):
    edit(shop, "shop/prices.py", "def discount", "def reduced")
    [one] = since(shop).changed
    assert (one.status, one.element, one.was) == (
        "renamed", "shop/prices.py#reduced:9", "shop/prices.py#discount:9",
    )  # fmt: skip
    assert not one.signature_changed


def test_an_element_in_another_file_has_moved(shop):
    body = "def discount(amount):\n    lowered = amount - 1\n    return max(lowered, 0)\n"
    edit(shop, "shop/prices.py", "\n\n" + body, "")
    write(shop, {"shop/rebates.py": "\n" + body})
    assert ("moved", "shop/rebates.py#discount") in said(since(shop))


def test_what_is_gone_is_reached_by_those_who_still_name_it(shop):
    edit(
        shop, "shop/prices.py", "\n\ndef discount(amount):\n    lowered = amount - 1\n    return max(lowered, 0)\n", ""
    )
    found = since(shop)
    assert said(found) == [("removed", "shop/prices.py#discount")]
    assert found.changed[0].tests
    assert found.tests[0].file == "tests/test_prices.py"


def test_a_new_signature_is_said_to_be_one(shop):
    edit(shop, "shop/prices.py", "def with_tax(amount)", "def with_tax(amount, extra=0)")
    assert since(shop).changed[0].signature_changed


def test_untracked_renamed_and_other_files_are_seen(shop):
    write(shop, {"shop/new.py": "def fresh():\n    pass\n"})
    git(shop, "mv", "shop/basket.py", "shop/baskets and more.py")
    edit(shop, "notes.md", "old", "new")
    found = since(shop)
    assert ("added", "shop/new.py#fresh") in said(found)
    assert found.other_files == ["notes.md"]
    assert not any("removed" in status for status, _ in said(found))
    assert "shop/new.py#fresh:1" in found.untested


def test_commits_since_a_base_are_compared_too(shop):
    edit(shop, "shop/prices.py", "RATE = 2", "RATE = 3")
    git(shop, "commit", "-aqm", "rate")
    assert since(shop).changed == []
    assert said(since(shop, "HEAD~1")) == [("modified", "shop/prices.py#RATE")]


def test_a_decorator_belongs_to_what_it_decorates(shop):
    edit(shop, "shop/prices.py", "def discount", "@cached\ndef discount")
    assert said(since(shop)) == [("modified", "shop/prices.py#discount")]


def test_a_project_in_a_folder_of_a_repository_sees_its_own_files_alone(shop):
    edit(shop, "shop/prices.py", "RATE = 2", "RATE = 3")
    edit(shop, "tests/test_other.py", "assert True", "assert 1")
    assert said(since(shop / "shop")) == [("modified", "prices.py#RATE")]


@pytest.mark.parametrize("base", ["no-such-branch", "--output=x", "HEAD:notes.md", "", "-1", "a\nb"])
def test_a_base_that_names_no_commit_is_refused(shop, base):
    with pytest.raises(InvalidInput, match="names no commit"):
        since(shop, base)
    assert not (shop / "x").exists()


def test_a_project_without_a_repository_is_told_so(tmp_path):
    root = write(tmp_path.resolve() / "plain", {"a.py": "x = 1\n"})
    with pytest.raises(Unsupported, match="no git repository"):
        History(root).commit("HEAD")


def test_the_runner_is_the_one_that_the_manifest_asks_for(tmp_path):
    root = repository(
        tmp_path.resolve() / "app",
        {
            "package.json": '{"devDependencies": {"vitest": "^3"}}',
            "src/a.ts": "export function a() { return 1 }\n",
            "src/a.test.ts": "import { a } from './a'\ntest('a', () => { a() })\n",
        },
    )
    edit(root, "src/a.ts", "return 1", "return 2")
    assert since(root).run == ["npx vitest run src/a.test.ts"]


APP = {
    "app/core.py": (
        "class Base:\n    def serve(self, request):\n        return self.dispatch(request)\n\n"
        "    def dispatch(self, request):\n        limit = 3\n        return limit\n"
    ),
    "app/site.py": "from app.core import Base\n\n\nclass Site(Base):\n    pass\n",
    "app/clock.py": "def now():\n    return 1\n",
    "app/__init__.py": "from app.clock import now\nfrom app.site import Site\n",
    "tests/conftest.py": (
        "import pytest\nfrom app import Site\n\n\n@pytest.fixture\ndef site():\n    return Site()\n"
    ),
    "tests/test_limits.py": "def test_limit(site, client):\n    limit = client.dispatch(site)\n    assert limit == 3\n",
    "tests/test_pages.py": "def test_page(site, client):\n    page = client.dispatch(site)\n    assert page\n",
    "tests/test_mute.py": "def test_mute(site):\n    assert site\n",
    "tests/test_clock.py": "from app import now\n\n\ndef test_now():\n    assert now()\n",
    "tests/test_own.py": (
        "from app import Site\n\n\nclass Own(Site):\n    def dispatch(self, request):\n        return 1\n\n\n"
        "def test_own():\n    assert Own\n"
    ),
    "tests/test_core.py": "import app.core\n\n\ndef test_there():\n    assert app.core\n",
    "tests/test_far.py": "import app.site\n\n\ndef test_far():\n    assert app.site\n",
    "tests/data.py": "from app import Site\n\nSITE = Site()\n",
}  # fmt: skip


@pytest.fixture
def app(tmp_path) -> Path:
    return repository(tmp_path.resolve() / "app", APP)


def test_what_makes_a_thing_that_may_run_the_change_follows_and_words_tell_which_first(app):
    edit(app, "app/core.py", "limit = 3", "limit = 4")
    found = since(app)
    files = [row.file for row in found.tests]
    assert files[:2] == ["tests/test_own.py", "tests/test_limits.py"]
    assert {*files, *found.further_tests} - set(files[:2]) == {
        "tests/test_core.py",
        "tests/test_pages.py",
    }
    assert {row.file: row.why for row in found.tests}["tests/test_limits.py"] == (
        "calls site, which may run what changed"
    )
    assert "1 more file of tests imports a changed file" in (found.note or "")


def test_a_fixture_that_nobody_asks_for_is_used_by_all_tests_below(app):
    edit(app, "tests/conftest.py", "@pytest.fixture\n", "@pytest.fixture(autouse=True)\n")
    git(app, "commit", "-aqm", "autouse")
    edit(app, "app/core.py", "limit = 3", "limit = 4")
    found = since(app)
    below = {*(row.file for row in found.tests), *found.further_tests}
    assert below >= {"tests/test_clock.py", "tests/test_mute.py"}


def test_who_can_not_be_loaded_any_more_is_proposed_however_far_off(app):
    edit(app, "app/clock.py", "def now():\n    return 1", "DAYS = [1, 2, 3, 4, 5, 6, 7]")
    found = {row.file: row.why for row in since(app).tests}
    assert found.keys() >= {"tests/test_clock.py", "tests/test_own.py"}
    assert found["tests/test_own.py"].startswith("can't be loaded")
    assert len(found) == 7, "all: the package itself asks for it"


def test_where_nothing_leads_to_the_change_the_nearest_importers_are_proposed(app):
    edit(app, "app/clock.py", "return 1\n", "return 1\n\n\nZONE = 1\n")
    found = since(app)
    assert [row.file for row in found.tests]
    assert all(row.why.startswith("imports a changed file") for row in found.tests)


def test_a_list_is_cut_at_a_quarter_of_all_tests_and_the_rest_is_counted(tmp_path):
    files = {f"tests/test_{n}.py": f"import app\n\n\ndef test_{n}():\n    assert app.run({n})\n" for n in range(20)}
    files["app.py"] = "def run(value):\n    width = 3\n    return value < width\n"
    files["tests/test_7.py"] += "\n\ndef test_line_width():\n    assert app.run(2)\n"
    root = repository(tmp_path.resolve() / "many", {**files, "pytest.ini": "[pytest]\n"})
    edit(root, "app.py", "width = 3", "width = 4")
    found = since(root)
    assert found.tests[0].file == "tests/test_7.py"
    assert (len(found.tests), len(found.further_tests)) == (5, 15)
    assert found.note == "15 more files of tests may run what changed, less likely: run all to be sure"
    edit(root, "pytest.ini", "[pytest]\n", "[pytest]\naddopts = -x\n")
    assert len(since(root).tests) == 20


def test_a_file_that_makes_a_changed_class_stays_if_no_file_shares_a_word_with_the_change(tmp_path):
    files = {
        "app.py": "class A:\n    def t(self):\n        a = 1\n\n\nclass B:\n    def __init__(self):\n        b = 1\n",
        "tests/test_a.py": "from app import A\n\n\ndef test_a():\n    getattr(A(), 'T'.lower())()\n",
        "tests/test_b.py": "from app import B\n\n\ndef test_b():\n    assert B()\n",
    }
    root = repository(tmp_path.resolve() / "two", files)
    edit(root, "app.py", "a = 1", "a = 2")
    edit(root, "app.py", "b = 1", "b = 2")
    assert [row.file for row in since(root).tests] == ["tests/test_b.py", "tests/test_a.py"]


def test_a_text_is_as_like_as_its_best_passage_and_parts_of_names_are_words():
    texts = {"long": "\n" * 300 + "a template: value|attr('name')" + "\nother = 1" * 300, "short": "value = 1"}
    fit = likeness(words_in(["def do_attr(value):"]), texts)
    assert fit["long"] > fit["short"] > 0


def test_words_that_every_text_holds_tell_little():
    texts = {
        "a": "request session accessed accessed",
        "b": "request page",
        "c": "request",
    }
    fit = likeness({"request", "accessed"}, texts)
    assert fit["a"] > fit["b"] > 0
    assert likeness({"nothing"}, texts) == {"a": 0, "b": 0, "c": 0}
    assert likeness({"x"}, {}) == {}


def test_the_only_element_of_a_file_is_what_changed_not_the_file(tmp_path):
    root = repository(tmp_path.resolve() / "one", {"a.py": "def one():\n    return 1\n"})
    write(root, {"a.py": "def one():\n    return 2\n"})
    assert [row.element for row in since(root).changed] == ["a.py#one:1"]
