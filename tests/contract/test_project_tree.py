"""Every tree of files keeps the same promises: a working tree, and a commit's tree."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import Source
from bearings.code.project.tree import Tree, read_from
from bearings.code.project.working_tree import WorkingTree
from tests.code.trees import git, repository, write

FILES: dict[str, str | bytes] = {
    "src/a.py": "def a():\n    return 1\n",
    "src/deep/b.ts": "export const b = 1\n",
    "src/deep/er/c.md": "# c\n",
    "notes.txt": "plain\n",
    "empty.py": "",
    "binary.py": b"a\0b",
    "vendor/v.py": "v = 1\n",
    "größe.py": "g = 1\n",
}
MAX = 1_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path.resolve() / "project", FILES)
    (root / "link.py").symlink_to("src/a.py")
    (root / "folder").symlink_to("src")
    write(root, {"large.py": "x = 1\n" * MAX})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "links")
    return root


MakeTree = Callable[[Path], Tree]


@pytest.fixture(
    params=[lambda root: WorkingTree(root), lambda root: CommitTree(root, None, "HEAD")], ids=["disk", "commit"]
)
def tree(request: pytest.FixtureRequest, root: Path) -> Tree:
    make: MakeTree = request.param
    return make(root)


def test_it_lists_its_files_and_what_is_skipped(tree):
    listing = tree.listing()
    kept = {path for path in FILES if not path.startswith("vendor/")} | {"link.py", "large.py"}
    assert set(listing.paths) == kept
    assert list(listing.paths) == sorted(kept)
    assert {one.path: one.reason for one in listing.skipped} == {
        "vendor/": SkipReason.EXCLUDED, "folder/": SkipReason.SYMLINK,
    }  # fmt: skip
    assert tree.ignored() == ()


def test_it_reads_files_and_says_why_it_does_not(tree):
    for path in ("src/a.py", "src/deep/b.ts", "empty.py", "größe.py", "vendor/v.py"):
        source = read_from(tree, path, MAX)
        assert isinstance(source, Source), path
        given = FILES[path]
        assert source.data == (given if isinstance(given, bytes) else given.encode())
    assert read_from(tree, "binary.py", MAX) == Skipped("binary.py", SkipReason.BINARY)
    assert isinstance(read_from(tree, "binary.py", MAX, binary=True), Source)
    assert read_from(tree, "large.py", MAX) == Skipped("large.py", SkipReason.TOO_LARGE)
    assert read_from(tree, "link.py", MAX) == Skipped("link.py", SkipReason.SYMLINK)
    for absent in ("gone.py", "src/gone/a.py", "src/a.py/b.py"):
        assert not isinstance(read_from(tree, absent, MAX), Source)
    for elsewhere in ("folder/a.py", "../project/src/a.py", "/etc/passwd", "src/../src/a.py"):
        assert not isinstance(read_from(tree, elsewhere, MAX), Source)


def test_a_stamp_is_the_same_until_the_file_differs(tree):
    assert tree.stamp("src/a.py") == tree.stamp("src/a.py") is not None
    assert tree.stamp("src/a.py") != tree.stamp("src/deep/b.ts")
    assert tree.stamp("gone.py") is None


def test_folders_and_times_are_known_to_a_reader(tree):
    with tree.reading() as reader:
        assert set(reader.folders("")) - {".git"} == {"src", "vendor"}
        assert reader.folders("src") == ["deep"]
        assert reader.folders("src/deep") == ["er"]
        assert reader.folders("src/a.py") == reader.folders("gone") == []
        for path in ("", "src", "src/deep", "src/a.py"):
            assert reader.changed_ns(path)
        assert reader.changed_ns("gone") is None


def test_paths_outside_are_told_apart(tree):
    assert (
        tree.inside("src/a.py")
        == tree.inside(str(tree.root / "src/a.py"))
        == tree.inside("src/deep/../a.py")
        == "src/a.py"
    )
    assert tree.inside("../a.py") is tree.inside("/etc/passwd") is None


def test_it_can_be_read_again_after_it_was_closed(tree):
    first = read_from(tree, "src/a.py", MAX)
    tree.close()
    tree.close()
    assert read_from(tree, "src/a.py", MAX) == first
