"""Questions at a commit: every tool answers from the commit, whatever stands on disk, and says which commit it was."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.engine.project_sessions import MAX_COMMITS, ProjectSessions
from bearings.code.facts.store import NoFacts
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import InvalidInput, Unsupported
from bearings.progress import NoProgress
from bearings.tool import Tool
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import SHOP, git, repository, write

pytestmark = pytest.mark.anyio

ELEMENT = {"coderef_symbol", "coderef_query", "coderef_impact", "coderef_complexity"}
ARGUMENTS: dict[str, dict[str, Any]] = {
    **{name: {"element": "with_tax"} for name in ELEMENT},
    "coderef_query": {"element": "with_tax", "query_type": "calls-me"},
    "coderef_explore": {"question": "with_tax"},
    "coderef_drift": {"index_path": "old.coderef-index.json"},
    "coderef_diagram": {"element": "with_tax"},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The shop at the tag `old`; on disk and at HEAD the function `with_tax` has another name."""
    root = repository(tmp_path.resolve() / "shop", {**SHOP, "notes.md": "with_tax and @Fn/shop/prices.py#with_tax\n"})
    index = {"version": "1", "timestamp": "", "elements": [], "metadata": {}}
    write(root, {"old.coderef-index.json": json.dumps(index)})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "index")
    git(root, "tag", "old")
    for path in ("shop/prices.py", "shop/basket.py"):
        text = (root / path).read_text()
        write(root, {path: "# a line above\n" + text.replace("with_tax", "taxed")})
    (root / "notes.md").unlink()
    (root / "old.coderef-index.json").unlink()
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "next")
    return root


@pytest.fixture
async def service() -> AsyncIterator[CodeService]:
    made = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    yield made
    await made.aclose()


@pytest.fixture
def tools(service: CodeService) -> dict[str, Tool]:
    return {tool.name: tool for tool in CodeTools(service).tools()}


async def answer(tool: Tool, root: Path, **given: Any) -> dict[str, Any]:
    reply, _ = await tool.run({"project_path": str(root), **given}, NoProgress())
    return reply.sent()


EVERY = CodeTools(None).tools()  # type: ignore[arg-type]
READING = sorted(tool.name for tool in EVERY if "at" in tool.input_schema["properties"])


def test_every_tool_that_reads_takes_a_commit_and_none_that_writes_into_sources():
    assert {tool.name for tool in EVERY} - set(READING) == {
        "coderef_tag",
        "coderef_rename",
        "coderef_remove",
        "coderef_move",
        "coderef_signature",
        "coderef_replace",
        "coderef_changes",
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", READING)
async def test_an_answer_at_a_commit_is_that_of_its_checkout(tools, shop, tmp_path, name):
    checkout = tmp_path.resolve() / "checkout"
    git(shop, "worktree", "add", "-q", "--detach", str(checkout), "old")
    given = ARGUMENTS.get(name, {})
    there, here = await answer(tools[name], checkout, **given), await answer(tools[name], shop, at="old", **given)
    assert here["index"].pop("commit")
    for one in (there, here):
        for key in ("fresh_at", "took_ms"):
            one["index"].pop(key)
        one.pop("note", None)
    assert json.loads(json.dumps(here).replace(str(shop), "")) == json.loads(
        json.dumps(there).replace(str(checkout), "")
    )


async def test_the_commit_is_named_in_every_form_of_the_reply(tools, shop):
    reply, _ = await tools["coderef_scan"].run({"project_path": str(shop), "at": "old"}, NoProgress())
    commit = reply.sent()["index"]["commit"]
    assert len(commit) == 12
    assert f"[commit {commit}, " in reply.to_text()
    assert "commit" not in (await answer(tools["coderef_scan"], shop))["index"]


@pytest.mark.slow
async def test_a_branch_that_moves_is_another_commit(tools, shop):
    query = tools["coderef_query"]
    git(shop, "branch", "there", "old")
    before = await answer(query, shop, element="with_tax", query_type="calls-me", at="there")
    git(shop, "branch", "-f", "there", "HEAD")
    after = await answer(query, shop, element="taxed", query_type="calls-me", at="there")
    assert before["index"]["commit"] != after["index"]["commit"]
    assert before["results_found"] == after["results_found"] > 0


async def test_lines_and_words_come_from_the_commit(tools, shop):
    (shop / "shop/basket.py").write_text("nothing()\n")
    (shop / "shop/prices.py").unlink()
    found = await answer(tools["coderef_symbol"], shop, element="with_tax", at="old")
    assert "return amount * (1 + RATE)" in json.dumps(found)
    assert "self.items.append(with_tax(price))" in json.dumps(found)
    explored = await answer(tools["coderef_explore"], shop, question="with_tax", at="old")
    assert "shop/basket.py" in json.dumps(explored)
    lexical = await answer(tools["coderef_scan"], shop, at="old", use_ast=False)
    assert "with_tax" in json.dumps(lexical)


@pytest.mark.parametrize("name", ["nowhere", "-x", "HEAD:shop"])
async def test_a_name_that_is_not_known_is_refused(tools, shop, name):
    with pytest.raises(InvalidInput) as error:
        await answer(tools["coderef_scan"], shop, at=name)
    assert (error.value.field, "commit, branch or tag" in error.value.hint) == ("at", True)
    with pytest.raises(InvalidInput) as error:
        await answer(tools["coderef_changes"], shop, head=name)
    assert error.value.field == "head"


@pytest.mark.slow
async def test_a_range_beside_a_head_is_refused_and_ranges_mean_what_they_do_in_git(tools, shop):
    changes = tools["coderef_changes"]
    with pytest.raises(InvalidInput, match="stands beside the range"):
        await answer(changes, shop, base="old..HEAD", head="HEAD")
    spelled = [await answer(changes, shop, base=base) for base in ("old..HEAD", "old..", "old...HEAD", "old...")]
    assert [(one["head"], one["changed_total"]) for one in spelled] == [("HEAD", spelled[0]["changed_total"])] * 4
    backward = await answer(changes, shop, base="..old")
    assert (backward["base"], backward["head"]) == ("HEAD", "old")
    document = await answer(changes, shop, base="old..HEAD", format="sarif")
    assert json.loads(document["document"])["version"] == "2.1.0"


async def test_a_folder_without_a_repository_has_no_commits(tools, tmp_path):
    with pytest.raises(Unsupported, match="no git repository"):
        await answer(tools["coderef_scan"], write(tmp_path.resolve() / "plain", {"a.py": "x = 1\n"}), at="HEAD")


@pytest.mark.slow
async def test_a_bare_repository_is_a_project_of_commits(tools, shop, tmp_path):
    bare = tmp_path.resolve() / "bare.git"
    git(shop, "clone", "-q", "--bare", str(shop), str(bare))
    found = await answer(tools["coderef_query"], bare, element="with_tax", query_type="calls-me", at="old")
    assert found["results_found"] > 0
    compared = await answer(tools["coderef_changes"], bare, base="old", head="HEAD")
    assert compared["changed_total"] > 0
    with pytest.raises(Unsupported, match="bare"):
        await answer(tools["coderef_changes"], bare, base="old")


@pytest.mark.slow
async def test_a_worker_process_answers_at_commits_and_resumes_them(shop, tmp_path):
    answers = []
    for _ in range(2):
        engine = NativeEngine(timeout_s=60, cache_dir=tmp_path / "cache", max_file_bytes=1_000_000)
        for at in ("old", "HEAD", None, "old"):
            answers.append((await engine.ask(shop, Scan(at=at))).index)
        await engine.aclose()
    assert [one.revision for one in answers[:4]] == [one.revision for one in answers[4:]]
    assert answers[0].revision == answers[3].revision != answers[1].revision
    assert answers[1].revision == answers[2].revision
    assert [bool(one.commit) for one in answers[:4]] == [True, True, False, True]


@pytest.mark.slow
def test_the_graphs_of_few_commits_stay_and_the_least_recently_used_goes_first(shop, tmp_path):
    for number in range(5):
        write(shop, {"shop/more.py": f"def more{number}():\n    return {number}\n"})
        git(shop, "add", "-A")
        git(shop, "commit", "-q", "-m", "more")
        git(shop, "tag", f"t{number}")
    for graphs in (None, GraphStore(tmp_path / "graphs")):
        sessions = ProjectSessions(shop, NoFacts(), 1_000_000, graphs)
        for at in ("t0", "t1", "t2", "t1", "t3", "t4", "t0", "t0", "t2"):
            question = Query(query_type="calls-me", element=f"more{at[1:]}", at=at)
            assert sessions.answer(question, NoProgress()).value.target.startswith("shop/more.py#more")
            assert len(sessions._commits) <= MAX_COMMITS
        assert len(sessions._commits) == MAX_COMMITS
