"""Trees that change while they are read. The change comes at a moment of our choosing, by way of what a scan calls:
its store, between reading files and parsing them, and its progress."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from bearings.code.facts.packing import Packed
from bearings.code.facts.store import NoFacts
from bearings.code.file_facts import FileFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.project.sources import read_source
from tests.code.hostile.trees import MAX
from tests.code.in_process import MemoryFacts
from tests.code.test_change_detection import clean, content
from tests.code.trees import SHOP, repository, write

Change = Callable[[Path], object]


class Meddler(MemoryFacts):
    """A store, and a progress, that change the tree when they are called for the `at`-th time."""

    def __init__(self, root: Path, change: Change, at: int) -> None:
        super().__init__()
        self._root = root
        self._change = change
        self._left = at

    def _meddle(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._change(self._root)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        self._meddle()
        return super().get(keys)

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        self._meddle()
        super().put(facts)

    def update(self, done: float, total: float | None, message: str) -> None:
        self._meddle()


def link(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def link_to_moved(path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to("other")


def fifo_over(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def directory_over(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inner.py").write_text("def inner(): pass\n")


CHANGES: dict[str, Change] = {
    "a file grows": lambda root: (root / "shop/prices.py").write_text(SHOP["shop/prices.py"] * 3),
    "a file shrinks": lambda root: os.truncate(root / "shop/basket.py", 10),
    "a file is emptied": lambda root: os.truncate(root / "shop/basket.py", 0),
    "a file becomes too large": lambda root: (root / "shop/prices.py").write_text("x = 1\n" * MAX),
    "a file becomes binary": lambda root: (root / "shop/prices.py").write_bytes(b"\0"),
    "a file vanishes": lambda root: (root / "shop/prices.py").unlink(),
    "a file becomes a directory": lambda root: directory_over(root / "shop/prices.py"),
    "a file becomes a link": lambda root: link(root / "shop/prices.py", "/etc/passwd"),
    "a file becomes a FIFO": lambda root: fifo_over(root / "shop/prices.py"),
    "a file is renamed": lambda root: (root / "shop/prices.py").rename(root / "shop/costs.py"),
    "two files change places": lambda root: [
        (root / "shop/prices.py").rename(root / "x"),
        (root / "shop/basket.py").rename(root / "shop/prices.py"),
        (root / "x").rename(root / "shop/basket.py"),
    ],
    "a directory vanishes": lambda root: shutil.rmtree(root / "shop"),
    "a directory becomes a link": lambda root: link_to_moved(root / "shop"),
    "the tree vanishes": shutil.rmtree,
    "the repository vanishes": lambda root: shutil.rmtree(root / ".git"),
    "rules appear": lambda root: (root / ".gitignore").write_text("shop/\n"),
    "a manifest appears": lambda root: (root / "tsconfig.json").write_text("{"),
}


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("what", CHANGES)
def test_the_next_answer_is_that_of_a_clean_build(tmp_path, what, at):
    root = repository(tmp_path / "project", SHOP)
    meddler = Meddler(root, CHANGES[what], at)
    index = Index(root, meddler, MAX)
    assert isinstance(index.refresh(meddler), Snapshot), "the scan that is disturbed is no error"
    for _ in range(2):
        assert content(index.refresh(meddler)) == content(clean(root) if root.exists() else empty(root))


def empty(root: Path) -> Snapshot:
    return Index(root, NoFacts(), MAX).refresh()


def test_a_refused_file_that_changes_within_a_tick_is_taken_in(tmp_path):
    """Same size, same inode, and as good as the same time."""
    write(tmp_path, {"a.py": b"x = 1\0\n"})
    index = Index(tmp_path, NoFacts(), MAX)
    for number in range(50):
        good, bad = b"x = 12\n", b"x = 1\0\n"
        (tmp_path / "a.py").write_bytes(bad)
        assert list(index.refresh().facts) == [], number
        (tmp_path / "a.py").write_bytes(good)
        assert list(index.refresh().facts) == ["a.py"], number


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there are no such files")
def test_files_that_lie_about_their_size_or_fail_are_named():
    for name in ("self/status", "self/mem", "kmsg"):
        read_source(Path("/proc"), name, MAX)  # raises nothing
