"""A repository that names another's objects as its own: nothing outside the allowed directories is read."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bearings.caller import Caller, calling
from bearings.code.engine.native import NativeEngine
from bearings.code.project.git.history import History
from bearings.code.project.listing import Lister, list_project
from bearings.code.project.roots import shared
from bearings.code.questions.changes import AskChanges
from bearings.code.service import CodeService
from bearings.errors import InvalidInput, Unsupported
from tests.adversary.conftest import Tally
from tests.code.trees import git, repository

SECRET = {"secret.py": "def secret():\n    return 42\n"}


def commit_of(root: Path) -> str:
    told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True)
    return told.stdout.strip()


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "victim", SECRET)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "mine/project", {"a.py": "def a(): pass\n"})


def quoted(victim: Path, root: Path) -> None:
    alternates(root, f'"{victim}/.git/objects"\n')


def oversized(victim: Path, root: Path) -> None:
    alternates(root, f"{victim}/.git/objects\n" + "#\n" * 600_000)


def after_a_carriage_return(victim: Path, root: Path) -> None:
    odd = root / ".git/objects/deep/x\r"
    odd.parent.mkdir()
    odd.symlink_to(victim / ".git/objects")
    alternates(root, "deep/x\r/.\n")


def by_way_of_a_link(victim: Path, root: Path) -> None:
    (root / "a/b/c/d/e").mkdir(parents=True)
    (root / ".git/objects/deep").mkdir()
    (root / ".git/objects/deep/link").symlink_to(root / "a/b/c/d/e")
    alternates(root, f"deep/link/{'../' * 6}{victim.name}/.git/objects\n")


def a_linked_file(victim: Path, root: Path) -> None:
    (root / "list").write_text(f"{victim}/.git/objects\n")
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").symlink_to(root / "list")


def a_store_whose_packs_are_a_link(victim: Path, root: Path) -> None:
    git(victim, "gc", "-q")
    (root / "store").mkdir()
    (root / "store/pack").symlink_to(victim / ".git/objects/pack")
    alternates(root, f"{root}/store\n")


def a_store_whose_list_is_a_link(victim: Path, root: Path) -> None:
    (root / "store/info").mkdir(parents=True)
    (root / "list").write_text(f"{victim}/.git/objects\n")
    (root / "store/info/alternates").symlink_to(root / "list")
    alternates(root, f"{root}/store\n")


def alternates(root: Path, text: str) -> None:
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").write_text(text, newline="")


TRICKS = [
    quoted, oversized, after_a_carriage_return, by_way_of_a_link, a_linked_file, a_store_whose_packs_are_a_link,
    a_store_whose_list_is_a_link,
]  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="links and the spellings are POSIX")
@pytest.mark.parametrize("trick", TRICKS)
def test_no_object_of_another_repository_is_read(victim, root, trick, tally: Tally):
    trick(victim, root)
    with pytest.raises(Unsupported):
        History(root, (root.parent,)).commit(commit_of(victim))
    tally("an object of another repository", 1, 1)


def test_objects_are_not_tried_out_by_four_digits(root):
    name = commit_of(root)
    assert History(root).commit(name[:7]) == name
    for short in (name[:4], name[:6], f"v1-2-g{name[:6]}"):
        with pytest.raises(InvalidInput):
            History(root).commit(short)


def test_a_listing_asks_no_store_outside_either(victim, root):
    """git reads the folders of a sparse index from objects."""
    git(victim, "sparse-checkout", "init", "--cone", "--sparse-index")
    (victim / "deep/er").mkdir(parents=True)
    (victim / "deep/er/hidden_name.py").write_text("x\n")
    git(victim, "add", "--sparse", "-A")
    git(victim, "commit", "-q", "-m", "deep")
    git(victim, "sparse-checkout", "set", "none")
    shutil.copy(victim / ".git/index", root / ".git/index")
    alternates(root, f"{victim}/.git/objects\n")
    assert "deep/er/hidden_name.py" in list_project(root).paths
    assert Lister(root, roots=(root.parent,)).list().paths == ("a.py",)


def test_roots_that_are_shared_are_inside_both(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert shared(None, None) is None
    assert shared((one,), None) == shared(None, (one,)) == (one,)
    assert shared((tmp_path,), (one, two)) == (one, two)
    assert shared((one / "deep", two), (one,)) == (one / "deep",)
    assert shared((one,), (two,)) == ()


@pytest.mark.anyio
async def test_a_callers_own_roots_hold_for_git_too(victim, root):
    """Alice's objects include Bob's: whoever may read both directories reads both, and Alice does not."""
    alternates(root, f"{victim}/.git/objects\n")
    engine = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000, roots=[victim.parent])
    service = CodeService(engine, [victim.parent])
    secret = commit_of(victim)
    try:
        for _ in range(2):
            with calling(Caller("both")):
                assert (await service.reply_to(str(root), AskChanges(base=secret, detail="full"))).commit == secret
            with calling(Caller("alice", (root.parent,))), pytest.raises(Unsupported, match="outside the directories"):
                await service.reply_to(str(root), AskChanges(base=secret, detail="full"))
    finally:
        await engine.aclose()
