"""Commits drawn at random: is the graph at a commit that of a clean checkout, and what does a switch between two cost?

    python -m benchmarks.commits FOLDER… > benchmarks/results/commits.md

Each FOLDER is a git repository, bare or not, with a long history. It is not changed: its commits are checked out in
a clone that is removed afterwards.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.code.in_process import MemoryFacts

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.project.git.commit_tree import CommitTree
from benchmarks.measure import revision, table

SEED = 23
COMMITS = 200
"""In all repositories together."""

_MAX_BYTES = 1_000_000
_MAX_SHOWN = 5

_ABOUT = """`python -m benchmarks.commits FOLDER…` over {repositories} repositories. Commits are drawn by the seed from
all branches and tags. Equal: revision, files, skipped files with reasons, facts, edges and uses without an edge are
those of a clean checkout; asked of an index that reads the commit alone, and of one that moves there from the commit
before. Times are medians in ms: a scan of the checkout without stored facts; the graph at the commit from stored facts;
the same by a move from another commit drawn at random, and from the commit's first parent; and `git checkout` itself,
from the commit drawn before."""


@dataclass
class Row:
    """The results of one repository."""

    name: str
    files: int = 0
    commits: int = 0
    equal_alone: int = 0
    equal_moved: int = 0
    times: dict[str, list[float]] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)

    def median(self, what: str) -> str:
        """The median of the times of one kind."""
        return f"{statistics.median(self.times[what]):.0f}" if what in self.times else ""

    def timed(self, what: str, run: Callable[[], Snapshot]) -> Snapshot:
        """Run, and note the time."""
        started = time.perf_counter()
        found = run()
        self.times.setdefault(what, []).append((time.perf_counter() - started) * 1000)
        return found


def main(folders: Sequence[str]) -> str:
    """The table."""
    each = -(-COMMITS // len(folders))
    rows = [_repository(Path(folder), each) for folder in folders]
    heads = ["repository", "files", "commits", "equal alone", "equal moved", *_TIMES.values()]
    counts = ("commits", "equal_alone", "equal_moved")
    cells = [
        [row.name, str(row.files), *(str(getattr(row, name)) for name in counts), *map(row.median, _TIMES)]
        for row in rows
    ]
    total = ["all", "", *(str(sum(getattr(row, name) for row in rows)) for name in counts), *[""] * len(_TIMES)]
    differing = [f"- {row.name}: {one}" for row in rows for one in row.differing[:_MAX_SHOWN]]
    about = _ABOUT.format(repositories=len(rows))
    return "\n".join(["# Commits", "", about, "", revision(), "", table(heads, [*cells, total]), *differing])


_TIMES = {
    "scan": "scan of the checkout",
    "alone": "at, stored facts",
    "moved": "at, moved",
    "parent": "at, moved from the parent",
    "checkout": "git checkout",
}


def _repository(folder: Path, count: int) -> Row:
    row, folder = Row(folder.name), folder.resolve()
    draw = random.Random(SEED)
    commits = sorted(git(folder, "rev-list", "--branches", "--tags", "HEAD").split())
    with tempfile.TemporaryDirectory() as place:
        clone = Path(place).resolve() / "clone"
        git(folder, "clone", "-q", "--shared", "--no-checkout", str(folder), str(clone))
        stored, moving = MemoryFacts(), None
        for commit in draw.sample(commits, min(count, len(commits))):
            started = time.perf_counter()
            git(clone, "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit)
            row.times.setdefault("checkout", []).append((time.perf_counter() - started) * 1000)
            git(clone, "clean", "-q", "-ffdx")
            moving = _compared(row, folder, clone, commit, stored, moving)
    return row


def _compared(row: Row, folder: Path, clone: Path, commit: str, stored: MemoryFacts, moving: Index | None) -> Index:
    """One commit, read in each way. Returns the index that has moved there."""
    wanted = row.timed("scan", lambda: Index(clone, NoFacts(), _MAX_BYTES).refresh())
    Index(folder, stored, _MAX_BYTES, tree=CommitTree(folder, None, commit)).refresh()  # stores the facts
    alone = row.timed(
        "alone", lambda: Index(folder, stored, _MAX_BYTES, tree=CommitTree(folder, None, commit)).refresh()
    )
    if moving is None:
        moving = Index(folder, stored, _MAX_BYTES, tree=CommitTree(folder, None, commit))
        moved = moving.refresh()
    else:
        moved = row.timed("moved", lambda: _moved(moving, folder, commit))
    row.commits += 1
    row.files = max(row.files, len(wanted.facts))
    row.equal_alone += _same(row, commit, wanted, alone)
    row.equal_moved += _same(row, commit, wanted, moved)
    parents = git(folder, "rev-list", "--parents", "-n", "1", commit).split()[1:]
    if parents:
        _moved(moving, folder, parents[0])
        again = row.timed("parent", lambda: _moved(moving, folder, commit))
        _same(row, commit, wanted, again)
    return moving


def _moved(index: Index, folder: Path, commit: str) -> Snapshot:
    tree = CommitTree(folder, None, commit)
    index.move(tree)
    try:
        return index.refresh()
    finally:
        tree.close()


def _same(row: Row, commit: str, wanted: Snapshot, found: Snapshot) -> bool:
    """Whether two snapshots say the same; notes what doesn't."""
    differing = [
        name for (name, one), (_, other) in zip(_content(wanted), _content(found), strict=True) if one != other
    ]
    if differing:
        row.differing.append(f"{commit[:12]} differs in {', '.join(differing)}")
    return not differing


def _content(snapshot: Snapshot) -> Iterator[tuple[str, object]]:
    """All that a snapshot says, without the place that it was read from."""
    graph = snapshot.graph
    yield "revision", snapshot.revision
    yield "files", snapshot.project.paths
    yield "manifests", snapshot.project.manifests
    yield "skipped files", snapshot.skipped
    yield "facts", {path: repr(facts) for path, facts in snapshot.facts.items()}
    yield "edges", {id_: sorted(map(repr, graph.edges_to(id_))) for id_ in graph.symbols}
    yield "uses without an edge", {name: sorted(map(repr, sites)) for name, sites in graph.unresolved_by_name.items()}


def git(folder: Path, *arguments: str) -> str:
    """The output of git in a folder, without its user's configuration and without hooks."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    git = shutil.which("git") or "git"
    done = subprocess.run(
        [git, "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", *arguments],
        cwd=folder,
        env={**environment, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    print(main(sys.argv[1:]))
