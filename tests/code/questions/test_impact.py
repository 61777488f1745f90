"""The impact of a change: the three operations on one element, and each kind of edge that a change follows."""

from pathlib import Path

import pytest

from bearings.code.questions.impact import ImpactReply, Operation, RiskTerm
from bearings.code.questions.impact.compute import LEVELS, impact
from tests.code.questions.snapshots import element, snapshot_of

SHOP = {
    "shop/__init__.py": "",
    "shop/prices.py": "def with_tax(amount):\n    return amount * 2\n",
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\n"
        "class Basket:\n"
        "    def add(self, price):\n"
        "        return with_tax(price)\n\n"
        "    def fill(self):\n"
        "        return self.add(1)\n"
    ),
    "shop/till.py": "from shop.basket import Basket\n\n\ndef pay():\n    return Basket().fill()\n",
    "shop/report.py": "from shop.prices import with_tax\n\nRATE = 3\n",
    "shop/main.py": "import shop.report\n",
    "tests/conftest.py": (
        "import pytest\nfrom shop.basket import Basket\n\n\n"
        "@pytest.fixture()\ndef filled():\n    basket = Basket()\n    basket.add(2)\n    return basket\n"
    ),
    "tests/test_basket.py": "def test_filled(filled):\n    assert filled\n",
    "tests/test_till.py": (
        "from shop.till import pay\n\n\ndef helper():\n    return pay()\n\n\ndef test_pay():\n    assert helper()\n"
    ),
}

SHAPES = {
    "shapes.ts": (
        "export interface Shape { area(): number }\n"
        "export class Square implements Shape { constructor(private side: number) {} area() { return this.side } }\n"
        "export class Big extends Square { area() { return super.area() * 2 } }\n"
        "export function total(shape: Shape) { return shape.area() + 1 }\n"
        "export function make() { return new Square(1) }\n"
    ),
}  # fmt: skip


def reached(found: ImpactReply) -> dict[str, tuple[int, str]]:
    return {hit.element.rpartition(":")[0] or hit.element: (hit.depth, hit.severity) for hit in found.affected}


def of(tmp_path: Path, files: dict[str, str], name: str, operation: Operation, depth: int = 5) -> ImpactReply:
    snapshot = snapshot_of(tmp_path, files)
    return impact(snapshot, element(snapshot, name), operation, depth)


def test_a_handler_is_run_by_what_assigns_it(tmp_path):
    files = {
        "crunch.ts": "export function crunch(n: number) { return n }\n",
        "worker.ts": "import { crunch } from './crunch'\nself.onmessage = () => { crunch(1) }\n",
        "feed.ts": (
            "import { crunch } from './crunch'\nexport function listen(url: string) {\n"
            "  const socket = new WebSocket(url)\n  socket.onopen = () => { crunch(2) }\n}\n"
        ),
    }
    assert reached(of(tmp_path, files, "crunch", "modify")) == {
        "worker.ts#self.onmessage": (1, "major"),
        "feed.ts#listen.socket.onopen": (1, "major"),
        "worker.ts": (2, "minor"),
        "feed.ts#listen": (2, "minor"),
    }


def test_a_worker_is_run_by_what_starts_it(tmp_path):
    files = {
        "task.ts": "export function crunch(n: number) { return n }\nself.onmessage = () => { crunch(1) }\n",
        "main.ts": "export const start = () => new Worker(new URL('./task.ts', import.meta.url))\n",
        "names.ts": "export const place = new URL('./task.ts', import.meta.url)\n",
    }
    assert reached(of(tmp_path, files, "crunch", "modify")) == {
        "task.ts#self.onmessage": (1, "major"),
        "task.ts": (2, "minor"),
        "main.ts": (3, "minor"),
    }


def test_to_modify_is_felt_by_all_who_run_it_step_by_step(tmp_path):
    assert reached(of(tmp_path, SHOP, "with_tax", "modify")) == {
        "shop/basket.py#Basket.add": (1, "major"),
        "shop/basket.py#Basket.fill": (2, "minor"),
        "tests/conftest.py#filled": (2, "minor"),
        "shop/till.py#pay": (3, "minor"),
        "tests/test_basket.py#test_filled": (3, "minor"),
        "tests/test_till.py#helper": (4, "minor"),
        "tests/test_till.py#test_pay": (5, "minor"),
    }


def test_to_refactor_breaks_only_those_who_name_it(tmp_path):
    assert reached(of(tmp_path, SHOP, "with_tax", "refactor")) == {
        "shop/basket.py#Basket.add": (1, "breaking"),
        "shop/basket.py": (1, "breaking"),
        "shop/report.py": (1, "breaking"),
    }


def test_to_delete_breaks_who_names_it_who_runs_those_and_who_imports_a_file_that_fails(tmp_path):
    found = reached(of(tmp_path, SHOP, "with_tax", "delete"))
    assert found["shop/report.py"] == (1, "breaking")
    assert found["shop/basket.py#Basket.add"] == (1, "breaking")
    assert found["shop/till.py#pay"] == (3, "major")
    assert found["shop/main.py"] == (2, "major")
    assert found["shop/till.py"] == (2, "major")


def test_depth_bounds_what_is_affected_but_not_the_search_for_tests(tmp_path):
    found = of(tmp_path, SHOP, "with_tax", "modify", depth=1)
    assert found.by_depth == {"1": 1}
    assert [test.file for test in found.affected_tests] == [
        "tests/test_basket.py",
        "tests/test_till.py",
    ]
    assert found.affected_tests[1].tests == ("tests/test_till.py#test_pay:8",)


def test_a_method_is_reached_through_the_interface_that_it_stands_in_for(tmp_path):
    found = of(tmp_path, SHAPES, "Square.area", "modify")
    assert "shapes.ts#total" in reached(found)
    assert (
        next(hit.why for hit in found.affected if "total" in hit.element)
        == "calls Shape.area, which may be Square.area"
    )


def test_a_new_signature_must_be_kept_by_what_overrides_it_and_what_it_overrides(tmp_path):
    found = reached(of(tmp_path, SHAPES, "Square.area", "refactor"))
    assert found["shapes.ts#Big.area"][0] == 1
    assert found["shapes.ts#Shape.area"] == (1, "breaking")
    assert found["shapes.ts#total"] == (1, "breaking")


def test_who_constructs_a_class_feels_its_constructor(tmp_path):
    assert "shapes.ts#make" in reached(of(tmp_path, SHAPES, "Square.constructor", "modify"))


def test_a_constructor_runs_where_a_class_that_inherits_it_is_constructed(tmp_path):
    files = {
        "a.py": "from lib import Lib\n\n\nclass Base:\n    def __init__(self): ...\n    def __post_init__(self): ...\n"
        "class Heir(Base): ...\nclass Own(Base):\n    def __init__(self): ...\nclass Mixed(Lib, Base): ...\n"
        "class Last(Heir): ...\n\n\ndef one(): Heir()\ndef two(): Own()\ndef three(): Mixed()\ndef four(): Last()\n"
    }
    assert reached(of(tmp_path, files, "Base.__init__", "modify")).keys() == {"a.py#one", "a.py#four"}
    assert reached(of(tmp_path, files, "Base.__post_init__", "modify")).keys() == {"a.py#one", "a.py#two", "a.py#four"}


@pytest.mark.parametrize(
    ("bases", "named"), [("B, C", "C"), ("C, B", "C"), ("B, E", "E"), ("E, B", "E"), ("C, E", "C"), ("E, C", "E")]
)
def test_a_class_of_several_bases_is_constructed_by_the_first_in_python_s_order(tmp_path, bases: str, named: str):
    files = {
        "a.py": "class A:\n    def __init__(self): ...\nclass B(A): ...\nclass C(A):\n    def __init__(self): ...\n"
        f"class E(A):\n    def __init__(self): ...\nclass D({bases}): ...\n\n\ndef one(): D()\n"
    }
    running = {name for name in "ACE" if "a.py#one" in reached(of(tmp_path, files, f"{name}.__init__", "modify"))}
    assert running == {named}


@pytest.mark.parametrize(
    ("value", "weight", "points", "text"),
    [
        (30, 1, 20, "users 30 × 1 capped at 20"),
        (20, 1, 20, "users 20 × 1 = 20"),
        (3, 0.2, 0.6, "users 3 × 0.2 = 0.6"),
        (527, 0.2, 10, "users 527 × 0.2 capped at 10"),
    ],
)
def test_a_summand_of_the_risk_names_its_cap(value: float, weight: float, points: float, text: str):
    assert RiskTerm(name="users", value=value, weight=weight, points=points).to_text() == text


def test_the_risk_is_the_sum_that_it_shows(tmp_path):
    modify, refactor, delete = (
        of(tmp_path, SHOP, "with_tax", operation) for operation in ("modify", "refactor", "delete")
    )
    for found in (modify, refactor, delete):
        assert found.risk_score == pytest.approx(sum(term.points for term in found.risk_terms))
        assert all(term.points <= term.value * term.weight + 0.05 for term in found.risk_terms)
        level = next((name for limit, name in LEVELS if (found.risk_score or 0) < limit), "CRITICAL")
        assert found.risk_level == level
    assert (modify.risk_score or 0) < (refactor.risk_score or 0) < (delete.risk_score or 0)


def test_ripples_say_for_each_file_what_happens_the_worst_first(tmp_path):
    found = of(tmp_path, SHOP, "with_tax", "delete")
    assert [(ripple.file, ripple.severity) for ripple in found.ripple_effects][:2] == [
        ("shop/basket.py", "breaking"),
        ("shop/report.py", "breaking"),
    ]
    assert "Basket.add calls with_tax (line 6)" in found.ripple_effects[0].impact
    assert set(found.affected_files) == {ripple.file for ripple in found.ripple_effects}


def test_what_nobody_uses_is_said_to_be_so(tmp_path):
    found = of(tmp_path, {"a.py": "def _lonely():\n    pass\n"}, "_lonely", "delete")
    assert found.affected == []
    assert "unused" in str(found.note)
    assert "no test reaches it" in {term.name for term in found.risk_terms}


def test_uses_that_could_not_be_resolved_are_said_and_weigh(tmp_path):
    files = {"a.py": "def close():\n    pass\n", "b.py": "def f(x):\n    x.close()\n"}
    found = of(tmp_path, files, "a.py#close", "delete")
    assert found.unresolved_uses == 1
    assert "could not be resolved" in str(found.note)
    assert "unresolved uses of its name" in {term.name for term in found.risk_terms}


def test_a_type_is_felt_by_whoever_names_it_and_tested_by_none_of_them(tmp_path):
    files = {
        "shape.ts": "export interface Shape { side: number }\n",
        "draw.ts": "import type { Shape } from './shape'\nexport function draw(shape: Shape) {}\n",
        "page.ts": "import { draw } from './draw'\nexport function page() { draw({ side: 1 }) }\n",
        "draw.test.ts": "import type { Shape } from './shape'\ntest('x', () => { const one: Shape = { side: 1 } })\n",
    }
    snapshot = snapshot_of(tmp_path, files)
    for operation in ("modify", "refactor", "delete"):
        found = impact(snapshot, element(snapshot, "Shape"), operation, 1)
        reached = {hit.element: hit.why for hit in found.affected}
        assert reached["draw.ts#draw:2"] == "names the type Shape"
        assert found.affected_tests == []


def test_what_is_handed_on_by_name_is_run_by_whoever_hands_it_on(tmp_path):
    files = {
        "rows.py": "def parse(row): ...\n",
        "load.py": "from rows import parse\n\n\ndef load(rows):\n    return list(map(parse, rows))\n",
        "test_load.py": "from load import load\n\n\ndef test_load():\n    load([])\n",
    }
    snapshot = snapshot_of(tmp_path, files)
    found = impact(snapshot, element(snapshot, "parse"), "modify", 3)
    assert [hit.element for hit in found.affected] == ["load.py#load:4", "test_load.py#test_load:4"]
    assert [test.file for test in found.affected_tests] == ["test_load.py"]


LOADED = {
    "package.json": '{"jest": {"setupFilesAfterEnv": ["<rootDir>/tools/prepare.js"]}}',
    "tools/clock.js": "exports.install = function install() {};\n",
    "tools/prepare.js": 'const { install } = require("./clock");\ninstall();\n',
    "src/api.ts": "export function rows() {}\nexport function one() {}\nexport const greet = () => 1;\n",
    "src/table.ts": 'import { rows } from "./api";\nexport const table = rows();\n',
    "src/table.test.ts": 'import { table } from "./table";\ntest("table", () => { table.length; });\n',
    "src/Kid.vue": '<script setup>\nimport { one } from "./api";\nconst x = one();\n</script>\n<template />\n',
    "src/Dad.vue": '<script setup>\nimport Kid from "./Kid.vue";\n</script>\n<template><Kid /></template>\n',
    "src/Dad.test.ts": 'import Dad from "./Dad.vue";\ntest("dad", () => { mount(Dad); });\n',
    "src/index.ts": 'export * from "./api";\n',
    "src/format.ts": 'import { greet } from ".";\nexport function format() { return greet(); }\n',
    "src/format.test.ts": 'import { format } from "./format";\ntest("format", () => { format(); });\n',
    "src/mailer.js": "exports.send = () => 1;\n",
    "src/__mocks__/mailer.js": "exports.send = () => 2;\n",
    "src/sign.js": 'const { send } = require("./mailer");\nexports.sign = () => send();\n',
    "src/sign.test.js": 'jest.mock("./mailer");\nconst { sign } = require("./sign");\ntest("s", () => { sign(); });\n',
    "cypress/support/form.js": "export const fill = () => 1;\n",
    "cypress/support/commands.js": 'import { fill } from "./form";\nCypress.Commands.add("fill", () => { fill(); });\n',
    "cypress/support/e2e.js": 'import "./commands";\n',
    "cypress/e2e/home.cy.js": 'it("opens", () => { cy.fill(); });\n',
}
_UNIT = {"src/Dad.test.ts", "src/format.test.ts", "src/sign.test.js", "src/table.test.ts"}


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("rows", {"src/table.test.ts"}),
        ("one", {"src/Dad.test.ts"}),
        ("src/index.ts", {"src/format.test.ts"}),
        ("install", _UNIT),
        ("tools/prepare.js", _UNIT),
        ("src/__mocks__/mailer.js", {"src/sign.test.js"}),
        ("fill", {"cypress/e2e/home.cy.js"}),
    ],
)
def test_tests_that_load_what_runs_an_element_reach_it(tmp_path: Path, name: str, tests: set[str]) -> None:
    found = of(tmp_path, LOADED, name, "modify")
    assert {test.file for test in found.affected_tests} == tests
