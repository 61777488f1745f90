"""A project at a glance: ranks, the skeleton and its budget, and each part of the context."""

import pytest

from bearings.code.models import Language
from bearings.code.questions.context import AskContext
from bearings.code.questions.context.architecture import parts_of
from bearings.code.questions.context.compute import context
from bearings.code.questions.map import AskMap
from bearings.code.questions.map.compute import outline
from bearings.code.questions.map.ranking import ranks, ranks_around, weights, worth
from bearings.code.service import CodeService
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.questions.snapshots import element, index_of, snapshot_of
from tests.code.trees import write

FILES = {
    "pyproject.toml": (
        '[project]\nname = "shop"\ndescription = "Sells."\ndependencies = ["click>=8"]\n'
        '[project.scripts]\nshop = "shop.cli:main"\n'
    ),
    "web/package.json": '{"name": "web", "bin": "run.js", "dependencies": {"react": "1"}}',
    "shop/prices.py": 'def with_tax(amount: int) -> int:\n    """The amount with tax."""\n    return amount * 2\n',
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\nclass Basket:\n"
        "    def add(self, price):\n        return with_tax(price)\n\n"
        "    def _hidden(self):\n        return with_tax(1)\n"
    ),
    "shop/cli.py": "from shop.basket import Basket\n\n\ndef main():\n    return Basket().add(1)\n",
    "shop/__main__.py": "from shop.cli import main\n\nmain()\n",
    "web/view.ts": "export function draw() { return helper() }\nfunction helper() { return 1 }\n",
    "tests/test_basket.py": (
        "import pytest\nfrom shop.basket import Basket\n\n\n"
        "@pytest.fixture\ndef basket():\n    return Basket()\n"
    ),
}  # fmt: skip


def test_an_element_matters_if_what_matters_uses_it(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    rank = ranks(snapshot)
    assert sum(rank.values()) == pytest.approx(1)
    best = max(rank, key=rank.__getitem__)
    assert best == "shop/prices.py#with_tax:1"
    weighed = worth(snapshot, rank)
    assert weighed["shop/basket.py#Basket.add:5"] > weighed["shop/basket.py#Basket._hidden:8"]


def test_around_a_focus_what_is_near_comes_first(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    near = ranks_around(snapshot, ["web/view.ts#draw:1"])
    assert near["web/view.ts#draw:1"] > near["web/view.ts#helper:2"] > 0
    assert "shop/prices.py#with_tax:1" not in near


def test_ranks_around_a_focus_are_at_most_one_together(tmp_path):
    near = ranks_around(snapshot_of(tmp_path, FILES), ["shop/basket.py#Basket:4"])
    assert 0.9 < sum(near.values()) <= 1 + 1e-9
    assert near["shop/basket.py#Basket:4"] > near["shop/cli.py#main:4"] > 0


def test_what_many_files_use_is_worth_more_than_what_one_file_uses_as_often(tmp_path):
    many = {f"user{n}.py": "from wide import wide\n\ndef go(): return wide()\n" for n in range(6)}
    one = "from deep import deep\n\n" + "".join(f"def go{n}(): return deep()\n" for n in range(6))
    files = {"wide.py": "def wide(): return 1\n", "deep.py": "def deep(): return 1\n", "only.py": one, **many}
    worths = weights(snapshot_of(tmp_path, files))
    assert worths["wide.py#wide:1"] > 1.5 * worths["deep.py#deep:1"]


def test_a_method_set_is_no_vote_for_an_interface(tmp_path):
    shapes = "".join(
        f'type S{n} struct{{ n int }}\n\nfunc (s S{n}) String() string {{ return "" }}\n\n' for n in range(30)
    )
    files = {
        "go.mod": "module example.org/m\n",
        "word/word.go": "package word\n\ntype Word interface{ String() string }\n",
        "shape/shape.go": f"package shape\n\n{shapes}",
        "site/site.go": "package site\n\ntype Site struct{ Name string }\n",
        "run/run.go": 'package run\n\nimport "example.org/m/site"\n\nfunc Run(s site.Site) string { return s.Name }\n',
    }
    snapshot = snapshot_of(tmp_path, files)
    assert len(snapshot.graph.edges_to("word/word.go#Word:3")) == 30, "the graph has the method sets"
    worths = weights(snapshot)
    assert worths["site/site.go#Site:3"] > worths["word/word.go#Word:3"]


def test_a_map_and_a_context_are_those_of_the_files_as_they_are(tmp_path):
    index = index_of(tmp_path, FILES)
    before = index.refresh()
    assert "with_tax" in outline(before, 8_000, None).skeleton
    assert any(key.element.startswith("shop/prices.py#") for key in context(before, frozenset()).key_elements)
    (tmp_path / "shop/prices.py").write_text("def untaxed(amount): return amount\n")
    after = index.refresh()
    assert "def untaxed(amount)" in outline(after, 8_000, None).skeleton
    assert not any("with_tax" in key.element for key in context(after, frozenset()).key_elements)


def test_a_skeleton_shows_heads_by_line_below_their_files(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    found = outline(snapshot, 8_000, None)
    assert "shop/basket.py\n 4: class Basket\n   5: def add(self, price)" in found.skeleton
    assert "test_basket" not in found.skeleton
    assert found.elements_shown == found.elements


@pytest.mark.parametrize("budget", [1_500, 2_000, 4_000])
def test_a_skeleton_never_exceeds_its_budget_and_grows_with_it(tmp_path, budget):
    files = {f"m{n}.py": "\n".join(f"def f{n}_{k}(a, b): return {k}" for k in range(30)) for n in range(9)}
    snapshot = snapshot_of(tmp_path, files)
    found = outline(snapshot, budget, None)
    assert budget * 0.2 < len(found.skeleton) < budget - 500
    assert outline(snapshot, budget + 500, None).elements_shown > found.elements_shown


def test_a_focus_leads_the_skeleton(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    found = outline(snapshot, 8_000, element(snapshot, "draw"))
    assert found.skeleton.startswith("web/view.ts")
    assert found.focus == "web/view.ts#draw:1"
    assert "shop/prices.py" not in found.skeleton


def test_a_context_tells_packages_parts_entrances_keys_tests_and_habits(tmp_path):
    found = context(snapshot_of(tmp_path, FILES), frozenset())
    assert [(package.name, package.dependencies) for package in found.packages] == [
        ("shop", ("click",)),
        ("web", ("react",)),
    ]
    assert [share.language for share in found.languages] == ["python", "typescript"]
    basket = next(folder for folder in found.architecture if folder.path == "shop/basket.py")
    assert basket.uses[0].startswith("shop/prices.py")
    why = {entry.element: entry.why for entry in found.entry_points}
    assert why["shop = shop.cli:main"] == "is a command of the package"
    assert why["web = run.js"] == "is a command of the package"
    assert {"shop/__main__.py", "shop/cli.py#main:4"} <= why.keys()
    assert found.key_elements[0].element == "shop/prices.py#with_tax:1"
    assert (found.key_elements[0].users, found.key_elements[0].doc) == (3, "The amount with tax.")
    assert found.test_patterns[0] == "1 test files, most in tests"
    assert "1 fixtures" in found.test_patterns
    assert any("of functions have a doc comment" in habit for habit in found.conventions) == (
        len(found.conventions) > 0
    )


def test_a_folder_that_holds_most_of_the_project_is_split_until_there_are_parts():
    paths = [f"src/{part}/{name}.py" for part in ("a", "b", "c") for name in "wxyz"] + ["tool.py"]
    assert set(parts_of(paths).values()) == {*paths}  # small enough to show each file
    many = [f"src/{part}/in/{number}.py" for part in "abcd" for number in range(30)] + ["src/one.py", "tool.py"]
    parts = set(parts_of(many).values())
    assert {"src/one.py", "tool.py"} <= parts
    assert {part for part in parts if part.endswith("/")} == {f"src/{part}/in/" for part in "abcd"}


def test_what_packages_give_is_found_among_the_sources(tmp_path):
    found = context(
        snapshot_of(
            tmp_path,
            {
                "package.json": '{"name": "kit", "exports": {".": {"import": "./dist/index.js"}, '
                '"./deep": "./lib/deep.js"}}',
                "examples/package.json": '{"name": "example"}',
                "src/index.ts": "export * from './deep'\n",
                "src/deep.ts": "export const deep = 1\n",
                "src/main.ts": "start()\n",
                "src/routes.ts": "import express from 'express'\nconst app = express()\n"
                + "".join(f"app.get('/{name}', (q, r) => {{}})\n" for name in "abcde"),
                "examples/app.ts": "export function main() {}\n",
            },
        ),
        frozenset(),
    )
    assert {entry.element: entry.why for entry in found.entry_points} == {
        "src/index.ts": "is what kit gives",
        "src/deep.ts": "is what kit/deep gives",
        "src/main.ts": "is run first",
        "src/routes.ts": "registers 5 endpoints: GET /a, GET /b, GET /c, 2 more",
    }
    assert [package.name for package in found.packages] == ["kit"]
    assert not any(folder.path.startswith("examples") for folder in found.architecture)


def test_a_part_that_sends_requests_uses_the_one_that_answers_them(tmp_path):
    files = {
        "api/routes.js": "import express from 'express'\nconst app = express()\napp.get('/carts', (q, r) => {})\n",
        "web/carts.ts": "import axios from 'axios'\nconst http = axios.create({})\nhttp.get('/shop/carts')\n",
    }
    parts = {part.path: part.uses for part in context(snapshot_of(tmp_path, files), frozenset()).architecture}
    assert parts == {"api/": (), "web/": ("api/ (1)",)}


def test_where_programs_of_classes_begin_is_told(tmp_path):
    files = {
        "app/App.java": "class App {\n public static void main(String[] args) { main(1); }\n void main(int n) {}\n}",
        "app/Run.cs": "class Run {\n static async Task<int> Main() { return 0; }\n void Main(int n) {}\n}",
        "web/Program.cs": "class Program { static void Main() { } }",
        "web/public/index.php": "<?php run();",
        "index.php": "<?php run();",
        "lang/en/index.php": "<?php return [];",
    }
    found = context(snapshot_of(tmp_path, files), frozenset())
    assert {entry.element: entry.why for entry in found.entry_points} == {
        "app/App.java#App.main:2": "is called main",
        "app/Run.cs#Run.Main:2": "is called main",
        "web/Program.cs": "is run first",
        "web/public/index.php": "is what a web server loads",
        "index.php": "is what a web server loads",
    }


def test_a_type_matters_by_who_names_it_elsewhere_and_not_by_its_members(tmp_path):
    files = {
        "a.ts": "export interface Wide { "
        + " ".join(f"m{n}: Other;" for n in range(40))
        + " }\nexport type Other = 1\n",
        "b.ts": "export interface Used { one: string }\n",
        **{f"u{n}.ts": "import type { Used } from './b'\nexport const f = (given: Used) => given\n" for n in range(3)},
    }
    keys = context(snapshot_of(tmp_path, files), frozenset()).key_elements
    assert (keys[0].element, keys[0].users) == ("b.ts#Used:1", 3)


def test_a_context_of_one_language_leaves_the_others_out(tmp_path):
    found = context(snapshot_of(tmp_path, FILES), frozenset({Language.TYPESCRIPT}))
    assert [share.language for share in found.languages] == ["typescript"]
    assert {key.element.partition("#")[0] for key in found.key_elements} == {"web/view.ts"}
    assert found.test_patterns == ("no test files found",)


@pytest.mark.anyio
@pytest.mark.parametrize("output_format", ["json", "markdown", "both"])
@pytest.mark.parametrize("budget", [1_500, 4_000, 12_000])
async def test_a_context_is_never_over_budget(tmp_path, budget, output_format):
    names = [f"m{n}" for n in range(40)]
    files = {f"{name}/a.py": f'def {name}_main(x):\n    """{"Says. " * 20}"""\n    return x\n' for name in names}
    root = write(tmp_path.resolve() / "big", {**files, "pyproject.toml": '[project]\nname = "big"\n'})
    service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=10_000_000))
    reply = await service.reply_to(str(root), AskContext(budget=budget, output_format=output_format))
    assert len(reply.to_json()) <= budget
    assert (reply.context is None, reply.markdown is None) == (output_format == "markdown", output_format == "json")
    assert reply.left_out > 0 or budget == 12_000
    assert "# Architecture" in reply.to_text()
    drawn = await service.reply_to(str(root), AskMap(budget=budget))
    assert len(drawn.to_json()) <= budget
    await service.aclose()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
