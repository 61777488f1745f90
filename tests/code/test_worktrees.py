"""Worktrees and commits of one repository begin with each other's graphs, and answer as if each were read alone."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.facts.store import FactStore, SqliteFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_file import GRAPHS_FOLDER, graph_path
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.index.stored_projects import StoredProject, stored_projects
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.tree import Tree
from bearings.code.project.working_tree import WorkingTree
from tests.code.test_change_detection import MAX, clean, content
from tests.code.test_snapshot import EDITS, FILES, CountingStore
from tests.code.trees import SHOP, git, repository, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", FILES)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def worktree(root: Path, name: str = "worktree") -> Path:
    git(root, "worktree", "add", "-q", "-b", name, str(root.parent / name))
    return root.parent / name


def index(tree: Tree | Path, cache: Path, store: FactStore | None = None, most: int = MAX) -> Index:
    tree = WorkingTree(tree) if isinstance(tree, Path) else tree
    return Index(tree.root, store or SqliteFacts(cache), most, graphs=GraphStore(cache), tree=tree)


def kept(tree: Tree | Path, cache: Path, store: FactStore | None = None) -> Index:
    made = index(tree, cache, store)
    made.refresh()
    made.keep()
    return made


def test_a_new_worktree_has_the_graph_of_another_one_without_facts(root, cache):
    store = CountingStore()
    kept(root, cache, store)
    store.asked = 0
    other = worktree(root)
    snapshot = kept(other, cache, store).refresh()
    assert store.asked == 0
    assert content(snapshot) == content(clean(other))
    assert graph_path(cache, other).exists()
    assert content(index(other, cache, store).refresh()) == content(clean(other))


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS)
def test_a_worktree_that_differs_is_read_where_it_differs(root, cache, edit):
    kept(root, cache)
    other = worktree(root)
    EDITS[edit](other)
    again = index(other, cache)
    assert content(again.refresh()) == content(clean(other))
    again.keep()
    write(other, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    assert content(index(other, cache).refresh()) == content(clean(other))


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS)
def test_a_commit_begins_with_a_worktree_and_a_worktree_with_a_commit(root, cache, edit):
    store = CountingStore()
    kept(CommitTree(root, None, "HEAD"), cache, store)
    store.asked = 0
    kept(root, cache, store)
    assert store.asked == 0
    EDITS[edit](root)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    graph_path(cache, root).unlink()
    assert content(index(root, cache, store).refresh()) == content(clean(root))
    kept(CommitTree(root, None, "HEAD"), cache, store)
    for name in ("HEAD", "HEAD~1"):
        tree = CommitTree(root, None, name)
        alone = index(tree, cache / "alone").refresh()
        assert content(index(tree, cache, store).refresh()) == content(alone)
        graph_path(cache, root, tree.commit).unlink()
        assert content(index(tree, cache, store).refresh()) == content(alone)


def test_a_folder_of_a_repository_begins_with_the_same_folder_elsewhere(root, cache):
    store = CountingStore()
    kept(root / "shop", cache, store)
    store.asked = 0
    kept(worktree(root) / "web", cache, store)
    assert store.asked > 0
    store.asked = 0
    kept(root.parent / "worktree" / "shop", cache, store)
    assert store.asked == 0


def clone(root: Path) -> Path:
    git(root, "clone", "-q", str(root), str(root.parent / "other"))
    return root.parent / "other"


SEPARATE: dict[str, Callable[[Path], Path]] = {
    "a repository of its own": lambda root: repository(root.parent / "other", FILES),
    "a folder without repository": lambda root: write(root.parent / "other", FILES),
    "a clone": clone,
}


@pytest.mark.parametrize("separate", SEPARATE)
def test_what_is_not_the_same_repository_is_read_alone(root, cache, separate):
    store = CountingStore()
    kept(root, cache, store)
    store.asked = 0
    other = SEPARATE[separate](root)
    assert content(index(other, cache, store).refresh()) == content(clean(other))
    assert store.asked > 0


def test_another_read_limit_begins_anew(root, cache):
    store = CountingStore()
    kept(root, cache, store)
    store.asked = 0
    index(worktree(root), cache, store, MAX - 1).refresh()
    assert store.asked > 0


def test_a_git_directory_that_may_not_be_read_names_no_repository(root, cache):
    other = worktree(root)
    assert WorkingTree(other).repository_key == WorkingTree(root).repository_key != b""
    assert WorkingTree(other, (other,)).repository_key == b""
    kept(root, cache)
    alone = index(WorkingTree(other, (other,)), cache)
    assert content(alone.refresh()) == content(index(WorkingTree(other, (other,)), cache / "alone").refresh())


def test_a_damaged_snapshot_of_another_worktree_is_passed_over(root, cache):
    first, second, third = root, worktree(root, "second"), worktree(root, "third")
    store = CountingStore()
    for one in (first, second):
        kept(one, cache, store)
    path = graph_path(cache, second)
    path.write_bytes(path.read_bytes()[:-1])
    store.asked = 0
    snapshot = index(third, cache, store).refresh()
    assert store.asked == 0
    assert content(snapshot) == content(clean(third))
    for path in (cache / GRAPHS_FOLDER).iterdir():
        path.write_bytes(b"no graph")
    assert content(index(third, cache).refresh()) == content(clean(third))


def test_a_project_whose_facts_are_gone_is_read_anew(root, cache):
    """The snapshot of another worktree is not tried again."""
    kept(root, cache, SqliteFacts(cache / "facts"))
    other = worktree(root)
    write(other, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    again = index(other, cache, SqliteFacts(cache / "no facts"))
    assert content(again.refresh()) == content(clean(other))


_READER = """
import sys
from pathlib import Path
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
root, cache = Path(sys.argv[1]), Path(sys.argv[2])
for number in range(8):
    (root / "web" / "c.ts").write_text(f"import {{ one }} from './a'\\nexport const c{number} = () => one()\\n")
    index = Index(root, SqliteFacts(cache), 100_000, graphs=GraphStore(cache))
    print(index.refresh().revision)
    index.keep()
"""


@pytest.mark.slow
def test_several_processes_read_several_worktrees_at_once(root, cache):
    roots = [root, *(worktree(root, f"w{number}") for number in range(3))]
    commands = [(sys.executable, "-c", _READER, one, cache) for one in roots]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    revisions = [reader.communicate(timeout=120)[0].split() for reader in readers]
    assert [reader.returncode for reader in readers] == [0] * 4
    assert len(set(revisions[0])) == 8
    assert revisions == [revisions[0]] * 4
    for one in roots:
        assert content(index(one, cache).refresh()) == content(clean(one))


def test_what_is_stored_is_said_by_project(root, cache):
    kept(root, cache)
    kept(CommitTree(root, None, "HEAD"), cache)
    other = worktree(root)
    write(other, {"web/b.ts": FILES["web/b.ts"] + "one()\n"})
    kept(other, cache)
    alone = repository(root.parent / "alone", SHOP)
    kept(alone, cache)
    stored = stored_projects(cache)
    found = {(one.root.name, bool(one.commit)): one for one in stored.projects}
    assert [*found] == [("alone", False), ("worktree", False), ("project", True), ("project", False)]
    assert {one.repository for one in stored.projects[1:]} == {WorkingTree(root).repository_key}
    assert all(one.is_current and one.is_there and 0 < one.own_bytes < one.room_bytes for one in stored.projects)
    assert found["project", False].sources == len(clean(root).facts)
    assert found["worktree", False].own_bytes > found["project", False].own_bytes, "it has a file of its own"
    assert 0 <= stored.unnamed_bytes < stored.facts_bytes


def test_what_is_gone_damaged_or_of_another_version_is_said(root, cache):
    other = worktree(root)
    for one in (root, other):
        kept(one, cache)
    git(root, "worktree", "remove", "--force", str(other))
    path = graph_path(cache, root)
    path.write_bytes(path.read_bytes()[:-1])
    (cache / GRAPHS_FOLDER / "other.graph").write_bytes(b"bearings graph\0 of a version before")
    found: dict[str, StoredProject] = {one.root.name: one for one in stored_projects(cache).projects}
    assert {*found} == {"worktree", "project"}
    assert (found["worktree"].is_there, found["project"].is_there) == (False, True)
    assert found["project"].sources == 0
    assert stored_projects(cache / "empty").projects == ()
