"""`code index`: an index is written, checked and begun with; what is wrong is an error with a remedy."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.code.trees import SHOP, git, repository, write


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEREF_CACHE_DIR", str(tmp_path / "cache"))
    return repository(tmp_path / "project", SHOP)


@pytest.fixture
def file(project: Path, tmp_path: Path, invoke: Invoke) -> Path:
    made = invoke("code", "index", "export", str(tmp_path / "shop.index"), "--project", str(project))
    assert made.exit_code == 0, made.output
    assert ": commit " in made.stdout
    assert f", 4 files, {(tmp_path / 'shop.index').stat().st_size:,} bytes" in made.stdout
    return tmp_path / "shop.index"


@pytest.mark.slow
def test_an_index_is_taken_and_said(file: Path, project: Path, tmp_path: Path, invoke: Invoke, monkeypatch):
    git(tmp_path, "clone", "-q", str(project), str(tmp_path / "clone"))
    monkeypatch.setenv("CODEREF_CACHE_DIR", str(tmp_path / "other"))
    monkeypatch.chdir(tmp_path / "clone")
    taken = invoke("code", "index", "import", str(file))
    assert taken.exit_code == 0, taken.output
    assert "4 files; all of them were read and resolved here, and are alike. Questions begin with it now." in (
        taken.stdout
    )
    said = json.loads(invoke("code", "index", "import", str(file), "--verify", "--json").stdout)
    assert (said["files"], said["compared"], said["begins"], len(said["commit"])) == (4, 4, True, 40)
    assert invoke("code", "scan").exit_code == 0
    imports = (invoke("code", "index", "import", str(file)).stdout for _ in range(100))
    assert any("goes on with the graph that it has" in said for said in imports)  # stored after the scan's answer
    assert f"clone at {said['commit'][:12]}" in invoke("code", "cache", "info").stdout


def test_a_name_of_a_commit_is_followed(file: Path, project: Path, tmp_path: Path, invoke: Invoke):
    git(project, "tag", "v1")
    write(project, {"shop/prices.py": ""})
    git(project, "commit", "-qam", "second")
    words = ["code", "index", "export", str(tmp_path / "again"), "--project", str(project), "--json"]
    said = json.loads(invoke(*words, "--at", "v1").stdout)
    assert said["bytes"] == file.stat().st_size
    assert (tmp_path / "again").read_bytes() == file.read_bytes()
    assert json.loads(invoke(*words).stdout)["commit"] != said["commit"]
    unknown = json.loads(invoke(*words, "--at", "v2").stdout)
    assert (unknown["code"], unknown["error"]) == ("invalid_input", "at = 'v2': names no commit")


def test_a_refusal_names_the_file_and_the_remedy(file: Path, project: Path, tmp_path: Path, invoke: Invoke):
    (tmp_path / "cut").write_bytes(file.read_bytes()[:-1])
    for name, problem in (("cut", "is damaged or incomplete"), ("none", "is no file"), ("project", "is no file")):
        refused = invoke("code", "index", "import", str(tmp_path / name), "--project", str(project))
        assert refused.exit_code == 2
        assert refused.stderr.startswith(f"error: file = '{tmp_path}"[:40])
        assert f"': {problem}" in refused.stderr or f"…: {problem}" in refused.stderr  # a long path is cut
        assert "hint: " in refused.stderr
    alone = write(tmp_path / "alone", SHOP)
    refused = invoke("code", "index", "import", str(file), "--project", str(alone))
    assert (refused.exit_code, "is in no git repository" in refused.stderr) == (1, True)
    refused = invoke("code", "index", "export", str(tmp_path / "none" / "x"), "--project", str(project))
    assert (refused.exit_code, "can't be written" in refused.stderr) == (1, True)
