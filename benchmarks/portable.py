"""A portable index: its size, what it costs to make and to take, and the first answer with and without it.

    python -m benchmarks portable

Whole commands, as users run them. The first answer comes in a fresh clone with an empty cache, and in one that has
imported the index; then comes one that finds no change, which is the time of a check.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, sources, tree
from benchmarks.measure import header, progress, table

CORPORA = ((PYTHON, "get_user_model"), (TYPESCRIPT, "assertNotNullOrUndefined"))
"""Each tree, and a name of which its callers are asked for."""

ROUNDS = 3

_ABOUT = (
    "Wall time of whole commands, each in a clone with a cache of its own: `bearings code index export`, `import`, and "
    "`bearings code query NAME --type calls-me` as the first question, without an index and after the import; "
    "*again* finds no change. In brackets the processor time, which tells more on a busy machine; that of a question "
    "is not known, because its worker outlives the command. Load: the mean of the last minute when a round began.\n\n"
)


def main() -> str:
    """The table."""
    about = header("Portable indexes", "bearings-mcp", rounds=ROUNDS, command="python -m benchmarks portable")
    heads = [
        "tree", "index", "export", "import", "import --verify", "first answer", "after import", "again",
        "cache without", "with", "load",
    ]  # fmt: skip
    return about + _ABOUT + table(heads, [_row(corpus, name) for corpus, name in CORPORA])


def _row(corpus: Corpus, name: str) -> list[str]:
    root = tree(corpus)
    taken: dict[str, list[tuple[float, float]]] = {}
    sizes: dict[str, int] = {}
    loads = []
    for number in range(ROUNDS):
        progress(f"{corpus.name}, round {number + 1} of {ROUNDS} …")
        loads.append(os.getloadavg()[0])
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            _round(root, Path(place), name, taken, sizes)
    cells = {what: _cell(what, rounds) for what, rounds in taken.items()}
    return [
        f"{corpus.name}, {len(sources(root))} files", f"{sizes['index'] / 1e6:.1f} MB",
        *(cells[what] for what in ("export", "import", "verify", "first", "after", "again")),
        f"{sizes['without'] / 1e6:.1f} MB", f"{sizes['with'] / 1e6:.1f} MB", f"{statistics.median(loads):.1f}",
    ]  # fmt: skip


def _cell(what: str, rounds: list[tuple[float, float]]) -> str:
    wall, processors = (statistics.median(seconds) for seconds in zip(*rounds, strict=True))
    return f"{wall:.1f} s ({processors:.1f})" if what in ("export", "import", "verify") else f"{wall:.1f} s"


def _processors() -> float:
    """The processor time of all processes that this one has waited for, and of those that these waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _round(
    root: Path, place: Path, name: str, taken: dict[str, list[tuple[float, float]]], sizes: dict[str, int]
) -> None:
    """Notes the times of one round, and the sizes of the index and of the caches."""
    index = place / "bearings.index"
    ask = ("query", name, "--type", "calls-me", "--depth", "1")

    def run(what: str, cache: str, clone: Path, *words: str) -> None:
        environment = {**os.environ, "XDG_CACHE_HOME": str(place / cache)}
        started, before = time.perf_counter(), _processors()
        subprocess.run(
            (sys.executable, "-m", "bearings", "code", *words),
            cwd=clone, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True,
        )  # fmt: skip
        taken.setdefault(what, []).append((time.perf_counter() - started, _processors() - before))

    there, here = _clone(root, place / "there"), _clone(root, place / "here")
    run("export", "ci", there, "index", "export", str(index))
    run("first", "without", there, *ask)
    run("import", "with", here, "index", "import", str(index))
    run("after", "with", here, *ask)
    run("stored", "with", here, *ask)
    run("again", "with", here, *ask)
    run("verify", "verified", here, "index", "import", str(index), "--verify")
    sizes["index"] = index.stat().st_size
    sizes["without"], sizes["with"] = _bytes(place / "without"), _bytes(place / "with")


def _clone(root: Path, place: Path) -> Path:
    subprocess.run(("git", "clone", "-q", str(root), str(place)), check=True, capture_output=True)
    return place


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
