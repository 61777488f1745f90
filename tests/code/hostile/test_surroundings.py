"""git that is broken, missing or hangs, directories that are closed, trees in odd places."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from bearings.code.project.listing import Lister
from bearings.code.project.skipped import Skipped, SkipReason
from tests.code.hostile.unprivileged import run_unprivileged, scan_unprivileged
from tests.code.trees import git, repository, write

SOURCES = {"a.py": "def a(): pass\n", "src/b.ts": "export const b = 1\n"}

posix = pytest.mark.skipif(os.name != "posix", reason="made of shell scripts and modes")


def program(directory: Path, text: str) -> Path:
    """A directory to put on PATH, with a `git` of our own making in it."""
    directory.mkdir()
    (directory / "git").write_text(f"#!/bin/sh\n{text}\n")
    (directory / "git").chmod(0o755)
    return directory


def gone(path: Path) -> Path:
    """A path that is free now."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    return path


@pytest.mark.parametrize(
    ("what", "ruin"),
    [
        ("HEAD is missing", lambda g: gone(g / "HEAD")),
        ("HEAD is noise", lambda g: (g / "HEAD").write_bytes(b"\xff\0")),
        ("the index is noise", lambda g: (g / "index").write_bytes(b"DIRC" + b"\xff" * 99)),
        ("the index is cut short", lambda g: (g / "index").write_bytes((g / "index").read_bytes()[:-30])),
        ("the config is noise", lambda g: (g / "config").write_text("[[[")),
        ("objects are missing", lambda g: gone(g / "objects")),
        ("all is missing", lambda g: gone(g).mkdir()),
        ("it is a file that leads nowhere", lambda g: gone(g).write_text("gitdir: /nowhere\n")),
        ("it is a link to itself", lambda g: gone(g).symlink_to(g)),
        ("locks were left", lambda g: [(g / name).write_text("") for name in ("index.lock", "HEAD.lock")]),
        ("its format is of the future", lambda g: git(g.parent, "config", "core.repositoryformatversion", "99")),
        ("it says that it is bare", lambda g: git(g.parent, "config", "core.bare", "true")),
    ],
)
def test_whatever_is_wrong_with_the_repository_the_files_are_listed(tmp_path, what, ruin):
    root = repository(tmp_path / "project", SOURCES)
    before = {path.name for path in (root / ".git").iterdir()}
    ruin(root / ".git")
    listing = Lister(root).list()
    assert {path for path in listing.paths if not path.startswith(".git")} == set(SOURCES)
    if what == "locks were left":
        assert {path.name for path in (root / ".git").iterdir()} == {*before, "index.lock", "HEAD.lock"}


def test_a_bare_repository_has_no_sources(tmp_path):
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    listing = Lister(tmp_path / "bare.git").list()
    assert listing.by == "walk"
    assert not [path for path in listing.paths if path.endswith((".py", ".ts"))]


def test_a_worktree_of_a_repository_is_listed_by_git(tmp_path):
    root = repository(tmp_path / "project", SOURCES)
    git(root, "worktree", "add", "-q", str(tmp_path / "second"))
    assert Lister(tmp_path / "second").list().by == "git"
    shutil.rmtree(root)
    assert Lister(tmp_path / "second").list().by == "walk"
    assert set(Lister(tmp_path / "second").list().paths) - {".git"} == set(SOURCES)


@posix
@pytest.mark.parametrize(
    "text", ["exit 1", "echo nonsense; exit 128", "kill -9 $$", "printf '../out.py\\0/etc/x.py\\0'"]
)
def test_a_git_that_fails_or_lies_leads_nobody_astray(tmp_path, monkeypatch, text):
    root = repository(tmp_path / "project", SOURCES)
    monkeypatch.setenv("PATH", f"{program(tmp_path / 'bin', text)}:{os.environ['PATH']}")
    assert set(Lister(root).list().paths) <= set(SOURCES)


@pytest.mark.slow
@posix
def test_a_git_that_hangs_is_given_up_once_and_for_all(tmp_path, monkeypatch, caplog):
    """The program's child holds the pipe until the FIFO is opened, which happens after the test."""
    root = repository(tmp_path / "project", SOURCES)
    calls, fifo = tmp_path / "calls", tmp_path / "fifo"
    os.mkfifo(fifo)
    hanging = program(tmp_path / "bin", f"echo x >> '{calls}'\ncat '{fifo}' &\nwait")
    monkeypatch.setenv("PATH", f"{hanging}:{os.environ['PATH']}")
    lister = Lister(root, git_timeout_s=0.3)
    try:
        for _ in range(3):
            assert (lister.list().by, set(lister.list().paths)) == ("walk", set(SOURCES))
            assert lister.ignored() == ()
    finally:
        os.close(os.open(fifo, os.O_RDWR | os.O_NONBLOCK))
    assert calls.read_text() == "x\n", "it was asked once"
    assert "did not list" in caplog.text


@pytest.mark.parametrize(
    "where", ["node_modules/project", "tmp/build/dist", ".venv/lib/site-packages/p", ".git/modules"]
)
@pytest.mark.parametrize("make", [repository, write], ids=["git", "walk"])
def test_a_project_in_a_place_with_an_excluded_name_is_read_whole(tmp_path, where, make):
    root = make(tmp_path / where, SOURCES)
    assert Lister(root).list().paths == tuple(SOURCES)


def test_a_manifest_is_read_though_ignored_where_nobody_knows_whether_it_is_tracked(tmp_path):
    ignoring = {".gitignore": "tsconfig.json\ngenerated.py\n", "tsconfig.json": "{}", "generated.py": ""}
    listing = Lister(write(tmp_path, {**SOURCES, **ignoring})).list()
    assert "tsconfig.json" in listing.paths
    assert listing.skipped == (Skipped("generated.py", SkipReason.IGNORED),)


def test_a_file_that_is_tracked_though_ignored_is_read(tmp_path):
    root = repository(tmp_path, {**SOURCES, "kept.py": ""})
    write(root, {".gitignore": "kept.py\n"})
    assert "kept.py" in Lister(root).list().paths


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="modes bind root only where privileges can be dropped")
@pytest.mark.parametrize("make", [repository, write], ids=["git", "walk"])
def test_what_may_not_be_read_is_named(tmp_path, make):
    """Through the real command, without the privileges of root."""
    names = {"closed/c.py": "", "new/n.py": "", "listable/l.py": "", "plain/shut.py": "", "open.py": "def o(): pass\n"}
    root = make(tmp_path / "project", {name: text for name, text in names.items() if name != "new/n.py"})
    write(root, names)
    modes = {"closed": 0, "new": 0, "listable": 0o400, "plain/shut.py": 0}
    for name, mode in modes.items():
        (root / name).chmod(mode)
    try:
        reply = scan_unprivileged(root, tmp_path / "cache")
    finally:
        for name in modes:
            (root / name).chmod(0o755)
    skipped = {left["path"].partition("/")[0] for left in reply["skipped"]}
    assert {left["reason"] for left in reply["skipped"]} == {SkipReason.UNREADABLE}
    assert skipped == {"closed", "new", "listable", "plain"}
    assert [element["name"] for element in reply["elements"]] == ["o"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="modes bind root only where privileges can be dropped")
def test_a_project_that_may_not_be_read_is_an_error(tmp_path):
    root = write(tmp_path / "project", SOURCES)
    root.chmod(0)
    try:
        done = run_unprivileged(root, tmp_path / "cache")
    finally:
        root.chmod(0o755)
    assert done.returncode == 2
    assert b"is not readable" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="modes bind root only where privileges can be dropped")
def test_a_cache_that_may_not_be_written_costs_time_alone(tmp_path):
    root = write(tmp_path / "project", SOURCES)
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o500)
    for _ in range(2):
        assert scan_unprivileged(root, cache)["elements_found"] == 2
    assert list(cache.iterdir()) == []
