"""The runs of each round: reading and parsing alone, our engine, and peers, each in a process of its own.

`python -m benchmarks.code WHAT …` (__main__.py) is such a process.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearings.code.search.view import WholeGraph
from benchmarks.code.corpora import sources
from benchmarks.memory import Peak, held

if TYPE_CHECKING:
    from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot

MAX_BYTES = 2_000_000
"""The engine's own default bound of a file."""

SEED = 20260101
FILES, HUBS, CHECKS, QUERIES = 40, 20, 30, 300
SWITCHED, SWITCHES = 100, 5


def in_process(what: str, root: Path, *arguments: str, watch: bool = False) -> dict[str, Any]:
    """Runs one of WHATS in a process of its own; with `watch`, adds `idle` and `peak`, bytes of all its processes.

    What only a question of ours needs is worked out after that was watched.
    """
    command = (sys.executable, "-m", "benchmarks.code", what, str(root), *arguments)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        memory = {"idle": held(child.pid)} if watch else {}
        with Peak(child.pid) if watch else _nothing() as peak:
            child.stdin.write("begin\n")
            child.stdin.flush()
            child.stdout.readline()
        measured: dict[str, Any] = json.loads(child.stdout.readline() or '{"failed": true}')
        if isinstance(peak, Peak):
            memory["peak"] = max(peak.bytes, memory["idle"])  # pages may be given back between two looks
        child.stdin.close()
    if measured.get("failed"):
        raise RuntimeError(f"{' '.join(command)} failed")
    return {**measured, **memory}


class _nothing:  # noqa: N801 - a context manager, as contextlib.nullcontext, that knows no type parameter
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def alone(root: Path, processes: str) -> Callable[[], dict[str, Any]]:
    """Reading and parsing, nothing else."""
    found = sources(root)
    if processes == "1":
        return lambda: {"seconds": _timed(lambda: parse_all(found))}
    pool = ProcessPoolExecutor(int(processes), mp_context=get_context("forkserver"))
    chunks = [found[number :: int(processes) * 16] for number in range(int(processes) * 16)]
    list(pool.map(parse_all, [found[:1]] * int(processes) * 2))

    def run() -> dict[str, Any]:
        with pool:
            return {"seconds": _timed(lambda: list(pool.map(parse_all, chunks)))}

    return run


def parse_all(files: list[tuple[str, str]]) -> int:
    import tree_sitter
    import tree_sitter_javascript
    import tree_sitter_python
    import tree_sitter_typescript

    grammars = {
        "typescript": tree_sitter_typescript.language_typescript,
        "tsx": tree_sitter_typescript.language_tsx,
        "javascript": tree_sitter_javascript.language,
        "python": tree_sitter_python.language,
    }
    parsers = {name: tree_sitter.Parser(tree_sitter.Language(grammars[name]())) for name in {name for _, name in files}}
    return sum(parsers[name].parse(Path(path).read_bytes()).root_node.end_byte for path, name in files)


def cold(root: Path, processes: str) -> Callable[[], dict[str, Any]]:
    """Our engine's first look: listing, facts into an empty store on disk, the resolved graph."""
    from bearings.code.facts.store import SqliteFacts
    from bearings.code.index.project_index import Index
    from bearings.code.index.worker_pool import WorkerPool

    def run() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteFacts(Path(folder))
            index = Index(root, store, MAX_BYTES, WorkerPool(int(processes) - 1))
            started = time.perf_counter()
            snapshot = index.refresh()
            seconds = time.perf_counter() - started
            store.close()
            asked = {"function": partial(_asked, snapshot), "edited": _spread(sorted(snapshot.facts), 0)[:3]}
            return {"seconds": seconds, "elements": snapshot.elements, "files": len(snapshot.facts), **asked}

    return run


def fresh(root: Path, number: str) -> Callable[[], dict[str, Any]]:
    """Checks, edits and queries over an index that stands; the files are put back. `number` chooses the files."""
    from bearings.code.facts.store import LateFacts, SqliteFacts
    from bearings.code.index.project_index import Index

    def run() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            store = LateFacts(SqliteFacts(Path(folder)))
            index = Index(root, store, MAX_BYTES)
            snapshot = index.refresh()

            def rest() -> None:
                """The worker's actions until its next question."""
                store.settle()
                for path in index.refresh().facts:
                    index.prepare(path)

            edited, hubs = _spread(sorted(snapshot.facts), int(number)), _hubs(snapshot)
            measured: dict[str, Any] = {"check": [_timed(index.refresh) for _ in range(CHECKS)]}
            measured["a definition added, hub, at once"] = list(_edits(root, index.refresh, hubs, another))
            measured["rest"] = [_timed(rest)]
            for kind, change in EDITS.items():
                measured[f"{kind}, any file"] = list(_edits(root, index.refresh, edited, change, rest))
                measured[f"{kind}, hub"] = list(_edits(root, index.refresh, hubs, change, rest))
            measured["switch"] = list(_switches(root, index.refresh, sorted(snapshot.facts)))
            measured["query"] = list(_queries(index))
            store.close()
            return measured

    return run


def _spread(paths: list[str], number: int) -> list[str]:
    return random.Random(SEED + number).sample(paths, min(FILES, len(paths)))


def _asked(snapshot: "Snapshot") -> str:
    """The most called function whose name nothing else has: a question that every tool can answer."""
    symbols = snapshot.graph.symbols
    names = Counter(symbol.name for symbol in symbols.values())
    called = Counter(edge.target for edge in snapshot.graph.resolution.edges if edge.kind == "call")
    unique = (symbols[key].name for key, _ in called.most_common() if symbols[key].kind == "function")
    return next(name for name in unique if names[name] == 1)


def _hubs(snapshot: "Snapshot") -> list[str]:
    """The files that most others import."""
    symbols = snapshot.graph.symbols
    pairs = {
        (edge.file, symbols[edge.target].file)
        for edge in snapshot.graph.resolution.edges
        if edge.kind in ("import", "export") and edge.target in symbols
    }
    counted = Counter(imported for importer, imported in pairs if importer != imported)
    return [path for path, _ in counted.most_common(HUBS)]


def in_a_function(path: str, source: bytes) -> bytes:
    """A call more in the first function that returns something."""
    statement = b"print(1)" if path.endswith(".py") else b"console.log(1);"
    before, found, after = source.partition(b"\n    return ")
    return before + b"\n    " + statement + found + after if found else source + b"\n" + statement + b"\n"


def a_definition(path: str, source: bytes) -> bytes:
    """A function more at the end."""
    added = (
        b"\n\ndef added_by_benchmark():\n    return 1\n"
        if path.endswith(".py")
        else b"\nexport function addedByBenchmark() { return 1; }\n"
    )
    return source + added


def another(path: str, source: bytes) -> bytes:
    """Another function more: of a text that it saw before, the store has the facts."""
    return source + a_definition(path, b"").replace(b"1", b"2")


EDITS: dict[str, Callable[[str, bytes], bytes]] = {
    "a line in a function": in_a_function,
    "a definition added": a_definition,
}


def _edits(
    root: Path,
    refresh: Callable[[], object],
    paths: list[str],
    change: Callable[[str, bytes], bytes],
    rest: Callable[[], object] = lambda: None,
) -> Iterator[float]:
    """Seconds from each edit to a fresh graph; each is put back, and there is a `rest` before the next."""
    for path in paths:
        file = root / path
        source = file.read_bytes()
        try:
            file.write_bytes(change(path, source))
            yield _timed(refresh)
        finally:
            file.write_bytes(source)
        refresh()
        rest()


def _switches(root: Path, refresh: Callable[[], object], paths: list[str]) -> Iterator[float]:
    """Seconds until the graph is fresh after many files were changed at once, as by git, and after they were put back.

    Every other file gets a definition more, the rest a line in a function.
    """
    changes = list(EDITS.values())
    for number in range(SWITCHES):
        chosen = random.Random(SEED + number).sample(paths, min(SWITCHED, len(paths)))
        before = {path: (root / path).read_bytes() for path in chosen}
        try:
            for place, (path, source) in enumerate(before.items()):
                (root / path).write_bytes(changes[place % len(changes)](path, source))
            yield _timed(refresh)
        finally:
            for path, source in before.items():
                (root / path).write_bytes(source)
        yield _timed(refresh)


def _queries(index: "Index") -> Iterator[float]:
    from bearings.code.index.collector import collector_paused
    from bearings.code.project.source_lines import Lines
    from bearings.code.questions.query import Query
    from bearings.code.questions.query.compute import compute
    from bearings.progress import NoProgress

    snapshot = index.refresh()
    symbols = sorted(snapshot.graph.symbols)
    for number, target in enumerate(random.Random(SEED).sample(symbols, min(QUERIES, len(symbols)))):
        question = Query(query_type="calls-me" if number % 2 else "depends-on", element=target)
        with collector_paused():  # as a session does
            lines = Lines(snapshot.tree, index.digest, MAX_BYTES)
            view = WholeGraph(snapshot, index, lines, NoProgress(), MAX_BYTES)
            yield _timed(partial(compute, question, view))


WHATS: dict[str, Callable[..., Callable[[], dict[str, Any]]]] = {"alone": alone, "cold": cold, "fresh": fresh}


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
