"""Clones of real repositories, by file URLs: complete, within limits, and without running anything of theirs."""

import os
import shutil
from pathlib import Path

import pytest

from bearings.code.project.git import cloning
from bearings.code.project.git.cloning import CloneFails, Limits, clone, commit_of, remove
from tests.code.fleet.traps import SOURCES, Trap, hostile
from tests.code.trees import git, repository, write

LIMITS = Limits(30.0, 50_000_000)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", SOURCES)


def test_a_clone_has_the_newest_commit_alone(shop: Path, tmp_path: Path):
    write(shop, {"app.py": "def newer(): pass\n"})
    git(shop, "commit", "-qam", "second")
    git(shop, "tag", "v1")
    folder = tmp_path / "out" / "clone"
    clone(shop.as_uri(), folder, LIMITS)
    assert (folder / "app.py").read_text() == "def newer(): pass\n"
    assert (folder / ".git/shallow").exists()
    assert not list((folder / ".git/hooks").glob("*")) if (folder / ".git/hooks").exists() else True
    assert not (folder / ".git/objects/info/alternates").exists()
    assert (folder / ".git/refs/heads/main").read_text().strip() == commit_of(shop.as_uri(), LIMITS)
    assert [path.name for path in folder.parent.iterdir()] == ["clone"]


def test_a_clone_is_replaced(shop: Path, tmp_path: Path):
    folder = tmp_path / "clone"
    write(folder, {"old.py": ""})
    write(tmp_path / "clone.part", {"left.py": ""})
    clone(shop.as_uri(), folder, LIMITS)
    assert sorted(path.name for path in folder.iterdir()) == [".git", "app.py", "web.ts"]
    assert not (tmp_path / "clone.part").exists()


@pytest.mark.parametrize("bare", [True, False])
def test_a_bare_repository_and_sha256_are_cloned(shop: Path, tmp_path: Path, bare: bool):
    words = ["--bare"] if bare else []
    git(tmp_path, "clone", "-q", *words, str(shop), "other.git")
    clone((tmp_path / "other.git").as_uri(), tmp_path / "clone", LIMITS)
    assert (tmp_path / "clone/app.py").exists()
    newer = tmp_path / "newer"
    newer.mkdir()
    git(newer, "init", "-q", "--object-format=sha256")
    write(newer, SOURCES)
    git(newer, "add", "-A")
    git(newer, "commit", "-qm", "first")
    clone(newer.as_uri(), tmp_path / "clone256", LIMITS)
    assert (tmp_path / "clone256/app.py").exists()


@pytest.mark.slow
def test_nothing_of_a_hostile_repository_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trap = Trap(tmp_path / "trap")
    source = hostile(tmp_path / "hostile", trap)
    home = tmp_path / "home"
    write(home, {".gitconfig": f'[core]\n\tfsmonitor = {trap.script}\n[filter "lfs"]\n\tsmudge = {trap.script}\n'})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_SSH", str(trap.script))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(source / ".git"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor={trap.script}'")
    (tmp_path / "trap" / "sprung-0").write_text("")
    assert trap.sprung == ["sprung-0"], "the witness works"
    (tmp_path / "trap" / "sprung-0").unlink()
    commit_of(source.as_uri(), LIMITS)
    clone(source.as_uri(), tmp_path / "clone", LIMITS)
    assert trap.sprung == []
    assert (tmp_path / "clone/app.py").read_text() == SOURCES["app.py"]
    assert not (tmp_path / "clone/x").exists() or not list((tmp_path / "clone/x").iterdir())
    config = (tmp_path / "clone/.git/config").read_text()
    assert str(trap.script) not in config


def partial(tmp_path: Path, shop: Path) -> Path:
    git(shop, "config", "extensions.partialclone", "origin")
    return shop


def empty(tmp_path: Path, shop: Path) -> Path:
    made = tmp_path / "empty"
    made.mkdir()
    git(made, "init", "-q")
    return made


def broken(tmp_path: Path, shop: Path) -> Path:
    for file in (shop / ".git/objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"noise")
    return shop


def elsewhere(tmp_path: Path, shop: Path) -> Path:
    (shop / ".git/objects/info").mkdir(exist_ok=True)
    (shop / ".git/objects/info/alternates").write_text(f"{tmp_path}\n")
    return shop


def linked(tmp_path: Path, shop: Path) -> Path:
    (shop / ".git/objects").rename(tmp_path / "objects")
    (shop / ".git/objects").symlink_to(tmp_path / "objects")
    return shop


def future(tmp_path: Path, shop: Path) -> Path:
    git(shop, "config", "extensions.objectformat", "sha3")
    return shop


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (partial, "partial clone"),
        (empty, "no commit"),
        (broken, "."),
        (elsewhere, "outside"),
        (linked, "."),
        (future, "unknown format"),
        (lambda tmp_path, _: write(tmp_path / "plain", SOURCES), "no git repository"),
        (lambda tmp_path, _: tmp_path / "none", "no git repository"),
    ],
)
def test_a_clone_that_is_refused_leaves_nothing(tmp_path: Path, shop: Path, make, told: str):
    url = make(tmp_path, shop).as_uri()
    with pytest.raises(CloneFails, match=told):
        clone(url, tmp_path / "out" / "clone", LIMITS)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
def test_a_large_repository_is_refused(tmp_path: Path):
    source = repository(tmp_path / "large", {"noise.bin": os.urandom(3_000_000)})
    with pytest.raises(CloneFails, match="takes more than 1 MB"):
        clone(source.as_uri(), tmp_path / "clone", Limits(30.0, 1_000_000))
    assert not (tmp_path / "clone").exists()


@pytest.mark.slow
def test_a_git_that_hangs_is_stopped(tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch):
    fake = tmp_path / "bin"
    write(fake, {"git": "#!/bin/sh\nsleep 60\n"})
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{os.environ['PATH']}")
    with pytest.raises(CloneFails, match=r"longer than 0\.3 s"):
        commit_of("https://example.org/a.git", Limits(0.3, 1))


def test_an_error_names_no_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fake = tmp_path / "bin"
    write(fake, {"git": "#!/bin/sh\necho 'fatal: https://me:secret@h.org/ not found' >&2\nexit 128\n"})
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{os.environ['PATH']}")
    with pytest.raises(CloneFails) as caught:
        commit_of("https://me:secret@h.org/a.git", LIMITS)
    assert str(caught.value) == "fatal: https://…@h.org/ not found"
    write(fake, {"git": "#!/bin/sh\nexit 3\n"})
    with pytest.raises(CloneFails, match="status 3"):
        commit_of("git@h.org:a.git", LIMITS)


def test_without_git_nothing_is_cloned(tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CloneFails, match="git is not installed"):
        clone(shop.as_uri(), tmp_path / "clone", LIMITS)


def test_a_server_that_refuses_is_told(tmp_path: Path):
    with pytest.raises(CloneFails, match="127"):
        clone("https://127.0.0.1:1/a.git", tmp_path / "clone", LIMITS)


def test_what_can_not_be_removed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    remove(link)
    remove(tmp_path / "none")
    assert not link.is_symlink()

    def refuse(_: Path) -> None:
        raise RecursionError

    monkeypatch.setattr(shutil, "rmtree", refuse)
    (tmp_path / "deep").mkdir()
    with pytest.raises(CloneFails, match="can't be removed"):
        cloning.remove(tmp_path / "deep")
