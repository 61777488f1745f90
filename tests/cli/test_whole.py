"""Commands about code print everything: no budget, pages only on request, lists as lines of JSON."""

import json
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from bearings.cli.wiring import WIRING
from bearings.errors import BearingsError
from tests.code.trees import repository, write
from tests.soak import SOAK

MANY = 400


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A project whose list of elements is larger than any reply to a model."""
    functions = "\n\n".join(f"def function_number_{n}(x):\n    return hub(x) + {n}" for n in range(MANY))
    files = {"hub.py": "def hub(x):\n    return x\n", "many.py": f"from hub import hub\n\n\n{functions}\n"}
    return repository(tmp_path_factory.mktemp("whole").resolve() / "app", files)


def process(*words: str) -> "subprocess.CompletedProcess[bytes]":
    line = [sys.executable, "-m", "bearings", *words]
    return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)


def printed(*words: str) -> str:
    done = process("code", *words)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def asked(name: str, **arguments: Any) -> dict[str, Any]:
    """A server's answer, or the body of its error."""

    async def ask() -> dict[str, Any]:
        wing = WIRING.code(None)
        tool = next(tool for tool in wing.tools if tool.name == name)
        try:
            return (await tool.run(arguments))[0].structured()
        except BearingsError as error:
            return error.body()
        finally:
            await wing.aclose()

    return anyio.run(ask)


@pytest.mark.slow
def test_a_list_is_whole_in_a_pipe_and_cut_for_a_model(root: Path):
    for form in ("--json", "--jsonl"):
        text = printed("scan", "--project", str(root), form)
        rows = [json.loads(line) for line in text.splitlines()]
        assert len(rows[0]["elements"] if form == "--json" else rows) == MANY + 1
    assert f"function_number_{MANY - 1}" in printed("scan", str(root))
    reply = asked("coderef_scan", project_path=str(root))
    assert len(reply["elements"]) < MANY
    assert reply["omitted"]


@pytest.mark.slow
def test_a_page_is_given_where_it_is_asked_for(root: Path):
    page = json.loads(printed("scan", str(root), "--json", "--limit", "7"))
    assert (len(page["elements"]), page["omitted"]) == (7, MANY - 6)
    rows = printed("scan", str(root), "--jsonl", "--limit", "7", "--cursor", page["next_cursor"]).splitlines()
    assert len(rows) == 7
    assert json.loads(rows[0]) not in page["elements"]


@pytest.mark.slow
def test_the_unused_elements_are_a_list_as_well(tmp_path: Path):
    functions = "\n\n".join(f"def function_number_{n}():\n    return {n}" for n in range(MANY))
    files = {"main.py": "import many\n\nprint(many)\n", "many.py": functions}
    root = repository(tmp_path.resolve() / "app", files)
    unused = printed("unused", str(root), "--exports", "--jsonl").splitlines()
    assert len(unused) == MANY
    assert json.loads(unused[0]) == {"element": "many.py#function_number_0:1", "type": "function", "lines": 2}


@pytest.mark.slow
def test_other_lists_are_whole(root: Path):
    found = json.loads(printed("impact", "hub", "--project", str(root), "--json"))
    assert len(found["affected"]) == found["affected_total"] == MANY
    users = printed("query", "hub", "--type", "callers", "--depth", "1", "--project", str(root), "--jsonl").splitlines()
    assert len(users) == MANY
    inside = json.loads(printed("complexity", "many.py", "--project", str(root), "--json"))
    assert len(inside["members"]) == MANY
    about = json.loads(printed("symbol", "hub", "--project", str(root), "--json"))
    assert len(about["callers"]["items"]) == MANY
    files = printed("coverage", "--project", str(root), "--jsonl").splitlines()
    assert {json.loads(line)["file"] for line in files} == {"hub.py", "many.py"}


@pytest.mark.slow
def test_an_error_has_its_status_with_lines_too(root: Path):
    done = process("code", "query", "no_such_hub", "--type", "calls", "--project", str(root), "--jsonl")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no element" in done.stderr


@pytest.mark.slow
def test_every_command_takes_the_project_as_an_option(root: Path):
    lines = [
        *(
            ("scan",),
            ("query", "hub", "--type", "calls-me"),
            ("symbol", "hub"),
            ("impact", "hub"),
            ("map",),
            ("diagram",),
        ),
        *(("complexity", "hub"), ("changes",), ("context",), ("patterns",), ("coverage",), ("validate",), ("export",)),
        ("tag", str(root / "hub.py")),
    ]
    for line in lines if SOAK else random.sample(lines, 5):
        assert printed(*line, "--project", str(root)), line
    assert printed("scan", "--project", "/nowhere", str(root), "--jsonl") == printed("scan", str(root), "--jsonl")


@pytest.mark.slow
def test_an_export_is_its_document_alone(root: Path):
    assert len(json.loads(printed("export", "--project", str(root)))["nodes"]) == MANY + 3
    assert printed("export", "--project", str(root), "--format", "dot").startswith("// ")
    assert json.loads(printed("export", "--project", str(root), "--json"))["nodes_exported"] == MANY + 3


@pytest.mark.slow
def test_a_tag_shows_its_whole_difference(root: Path):
    text = printed("tag", str(root))
    assert text.count("\n+# @Fn/many.py#function_number_") == MANY


@pytest.mark.slow
def test_a_command_writes_outside_the_project_and_a_server_does_not(root: Path, tmp_path: Path):
    output = tmp_path / "graph.json"
    said = printed("export", "--project", str(root), "--output", str(output))
    assert str(output) in said
    assert len(json.loads(output.read_text())["nodes"]) == MANY + 3
    refused = asked("coderef_export", project_path=str(root), output_path=str(output))
    assert (refused["code"], "outside the project" in str(refused["error"])) == ("path_not_allowed", True)
    for path, problem in (("package.json", b"another program's settings"), ("no/graph.json", b"does not exist")):
        done = process("code", "export", "--project", str(root), "--output", str(tmp_path / path))
        assert (done.returncode, problem in done.stderr) == (1, True), done.stderr
    inside = printed("export", "--project", str(root), "--output", str(root / "graph.json"))
    assert "to graph.json" in inside
    (root / "graph.json").unlink()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "jsonld", "dot", "index"])
def test_an_inline_export_that_is_too_large_is_refused_with_the_call_that_writes_it(root: Path, form: str):
    refused = asked("coderef_export", project_path=str(root), format=form)
    assert refused["code"] == "invalid_input"
    assert f"bearings code export --project {shlex.quote(str(root))} --format {form} --output" in str(refused["hint"])
    done = asked("coderef_export", **refused["call"])
    assert done["nodes_exported"] >= MANY
    (root / str(done["path"])).unlink()
    few = asked("coderef_export", project_path=str(root), format=form, max_nodes=5)
    assert (few["nodes_exported"], few["omitted"] > 0) == (5, True)


def page_of(root: Path, *words: str) -> dict[str, Any]:
    """The reply in a command's page."""
    page = printed(*words, "--project", str(root), "--html", "-")
    found = re.search(r'<script type="application/json" id="given">(.*?)</script>', page)
    assert found
    reply: dict[str, Any] = json.loads(found[1])["answer"]["reply"]
    return reply


@pytest.mark.slow
def test_a_page_holds_all_that_a_change_reaches(root: Path):
    reply = page_of(root, "impact", "hub")
    assert len(reply["affected"]) == reply["affected_total"] == MANY
    assert "next_cursor" not in reply
    assert len(page_of(root, "impact", "hub", "--limit", "7")["affected"]) == 7


@pytest.mark.slow
def test_a_page_holds_all_that_changed_and_what_it_reaches(tmp_path: Path):
    functions = "\n\n".join(f"def function_number_{n}(x):\n    return hub(x) + {n}" for n in range(MANY))
    files = {"hub.py": "def hub(x):\n    return x\n", "many.py": f"from hub import hub\n\n\n{functions}\n"}
    root = repository(tmp_path.resolve() / "app", files)
    write(root, {"hub.py": "def hub(x):\n    return x + 1\n"})
    reply = page_of(root, "changes")
    assert len(reply["reached"]) == reply["reached_total"] == MANY
    write(root, {"many.py": files["many.py"].replace("hub(x) +", "hub(x) -")})
    reply = page_of(root, "changes")
    assert len(reply["changed"]) == reply["changed_total"] == MANY + 1


@pytest.mark.slow
def test_a_page_is_bounded_and_says_so(tmp_path: Path):
    most = 5_000
    functions = "\n\n".join(f"def f{n}(x):\n    return hub(x)" for n in range(most + 3))
    root = repository(tmp_path.resolve() / "app", {"hub.py": "def hub(x):\n    return x\n"})
    write(root, {"many.py": f"from hub import hub\n\n\n{functions}\n"})
    reply = page_of(root, "changes")
    assert (len(reply["changed"]), reply["omitted"], reply["changed_total"]) == (most, 4, most + 4)
