"""The commit to compare with, from what a CI tells, in whole and in shallow clones."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.cli.ci.base import Git, base_of
from bearings.errors import InvalidInput, Unsupported
from tests.cli.ci.conftest import name_of
from tests.code.trees import SHOP, git, repository, write

HOSTILE = (
    "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", '"', "a\nb", "a\0b", "--upload-pack=touch pwned",
    "+refs/heads/main:refs/heads/pwned", "-", "HEAD@{999}", "\ud800",
)  # fmt: skip


@pytest.fixture
def forked(tmp_path: Path) -> Path:
    """Main has a commit that the branch lacks, and `pull` merges both, as GitHub's merge for a pull request does."""
    root = repository(tmp_path / "origin", SHOP)
    git(root, "branch", "-M", "main")
    git(root, "tag", "fork")
    git(root, "checkout", "-q", "-b", "feature")
    write(root, {"shop/new.py": "NEW = 1\n"})
    _commit(root)
    git(root, "checkout", "-q", "main")
    write(root, {"shop/other.py": "OTHER = 1\n"})
    _commit(root)
    git(root, "checkout", "-q", "--detach", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "merge", "feature")
    git(root, "branch", "pull")
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    return root


def _commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "next")


def _event(folder: Path, event: Mapping[str, Any]) -> dict[str, str]:
    path = folder / "event.json"
    path.write_text(json.dumps(event))
    return {"GITHUB_EVENT_PATH": str(path)}


def _pull(root: Path, base: str = "main") -> dict[str, Any]:
    return {"pull_request": {"base": {"sha": name_of(root, base)}, "head": {"sha": name_of(root, "feature")}}}


def _clone(origin: Path, branch: str) -> Path:
    there = origin.parent / "clone"
    git(origin.parent, "clone", "-q", "--depth=1", f"--branch={branch}", f"file://{origin}", str(there))
    return there


@pytest.mark.parametrize(
    ("checkout", "told", "wanted"),
    [
        ("pull", {"event": "fork"}, "main"),
        ("pull", {"event": "main"}, "main"),
        ("feature", {"event": "main"}, "fork"),
        ("feature", {"before": "fork"}, "fork"),
        ("feature", {"before": ""}, "fork"),
        ("feature", {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "fork"}, "fork"),
        ("feature", {"CI_COMMIT_BEFORE_SHA": "0" * 40, "CI_DEFAULT_BRANCH": "main"}, "fork"),
        ("feature", {"CHANGE_TARGET": "main"}, "fork"),
        ("feature", {}, "feature"),
    ],
)
def test_the_base_is_the_state_that_the_change_began_from(
    forked: Path, checkout: str, told: dict[str, str], wanted: str
) -> None:
    git(forked, "checkout", "-q", "--detach", checkout)
    if "event" in told:
        told = _event(forked.parent, _pull(forked, told["event"]))
    elif "before" in told:
        before = name_of(forked, told["before"]) if told["before"] else "0" * 40
        told = _event(forked.parent, {"before": before, "repository": {"default_branch": "main"}})
    assert base_of(Git(forked), None, told, fetches=False).commit == name_of(forked, wanted)


def test_a_given_base_counts_more_than_what_is_told(forked: Path) -> None:
    told = {"CHANGE_TARGET": "main"}
    assert base_of(Git(forked), "feature", told, fetches=False).commit == name_of(forked, "feature")


@pytest.mark.slow
def test_a_shallow_clone_says_what_it_lacks_or_fetches_it(forked: Path) -> None:
    told = _event(forked.parent, _pull(forked))
    clone = _clone(forked, "pull")
    with pytest.raises(InvalidInput, match="is no commit of this clone") as refused:
        base_of(Git(clone), None, told, fetches=False)
    assert "fetch-depth: 0" in refused.value.hint
    found = base_of(Git(clone), None, told, fetches=True)
    assert (found.commit, found.note) == (name_of(forked, "main"), "")
    assert name_of(clone, f"{found.commit}:shop/other.py")  # its files came, too


@pytest.mark.slow
def test_a_shallow_clone_without_the_common_ancestor_says_so(forked: Path) -> None:
    found = base_of(Git(_clone(forked, "feature")), None, _event(forked.parent, _pull(forked)), fetches=True)
    assert found.commit == name_of(forked, "main")
    assert "fetch-depth: 0" in found.note


@pytest.mark.slow
def test_a_branch_is_fetched_by_its_name(forked: Path) -> None:
    git(forked, "branch", "odd-$(touch${IFS}pwned)'\";", "fork")
    clone = _clone(forked, "feature")
    found = base_of(Git(clone), "odd-$(touch${IFS}pwned)'\";", {}, fetches=True)
    assert found.commit == name_of(forked, "fork")
    assert not list(forked.parent.rglob("pwned*"))


@pytest.mark.slow
@pytest.mark.parametrize("ref", HOSTILE)
def test_a_hostile_name_is_refused_and_runs_nothing(forked: Path, ref: str) -> None:
    with pytest.raises(InvalidInput, match=r"^base = "):
        base_of(Git(forked), ref, {}, fetches=True)
    clone = _clone(forked, "feature")
    with pytest.raises(InvalidInput, match=r"^base = "):
        base_of(Git(clone), None, _event(forked.parent, {"before": ref}), fetches=True)
    assert not list(forked.parent.rglob("pwned*"))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_an_event_that_is_none_is_said(tmp_path: Path, forked: Path, text: str) -> None:
    (tmp_path / "event.json").write_text(text)
    with pytest.raises(InvalidInput, match=r"^GITHUB_EVENT_PATH = "):
        base_of(Git(forked), None, {"GITHUB_EVENT_PATH": str(tmp_path / "event.json")}, fetches=False)


def test_an_event_without_end_is_not_read(tmp_path: Path, forked: Path) -> None:
    with (tmp_path / "event.json").open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(InvalidInput, match="is too large for an event"):
        base_of(Git(forked), None, {"GITHUB_EVENT_PATH": str(tmp_path / "event.json")}, fetches=False)


def test_a_machine_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="git is not on PATH"):
        Git(tmp_path)


@pytest.mark.parametrize("event", [[], {}, {"pull_request": 1}, {"pull_request": {"base": {"sha": 7}}}, {"before": []}])
def test_an_event_that_tells_no_base_leaves_the_last_commit(forked: Path, event: Any) -> None:
    assert base_of(Git(forked), None, _event(forked.parent, event), fetches=False).commit == name_of(forked, "HEAD")
