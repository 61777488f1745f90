"""Rounds that take turns, kept as they are measured: a run that is stopped goes on where it was."""

import json
import math
import os
import statistics
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import progress
from benchmarks.truth.checkout import CACHE

Run = Callable[[], Mapping[str, Any]]


class Rounds:
    """Measurements of one revision, in a file of JSON lines: each {name, round, …what was measured}."""

    def __init__(self, revision: str, folder: Path = CACHE / "rounds") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{revision}.jsonl"
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        self._rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]

    def measure(self, contenders: Mapping[str, Run], rounds: int) -> None:
        """Runs what is missing, each contender in its turn of each round."""
        for number in range(rounds):
            for name, run in contenders.items():
                if not any(row["name"] == name and row["round"] == number for row in self._rows):
                    progress(f"round {number + 1} of {rounds}: {name} …")
                    load = round(os.getloadavg()[0], 1)
                    self._keep({"name": name, "round": number, "load": load, **run()})

    def values(self, name: str, key: str) -> list[float]:
        """The values of all rounds, lists joined."""
        found: list[float] = []
        for row in self._rows:
            if row["name"] == name and key in row:
                found += row[key] if isinstance(row[key], list) else [row[key]]
        return found

    def first(self, name: str, key: str) -> Any:
        """The value of the first round."""
        return next(row[key] for row in self._rows if row["name"] == name)

    def median(self, name: str, key: str = "seconds") -> float:
        """Of all rounds. Raises StatisticsError where there is none."""
        return statistics.median(self.values(name, key))

    def _keep(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def spread(seconds: Iterable[float]) -> list[str]:
    """p50, p95 by nearest rank (of 20 the 19th) and the most, in milliseconds."""
    times = sorted(seconds)
    last = math.ceil(len(times) * 0.95) - 1
    return [f"{1000 * time:.1f} ms" for time in (statistics.median(times), times[last], times[-1])]
