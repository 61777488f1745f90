"""The cost of reading git as data and of opening files beneath the root: the commit before and this one, in turns."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, lines, tree
from benchmarks.measure import header, progress, revision, table

BEFORE = "7ba1ee7"
"""The last commit that ran `git diff` and opened files by their whole path."""

ROUNDS = 5
HERE = Path(__file__).parents[1]


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(old), BEFORE], cwd=HERE, check=True)
        try:
            tables = [_measured(corpus, old) for corpus in (TYPESCRIPT, PYTHON)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], cwd=HERE, check=True)
    about = (
        f"Before: {BEFORE}; now: {revision()}; both pure Python, as `make install` gives it. "
        "Least of 9 in each round but for the cold scan.\n\n"
    )
    return header("Trust", "bearings-mcp", rounds=ROUNDS) + about + "\n".join(tables)


def _measured(corpus: Corpus, old: Path) -> str:
    root = tree(corpus)
    edited = next(
        path for path in sorted(root.rglob("*")) if path.suffix in (".ts", ".py") and path.stat().st_size > 2_000
    )
    source = edited.read_bytes()
    edited.write_bytes(source + b"\n")
    sides: dict[str, list[dict[str, float]]] = {"before": [], "now": []}
    try:
        for number in range(ROUNDS):
            for name, place in (("before", old), ("now", HERE)):
                progress(f"{corpus.name}: round {number + 1}, {name} …")
                sides[name].append(_side(place, root))
    finally:
        edited.write_bytes(source)
    rows = []
    for what in sides["now"][0]:
        before, now = (statistics.median(one[what] for one in sides[name]) for name in ("before", "now"))
        rows.append([what, f"{before * 1000:.1f} ms", f"{now * 1000:.1f} ms", f"{now / before:.2f}"])
    return f"{corpus.name}, {lines(root)} lines\n\n" + table(["what", "before", "now", "÷"], rows)


def _side(place: Path, root: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, str(HERE / "benchmarks/trust_side.py"), str(root)],
        env={**os.environ, "PYTHONPATH": str(place / "src")},
        check=True,
        capture_output=True,
        text=True,
    )
    told: dict[str, float] = json.loads(done.stdout)
    return told
