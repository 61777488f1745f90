"""Shared by benchmarks: medians over interleaved rounds, and a table with the machine that made it."""

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import date
from importlib.metadata import version
from pathlib import Path

ROUNDS = 5


def in_turns(contenders: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of each contender, the median of `rounds`; they take turns, so that a busy moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            started = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - started)
    return {name: statistics.median(taken) for name, taken in times.items()}


def header(title: str, *packages: str, rounds: int = ROUNDS, command: str = "python -m benchmarks") -> str:
    """A table's first lines: what, when, on what, with which versions, by which command."""
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return (
        f"# {title}\n\n{date.today().isoformat()}, Python {platform.python_version()} on {platform.system()} "
        f"{platform.machine()}; {versions}. Medians of {rounds} rounds that take turns. "
        f"Made by `{command}`.\n\n"
    )


def table(columns: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n"


def revision() -> str:
    """The last commit that changed our sources, with a `+` where they differ from it."""
    folder = Path(__file__).parents[1]

    def git(*arguments: str) -> str:
        return subprocess.run(
            ("git", *arguments), cwd=folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    return git("log", "-1", "--format=%h", "--", "src") + ("+" if git("status", "--porcelain", "src") else "")


def progress(text: str) -> None:
    """A word on stderr, for whoever waits."""
    print(text, file=sys.stderr, flush=True)
