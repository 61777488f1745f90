"""Opening below a directory: no link is followed, wherever it stands, and files that are there are opened."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.project import safe_directory
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import Source, read_beneath, read_source
from tests.code.trees import write

FILES = {"a.py": "a", "src/b.py": "b", "src/deep/er/c.py": "c", "lib/d.py": "d"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "outside", {"a.py": "secret", "deep/er/c.py": "secret"})
    return write(tmp_path / "root", FILES)


def text(tree: SafeDirectory, path: str) -> str:
    with tree.file(path) as file:
        return file.read().decode()


def test_files_are_opened_in_any_order_of_their_folders(root):
    with SafeDirectory(root) as tree:
        for path in [*FILES, *reversed(FILES), "src/deep/er/c.py", "src/b.py", "src/deep/er/c.py"]:
            assert text(tree, path) == FILES[path]


def test_it_opens_again_after_it_was_closed(root):
    tree = SafeDirectory(root)
    assert text(tree, "a.py") == "a"
    tree.close()
    assert text(tree, "src/b.py") == "b"
    tree.close()
    tree.close()


def test_it_leaves_no_descriptor_open(root):
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(20):
        with SafeDirectory(root) as tree:
            text(tree, "src/deep/er/c.py")
            for wrong in ("src/none/x.py", "src/../a.py", "a.py/b", "src//b.py", "none"):
                with pytest.raises(OSError):  # noqa: PT011 - each its own kind
                    tree.file(wrong)
    assert len(list(Path("/dev/fd").iterdir())) == before


@pytest.mark.parametrize("link", ["a.py", "src", "src/deep", "src/deep/er", "src/deep/er/c.py"])
def test_a_link_in_any_component_is_refused_and_named(root, link):
    target = root.parent / "outside" / ("a.py" if link.endswith(".py") else "")
    place = root / link
    place.rename(root.parent / "moved")
    place.symlink_to(target)
    path = link if link.endswith(".py") else f"{link}/b.py"
    assert read_source(root, path, 100) == Skipped(path, SkipReason.SYMLINK)


def test_a_root_that_became_a_link_is_refused(root):
    root.rename(root.parent / "moved")
    root.symlink_to(root.parent / "outside")
    assert not isinstance(read_source(root, "a.py", 100), Source)


def test_a_folder_that_is_swapped_while_it_is_open_stays_the_one_that_was_opened(root):
    with SafeDirectory(root) as tree:
        assert text(tree, "src/b.py") == "b"
        (root / "src").rename(root.parent / "moved")
        (root / "src").symlink_to(root.parent / "outside")
        assert text(tree, "src/b.py") == "b"
        assert isinstance(read_beneath(tree, "lib/d.py", 100), Source)
        assert read_beneath(tree, "src/a.py", 100) == Skipped("src/a.py", SkipReason.SYMLINK)


def test_entries_are_told_without_following_links(root):
    (root / "src/away").symlink_to(root.parent / "outside")
    with SafeDirectory(root) as tree:
        with tree.scan("src") as entries:
            kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        assert kinds == {"b.py": False, "deep": True, "away": False}
        with pytest.raises(OSError), tree.scan("src/away"):  # noqa: PT011 - ELOOP or ENOTDIR, by system
            pass
        assert tree.link("src/away") == str(root.parent / "outside")


@given(st.lists(st.sampled_from(["", ".", "..", "src", "b.py", "\0", "/", "a\\b", "etc"]), min_size=1, max_size=5))
def test_no_spelling_leads_out(tmp_path_factory, parts):
    root = tmp_path_factory.getbasetemp() / "spelled"
    if not root.exists():
        write(root, FILES)
    path = "/".join(parts)
    found = read_source(root, path, 100)
    assert not isinstance(found, Source) or path in FILES


@pytest.mark.parametrize("pins", [True, False], ids=["descriptors", "real paths"])
class TestEachWay:
    """Behaviour on every system, without concurrent changes."""

    def test_files_are_opened_listed_replaced_and_removed(self, root, pins):
        with SafeDirectory(root, pins=pins) as tree:
            assert text(tree, "src/deep/er/c.py") == "c"
            assert tree.stat("src/b.py").st_size == 1
            assert tree.stat("").st_ino == root.stat().st_ino
            with tree.create("src/draft", 0o600) as file:
                file.write(b"new")
            tree.replace("src/draft", "src/b.py")
            assert text(tree, "src/b.py") == "new"
            tree.unlink("src/b.py")
            with tree.scan("src") as entries:
                assert [entry.name for entry in entries] == ["deep"]

    def test_only_regular_files_are_opened_and_none_is_waited_for(self, root, pins):
        if hasattr(os, "mkfifo"):
            os.mkfifo(root / "fifo")
        before = len(list(Path("/dev/fd").iterdir()))
        with SafeDirectory(root, pins=pins) as tree:
            for path in ("src", "fifo"):
                with pytest.raises(OSError):  # noqa: PT011 - each its own kind
                    tree.file(path)
            with pytest.raises(FileExistsError):
                tree.create("a.py", 0o600)
        assert len(list(Path("/dev/fd").iterdir())) == before

    def test_a_link_in_the_place_of_a_file_is_refused(self, root, pins, monkeypatch):
        if not pins:  # as on Windows
            monkeypatch.setattr(safe_directory, "_NO_LINK", 0)
        (root / "away.py").symlink_to(root.parent / "outside/a.py")
        with SafeDirectory(root, pins=pins) as tree, pytest.raises(OSError):  # noqa: PT011
            tree.file("away.py")

    def test_no_link_is_followed(self, root, pins):
        (root / "src/away").symlink_to(root.parent / "outside")
        with SafeDirectory(root, pins=pins) as tree:
            assert tree.link("src/away") == str(root.parent / "outside")
            for path in ("src/away/a.py", "src/away/../a.py", "src/../a.py", "src//b.py", "."):
                with pytest.raises(OSError):  # noqa: PT011 - each its own kind
                    tree.file(path)
            with pytest.raises(OSError), tree.scan("src/away"):  # noqa: PT011
                pass
            with pytest.raises(OSError):  # noqa: PT011
                tree.replace("src/away/draft", "src/away/a.py")
            with pytest.raises(OSError):  # noqa: PT011
                tree.unlink("src/away/a.py")
        assert (root.parent / "outside/a.py").read_text() == "secret"
