"""Compares answers of coderef_changes with judgments: `python -m benchmarks.changes FOLDER…`.

Each FOLDER is a git repository, bare or not; its name is that of a repository in judged.toml. `--misses` prints each
difference on judged.toml instead of the table; those on holdout.toml are never read.

    python -m benchmarks.changes FOLDER… > benchmarks/results/changes.md
"""

import argparse
import asyncio
import statistics
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.code.in_process import InProcessEngine, MemoryFacts

from bearings.code.questions.changes import AskChanges
from bearings.code.replies.changes import ChangesReply
from benchmarks.measure import revision, table

_MAX_BYTES = 1_000_000
_SETS = {"judged.toml": "judged first, mended after", "holdout.toml": "holdout, never read"}
_BEFORE = """Before anything was mended (941c9c45), right, missed and false were, on judged.toml: changed 110, 5, 4;
breaking 0, 1, 24; lost users 1, 0, 5; lost tests 1, 0, 0; tests 71, 60, 13; on holdout.toml: changed 63, 0, 0; tests
44, 2, 0."""
_KINDS = ("changed", "breaking", "lost_users", "lost_tests", "tests")

_ABOUT = """`python -m benchmarks.changes FOLDER…`: what `coderef_changes` says of a commit and its parent, beside
judgments by hand that were written down before any answer was seen (`benchmarks/changes/*.toml`, commits drawn by
`benchmarks/changes/draw.py`). Right, missed, false: changed elements with their status; uses that no longer fit,
each with the changed element; elements without a user or without a test now; test files to run. Matters of taste, which
the judgments name, count as neither; judged.toml says what was corrected in it after the first answers. ms: the median
of the question at the commit, with facts of another question."""


@dataclass
class Score:
    """The rows of one kind that were right, missed and false."""

    right: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)

    def count(self, wanted: Iterable[str], told: Iterable[str], either: Sequence[str]) -> None:
        """Add the rows of one commit.

        A wanted row may name two with `or` between them; told rows that match a pattern of `either` are never false.
        """
        told, expected = set(told), set()
        for row in wanted:
            choices = row.split(" or ")
            expected.update(choices)
            (self.right if told.intersection(choices) else self.missed).append(row)
        self.false += sorted(row for row in told - expected if not any(fnmatchcase(_of(row), one) for one in either))


def _of(row: str) -> str:
    """The element of a row without its status or use."""
    status, _, rest = row.partition(" ")
    return (rest if status in _STATUSES else row).partition(" at ")[0]


_STATUSES = frozenset({"added", "modified", "removed", "renamed", "moved"})


def compare(judgment: Mapping[str, Any], found: ChangesReply) -> dict[str, Score]:
    """The score of one commit by kind."""
    told = {
        "changed": [f"{one.status} {_bare(one.element)}" for one in found.changed],
        "breaking": [f"{_bare(one.element)} at {use.file}:{use.line}" for one in found.breaking for use in one.uses],
        "lost_users": map(_bare, found.lost_users),
        "lost_tests": map(_bare, found.lost_tests),
        "tests": [row.file for row in found.tests],
    }
    scores = {}
    for kind in _KINDS:
        scores[kind] = Score()
        scores[kind].count(judgment.get(kind, ()), told[kind], judgment.get(f"{kind}_or_not", ()))
    return scores


def _bare(element: str) -> str:
    """An element's id without its line."""
    return element.rpartition(":")[0] if "#" in element else element


@dataclass
class Set:
    """The scores of one file of judgments."""

    name: str
    commits: int = 0
    seconds: list[float] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=lambda: {kind: Score() for kind in _KINDS})
    differences: list[str] = field(default_factory=list)


def answer(folder: Path, commit: str) -> tuple[ChangesReply, float]:
    """The answer, and the seconds that the second question of its kind takes."""
    question = AskChanges(base=f"{commit}~1", at=commit)
    engine = InProcessEngine(store=MemoryFacts(), max_file_bytes=_MAX_BYTES)

    async def asked() -> tuple[ChangesReply, float]:
        await engine.ask(folder, question)
        started = time.perf_counter()
        found = await engine.ask(folder, question)
        return found.value, time.perf_counter() - started

    return asyncio.run(asked())


def scored(file: Path, folders: Mapping[str, Path]) -> Set:
    """All judgments of a file whose repositories are given."""
    found = Set(file.name)
    for judgment in tomllib.loads(file.read_text(encoding="utf-8"))["change"]:
        name, commit = judgment["repository"], judgment["commit"]
        if name not in folders:
            continue
        value, seconds = answer(folders[name], commit)
        found.commits += 1
        found.seconds.append(seconds)
        for kind, one in compare(judgment, value).items():
            total = found.scores[kind]
            total.right += one.right
            total.missed += one.missed
            total.false += one.false
            found.differences += [f"{name} {commit[:8]} {kind}: missed {row}" for row in one.missed]
            found.differences += [f"{name} {commit[:8]} {kind}: false {row}" for row in one.false]
    return found


def report(sets: Iterable[Set]) -> str:
    """The table."""
    heads = ["commits", "", "right", "missed", "false", "ms"]
    cells = [
        [f"{one.commits} {_SETS[one.name]}", kind.replace("_", " "), *map(str, _counts(one.scores[kind])), time_of]
        for one in sets
        for kind, time_of in zip(_KINDS, [_median(one), *[""] * len(_KINDS)], strict=False)
    ]
    return "\n".join(["# Changes", "", _ABOUT, "", _BEFORE, "", revision(), "", table(heads, cells)])


def _counts(score: Score) -> Iterator[int]:
    yield from (len(score.right), len(score.missed), len(score.false))


def _median(one: Set) -> str:
    return f"{statistics.median(one.seconds) * 1000:.0f}"


def main() -> None:
    """Print the table, or each difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    folders = {folder.name: folder.resolve() for folder in given.folders}
    files = [Path(__file__).with_name(name) for name in _SETS]
    sets = [scored(file, folders) for file in files[: 1 if given.misses else None]]
    print("\n".join(row for one in sets for row in one.differences) if given.misses else report(sets))


if __name__ == "__main__":
    main()
