"""`code fleet`: a list is scanned, asked and listed, as text and as JSON."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.code.fleet.traps import SOURCES
from tests.code.trees import repository, write


@pytest.fixture
def repos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEREF_CACHE_DIR", str(tmp_path / "cache"))
    shop = repository(tmp_path / "shop", {**SOURCES, "call.ts": "fetch('/users/42')\n"})
    write(tmp_path / "plain", SOURCES)
    path = tmp_path / "repos.txt"
    path.write_text(f"plain\nshop = {shop.as_uri()}\n")
    return path


@pytest.fixture
def out(repos: Path, tmp_path: Path, invoke: Invoke) -> Path:
    made = invoke("code", "fleet", "scan", str(repos), str(tmp_path / "fleet.db"))
    assert made.exit_code == 0, made.output
    assert "2 scanned, 0 unchanged, 0 failed, in " in made.stdout
    return tmp_path / "fleet.db"


@pytest.mark.slow
def test_a_list_is_scanned_again_and_failures_are_told(out: Path, repos: Path, invoke: Invoke):
    repos.write_text("plain\nnowhere\n")
    again = invoke("code", "fleet", "scan", str(repos), str(out))
    assert again.exit_code == 1
    assert "0 scanned, 1 unchanged, 1 failed, 1 removed" in again.stdout
    assert "  nowhere: its path does not exist" in again.stdout
    said = json.loads(invoke("code", "fleet", "scan", str(repos), str(out), "--json").stdout)
    assert said["failed"] == {"nowhere": "its path does not exist"}
    assert said["unchanged"] == ["plain"]
    assert said["bytes"] == out.stat().st_size
    listed = invoke("code", "fleet", "list", str(out)).stdout.splitlines()
    assert listed[0] == "2 repositories, 1 failed"
    assert listed[1] == "FAILED nowhere: never read, its path does not exist"
    assert listed[2].startswith("plain: 2 files, ")
    document = json.loads(invoke("code", "fleet", "list", str(out), "--json").stdout)
    assert [one["state"] for one in document["repositories"]] == ["failed", "scanned"]
    asked = invoke("code", "fleet", "query", str(out), "--package", "requests", "get")
    assert asked.stdout.splitlines()[-1] == "not read at the last scan: nowhere"


@pytest.mark.slow
def test_users_of_a_package_are_lines(out: Path, invoke: Invoke):
    asked = invoke("code", "fleet", "query", str(out), "--package", "requests", "get")
    assert asked.exit_code == 0, asked.output
    assert asked.stdout.splitlines() == [
        "requests.get: 2 in 2 repositories: plain 1, shop 1",
        "plain/app.py:5 [in load, call] return requests.get(url)",
        "shop/app.py:5 [in load, call] return requests.get(url)",
    ]


@pytest.mark.slow
def test_exports_and_routes(out: Path, invoke: Invoke):
    exported = invoke("code", "fleet", "query", str(out), "--export", "load").stdout.splitlines()
    assert exported[1].startswith("plain/app.py:4 [function] def load(url)")
    routes = invoke("code", "fleet", "query", str(out), "--route", "/users/{id}").stdout.splitlines()
    assert routes[1].startswith("plain/web.ts:3 [route] GET /users/:id")
    assert routes[3] == "shop/call.ts:1 [request] fetch('/users/42')"
    assert invoke("code", "fleet", "query", str(out), "--route", "GET /users/1", "--json").exit_code == 0


@pytest.mark.slow
def test_pages(out: Path, invoke: Invoke):
    words = ["code", "fleet", "query", str(out), "--package", "express", "--limit", "2", "--json"]
    first = json.loads(invoke(*words).stdout)
    second = json.loads(invoke(*words, "--cursor", first["next_cursor"]).stdout)
    assert first["found"] == second["found"] > 2
    assert first["results"] != second["results"]
    assert first["repositories"] == {"plain": first["found"] // 2, "shop": first["found"] // 2}
    text = invoke(*words[:-1]).stdout.splitlines()
    assert text[-1] == f"{first['found'] - 2} more: --cursor {first['next_cursor']}"


@pytest.mark.slow
def test_nothing_found_is_status_1(out: Path, invoke: Invoke):
    asked = invoke("code", "fleet", "query", str(out), "--package", "nothing")
    assert asked.exit_code == 1
    assert asked.stdout.strip() == "nothing: 0 in 0 repositories"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["query", "OUT"],
        ["query", "OUT", "--package", "a", "--export", "b"],
        ["query", "OUT", "name", "--export", "b"],
        ["query", "OUT", "--package", "a", "--cursor", "x"],
        ["query", "none.db", "--package", "a"],
        ["list", "none.db"],
        ["scan", "none.txt", "OUT"],
        ["scan", "REPOS", "REPOS"],
        ["scan", "REPOS", "OUT", "--scheduler", "nowhere at all"],
    ],
)
def test_bad_usage_is_status_2(out: Path, repos: Path, invoke: Invoke, words: list[str]):
    given = [{"OUT": str(out), "REPOS": str(repos)}.get(word, word) for word in words]
    assert invoke("code", "fleet", *given).exit_code == 2


@pytest.mark.slow
def test_the_variable_names_the_catalogue_of_query(out: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BEARINGS_FLEET", str(out))
    words = ("code", "query", "requests#get", "--type", "depends-on-me", "--fleet", "default")
    asked = invoke(*words)
    assert asked.exit_code == 0, asked.output
    assert "plain/app.py:5" in asked.stdout
    assert "In 2 of 2 repositories" in asked.stdout


@pytest.mark.slow
def test_a_catalogue_of_query_is_named_from_the_working_directory(out: Path, invoke: Invoke):
    asked = invoke("code", "query", "express", "--type", "imports-me", "--fleet", out.name, "--project", "plain")
    assert asked.exit_code == 0, asked.output
    assert "plain/web.ts:1" in asked.stdout
