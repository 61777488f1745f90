"""What a change between two commits breaks: callers, circles of imports, elements without users or tests."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.code.facts.store import NoFacts
from bearings.code.formats.review import RULES, code, github, markdown, sarif
from bearings.code.index.project_index import Index
from bearings.code.models import SymbolKind
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.questions.changes import AskChanges
from bearings.code.questions.changes.compute import changes
from bearings.code.replies.changes import Breaking, BrokenUse, ChangesReply, FolderCycle
from bearings.code.replies.element import not_indexed
from bearings.code.search.call_arguments import Arguments, calls_in
from bearings.code.search.signatures import reasons, takes
from bearings.code.service import CodeService
from tests.code.in_process import InProcessEngine
from tests.code.questions.test_changes import FILES, edit, said
from tests.code.trees import git, repository, write

MAX = 1_000_000


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = repository(tmp_path.resolve() / "shop", FILES)
    git(root, "tag", "old")
    return root


def committed(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "next")


def on_disk(root: Path, base: str = "old") -> ChangesReply:
    index = Index(root, NoFacts(), MAX)
    return changes(index.refresh(), base, 3, MAX, index)


def between(root: Path, base: str = "old", head: str = "HEAD", *, from_merge_base: bool = False) -> ChangesReply:
    index = Index(root, NoFacts(), MAX, tree=CommitTree(root, None, head, "head"))
    return changes(index.refresh(), base, 3, MAX, index, from_merge_base=from_merge_base)


def broken(found: ChangesReply) -> list[tuple[str, str, list[tuple[str, int]]]]:
    return [(_bare(one.element), one.why, [(use.file, use.line) for use in one.uses]) for one in found.breaking]


def _bare(element: str) -> str:
    return element.rpartition(":")[0]


BOTH: tuple[Callable[[Path], ChangesReply], ...] = (on_disk, between)


@pytest.mark.parametrize("compared", BOTH)
def test_a_needed_parameter_breaks_the_callers_that_were_not_adapted(shop, compared):
    edit(shop, "shop/prices.py", "def with_tax(amount)", "def with_tax(amount, country)")
    edit(shop, "tests/test_prices.py", "with_tax(1)", "with_tax(1, 'is')")
    committed(shop)
    found = compared(shop)
    assert broken(found) == [("shop/prices.py#with_tax", "it needs a parameter country", [("shop/basket.py", 6)])]
    assert found.breaking[0].uses[0].element == "shop/basket.py#Basket.add:5"


@pytest.mark.parametrize("compared", BOTH)
def test_an_element_that_is_gone_renamed_or_moved_breaks_what_still_uses_its_old_name(shop, compared):
    edit(shop, "shop/prices.py", "def with_tax(amount):\n    taxed = amount * RATE\n    return taxed\n", "")
    edit(shop, "shop/prices.py", "def discount", "def reduced")
    committed(shop)
    assert broken(compared(shop)) == [
        (
            "shop/prices.py#with_tax",
            "it is gone",
            [
                ("shop/basket.py", 1),
                ("shop/basket.py", 6),
                ("tests/test_prices.py", 1),
                ("tests/test_prices.py", 5),
            ],
        ),
        ("shop/prices.py#reduced", "it is reduced now", [("tests/test_prices.py", 1), ("tests/test_prices.py", 9)]),
    ]


@pytest.mark.parametrize("compared", BOTH)
def test_a_change_that_adapts_its_callers_breaks_nothing(shop, compared):
    git(shop, "mv", "shop/prices.py", "shop/money.py")
    for path in ("shop/basket.py", "tests/test_prices.py"):
        edit(shop, path, "shop.prices", "shop.money")
        edit(shop, path, "with_tax", "taxed_amount")
    edit(shop, "shop/money.py", "with_tax", "taxed_amount")
    committed(shop)
    found = compared(shop)
    assert broken(found) == []
    assert ("renamed", "shop/money.py#taxed_amount") in said(found)
    assert (found.lost_users, found.lost_tests, found.new_cycles) == ([], [], [])


@pytest.mark.slow
@pytest.mark.parametrize("compared", BOTH)
def test_a_circle_of_folders_is_told_once_when_it_is_new(shop, compared):
    write(shop, {"tax/__init__.py": "", "tax/rates.py": "def rate():\n    return 2\n"})
    edit(shop, "shop/prices.py", "RATE = 2\n", "from tax.rates import rate\n\nRATE = rate()\n")
    committed(shop)
    git(shop, "tag", "straight")
    assert compared(shop).new_cycles == []
    edit(shop, "tax/rates.py", "def rate", "from shop.basket import Basket\n\n\ndef rate")
    committed(shop)
    (cycle,) = compared(shop, "straight").new_cycles
    assert (list(cycle.folders), cycle.file, cycle.line) == (["shop", "tax"], "tax/rates.py", 1)
    git(shop, "tag", "round")
    edit(shop, "tax/rates.py", "return 2", "return 3")
    committed(shop)
    assert compared(shop, "round").new_cycles == []


@pytest.mark.parametrize("compared", BOTH)
def test_elements_that_lost_their_last_user_or_test_are_named(shop, compared):
    (shop / "tests/test_basket.py").unlink()
    edit(shop, "shop/basket.py", "return with_tax(price)", "return price")
    edit(shop, "tests/test_prices.py", "assert discount(3)", "assert True")
    committed(shop)
    found = compared(shop)
    assert set(map(_bare, found.lost_users)) == {
        "shop/basket.py#Basket",
        "shop/basket.py#Basket.add",
        "shop/prices.py#discount",
    }
    assert "shop/prices.py#discount" in map(_bare, found.lost_tests)
    assert "shop/prices.py#with_tax" not in map(_bare, (*found.lost_users, *found.lost_tests))


@pytest.mark.slow
def test_the_working_tree_does_not_matter_between_two_commits(shop):
    edit(shop, "shop/prices.py", "taxed = amount * RATE", "taxed = RATE * amount")
    committed(shop)
    before = between(shop)
    (shop / "shop/basket.py").write_text("broken(")
    write(shop, {"new.py": "def new():\n    return 1\n"})
    assert between(shop) == before
    assert said(before) == [("modified", "shop/prices.py#with_tax")]
    assert between(shop, "HEAD").note == "the commit is as it was at HEAD"


@pytest.mark.slow
def test_three_dots_start_at_the_common_ancestor(shop):
    git(shop, "checkout", "-q", "-b", "feature")
    edit(shop, "shop/prices.py", "lowered = amount - 1", "lowered = amount - 2")
    committed(shop)
    git(shop, "checkout", "-q", "-b", "trunk", "old")
    write(shop, {"trunk.py": "def trunk():\n    return 1\n"})
    committed(shop)
    assert said(between(shop, "trunk", "feature", from_merge_base=True)) == [("modified", "shop/prices.py#discount")]
    assert ("removed", "trunk.py#trunk") in said(between(shop, "trunk", "feature"))


SIGNATURES = [
    ("def f(a)", "def f(a, b=1)", True, ""),
    ("def f(a)", "def f(a, *, b)", True, "it needs a parameter b"),
    ("def f(a, b=1)", "def f(a)", True, "parameter b is gone"),
    ("def f(a, b=1)", "def f(a, **more)", True, ""),
    ("def f(a, b=1)", "def f(a, b)", True, "parameter b has no default any more"),
    ("def f(a, b)", "def f(b, a)", True, "its parameters have another order"),
    ("def f(a, b)", "def f(a, *, b)", True, "parameter b can only be passed by name"),
    ("def f(self, a: dict[str, int] = {})", "def f(self, a: dict[str, str] = {'x': 'y'})", True, ""),
    ("def f(a) -> int", "async def f(a) -> int", True, "it is asynchronous now"),
    ("def f(a) -> int", "def f(a) -> str", True, "it gives str, not int"),
    ("function f(a: string): void", "function f(b: string): void", False, ""),
    ("function f(a: string)", "function f(a: string, b?: number)", False, ""),
    ("function f(a: string)", "function f(a: string, b: number)", False, "it needs a parameter b"),
    ("function f(a: string, b: number)", "function f(a: string)", False, "it takes 1 parameter, not 2"),
    ("function f(a: string)", "function f(...a: string[])", False, ""),
    ("func f(a int)", "func f(a ...int)", False, ""),
    ("func f(a int)", "func f(a ...string)", False, "parameter a is of another type: ...string, not int"),
    ("function f(a: string)", "function f(a: number | string)", False, ""),
    ("function f(a: number | string)", "function f(a: string)", False,
     "parameter a is of another type: string, not number | string"),
    ("def f(a) -> Optional[str]", "def f(a) -> str", True, ""),
    ("def f(a) -> None", "def f(a) -> str", True, ""),
    ("def f(a) -> t.Optional[str]", "def f(a) -> 'str | None'", True, ""),
    ("def f(a) -> str", "def f(a) -> str | None", True, "it gives str | None, not str"),
    ("f = (cb: (x: number) => void, n = 1): T", "f = (cb: (x: number) => void): T", False,
     "it takes 1 parameter, not 2"),
    ("f = (cb: (x: A, y: B) => void)", "f = (cb: (x: A) => void)", False,
     "parameter cb is of another type: (x: A) => void, not (x: A, y: B) => void"),
    ("func (s *S) f(a int, b string) error", "func (s *S) f(a int, b string) (int, error)", False,
     "it gives (int, error), not error"),
    ("func f(a int)", "func f(a int, more ...string)", False, ""),
    ("func f(a int)", "func f(a int64)", False, "parameter a is of another type: int64, not int"),
    ("class f(Base)", "class f(Other)", True, "parameter Base is gone"),
    ("f = 1", "f = 2", True, ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "by_name", "why"), SIGNATURES)
def test_a_signature_breaks_callers_when_it_asks_for_more(old, new, by_name, why):
    assert next((one.text for one in reasons(old, new, "f", "f", by_name=by_name)), "") == why


FITTING = [
    ("def f(a, b=1)", "def f(a)", "f(1)", True, True),
    ("def f(a, b=1)", "def f(a)", "f(1, 2)", True, False),
    ("def f(a, b=1)", "def f(a)", "f(1, b=2)", True, False),
    ("def f(url, skip=True)", "def f(url, check=False)", "f(1)", True, True),
    ("def f(authority)", "def f(host)", "x.f('a, b')", True, True),
    ("def f(authority)", "def f(host)", "f(authority='a')", True, False),
    ("def f(a)", "def f(a, *, b)", "f(1)", True, False),
    ("def f(a)", "def f(a, *, b)", "f(1, b=2)", True, True),
    ("def f(a, b)", "def f(b, a)", "f(1, 2)", True, False),
    ("def f(a, b)", "def f(b, a)", "f(b=1, a=2)", True, True),
    ("def f(a, b=1)", "def f(x, a, b=1)", "f(1, 2)", True, False),
    ("def f(a, b=1)", "def f(a, *, b=1)", "f(1)", True, True),
    ("def f(a, b=1)", "def f(a, *, b=1)", "f(1, 2)", True, False),
    ("f = (options = {})", "f = options", "f(options)", False, True),
    ("f = (a, b) =>", "f = (a) =>", "f(1)", False, True),
    ("f = (a, b) =>", "f = (a) =>", "f(g(1, 2), [3, 4])", False, False),
    ("function f(a: A)", "function f(a: A, b: B)", "f(a) // , b", False, False),
    ("function f(a: A, b?: B)", "function f(a: A, b?: C)", "f(a)", False, True),
    ("function f(a: A, b?: B)", "function f(a: A, b?: C)", "f(a, `,${b}`)", False, False),
    ("async def f(a)", "def f(a)", "f(1)", True, False),
]


@pytest.mark.parametrize(("old", "new", "call", "by_name", "fits"), FITTING)
def test_a_call_breaks_only_if_its_arguments_do_not_fit(old, new, call, by_name, fits):
    written = calls_in([call], 1, {"f"}, comment="#" if by_name else "//", by_name=by_name)
    assert written is not None
    concerned = [one.text for one in reasons(old, new, "f", "f", by_name=by_name) if one.concerns(written[0])]
    assert (not concerned) is fits


def test_calls_are_read_across_lines_strings_and_comments():
    lines = ["x = f(", "    1,  # ), f(", '    "a) b",', "    c=[2, (3)],", ")", "f(*a)"]
    assert calls_in(lines, 1, {"f"}, comment="#", by_name=True) == [Arguments(2, frozenset({"c"}), open=False)]
    assert calls_in(lines, 6, {"f"}, comment="#", by_name=True) == [Arguments(0, frozenset(), open=True)]
    assert calls_in(["f(f(1, 2))"], 1, {"f"}, comment="#", by_name=True) == [
        Arguments(1, frozenset(), open=False),
        Arguments(2, frozenset(), open=False),
    ]


@pytest.mark.parametrize("text", ["", "g(1)", "f", "f(", "f((1)", "f('a", "f" * 9_000, "f(" * 9_000])
def test_what_is_no_readable_call_is_unknown(text):
    assert calls_in([text], 1, {"f"}, comment="//", by_name=False) is None
    assert calls_in([text], 2, {"f"}, comment="//", by_name=False) is None


@pytest.mark.parametrize(
    ("wide", "narrow", "is_taken"),
    [
        ("str | None", "Optional[str]", True),
        ("typing.Union[A, 'B', None]", "B|A|None", True),
        ("list[int]", "typing.List[int]", True),
        ("A", "A | B", False),
        ("any", "A | B", True),
        ("Map<string, A | B>", "Map<string, A>", False),
        ("Optional[" * 900, "Optional[" * 900 + "]" * 900, False),
    ],
)
def test_a_type_takes_another_as_it_is_written(wide, narrow, is_taken):
    assert takes(wide, narrow) is is_taken


@pytest.mark.parametrize(
    "text", ["", "f", "f(", "f((((", "f()))", "f(a" + "," * 9_000, "f(" + "[" * 9_000, "f(=,:,*,**)"]
)
def test_any_text_may_be_a_signature(text):
    for by_name in (True, False):
        for old, new in ((text, text), ("def f(a)", text), (text, "def f(a)")):
            assert all(one.text for one in reasons(old, new, "f", "f", by_name=by_name))


def _odd() -> ChangesReply:
    use = BrokenUse(element="«a b.py#f:1»", file="«a b,c:%.py»", line=3)
    row = Breaking(
        element="x.py#`f`:1",
        type=SymbolKind.FUNCTION,
        file="x.py",
        line=1,
        why="100% ::error::gone\nnow",
        uses=[use],
        uses_total=9,
    )
    return ChangesReply(
        base="main", commit="0" * 40, files_changed=1, other_files=["a`b.md"], changed=[], changed_total=0, reached=[],
        reached_total=0, tests=[], tests_total=0, untested=["x.py#g:9"], untested_total=1, run=[], breaking=[row],
        new_cycles=[FolderCycle(folders=["a", "b"], file="a/x.py", line=0)], lost_users=["y.py#h:2"],
        lost_tests=["nothing"], index=not_indexed(),
    )  # fmt: skip


def test_annotations_are_one_line_each_and_hold_no_command_of_their_own():
    lines = github(_odd()).split("\n")
    assert [re.match(r"::(\w+) file=([^,:]*),line=(\d+),title=[^,:]*::", line).groups() for line in lines] == [
        ("warning", "a b%2Cc%3A%25.py", "3"),
        ("warning", "a/x.py", "1"),
        ("notice", "y.py", "2"),
        ("notice", "x.py", "9"),
    ]  # fmt: skip
    assert lines[0].endswith("`f`: 100%25 ::error::gone now; this use was not adapted")


def test_a_log_in_sarif_has_what_its_schema_requires():
    log = json.loads(sarif(_odd()))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    driver, results = log["runs"][0]["tool"]["driver"], log["runs"][0]["results"]
    assert driver["name"] == "bearings"
    assert "informationUri" not in driver  # nothing is published
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    for result in results:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", place["artifactLocation"]["uri"])
        assert place["region"]["startLine"] >= 1
    assert results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b%2Cc%3A%25.py"


def test_a_review_in_markdown_shows_names_as_code_whatever_they_hold():
    text = markdown(_odd(), "main", "a`b")
    assert "## From `main` to ``a`b``" in text
    assert "### Breaks callers" in text
    assert "and 8 more" in text
    assert "Other files: ``a`b.md``" in text
    assert (code("x``y"), code("`"), code("a\nb"), code("")) == ("```x``y```", "`` ` ``", "`a b`", "` `")


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("detail", ["lines", "full"])
async def test_what_broke_is_said_in_text_and_on_a_terminal(shop, detail, anyio_backend):
    write(
        shop,
        {"tax/__init__.py": "", "tax/rates.py": "from shop.basket import Basket\n\n\ndef rate():\n    return Basket\n"},
    )
    edit(shop, "shop/prices.py", "RATE = 2\n", "from tax.rates import rate\n\nRATE = rate()\n")
    edit(shop, "shop/prices.py", "def with_tax(amount)", "def with_tax(amount, country)")
    edit(shop, "tests/test_prices.py", "assert discount(3)", "assert True")
    committed(shop)
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=MAX))
    reply = await service.reply_to(str(shop), AskChanges(base="old", head="HEAD", detail=detail))
    await service.aclose()
    told = ["it needs a parameter country", "shop/basket.py", "shop, tax", "discount", "shop/prices.py"]
    texts = [reply.to_text(), rendered("coderef_changes", reply, Console(width=160, file=io.StringIO()))]
    assert [[words for words in told if words not in text] for text in texts] == [[] for _ in texts]


@pytest.mark.parametrize("compared", BOTH)
def test_a_call_that_fits_the_new_signature_is_not_told(shop, compared):
    edit(shop, "shop/prices.py", "def with_tax(amount)", "def with_tax(price, *, country='is')")
    committed(shop)
    assert broken(compared(shop)) == []


def test_what_a_function_in_javascript_looks_for_may_be_missing(tmp_path):
    root = repository(
        tmp_path.resolve() / "js",
        {
            "a.js": "exports.name = function (text) {\n  return text;\n};\n",
            "b.js": "const { name } = require('./a');\nname('x');\n",
        },
    )
    git(root, "tag", "old")
    edit(root, "a.js", "(text) {\n", "(text, flags) {\n  flags = flags || '-v';\n")
    committed(root)
    assert broken(between(root)) == []
    edit(root, "a.js", "  flags = flags || '-v';\n", "  print(flags.length);\n")
    committed(root)
    assert broken(between(root)) == [("a.js#name", "it needs a parameter flags", [("b.js", 2)])]


def test_a_private_element_breaks_uses_in_other_files_only(tmp_path):
    root = repository(
        tmp_path.resolve() / "go",
        {
            "go.mod": "module m\n",
            "a.go": "package m\n\nfunc prepare() {}\n\nfunc Kept() {\n\tprepare()\n}\n",
            "b.go": "package m\n\nfunc Other() {\n\tprepare()\n}\n",
        },
    )
    git(root, "tag", "old")
    edit(root, "a.go", "func prepare() {}\n\n", "")
    committed(root)
    assert broken(between(root)) == [("a.go#prepare", "it is gone", [("b.go", 4)])]


@pytest.mark.slow
def test_a_type_that_is_gone_is_passed_by_nobody(tmp_path):
    files = {
        "a.ts": "export class Old {}\nexport class New {}\nexport function take(one: Old | New) {\n  return one;\n}\n",
        "b.ts": "import { take, New } from './a';\ntake(new New());\n",
    }
    root = repository(tmp_path.resolve() / "ts", files)
    git(root, "tag", "old")
    edit(root, "a.ts", "one: Old | New", "one: New")
    committed(root)
    assert [why for _, why, _ in broken(between(root))] == ["parameter one is of another type: New, not Old | New"]
    edit(root, "a.ts", "export class Old {}\n", "")
    committed(root)
    assert broken(between(root)) == []


@pytest.mark.slow
def test_an_element_whose_user_still_names_it_or_that_was_only_given_a_value_has_not_lost_its_user(tmp_path):
    root = repository(
        tmp_path.resolve() / "ts",
        {
            "a.ts": "export class Page {\n  title = '';\n  draw() {\n    return 1;\n  }\n}\n",
            "b.ts": (
                "import { Page } from './a';\nexport function show(page: Page) {\n  page.title = 'x';\n"
                "  return page.draw();\n}\n"
            ),
        },
    )
    git(root, "tag", "old")
    edit(root, "b.ts", "page: Page", "page: Unknown")
    committed(root)
    assert "a.ts#Page.draw" not in map(_bare, between(root).lost_users)
    edit(root, "b.ts", "  page.title = 'x';\n  return page.draw();\n", "  return page;\n")
    committed(root)
    assert [_bare(name) for name in between(root).lost_users] == ["a.ts#Page", "a.ts#Page.draw"]
