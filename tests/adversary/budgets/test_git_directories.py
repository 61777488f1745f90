"""Git directories whose files hang a reader, or use up descriptors: each is answered at once."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.project.git.history import History
from bearings.code.project.listing import Lister
from bearings.errors import Unsupported
from tests.code.trees import repository

pytestmark = pytest.mark.skipif(os.name != "posix", reason="FIFOs and /dev/fd are POSIX")

FILES = (".git/index", ".git/info/exclude", ".git/packed-refs", ".git/config", ".git/HEAD", ".git/commondir")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", {"a.py": "x = 1\n", "src/b.py": "y = 2\n"})


def replaced(root: Path, file: str) -> Path:
    """The place of a file of the git directory, which is free now."""
    place = root / file
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    return place


def answered(question: Callable[[], object], fifo: Path) -> object:
    """The answer, or the error; None if the reader waits for the FIFO's other end."""
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(question())
        except Unsupported as error:
            found.append(error.error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(20)
    if asking.is_alive():
        os.close(os.open(fifo, os.O_RDWR | os.O_NONBLOCK))  # lets the reader go
        return None
    return found[0]


@pytest.mark.parametrize("file", FILES)
def test_a_fifo_is_not_waited_for(root, file):
    place = replaced(root, file)
    os.mkfifo(place)
    assert answered(lambda: Lister(root).list().paths, place) == ("a.py", "src/b.py")


@pytest.mark.parametrize("file", FILES)
def test_a_directory_leaves_no_descriptor_open(root, file):
    replaced(root, file).mkdir()
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(10):
        assert Lister(root).list().paths == ("a.py", "src/b.py")
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_an_index_that_is_no_file_is_told(root):
    history = History(root)
    commit = history.commit("HEAD")
    place = replaced(root, ".git/index")
    os.mkfifo(place)
    told = answered(lambda: history.changes(commit, 1_000_000), place)
    assert told == "the project's history can't be read: the index can't be read"
