"""Scanning Python's own library, its tests included: our engine beside reading and parsing alone, in as many processes.

Freshness and edits are measured on a copy.
"""

import multiprocessing
import os
import shutil
import statistics
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import tree_sitter
import tree_sitter_python

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.project.source_lines import Lines
from bearings.code.questions.query import Query
from bearings.code.questions.query.compute import compute
from bearings.code.search.view import WholeGraph
from bearings.progress import NoProgress
from benchmarks.measure import header, in_turns, progress, table
from benchmarks.memory import Peak, held

MAX = 2_000_000
ROUNDS = 1
"""A round takes a minute or more; what is compared is run in the same one."""

EDITED = 7
QUERIES = 200


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "lib"
        ignored = shutil.ignore_patterns("site-packages", "__pycache__", "*.so")
        shutil.copytree(sysconfig.get_path("stdlib"), root, ignore=ignored)
        return _measured(root)


def _measured(root: Path) -> str:
    files = sorted(root.rglob("*.py"), key=lambda path: -path.stat().st_size)
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    progress(f"{len(files)} files, {lines} lines …")
    with multiprocessing.get_context("forkserver").Pool(2, maxtasksperchild=None) as pool:
        pool.map(_alone, [[], []])
        taken = in_turns(
            {
                "alone 1": lambda: _alone(files),
                "ours 1": lambda: Index(root, NoFacts(), MAX, WorkerPool(0)).refresh(),
                "alone 2": lambda: pool.map(_alone, [[path] for path in files], chunksize=8),
                "ours 2": lambda: Index(root, NoFacts(), MAX, WorkerPool(1)).refresh(),
            },
            ROUNDS,
        )
    memory = _memory(root, lines)
    index = Index(root, NoFacts(), MAX)
    snapshot = index.refresh()
    rows = [
        [f"{name}, {n}", f"{seconds:.2f} s", f"{lines / seconds / 1000:.0f}", f"{seconds / taken[f'alone {n}']:.1f}"]
        for what, name in (("alone", "read + parse alone"), ("ours", "cold scan"))
        for n in "12"
        for seconds in [taken[f"{what} {n}"]]
    ]
    fresh = [["check, nothing changed", *_spread(_timed(index.refresh) for _ in range(EDITED))]]
    fresh += [[name, *_spread(_edits(root, index, snapshot, change))] for name, change in EDITS.items()]
    fresh.append(["query or page after the check", *_spread(_queries(index))])
    about = f"{len(files)} files, {lines} lines, {snapshot.elements} elements.\n\n"
    packages = ("bearings-mcp", "tree-sitter", "tree-sitter-python")
    return (
        header("Scan", *packages, rounds=ROUNDS)
        + about
        + table(["what, with how many processes", "time", "kLOC/s", "÷ read + parse"], rows)
        + f"\nMemory of all processes together, beyond what they took before, in a cold scan with 2: {memory}.\n"
        + f"\nEdits are of {EDITED} files spread over the tree, the answer is a whole fresh graph.\n\n"
        + table(["what", "p50", "p95", "most"], fresh)
    )


def _memory(root: Path, lines: int) -> str:
    idle = held(os.getpid())
    with Peak(os.getpid()) as peak:
        Index(root, NoFacts(), MAX, WorkerPool(1)).refresh()
    return f"{(peak.bytes - idle) / lines:.0f} bytes a line at the peak"


def _alone(paths: list[Path]) -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    for path in paths:
        parser.parse(path.read_bytes())


def _in_a_function(source: bytes) -> bytes:
    return source.replace(b"\n    return ", b"\n    print()\n    return ", 1) + b"#\n"


EDITS: dict[str, Callable[[bytes], bytes]] = {
    "a line added at the top → fresh": lambda source: b"\n" + source,
    "a function's inside changed → fresh": lambda source: source.replace(
        b"\n    return ", b"\n    print()\n    return ", 1
    ),
    "a definition added → fresh": lambda source: source + b"\n\ndef added_by_benchmark():\n    return 1\n",
}


def _edits(root: Path, index: Index, snapshot: Snapshot, change: Callable[[bytes], bytes]) -> list[float]:
    """Seconds from each edit to a fresh graph; the files are put back."""
    paths = sorted(snapshot.facts)
    times = []
    for number in range(EDITED):
        path = root / paths[len(paths) * (2 * number + 1) // (2 * EDITED)]
        source = path.read_bytes()
        path.write_bytes(change(source))
        times.append(_timed(index.refresh))
        path.write_bytes(source)
        index.refresh()
    return times


def _queries(index: Index) -> list[float]:
    """Seconds that answers about symbols all over the project take in the engine."""
    snapshot = index.refresh()
    symbols = sorted(snapshot.graph.symbols)
    asked = [
        Query(query_type="calls-me" if number % 2 else "depends-on", element=symbols[len(symbols) * number // QUERIES])
        for number in range(QUERIES)
    ]
    lines = partial(Lines, snapshot.root, index.digest, MAX)
    views = (WholeGraph(snapshot, index, lines(), NoProgress(), MAX) for _ in asked)
    return [_timed(partial(compute, question, view)) for question, view in zip(asked, views, strict=True)]


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _spread(seconds: Iterable[float]) -> list[str]:
    times = sorted(seconds)
    return [f"{time * 1000:.1f} ms" for time in (statistics.median(times), times[int(len(times) * 0.95)], times[-1])]
