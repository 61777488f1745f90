"""The cost of the first question about a project, with evidence and without: an older commit and this one, in turns.

`bearings code symbol NAME` with an empty cache: seconds, the memory of the process and its workers, and the bytes that
it leaves on disk. No element uses the name, so the evidence is looked for. `python -m benchmarks.evidence COMMIT`
prints the same beside another commit.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, lines, tree
from benchmarks.measure import ROUNDS, header, progress, revision, table
from benchmarks.memory import Peak

BEFORE = "2a09a2c"
"""The last commit that gave no evidence beside an answer that nobody uses an element."""

HERE = Path(__file__).parents[1]
NAMES = {TYPESCRIPT.name: "waitForThrottler", PYTHON.name: "GDAL_OF_ALL"}
_UNITS = {"seconds": "s", "peak memory": "MB", "on disk": "MB"}


def main(before: str = BEFORE) -> str:
    """The table."""
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(old), before], cwd=HERE, check=True)
        try:
            tables = [_measured(corpus, old) for corpus in (TYPESCRIPT, PYTHON)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], cwd=HERE, check=True)
    about = (
        f"Before: {before}; now: {revision()}; both pure Python, without the C module. "
        "One question with an empty cache, then one in a new process with what that left.\n\n"
    )
    title = header("The first answer, with evidence", "bearings-mcp", command="python -m benchmarks evidence")
    return title + about + "\n".join(tables)


def _measured(corpus: Corpus, old: Path) -> str:
    root = tree(corpus)
    sides: dict[str, list[dict[str, float]]] = {"before": [], "now": []}
    for number in range(ROUNDS):
        for name, place in (("before", old), ("now", HERE)):
            progress(f"{corpus.name}: round {number + 1}, {name} …")
            sides[name].append(_side(place, root, NAMES[corpus.name]))
    rows = []
    for what in sides["now"][0]:
        before, now = (statistics.median(one[what] for one in sides[name]) for name in ("before", "now"))
        unit = _UNITS[what.partition(", ")[2] or what]
        rows.append([what, f"{before:.2f} {unit}", f"{now:.2f} {unit}", f"{now / before:.2f}"])
    return f"## {corpus.name}, {lines(root)} lines\n\n" + table(["what", "before", "now", "÷"], rows)


def _side(place: Path, root: Path, name: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        first, second = (_asked(place, root, name, Path(folder)) for _ in range(2))
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return (
        {f"first, {what}": value for what, value in first.items()}
        | {f"then, {what}": value for what, value in second.items()}
        | {"on disk": disk / 1e6}
    )


def _asked(place: Path, root: Path, name: str, cache: Path) -> dict[str, float]:
    environment = {**os.environ, "PYTHONPATH": str(place / "src"), "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "bearings", "code", "symbol", name, "--project", str(root), "--json"]
    started = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, cwd=cache, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process, Peak(process.pid) as peak:
        said, _ = process.communicate()
    assert name.encode() in said, said[:300]
    return {"seconds": time.perf_counter() - started, "peak memory": peak.bytes / 1e6}


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
