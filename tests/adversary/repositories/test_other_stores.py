"""A repository that names another's objects as its own: nothing outside the allowed directories is read."""

import os
import shutil
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bearings.caller import Caller, calling
from bearings.code.engine.native import NativeEngine
from bearings.code.project.git.history import History
from bearings.code.project.listing import Lister
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


def a_linked_object(victim: Path, root: Path) -> None:
    for path in (victim / ".git/objects").glob("??/*"):
        (root / ".git/objects" / path.parent.name).mkdir(exist_ok=True)
        (root / ".git/objects" / path.parent.name / path.name).symlink_to(path)


def a_linked_fan_out(victim: Path, root: Path) -> None:
    for path in (victim / ".git/objects").glob("??"):
        own = root / ".git/objects" / path.name
        shutil.rmtree(own, ignore_errors=True)
        own.symlink_to(path, target_is_directory=True)


def a_linked_pack(victim: Path, root: Path) -> None:
    git(victim, "gc", "-q")
    (root / ".git/objects/pack").mkdir(exist_ok=True)
    for path in (victim / ".git/objects/pack").iterdir():
        (root / ".git/objects/pack" / path.name).symlink_to(path)


def a_linked_object_in_a_store_of_the_roots(victim: Path, root: Path) -> None:
    """The alternate, and its own alternate, lie inside."""
    for number, leads_to in enumerate((f"{root}/store1\n", "")):
        (root / f"store{number}/info").mkdir(parents=True)
        (root / f"store{number}/info/alternates").write_text(leads_to)
    for path in (victim / ".git/objects").glob("??/*"):
        (root / "store1" / path.parent.name).mkdir(exist_ok=True)
        (root / "store1" / path.parent.name / path.name).symlink_to(path)
    alternates(root, f"{root}/store0\n")


def alternates(root: Path, text: str) -> None:
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").write_text(text, newline="")


TRICKS = [
    quoted, oversized, after_a_carriage_return, by_way_of_a_link, a_linked_file, a_store_whose_packs_are_a_link,
    a_store_whose_list_is_a_link, a_linked_object, a_linked_fan_out, a_linked_pack,
    a_linked_object_in_a_store_of_the_roots,
]  # fmt: skip
LINKS = [trick for trick in TRICKS if trick not in (quoted, oversized, after_a_carriage_return, by_way_of_a_link)]


@pytest.mark.skipif(os.name != "posix", reason="links and the spellings are POSIX")
@pytest.mark.parametrize("trick", TRICKS)
def test_no_object_of_another_repository_is_read(victim, root, trick, tally: Tally):
    trick(victim, root)
    with pytest.raises(Unsupported):
        History(root, (root.parent,)).commit(commit_of(victim))
    tally("an object of another repository", 1, 1)


@pytest.mark.skipif(os.name != "posix", reason="links are POSIX")
@pytest.mark.parametrize("trick", LINKS)
def test_a_link_in_a_store_is_not_followed_without_roots_either(victim, root, trick, tally: Tally):
    trick(victim, root)
    with pytest.raises(Unsupported, match=r"is a link|can't be read"):
        History(root).commit(commit_of(victim))
    assert Lister(root).list().paths  # a question without commits is answered
    tally("an object of another repository", 1, 1)


def test_a_link_that_comes_later_is_seen(victim, root):
    own = commit_of(root)
    assert History(root).commit(own) == own
    a_linked_object(victim, root)
    with pytest.raises(Unsupported, match=r"objects/../.* of the git directory is a link"):
        History(root).commit(own)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    """A socket, bound from its folder because names of sockets are short."""
    with closing(socket.socket(socket.AF_UNIX)) as made:
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


ODD = [
    "objects/info/alternates", "objects/info/commit-graph", "objects/info/commit-graphs/commit-graph-chain",
    "objects/pack/multi-pack-index", "objects/pack/multi-pack-index.d/multi-pack-index-chain",
    *(f"objects/pack/pack-{'a' * 40}.{end}" for end in ("idx", "pack", "rev", "bitmap")), f"objects/ab/{'c' * 38}",
    "objects/ab",
]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
@pytest.mark.parametrize("make", [fifo, listening])
@pytest.mark.parametrize("name", ODD)
def test_nothing_but_a_regular_file_is_opened_in_a_store(root, name, make, tally: Tally):
    path = root / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    make(path)
    with pytest.raises(Unsupported, match=f"{name} of the git directory is no regular file"):
        History(root).commit("HEAD")
    assert Lister(root).list().paths == ("a.py",)
    tally("a FIFO or socket in a git directory", 1, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
@pytest.mark.parametrize("make", [fifo, listening])
@pytest.mark.parametrize(
    "name", ["index", "HEAD", "refs/heads/main", "packed-refs", "commondir", "config", "info/exclude", "shallow"]
)
def test_nothing_but_a_regular_file_is_opened_in_a_git_directory(root, name, make, tally: Tally):
    git(root, "branch", "-M", "main")
    path = root / ".git" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    with suppress(Unsupported, InvalidInput):
        History(root).commit("main")
    assert "a.py" in Lister(root).list().paths
    tally("a FIFO or socket in a git directory", 1, 1)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the time for a listing ends it")
def test_a_fifo_among_ignore_rules_is_not_waited_for(root, tally: Tally):
    (root / "sub").mkdir()
    fifo(root / "sub/.gitignore")
    assert "a.py" in Lister(root, git_timeout_s=600).list().paths
    tally("a FIFO or socket in a git directory", 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("given", [False, True])
def test_what_people_share_goes_on_working(tmp_path, root, given):
    """Clones that borrow objects, worktrees and submodules, without roots and inside of them."""
    base = tmp_path.resolve()
    roots = (base,) if given else None
    git(base, "clone", "-q", "-s", str(root), str(base / "lent"))
    git(base, "clone", "-q", "--reference", str(root), f"file://{root}", str(base / "referred"))
    git(base, "clone", "-q", str(base / "lent"), str(base / "plain"))
    git(root, "worktree", "add", "-q", str(base / "tree"))
    git(root, "submodule", "add", "-q", str(base / "plain"), "inside")
    git(root, "gc", "-q")
    git(root, "commit-graph", "write", "--reachable", "--split")
    git(root, "multi-pack-index", "write")
    for place in ("lent", "referred", "plain", "tree", "mine/project/inside"):
        assert History(base / place, roots).commit("HEAD") == commit_of(base / place), place
        assert "a.py" in Lister(base / place, roots=roots).list().paths


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
    assert "deep/er/hidden_name.py" in Lister(root).list().paths
    assert Lister(root, roots=(root.parent,)).list().paths == ("a.py",)


def test_roots_that_are_shared_are_inside_both(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert shared(None, None) is None
    assert shared((one,), None) == shared(None, (one,)) == (one,)
    assert shared((tmp_path,), (one, two)) == (one, two)
    assert shared((one / "deep", two), (one,)) == (one / "deep",)
    assert shared((one,), (two,)) == ()


@pytest.mark.slow
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
