"""One side of `benchmarks.trust`: times what reads a project's tree, with the package that is on the path."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.project.listing import list_project
from bearings.code.questions.changes.compute import changes

MAX = 2_000_000
REPEATS = 9


def main(root: Path) -> dict[str, float]:
    """Seconds by name: a cold scan, and the least of several for each of the others."""
    index = Index(root, NoFacts(), MAX, WorkerPool(1))
    cold = _timed(index.refresh)
    snapshot = index.refresh()
    return {
        "cold scan": cold,
        "listing": min(_timed(lambda: list_project(root)) for _ in range(REPEATS)),
        "freshness check": min(_timed(index.refresh) for _ in range(REPEATS)),
        "changes since HEAD": min(_timed(lambda: changes(snapshot, "HEAD", 3, MAX)) for _ in range(REPEATS)),
    }


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
