"""The graph of a commit is that of a clean checkout of it, read from git's objects alone."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.facts.store import SqliteFacts
from bearings.code.index.installed_packages import STAMP
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.project.git.commit_tree import CommitTree
from tests.code.git.commits import COMMITS, history
from tests.code.in_process import MemoryFacts
from tests.code.trees import git

MAX = 20_000


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return history(tmp_path_factory.mktemp("commits").resolve() / "project")


@pytest.fixture(scope="module")
def checked_out(root: Path) -> Callable[[str, str], Snapshot]:
    """The scan of a clean checkout of a commit."""

    def scan(name: str, folder: str) -> Snapshot:
        place = root.parent / f"checkout-{name}"
        if not place.exists():
            git(root, "worktree", "add", "-q", "--detach", str(place), name)
        return Index(place / folder, MemoryFacts(), MAX).refresh()

    return scan


def content(snapshot: Snapshot) -> dict[str, object]:
    """All that a snapshot says, without the place that it was read from and what is installed there."""
    graph = snapshot.graph
    manifests = {path: data for path, data in snapshot.project.manifests.items() if path != STAMP}
    return {
        "revision": snapshot.revision,
        "paths": snapshot.project.paths,
        "manifests": manifests,
        "skipped": snapshot.skipped,
        "facts": {path: repr(facts) for path, facts in snapshot.facts.items()},
        "edges": {id_: sorted(map(repr, graph.edges_to(id_))) for id_ in graph.symbols},
        "outside": {name: sorted(map(repr, sites)) for name, sites in graph.unresolved_by_name.items()},
    }


def at(root: Path, name: str, index: Index | None = None) -> dict[str, object]:
    tree = CommitTree(root, None, name)
    if index is None:
        index = Index(root, MemoryFacts(), MAX, tree=tree)
    else:
        index.move(tree)
    found = content(index.refresh())
    tree.close()
    return found


@pytest.mark.parametrize("number", range(1, COMMITS + 1))
def test_the_graph_of_a_commit_is_that_of_its_checkout(root, checked_out, number):
    assert at(root, f"c{number}") == content(checked_out(f"c{number}", ""))


@pytest.mark.parametrize("number", [1, 4, 7, 10])
@pytest.mark.parametrize("folder", ["shop", "tests"])
def test_so_is_that_of_a_folder_of_it(root, checked_out, number, folder):
    assert at(root / folder, f"c{number}") == content(checked_out(f"c{number}", folder))


@pytest.mark.slow
def test_an_index_that_moves_between_commits_has_the_graph_of_each(root, checked_out):
    tree = CommitTree(root, None, "c1")
    index = Index(root, MemoryFacts(), MAX, tree=tree)
    index.refresh()
    order = random.Random(7)
    for number in order.choices(range(1, COMMITS + 1), k=20):
        assert at(root, f"c{number}", index) == content(checked_out(f"c{number}", "")), number


@pytest.mark.slow
def test_a_stored_graph_of_a_commit_is_resumed_and_the_working_tree_s_is_another(root, checked_out, tmp_path):
    for name in ("c3", "c9", "c3", "c9"):
        index = Index(root, SqliteFacts(tmp_path), MAX, graphs=GraphStore(tmp_path), tree=CommitTree(root, None, name))
        assert content(index.refresh()) == content(checked_out(name, ""))
        index.keep()
    here = Index(root, SqliteFacts(tmp_path), MAX, graphs=GraphStore(tmp_path)).refresh()
    assert content(here) == content(Index(root, MemoryFacts(), MAX).refresh())


@pytest.mark.slow
def test_the_working_tree_is_not_looked_at(root, tmp_path):
    before = at(root, "c9")
    git(root.parent, "clone", "-q", "--bare", str(root), str(tmp_path / "bare.git"))
    bare = tmp_path.resolve() / "bare.git"
    assert at(bare, "c9") == before
    assert at(bare, "main") == at(root, "c14")
