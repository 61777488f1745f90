"""Commits that git would not make: nothing of them is run or written, and what can't be read is said."""

import os
import shlex
import stat
from pathlib import Path

import pytest

from bearings.code.index.project_index import Index
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.git.commits import commit_named, repository_of
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.tree import read_from
from bearings.errors import InvalidInput, Unsupported
from tests.code.git.raw_objects import commit, put, tree
from tests.code.in_process import MemoryFacts
from tests.code.trees import git, repository
from tests.soak import soak

MAX = 1_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", {"a.py": "def a():\n    return 1\n"})


def skipped(root: Path, name: str) -> dict[str, SkipReason]:
    return {
        one.path: one.reason
        for one in Index(root, MemoryFacts(), MAX, tree=CommitTree(root, None, name)).refresh().skipped
    }


def test_names_that_lead_elsewhere_are_skipped_with_a_word(root):
    blob = put(root, "blob", b"def evil():\n    return 1\n")
    inner = tree(root, [("100644", b"x.py", blob)])
    top = tree(root, [
        ("100644", b"/etc/absolute.py", blob), ("100644", b"../out.py", blob), ("40000", b"..", inner),
        ("40000", b".", inner), ("40000", b".git", inner), ("100644", b"good.py", blob), ("100644", b"a//b.py", blob),
    ])  # fmt: skip
    name = commit(root, top)
    listing = CommitTree(root, None, name).listing()
    assert listing.paths == ("good.py",)
    unsafe = {one.path for one in listing.skipped if one.reason is SkipReason.UNSAFE}
    assert unsafe == {"/etc/absolute.py", "../out.py", "../x.py", "./x.py", "a//b.py"}
    assert not (root.parent / "out.py").exists()


def test_an_entry_twice_and_an_entry_of_another_kind_are_text_like_any_other(root):
    blob = put(root, "blob", b"def one():\n    return 1\n")
    inner = tree(root, [("100644", b"x.py", blob)])
    top = tree(root, [
        ("100644", b"d.py", blob), ("100644", b"d.py", blob), ("40000", b"d.py", inner),
        ("100644", b"folder.py", inner), ("120000", b"link.py", inner), ("020000", b"device.py", blob),
    ])  # fmt: skip
    found = Index(root, MemoryFacts(), MAX, tree=CommitTree(root, None, commit(root, top))).refresh()
    assert sorted(found.facts) == ["d.py", "d.py/x.py"]
    assert {one.path for one in found.skipped} == {"folder.py", "link.py", "device.py/"}


def test_a_blob_that_declares_ten_gigabytes_is_too_large_and_not_read(root):
    huge = put(root, "blob", b"x = 1\n", size=10 * 2**30)
    name = commit(root, tree(root, [("100644", b"huge.py", huge)]))
    assert skipped(root, name) == {"huge.py": SkipReason.TOO_LARGE}


@pytest.mark.parametrize("size", [3, 600, None])
def test_a_damaged_blob_is_unreadable_and_the_others_are_read(root, size):
    good = put(root, "blob", b"def good():\n    return 1\n")
    text = b"def bad():\n    return 1\n" * 20
    bad = put(root, "blob", text, size=size, damaged=size is None)
    gone = "1234567890" * 4
    top = tree(root, [("100644", b"bad.py", bad), ("100644", b"gone.py", gone), ("100644", b"good.py", good)])
    found = Index(root, MemoryFacts(), MAX, tree=CommitTree(root, None, commit(root, top))).refresh()
    assert list(found.facts) == ["good.py"]
    assert {one.path: one.reason for one in found.skipped} == dict.fromkeys(
        ["bad.py", "gone.py"], SkipReason.UNREADABLE
    )


@pytest.mark.slow
def test_very_many_damaged_blobs_end_the_question(root):
    entries = [("100644", b"f%d.py" % n, put(root, "blob", b"x = %d\n" % n * 50, size=9 + n)) for n in range(150)]
    with pytest.raises(Unsupported, match="too many objects are damaged"):
        skipped(root, commit(root, tree(root, entries)))


def test_a_tree_that_is_absent_is_refused(root):
    with pytest.raises(Unsupported, match="can't be read"):
        skipped(root, commit(root, "1234567890" * 4))


@pytest.mark.slow
@soak
def test_a_tree_of_ten_thousand_million_files_is_refused(root):
    below = tree(root, [("100644", b"x%d.py" % n, put(root, "blob", b"")) for n in range(10)])
    for _ in range(9):
        below = tree(root, [("40000", b"d%d" % n, below) for n in range(10)])
    with pytest.raises(Unsupported, match=r"more than there is room for|did not answer in time"):
        skipped(root, commit(root, below))


def test_links_in_circles_and_out_of_the_commit_lead_nowhere(root):
    links = {
        b"a.py": b"b.py",
        b"b.py": b"a.py",
        b"c.py": b"c.py/x",
        b"etc.py": b"/etc",
        b"up.py": b"../../../..",
        b"n.py": b"a\nb",
    }
    entries = [("120000", name, put(root, "blob", target)) for name, target in sorted(links.items())]
    name = commit(root, tree(root, entries))
    assert skipped(root, name) == {os.fsdecode(path): SkipReason.SYMLINK for path in links}
    tree_ = CommitTree(root, None, name)
    assert read_from(tree_, "etc.py", MAX) == Skipped("etc.py", SkipReason.SYMLINK)
    assert read_from(tree_, "etc.py/passwd", MAX) is None
    assert [tree_.inside(path) for path in ("x/../a.py", "../a.py", "/etc/passwd")] == ["a.py", None, None]


def test_no_program_of_the_repository_runs(root, tmp_path):
    marker = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(marker))}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    for key in (
        "filter.x.smudge",
        "filter.x.clean",
        "filter.x.process",
        "core.fsmonitor",
        "core.sshCommand",
        "diff.x.textconv",
    ):
        git(root, "config", key, shlex.quote(str(program)))
    (root / ".gitattributes").write_text("* filter=x diff=x\n")
    git(root, "-c", "filter.x.clean=cat", "-c", "filter.x.process=", "add", ".gitattributes")
    git(root, "-c", "core.fsmonitor=false", "commit", "-q", "-m", "attributes")
    marker.unlink(missing_ok=True)
    assert skipped(root, "HEAD") == {}
    assert not marker.exists()


@pytest.mark.parametrize(
    "name",
    [
        "-x",
        "--help",
        ":a.py",
        "HEAD:a.py",
        "^HEAD",
        "a\nb",
        "",
        "@{-1}",
        "HEAD@{1}",
        "../HEAD",
        "/etc/passwd",
        "a..b",
        "*",
    ],
)
def test_dangerous_names_are_refused(root, name):
    with pytest.raises(InvalidInput, match="names no commit"):
        CommitTree(root, None, name)


def test_an_unknown_name_is_answered_with_the_nearest_ones(root):
    git(root, "tag", "v1.2.0")
    git(root, "branch", "feature/login")
    git(root, "pack-refs", "--all")
    git(root, "branch", "feature/logout")
    found = repository_of(root, None)
    for wrong, right in (
        ("v1.2.1", "v1.2.0"),
        ("feature/logon", "feature/login"),
        ("feature/logot~2", "feature/logout"),
    ):
        with pytest.raises(InvalidInput) as error:
            commit_named(found, wrong, "at")
        assert error.value.field == "at"
        assert f"Did you mean {right}" in error.value.hint


def test_a_commit_without_the_project_s_folder_is_refused(root):
    (root / "later").mkdir()
    (root / "later/b.py").write_text("b = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "later")
    assert CommitTree(root / "later", None, "HEAD").listing().paths == ("b.py",)
    with pytest.raises(InvalidInput, match="without the project's folder"):
        CommitTree(root / "later", None, "HEAD~1").listing()
