"""`bearings code ci`: one run, and all that it writes."""

import json
import re
from pathlib import Path

import pytest

from bearings.cli.ci.outputs import shortened
from bearings.cli.ci.review import LEVELS, Risk
from bearings.cli.ci.runners import selected
from tests.cli.ci.conftest import Code, edit
from tests.code.trees import SHOP, repository, write

BROKEN = ("shop/prices.py", "with_tax(amount)", "with_tax(amount, country)")
REFERENCE = "See @Fn/shop/prices.py#with_tac here.\n"


@pytest.mark.slow
def test_one_run_writes_all_that_is_wanted(code: Code, shop: Path, empty_place: Path):
    edit(shop, *BROKEN)
    write(shop, {"notes.md": REFERENCE})
    names = ("sarif", "summary", "tests-file", "github-output")
    files = [f"--{name}={empty_place / name}" for name in names]
    result = code("ci", "--project", shop, "--annotations", "--tests=pytest", "--validate", "--fail-on=high", *files)
    assert result.exit_code == 1, result.output
    annotations, lines = result.output.splitlines()[:2], result.output.splitlines()[2:]
    assert annotations[0].startswith("::warning file=shop/basket.py,line=11,")
    assert annotations[1].startswith("::warning file=notes.md,line=1,")
    assert lines[0].startswith("risk high (fails from high on): 1 elements in 2 files changed, 1 break callers")
    assert lines[-2:] == ["test: tests/test_basket.py", "failed"]
    found = json.loads((empty_place / "sarif").read_text())["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"] for one in found]
    assert [(one["ruleId"], place["artifactLocation"]["uri"]) for one, place in zip(found, places, strict=True)] == [
        ("broken-caller", "shop/basket.py"),
        ("invalid-reference", "notes.md"),
    ]
    summary = (empty_place / "summary").read_text()
    assert summary.startswith("**Risk: high**: `shop/prices.py#with_tax:4`")
    assert "- `notes.md:1` `@Fn/shop/prices.py#with_tac`:" in summary
    assert "### Breaks callers" in summary
    assert (empty_place / "tests-file").read_bytes() == b"tests/test_basket.py\0"
    outputs = (empty_place / "github-output").read_text()
    assert [line for line in outputs.splitlines() if "end_" not in line] == [
        "high", "1", "tests/test_basket.py", "false", *(str(empty_place / name) for name in names[:3]),
    ]  # fmt: skip


@pytest.mark.parametrize("limit", LEVELS)
def test_the_gate_closes_at_its_level(code: Code, shop: Path, limit: str):
    edit(shop, *BROKEN)
    if limit == "unknown":
        assert code("ci", "--project", shop, "--fail-on", limit).exit_code == 2
        return
    result = code("ci", "--project", shop, "--fail-on", limit, "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["passes"]) == ((1, False) if limit in ("low", "medium", "high") else (0, True))
    assert (document["risk"], document["breaking"], document["invalid_references"]) == ("high", 1, None)


def test_no_risk_fails_and_an_unknown_one_is_not_low():
    assert not Risk("critical").reaches("none")
    assert not Risk("none").reaches("low")
    assert Risk("unknown").reaches("low")
    assert not Risk("unknown").reaches("medium")


@pytest.mark.slow
def test_the_risk_is_the_highest_of_the_changed_elements(code: Code, shop: Path):
    edit(shop, "shop/prices.py", "amount *", "amount  *")
    edit(shop, "shop/basket.py", "self.items = []", "self.items = list()")
    changed = json.loads(code("changes", "--project", shop, "--json").stdout)["changed"]
    asked = [one["element"] for one in changed if one["type"] != "module"]
    assert len(asked) > 1
    scores = [json.loads(code("impact", one, "--project", shop, "--json").stdout) for one in asked]
    highest = max(scores, key=lambda one: one["risk_score"])
    document = json.loads(code("ci", "--project", shop, "--json").stdout)
    assert document["risk_element"] == highest["element"]
    assert document["risk"] == highest["risk_level"].lower()
    assert document["risk_why"].startswith(f"{highest['risk_score']:g}: operation modify 1")


def test_new_elements_and_tests_are_no_risk(code: Code, shop: Path):
    write(shop, {"shop/new.py": "def new():\n    pass\n"})
    edit(shop, "tests/test_basket.py", "1.2", "1.3")
    document = json.loads(code("ci", "--project", shop, "--json", "--fail-on=low").stdout)
    assert (document["risk"], document.get("risk_element"), document["passes"]) == ("none", None, True)


@pytest.mark.slow
def test_where_not_all_users_can_be_known_the_risk_is_unknown(code: Code, empty_place: Path):
    root = repository(empty_place / "ruby", {"a.rb": "def f\n  1\nend\n", "b.rb": "require_relative 'a'\nf()\n"})
    edit(root, "a.rb", "1", "2")
    document = json.loads(code("ci", "--project", root, "--json").stdout)
    assert (document["risk"], document["risk_element"]) == ("unknown", "a.rb#f:1")


@pytest.mark.slow
def test_the_risk_of_very_many_elements_is_asked_for_in_part_and_said(code: Code, empty_place: Path):
    root = repository(
        empty_place / "many", {"many.py": "".join(f"def f{n}():\n    return 1\n\n\n" for n in range(103))}
    )
    edit(root, "many.py", "return 1", "return 2")
    result = code("ci", "--project", root)
    assert "note: The risk of 3 more elements was not asked for." in result.stdout
    assert result.exit_code == 0


def test_a_summary_mentions_nobody(code: Code, empty_place: Path):
    conftest = (
        "import pytest\nimport shop.prices\n\n\n@pytest.fixture(autouse=True)\ndef it():\n    shop.prices.with_tax(1)\n"
    )
    below = {"tests/@team/conftest.py": conftest, "tests/@team/test_it.py": "def test_it():\n    pass\n"}
    root = repository(empty_place / "shop", {**SHOP, **below})
    edit(root, "shop/prices.py", "amount *", "amount  *")
    summary = empty_place / "summary"
    assert code("ci", "--project", root, "--summary", summary).exit_code == 0
    bare = re.sub(r"`[^`]*`", "", summary.read_text())
    assert "@team/conftest.py, whose fixtures" in summary.read_text()
    assert "@" not in bare


@pytest.mark.slow
def test_references_are_checked_only_on_request(code: Code, shop: Path):
    write(shop, {"notes.md": REFERENCE})
    assert code("ci", "--project", shop).exit_code == 0
    result = code("ci", "--project", shop, "--validate", "--json")
    assert (result.exit_code, json.loads(result.stdout)["invalid_references"]) == (1, 1)
    edit(shop, "notes.md", "tac", "tax")
    result = code("ci", "--project", shop, "--validate", "--json")
    assert (result.exit_code, json.loads(result.stdout)["invalid_references"]) == (0, 0)


@pytest.mark.parametrize("words", [["--base", "nowhere"], ["--sarif", "no/such/folder/file"], ["--project", "other"]])
def test_every_error_has_status_2(
    code: Code, shop: Path, empty_place: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
):
    (empty_place / "other").mkdir()
    monkeypatch.chdir(shop if "--project" not in words else empty_place)
    result = code("ci", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "hint:  " in result.stderr


@pytest.mark.slow
def test_paths_of_a_project_below_the_top_are_the_repositorys(code: Code, empty_place: Path):
    root = repository(empty_place / "all", {f"one two/{path}": text for path, text in SHOP.items()})
    project = root / "one two"
    edit(project, *BROKEN)
    write(project, {"notes.md": REFERENCE})
    sarif, summary = empty_place / "sarif", empty_place / "summary"
    result = code(
        "ci", "--project", project, "--sarif", sarif, "--summary", summary, "--annotations", "--validate",
        "--tests", "pytest",
    )  # fmt: skip
    assert result.output.startswith("::warning file=one two/shop/basket.py,line=11,")
    assert "test: tests/test_basket.py" in result.output
    found = json.loads(sarif.read_text())["runs"][0]["results"]
    assert [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in found] == [
        "one%20two/shop/basket.py",
        "one%20two/notes.md",
    ]
    assert "`one two/shop/prices.py:4`" in summary.read_text()


def test_each_runner_gets_the_tests_of_its_languages(tmp_path: Path):
    files = ["tests/test_a.py", "-x_test.py", "web/a.test.ts", "go/a/a_test.go", "go/a/b_test.go", "main_test.go"]
    write(tmp_path, dict.fromkeys(files, ""))
    files += ["tests/gone\\nhere.py"]
    assert selected("pytest", files, tmp_path) == (("tests/test_a.py", "./-x_test.py"), 1)
    assert selected("vitest", files, tmp_path) == (("web/a.test.ts",), 0)
    assert selected("jest", files, tmp_path) == (("web/a.test.ts",), 0)
    assert selected("go", files, tmp_path) == (("./go/a", "."), 0)


def test_a_long_document_is_cut_between_lines():
    text = "".join(f"- line {number}\n" for number in range(1000))
    cut = shortened(text, 2000)
    assert len(cut) <= 2000
    kept = [line for line in cut.splitlines() if line.startswith("- ")]
    assert kept == text.splitlines()[: len(kept)]
    assert f"{1000 - len(kept)} more lines are left out." in cut
    assert shortened(text, len(text)) == text
