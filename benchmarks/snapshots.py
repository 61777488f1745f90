"""What a stored snapshot costs: `python -m benchmarks.snapshots FOLDER…`.

Each folder is indexed into an empty cache, then: the snapshot is loaded, all its uses and the resolver's memory are
read, one source gets a line more and the snapshot is stored again, and nine copies of the folder with one such edit
each are stored beside it, as worktrees are. Milliseconds of one process, medians of seven; bytes of the whole cache.
For a comparison, run it with PYTHONPATH at each source tree in turn.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bearings.code.facts.store import SqliteFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore

_ROUNDS = 7
_WORKTREES = 10
_LIMIT = 2_000_000


def main(folders: list[str]) -> None:
    """Print a table with a row for each folder."""
    print("| | files | load ms | all uses ms | memory ms | keep an edit ms | disk MB | ten worktrees MB |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in folders:
        with tempfile.TemporaryDirectory() as place:
            cells = _measured(Path(folder).resolve(), Path(place).resolve())
        print(f"| {Path(folder).name} | " + " | ".join(f"{cell:.0f}" for cell in cells[:5]), end=" | ")
        print(" | ".join(f"{cell:.1f}" for cell in cells[5:]), "|")


def _measured(folder: Path, place: Path) -> list[float]:
    cache = place / "cache"
    root = _worktree(folder, place, 0)
    index = _index(root, cache)
    index.refresh()
    index.keep()
    graphs = GraphStore(cache)
    stored = graphs.load(root, _LIMIT)
    assert stored is not None
    load = _median(lambda: graphs.load(root, _LIMIT))
    uses = _median(lambda: dict(stored.uses().items()))
    memory = _median(stored.memory)
    keep = statistics.median(_kept_edit(index, root) for _ in range(_ROUNDS))
    one = _bytes(cache)
    for number in range(1, _WORKTREES):
        other = _worktree(folder, place, number)
        copy = _index(other, cache)
        _edit(other, number)
        copy.refresh()
        copy.keep()
    return [len(stored.summaries), load, uses, memory, keep, one, _bytes(cache)]


def _index(root: Path, cache: Path) -> Index:
    return Index(root, SqliteFacts(cache), _LIMIT, graphs=GraphStore(cache))


def _worktree(folder: Path, place: Path, number: int) -> Path:
    return Path(shutil.copytree(folder, place / str(number) / folder.name))


def _edit(root: Path, number: int) -> None:
    """Add a line to one source, another one for each number."""
    sources = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".ts", ".tsx", ".js"))
    source = sources[number * len(sources) // (_ROUNDS + _WORKTREES)]
    source.write_bytes(source.read_bytes() + b"\n")


def _kept_edit(index: Index, root: Path) -> float:
    _edit(root, _ROUNDS)
    index.refresh()
    start = time.perf_counter()
    index.keep()
    return (time.perf_counter() - start) * 1000


def _median(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def _bytes(cache: Path) -> float:
    return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    main(sys.argv[1:])
